package io.gauze.accounting;

import io.gauze.accounting.loss.LaplaceLoss;
import io.gauze.accounting.loss.LossLaw;
import java.util.Arrays;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegrator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegratorFactory;

/**
 * A privacy loss on the lattice {@code offset + i step} whose delta is nowhere smaller than that of
 * the loss that it approximates: V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar and P. Manurangsi, <a
 * href="https://doi.org/10.56553/popets-2022-0122">Connect the dots: tighter discrete
 * approximations of privacy loss distributions</a>, PoPETs 2022. Differs from the paper: masses are
 * integrals of positive terms and not differences of deltas, so that the smallest masses keep their
 * digits. Mutable until it is built.
 */
// A loss L = x + y between the lattice points x and x + h is replaced by x + h with probability
// w = (1 - e^-y) / (1 - e^-h) and by x otherwise. That keeps both P and Q = E_P[e^-loss], so
// delta(ln z) = E_P[(1 - z e^-loss)+], a convex function of z = e^epsilon, keeps its value at all
// lattice points and becomes linear in between: it is above the old one, and equal at the points.
// By Zhu, Dong and Wang (Optimal accounting of differential privacy via characteristic function,
// AISTATS 2022, theorem 10) such upper bounds may be composed in place of the laws they bound.
// For a tilt s > 0, E[e^(s loss)] grows by a factor 1 + s (s + 1) y (h - y) / 2 to second order, at
// most 1 + s (s + 1) h^2 / 8, from which PldDiscretization chooses the step.
final class PrivacyLossDistribution {
  /** The largest number of lattice points of one law; larger losses count as infinite. */
  static final int MOST_POINTS = 1 << 17;

  /** A bound on the relative error of masses, from the arithmetic and the quadrature rule. */
  static final double SLACK = ConservativeRootFinder.SLACK;

  /** A bound on the mass that a law leaves out above, and on that below. */
  static final double DROPPED = Math.exp(-LossLaw.DROP);

  private static final int NODES = 8;
  private static final double[] POINTS = new double[NODES];
  private static final double[] WEIGHTS = new double[NODES];

  static {
    GaussIntegrator rule = new GaussIntegratorFactory().legendre(NODES);
    for (int i = 0; i < NODES; i++) {
      POINTS[i] = 0.5 + 0.5 * rule.getPoint(i);
      WEIGHTS[i] = 0.5 * rule.getWeight(i);
    }
  }

  private final double step;
  private final double offset;
  private final int first;
  private final double[] masses;
  private final double[] logs;
  private double infinite;

  private PrivacyLossDistribution(double step, double offset, int first, int points) {
    this.step = step;
    this.offset = offset;
    this.first = first;
    masses = new double[points];
    logs = new double[points];
  }

  /**
   * Puts a law on a lattice. The law has no atoms except for infinite loss.
   *
   * @param infinite the probability of infinite loss
   * @param largest losses that exceed this by at least a step count as infinite
   */
  static PrivacyLossDistribution of(LossLaw law, double infinite, double step, double largest) {
    double least = law.least();
    double most = Math.min(largest, law.largest());
    int half = MOST_POINTS / 2;
    int first = (int) Math.max(-half, Math.min(half, Math.floor(least / step)));
    int last = (int) Math.max(first + 1, Math.min(half, Math.ceil(most / step)));
    PrivacyLossDistribution lattice =
        new PrivacyLossDistribution(step, 0.0, first, last - first + 1);
    lattice.infinite = infinite + DROPPED;
    lattice.masses[0] += DROPPED;
    lattice.spread(law);
    return lattice.built();
  }

  /** Puts Laplace noise on a lattice; the largest loss is a lattice point. */
  static PrivacyLossDistribution laplace(double epsilon, double step) {
    PrivacyLossDistribution lattice = between(epsilon, step);
    lattice.add(lattice.last(), epsilon, 0.5);
    lattice.add(-epsilon, 0.5 * Math.exp(-epsilon));
    lattice.spread(new LaplaceLoss(epsilon));
    return lattice.built();
  }

  /**
   * Puts the worst mechanism with this epsilon and delta on a lattice; the largest loss is a
   * lattice point.
   */
  // P. Kairouz, S. Oh and P. Viswanath, The composition theorem for differential privacy, IEEE
  // Trans. Inf. Theory 63 (2017), theorem 3.3: randomised response that fails by a chance of delta.
  static PrivacyLossDistribution approximate(MechanismCost.Approximate cost, double step) {
    double epsilon = cost.epsilon();
    PrivacyLossDistribution lattice = between(epsilon, step);
    lattice.infinite = cost.delta();
    double low = (1.0 - cost.delta()) / (1.0 + Math.exp(epsilon));
    lattice.add(lattice.last(), epsilon, Math.exp(epsilon) * low);
    lattice.add(-epsilon, low);
    return lattice.built();
  }

  private static PrivacyLossDistribution between(double epsilon, double step) {
    int points = (int) Math.min(MOST_POINTS, 2.0 + Math.ceil(2.0 * epsilon / step));
    return new PrivacyLossDistribution(step, epsilon, 1 - points, points);
  }

  // Replacing a row is removing it, then adding the other. P has the one row, R neither, Q the
  // other, and delta_PQ(ln z) <= min over y > 0 of delta_PR(ln y) + y delta_RQ(ln(z / y)), as in
  // WishartPrivacy. This bound is convex in z (the second term is the perspective of a convex
  // function, so jointly convex in y and z), and the best y matches quantiles under R:
  //   R(loss of P to R > ln y) = R(loss of R to Q > ln(z / y)).
  // So both losses, each sorted from the largest down and coupled in that order under R, add up to
  // the loss of a pair with exactly this curve. For lattices the coupling is a merge, and the sums
  // are on a lattice again.

  /** Returns the loss of P to Q, if this is the loss of P to R, and {@code next} that of R to Q. */
  PrivacyLossDistribution then(PrivacyLossDistribution next) {
    int points = masses.length + next.masses.length - 1;
    PrivacyLossDistribution sum =
        new PrivacyLossDistribution(step, offset + next.offset, first + next.first, points);
    sum.infinite = infinite;
    int i = masses.length - 1;
    int j = next.masses.length; // an index one above the last point stands for infinite loss
    double ours = other(i);
    double theirs = next.infinite;
    while (true) {
      double shared = Math.min(ours, theirs);
      double mass = shared * Math.exp(loss(i));
      if (j == next.masses.length) {
        sum.infinite += mass;
      } else {
        sum.masses[i + j] += mass;
      }
      ours -= shared;
      theirs -= shared;
      if (!(ours > 0.0)) { // also true for NaN
        if (--i < 0) {
          return sum.built();
        }
        ours = other(i);
      } else if (!(theirs > 0.0)) {
        if (--j < 0) {
          return sum.built();
        }
        theirs = next.masses[j];
      }
    }
  }

  private PrivacyLossDistribution built() {
    // logarithms then exist even if all losses are infinite
    masses[0] = Math.max(masses[0], DROPPED);
    Arrays.setAll(logs, i -> Math.log(masses[i]));
    return this;
  }

  /** Returns the probability of a point under Q; infinity if it overflows. */
  private double other(int point) {
    return masses[point] > 0.0 ? masses[point] * Math.exp(-loss(point)) : 0.0;
  }

  private void spread(LossLaw law) {
    int last = masses.length - 1;
    double below = law.place(loss(0));
    double above = law.place(loss(last));
    integrate(law, law.rises() ? law.low() : law.high(), below, (x, mass) -> masses[0] += mass);
    integrate(law, above, law.rises() ? law.high() : law.low(), (x, mass) -> infinite += mass);
    for (int i = 0; i < last; i++) {
      int point = i;
      double next = law.place(loss(i + 1));
      integrate(law, below, next, (x, mass) -> add(point, x, mass));
      below = next;
    }
  }

  private interface Sink {
    void add(double loss, double mass);
  }

  private static void integrate(LossLaw law, double from, double to, Sink sink) {
    double end = Math.max(from, to);
    double start = Math.min(from, to);
    while (start < end) {
      double width = Math.min(law.panel(start), end - start);
      for (int k = 0; k < NODES; k++) {
        double place = start + width * POINTS[k];
        sink.add(law.loss(place), WEIGHTS[k] * width * law.density(place));
      }
      start = width == end - start ? end : start + width;
    }
  }

  private void add(double loss, double mass) {
    int point = (int) Math.floor((loss - loss(0)) / step);
    if (point < 0) {
      masses[0] += mass;
    } else {
      add(Math.min(point, last()), loss, mass);
    }
  }

  private void add(int point, double loss, double mass) {
    double y = Math.max(0.0, Math.min(step, loss - loss(point)));
    if (y == 0.0) {
      masses[point] += mass;
      return;
    }
    masses[point] += mass * Math.expm1(step - y) / Math.expm1(step);
    masses[point + 1] += mass * Math.expm1(-y) / Math.expm1(-step);
  }

  /** The number of lattice points. */
  int points() {
    return masses.length;
  }

  private int last() {
    return masses.length - 1;
  }

  /** Returns the loss at a point. */
  double loss(int point) {
    return offset + (first + point) * step;
  }

  /** Returns the probability of a point under P. */
  double mass(int point) {
    return masses[point];
  }

  /** The probability of infinite loss. */
  double infinite() {
    return infinite;
  }

  /** The residue of all losses modulo the step. */
  double offset() {
    return offset;
  }

  /** The index of the least loss, which is {@code offset + first step}. */
  int first() {
    return first;
  }

  /** Returns {@code ln E[e^(s L)]} over finite losses L, and its first two derivatives. */
  double[] logMoments(double s) {
    double shift = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < masses.length; i++) {
      shift = Math.max(shift, s * loss(i) + logs[i]);
    }
    double[] sums = new double[3];
    for (int i = 0; i < masses.length; i++) {
      double x = loss(i);
      double term = Math.exp(s * x + logs[i] - shift);
      sums[0] += term;
      sums[1] += term * x;
      sums[2] += term * x * x;
    }
    double mean = sums[1] / sums[0];
    return new double[] {
      shift + Math.log(sums[0]), mean, Math.max(0.0, sums[2] / sums[0] - mean * mean)
    };
  }
}

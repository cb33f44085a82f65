package io.gauze.accounting;

import io.gauze.accounting.PldComposition.Term;
import io.gauze.accounting.loss.FourierTransform;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.solvers.AllowedSolution;
import org.apache.commons.math3.analysis.solvers.BracketingNthOrderBrentSolver;

/**
 * The law of a sum of privacy losses in a window, computed by Fourier transforms. An exponential
 * tilt moves its bulk to the losses for which delta is wanted, so that small deltas keep their
 * digits. Immutable.
 */
// Sources of error, each on the safe side:
// - lattices: a distribution is pessimistic, and a plan's step adds about 1e-4 to delta
//   (relatively);
// - masses and exponentials: SLACK for each loss added;
// - losses: some units in the last place of their terms, which matter where little is above
//   epsilon;
// - above the window: Chernoff's bound, added;
// - wrap-around: the transform is circular. Masses are positive, so that wrapped mass only adds.
//   Mass from below the window is weighted down by e^(-tilt width); the plan makes it negligible;
// - transforms: with v_g the tilted masses of one law, which sum to 1, n_g copies, F_g its
//   transform, and e = FourierTransform.error(): |dF_g|_2 <= e sqrt(N) |v_g|_2. As |F_g| <= 1, the
//   product has an error of sum n_g |dF_g| and, for n multiplications of error below 4u each
//   (binary powers included), of 4 n u |product|; |product|_2 <= sqrt(N) min |v_g|_2, since no
//   convolution with a law of mass 1 is longer. The inverse transform divides by sqrt(N) and adds
//   e. So the sum has the error E = e sum n_g |v_g|_2 + (4 n u + e) min |v_g|_2 in the Euclidean
//   norm (times 1.01 for products of errors), and delta, a scalar product with weights w, the
//   error |w|_2 E.
final class TiltedConvolution {
  private static final double UNIT = 0x1p-53;
  private static final double LARGEST_EPSILON = 1e9;

  private final PldDiscretization plan;
  private final double offset;
  private final double start;
  private final double logScale;
  private final double[] masses;
  private final double error;
  private final double beyond;
  private final double slack;

  TiltedConvolution(PldComposition sum, PldDiscretization plan) {
    this.plan = plan;
    List<Term> terms = sum.lattices(plan.step(), plan.most());
    FourierTransform transform = new FourierTransform(plan.points());
    Product product = new Product(transform, plan);
    double offsets = 0.0;
    for (Term term : terms) {
      product.multiply(term);
      offsets += term.copies() * term.law().offset();
    }
    offset = offsets;
    start = Math.ceil((plan.bottom() - offset) / plan.step());
    masses = product.inverse();
    logScale = product.log;
    double e = transform.error();
    error = 1.01 * (e * product.norms + (4.0 * sum.copies() * UNIT + e) * product.least);
    slack = Math.exp(PrivacyLossDistribution.SLACK * sum.copies());
    beyond = above(terms) + PldDiscretization.infinite(terms);
  }

  /** Returns a bound on the probability of a finite loss above the window. */
  private double above(List<Term> terms) {
    double largest = 0.0;
    for (Term term : terms) {
      largest += term.copies() * term.law().loss(term.law().points() - 1);
    }
    double end = loss(masses.length);
    double log = PldDiscretization.logMoments(terms, plan.tail())[0] - plan.tail() * end;
    return largest < end - 0.5 * plan.step() ? 0.0 : Math.exp(log);
  }

  private double loss(int point) {
    return offset + (start + point) * plan.step();
  }

  /**
   * Returns an upper bound on delta, sharp near the epsilon of the plan.
   *
   * @param epsilon at least 0
   * @return in [0, 1]
   */
  double delta(double epsilon) {
    if (!(epsilon >= loss(0))) {
      return 1.0;
    }
    int point = (int) Math.min(masses.length, Math.floor((epsilon - loss(0)) / plan.step()));
    // Points below epsilon have weight 0.
    int index = (int) Math.floorMod((long) start + point, (long) masses.length);
    double rounding = 0x1p-49 * (Math.abs(offset) + Math.abs(loss(0)) + Math.abs(loss(point)));
    double sum = 0.0;
    double squares = 0.0;
    for (; point < masses.length; point++) {
      double excess = Math.max(0.0, loss(point) - epsilon + rounding);
      double weight = -Math.expm1(-excess) * Math.exp(-plan.tilt() * excess);
      sum += weight * Math.max(0.0, masses[index]);
      squares += weight * weight;
      index = index + 1 == masses.length ? 0 : index + 1;
    }
    double scale = Math.exp(logScale - plan.tilt() * epsilon);
    double bound = (scale * (sum + error * Math.sqrt(squares)) + beyond) * slack;
    return bound < 1.0 ? bound : 1.0; // also returns 1 for NaN, after an overflow
  }

  /**
   * Returns an upper bound on the least epsilon at which delta is at most some value, sharp if the
   * plan was made for it.
   *
   * @return infinity if infinite loss has at least this probability
   */
  double epsilon(double delta) {
    if (!(beyond * slack < delta)) {
      return Double.POSITIVE_INFINITY;
    }
    double low = Math.max(0.0, plan.epsilon());
    double high = low;
    double width = 0.01 / plan.tilt();
    for (; delta(high) > delta; width *= 2.0) {
      if (!(high < LARGEST_EPSILON)) { // also true for NaN
        return Double.POSITIVE_INFINITY;
      }
      low = high;
      high += width;
    }
    for (; delta(low) <= delta; width *= 2.0) {
      if (low == 0.0) {
        return 0.0;
      }
      high = low;
      low = Math.max(0.0, low - width);
    }
    return root(delta, low, high);
  }

  private double root(double delta, double low, double high) {
    UnivariateFunction excess = x -> Math.max(-1e3, Math.log(delta(x) / delta));
    double root = high;
    if (excess.value(high) < 0.0) {
      root =
          new BracketingNthOrderBrentSolver(1e-14, 1e-14 * high, 1e-12, 5)
              .solve(200, excess, low, high, AllowedSolution.BELOW_SIDE);
    }
    return delta(root) <= delta ? root : high;
  }

  /** The product of transforms, with a bound on its error. */
  private static final class Product {
    private final FourierTransform transform;
    private final double tilt;
    private final double[] real;
    private final double[] imaginary;
    private double log;
    private double norms;
    private double least = 1.0;

    Product(FourierTransform transform, PldDiscretization plan) {
      this.transform = transform;
      tilt = plan.tilt();
      real = new double[plan.points()];
      imaginary = new double[plan.points()];
      Arrays.fill(real, 1.0);
    }

    void multiply(Term term) {
      PrivacyLossDistribution law = term.law();
      double each = law.logMoments(tilt)[0];
      double[] x = new double[real.length];
      double[] y = new double[real.length];
      for (int i = 0; i < law.points(); i++) {
        int index = Math.floorMod(law.first() + i, x.length);
        x[index] += law.mass(i) * Math.exp(tilt * law.loss(i) - each);
      }
      double squares = 0.0;
      for (double value : x) {
        squares += value * value;
      }
      log += term.copies() * each;
      norms += term.copies() * Math.sqrt(squares);
      least = Math.min(least, Math.sqrt(squares));
      transform.apply(x, y);
      for (int i = 0; i < x.length; i++) {
        multiply(i, x[i], y[i], term.copies());
      }
    }

    private void multiply(int i, double re, double im, int power) {
      double x = re;
      double y = im;
      for (int left = power; ; left /= 2) {
        if (left % 2 == 1) {
          double product = real[i] * x - imaginary[i] * y;
          imaginary[i] = real[i] * y + imaginary[i] * x;
          real[i] = product;
        }
        if (left <= 1) {
          return;
        }
        double square = x * x - y * y;
        y = 2.0 * x * y;
        x = square;
      }
    }

    /** Returns the masses; a point is at its number modulo the length. */
    double[] inverse() {
      // The inverse is the conjugate of the transform of the conjugate, over N; it is real.
      for (int i = 0; i < imaginary.length; i++) {
        imaginary[i] = -imaginary[i];
      }
      transform.apply(real, imaginary);
      for (int i = 0; i < real.length; i++) {
        real[i] /= real.length;
      }
      return real;
    }
  }
}

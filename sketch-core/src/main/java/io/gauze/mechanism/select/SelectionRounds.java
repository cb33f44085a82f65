package io.gauze.mechanism.select;

import io.gauze.linalg.PositiveSystem;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.noise.Entropy;
import io.gauze.noise.ExponentialChoice;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Selects columns in rounds. In each round, columns are drawn one after the other by the
 * exponential mechanism. Between rounds, a ridge regression of noisy moments of the columns
 * selected so far is the model of the residual. After the draws, moments of the selected columns
 * may be released.
 */
final class SelectionRounds {
  /** Fraction bits of the coefficients of models. */
  static final int FRACTION_BITS = 20;

  private static final double LARGEST_COEFFICIENT = 64.0;

  /** What is selected from; exact, and private. */
  interface Sums {
    /** The index of the response among the encoded columns. */
    int response();

    /**
     * Returns the scores of all encoded columns; those of the response, the intercept and columns
     * of the model are not used.
     *
     * @param theta the coefficients of the public model by column, multiples of 2^-20; empty in the
     *     first round
     */
    BigInteger[] scores(Map<Integer, Double> theta);

    /** Returns the scale of the exponential mechanism in units of the scores, rounded up. */
    BigInteger scale(Map<Integer, Double> theta);

    /**
     * Returns the upper triangle of the moments of some columns.
     *
     * @param columns the intercept, selected columns in their order, the response
     */
    long[] upper(int... columns);
  }

  private final Sums sums;
  private final SelectionPlan plan;

  /** Creates a selection of these draws and noise. */
  SelectionRounds(Sums sums, SelectionPlan plan) {
    this.sums = sums;
    this.plan = plan;
  }

  /** Returns how many columns are selected after a round, from 0. */
  static int after(int round, int rounds, int size) {
    return (int) ((round + 1L) * size / rounds);
  }

  /**
   * Returns the scale of the exponential mechanism, rounded up.
   *
   * @param sensitivity of each score
   * @param range of each draw
   * @param unit of the scores, in the same scale as the sensitivity
   */
  static BigInteger scale(double sensitivity, double range, double unit) {
    double encoded = Math.nextUp(2.0 * sensitivity / range);
    return new BigDecimal(Math.nextUp(encoded / unit)).toBigInteger().add(BigInteger.ONE);
  }

  private SortedSet<Integer> select(Entropy entropy) {
    SortedSet<Integer> selected = new TreeSet<>();
    Map<Integer, Double> theta = new TreeMap<>();
    for (int round = 0; round < plan.rounds(); round++) {
      if (round > 0) {
        theta = model(selected, plan.fits().get(round - 1), entropy);
      }
      draw(theta, after(round, plan.rounds(), plan.selected()), selected, entropy);
    }
    return selected;
  }

  /**
   * Selects columns, and returns the payload of a release: the columns, in units of the payload,
   * and their moments with noise.
   *
   * @param stepSize the unit of the payload, a power of two
   */
  long[] release(double stepSize, Entropy entropy) {
    SortedSet<Integer> selected = select(entropy);
    long[] upper = sums.upper(columns(selected));
    plan.noise().add(upper, 0, upper.length, entropy);
    long[] payload = new long[selected.size() + upper.length];
    int next = 0;
    for (int column : selected) {
      payload[next++] = Math.round(column / stepSize); // exact: the step is a power of two
    }
    System.arraycopy(upper, 0, payload, next, upper.length);
    return payload;
  }

  private void draw(
      Map<Integer, Double> theta, int until, SortedSet<Integer> selected, Entropy entropy) {
    List<Integer> candidates = new ArrayList<>();
    List<BigInteger> scores = new ArrayList<>();
    BigInteger[] all = sums.scores(theta);
    for (int column = 1; column < all.length; column++) {
      if (column != sums.response() && !selected.contains(column)) {
        candidates.add(column);
        scores.add(all[column]);
      }
    }
    BigInteger scale = sums.scale(theta);
    while (selected.size() < until) {
      int next = ExponentialChoice.choose(scores, scale, entropy);
      selected.add(candidates.remove(next));
      scores.remove(next);
    }
  }

  // Any penalty is private, since the moments are. This one has the size of the largest eigenvalue
  // of the noise.
  private Map<Integer, Double> model(
      SortedSet<Integer> selected, SymmetricNoise noise, Entropy entropy) {
    int[] columns = columns(selected);
    long[] upper = sums.upper(columns);
    noise.add(upper, 0, upper.length, entropy);
    int places = columns.length - 1;
    double[] products = new double[places];
    double[] gram = new double[places * places];
    int next = 0;
    for (int i = 0; i < places; i++) {
      for (int j = i; j < places; j++) {
        gram[i * places + j] = (double) upper[next++];
      }
      products[i] = (double) upper[next++];
    }
    double ridge = 2.0 * noise.diagonal().sigma() * Math.sqrt(places);
    double[] solution = solve(gram, products, ridge);
    Map<Integer, Double> theta = new TreeMap<>();
    for (int i = 0; i < places; i++) {
      theta.put(columns[i], onGrid(solution[i]));
    }
    return theta;
  }

  /** Returns the solution of the least penalty that makes the system positive definite. */
  private static double[] solve(double[] gram, double[] products, double least) {
    int size = products.length;
    for (double ridge = least; ; ridge *= 4.0) {
      double[] penalized = gram.clone();
      for (int i = 0; i < size; i++) {
        penalized[i * size + i] += ridge;
      }
      Optional<PositiveSystem> system = PositiveSystem.of(size, penalized);
      if (system.isPresent()) {
        return system.get().solve(products);
      }
    }
  }

  private static double onGrid(double value) {
    double clamped = Math.max(-LARGEST_COEFFICIENT, Math.min(LARGEST_COEFFICIENT, value));
    return Math.scalb(Math.rint(Math.scalb(clamped, FRACTION_BITS)), -FRACTION_BITS);
  }

  /** Returns the intercept, the selected columns in order, and the response. */
  private int[] columns(SortedSet<Integer> selected) {
    int[] columns = new int[selected.size() + 2];
    int next = 1;
    for (int column : selected) {
      columns[next++] = column;
    }
    columns[next] = sums.response();
    return columns;
  }
}

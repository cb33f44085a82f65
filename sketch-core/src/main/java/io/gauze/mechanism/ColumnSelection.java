package io.gauze.mechanism;

import io.gauze.linalg.PositiveSystem;
import io.gauze.noise.Entropy;
import io.gauze.noise.ExponentialChoice;
import io.gauze.sketch.SecondMomentsSpec;
import java.io.Serializable;
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
 * Selects the columns that explain a response from exact second moments. In each round, columns are
 * drawn one after the other by the exponential mechanism, with the absolute products of a column
 * and the residual for scores. Between rounds, a ridge regression of noisy moments of the columns
 * selected so far is the model of the residual.
 *
 * <p>Scores are exact integers: coefficients of the model are rounded to a grid.
 *
 * @param spec the exact moments
 * @param bounds of the rows
 * @param size the number of columns to select
 * @param range of each draw, see {@link io.gauze.accounting.BoundedRange}
 * @param fits the noise of the moments between rounds, by round; empty for one round
 * @param momentUnit a step of the moments in the encoded scale squared
 */
public record ColumnSelection(
    SecondMomentsSpec spec,
    SelectionBounds bounds,
    int size,
    double range,
    List<SymmetricNoise> fits,
    double momentUnit)
    implements Serializable {
  private static final int FRACTION_BITS = 20; // of coefficients
  private static final double LARGEST_COEFFICIENT = 64.0;

  /** Copies the noise. */
  public ColumnSelection {
    fits = List.copyOf(fits);
  }

  /** Returns a copy with another range of each draw. */
  public ColumnSelection withRange(double other) {
    return new ColumnSelection(spec, bounds, size, other, fits, momentUnit);
  }

  /** The factor of scores in the first round, in steps of the moments, in the exponent. */
  public double rate() {
    return 1.0 / Math.scalb(scale(Map.of()).doubleValue(), -FRACTION_BITS);
  }

  /** Returns how many columns are selected after a round, from 0. */
  static int after(int round, int rounds, int size) {
    return (int) ((round + 1L) * size / rounds);
  }

  /** Selects columns of a state without noise. O(D (D + size)) time. */
  SortedSet<Integer> select(long[] state, Entropy entropy) {
    SortedSet<Integer> selected = new TreeSet<>();
    Map<Integer, Double> theta = new TreeMap<>();
    for (int round = 0; round <= fits.size(); round++) {
      if (round > 0) {
        theta = model(state, selected, fits.get(round - 1), entropy);
      }
      draw(state, theta, after(round, fits.size() + 1, size), selected, entropy);
    }
    return selected;
  }

  private void draw(
      long[] state,
      Map<Integer, Double> theta,
      int until,
      SortedSet<Integer> selected,
      Entropy entropy) {
    List<Integer> candidates = new ArrayList<>();
    List<BigInteger> scores = new ArrayList<>();
    for (int column = 1; column < spec.dimension(); column++) {
      if (column != bounds.response() && !selected.contains(column)) {
        candidates.add(column);
        scores.add(score(state, theta, column));
      }
    }
    BigInteger scale = scale(theta);
    while (selected.size() < until) {
      int next = ExponentialChoice.choose(scores, scale, entropy);
      selected.add(candidates.remove(next));
      scores.remove(next);
    }
  }

  /** Returns the absolute product of a column and the residual, in steps of 2^-20. */
  private BigInteger score(long[] state, Map<Integer, Double> theta, int column) {
    BigInteger sum =
        BigInteger.valueOf(state[spec.index(column, bounds.response())]).shiftLeft(FRACTION_BITS);
    for (Map.Entry<Integer, Double> each : theta.entrySet()) {
      long weight = (long) Math.scalb(each.getValue(), FRACTION_BITS); // whole, see onGrid
      sum =
          sum.subtract(
              BigInteger.valueOf(state[spec.index(column, each.getKey())])
                  .multiply(BigInteger.valueOf(weight)));
    }
    return sum.abs();
  }

  /** Returns the scale of the exponential mechanism, in units of the scores, rounded up. */
  private BigInteger scale(Map<Integer, Double> theta) {
    double encoded = Math.nextUp(2.0 * bounds.score(theta) / range);
    return new BigDecimal(Math.scalb(Math.nextUp(encoded / momentUnit), FRACTION_BITS))
        .toBigInteger()
        .add(BigInteger.ONE);
  }

  // Any penalty is private, since the moments are. This one has the size of the largest eigenvalue
  // of the noise.
  private Map<Integer, Double> model(
      long[] state, SortedSet<Integer> selected, SymmetricNoise noise, Entropy entropy) {
    int[] columns = columns(selected);
    long[] upper = upper(state, columns);
    noise.add(upper, 0, upper.length, entropy);
    int size = columns.length - 1;
    double[] products = new double[size];
    double[] gram = new double[size * size];
    int next = 0;
    for (int i = 0; i < size; i++) {
      for (int j = i; j < size; j++) {
        gram[i * size + j] = (double) upper[next++];
      }
      products[i] = (double) upper[next++];
    }
    double ridge = 2.0 * noise.diagonal().sigma() * Math.sqrt(size);
    double[] solution = solve(gram, products, ridge);
    Map<Integer, Double> theta = new TreeMap<>();
    for (int i = 0; i < size; i++) {
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
  int[] columns(SortedSet<Integer> selected) {
    int[] columns = new int[selected.size() + 2];
    int next = 1;
    for (int column : selected) {
      columns[next++] = column;
    }
    columns[next] = bounds.response();
    return columns;
  }

  /** Returns the upper triangle of the moments of these columns. */
  public long[] upper(long[] state, int... columns) {
    long[] upper = new long[columns.length * (columns.length + 1) / 2];
    int next = 0;
    for (int i = 0; i < columns.length; i++) {
      for (int j = i; j < columns.length; j++) {
        upper[next++] = state[spec.index(columns[i], columns[j])];
      }
    }
    return upper;
  }
}

package io.gauze.plan;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Column;
import io.gauze.row.MissingValues;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Plans the intercept and the row bound of a config that gives none, from public numbers alone. The
 * noise of moments grows with the square of the bound, and hardly any row is as long as the longest
 * that the ranges allow.
 *
 * <p>The noise of moments is the same in all columns, so a column that spreads less than others in
 * the encoded scale is drowned first, and one that spreads more only makes rows longer. Where the
 * config gives a spread, all columns are encoded smaller, by factors that make their spreads equal.
 *
 * <p>Let {@code E[x_j^2]} be the square of a column's spread in the encoded scale. The intercept c0
 * is the root of their mean: a larger one takes room from the columns, a smaller one is drowned by
 * noise. The bound of the features x is {@code B_x^2 = kappa (c0^2 + sum of E[x_j^2])}. Kappa is
 * 1.15 where the noise is large, so that what the bound costs is small beside it, and grows without
 * end as the noise falls. Responses have a bound of their own, {@code B_y}, of 3.25 spreads where
 * the noise is large and of more where it is small, and {@code B^2 = B_x^2 + B_y^2}; without
 * responses all columns are features. No bound is above what the ranges allow.
 *
 * @param columns the columns of the stream
 * @param givenIntercept the constant of every row, if the config has one
 * @param spreads public guesses of standard deviations around the typical values, by the names of
 *     numeric and ordinal columns, in the user's units; default: a quarter of the range if there
 *     are none, else half of it
 * @param responses names of the columns that fits are to explain; may be empty
 * @param budget of the stream
 * @param expectedRows of an epoch, at least 1
 * @param scaled whether columns may be encoded smaller than their ranges allow: false for sketches
 *     that cut the range of a column into parts
 */
public record RowBoundPlan(
    List<Column> columns,
    OptionalDouble givenIntercept,
    Map<String, Double> spreads,
    List<String> responses,
    Budget budget,
    long expectedRows,
    boolean scaled) {
  private static final double CODE_SPREAD = 0.5; // of the range
  private static final double LEAST_BOUND = 0x1p-6; // of a schema
  private static final double LEAST_INTERCEPT = 0x1p-8;

  /** The smallest spread to which columns are scaled. */
  private static final double LEAST_SPREAD = 0x1p-5;

  private static final double MOST_KAPPA = 0x1p30;

  /** Kappa is a multiple of an eighth: it does not depend on the last bits of a prediction. */
  private static final double STEPS = 8.0;

  /** Checks the ranges. */
  public RowBoundPlan {
    columns = List.copyOf(columns);
    spreads = Map.copyOf(spreads);
    responses = List.copyOf(responses);
    spreads.forEach((name, spread) -> Checks.positiveFinite("spread of " + name, spread));
  }

  /** The constant of every row: the given one, or the root of the columns' mean square. */
  public double intercept() {
    return givenIntercept.orElseGet(
        () -> Math.max(LEAST_INTERCEPT, Math.sqrt(columnSquares() / width())));
  }

  /**
   * The numbers by which the encoded values of the columns are multiplied: all 1 if no spread is
   * given, else those that make the spreads equal to the smallest one.
   */
  public List<Double> factors() {
    double target = target();
    return columns.stream().map(column -> factor(column, target)).toList();
  }

  /** Returns the spread of an encoded entry to which larger ones are scaled. */
  private double target() {
    if (!scaled || spreads.isEmpty()) {
      return 1.0;
    }
    double least = 1.0;
    for (Column column : columns) {
      least = Math.min(least, entrySpread(column));
    }
    return Math.max(least, LEAST_SPREAD);
  }

  private double factor(Column column) {
    return factor(column, target());
  }

  private double factor(Column column, double target) {
    return Math.min(1.0, target / entrySpread(column));
  }

  // Not a stream, whose order of adding up is undefined: the encoding depends on the sum.
  private double columnSquares() {
    double sum = 0.0;
    for (Column column : columns) {
      sum += meanSquare(column);
    }
    return sum;
  }

  private int width() {
    return columns.stream().mapToInt(Column::width).sum();
  }

  /**
   * The schema with the planned bound.
   *
   * @param tight whether rows may be clipped: false for sketches whose noise does not depend on the
   *     bound
   */
  public RowSchema schema(boolean tight, MissingValues missing) {
    double intercept = intercept();
    double largest = largestNorm(intercept);
    if (!tight) {
      return schema(intercept, largest, missing);
    }
    double kappa = kappa();
    double features = featureBound(kappa);
    if (responses.isEmpty()) {
      return schema(intercept, Math.max(LEAST_BOUND, features), missing);
    }
    ResponseBound apart = new ResponseBound(responses, responseBound(features * features, kappa));
    double bound =
        Math.min(Math.sqrt(features * features + apart.bound() * apart.bound()), largest);
    while (apart.ofFeatures(bound) < intercept) { // by rounding alone
      bound = Math.nextUp(bound);
    }
    return schema(intercept, Math.max(LEAST_BOUND, bound), missing).withResponses(apart);
  }

  private RowSchema schema(double intercept, double bound, MissingValues missing) {
    return RowSchema.of(columns, intercept, bound, missing).withFactors(factors());
  }

  /**
   * The schema with a given row bound, or the largest norm of a row if that is smaller.
   *
   * @param givenResponseBound that of the responses; empty: as planned, but at most the bound over
   *     sqrt 2
   * @throws IllegalArgumentException if the bound is far above that norm or too small
   */
  public RowSchema schema(
      double rowBound, OptionalDouble givenResponseBound, MissingValues missing) {
    double intercept = interceptBeside(rowBound);
    boolean fits = intercept > 0.0 && intercept <= rowBound; // else the schema refuses it
    double bound = fits ? RowSchema.usefulBound(rowBound, largestNorm(intercept)) : rowBound;
    return schema(intercept, bound, givenResponseBound, missing);
  }

  /**
   * The schema with a row bound that was given before the ranges were known: the largest norm of a
   * row if that is smaller, however far. A response bound that leaves no room for the features
   * beside it is planned instead.
   */
  public RowSchema schemaWithin(
      double rowBound, OptionalDouble givenResponseBound, MissingValues missing) {
    double intercept = interceptBeside(rowBound);
    double bound = Math.min(rowBound, largestNorm(intercept));
    boolean fits =
        givenResponseBound.isPresent()
            && Math.hypot(givenResponseBound.getAsDouble(), intercept) < bound;
    return schema(intercept, bound, fits ? givenResponseBound : OptionalDouble.empty(), missing);
  }

  private double interceptBeside(double rowBound) {
    return givenIntercept.orElse(Math.min(intercept(), 0.5 * rowBound));
  }

  private double largestNorm(double intercept) {
    return RowSchema.largestNorm(columns, factors(), intercept);
  }

  private RowSchema schema(
      double intercept, double bound, OptionalDouble givenResponseBound, MissingValues missing) {
    RowSchema schema = schema(intercept, bound, missing);
    if (responses.isEmpty()) {
      return schema;
    }
    double planned = Math.min(responseBound(0.8 * bound * bound, 1.0), bound / Math.sqrt(2.0));
    return schema.withResponses(new ResponseBound(responses, givenResponseBound.orElse(planned)));
  }

  // Noise costs about P kappa^2, P the prediction for a kappa of 1, and what it costs that rows are
  // shortened falls about with the fourth power of kappa: the sum is least at the balance.
  /** How many times the mean square of a row's features the bound allows. */
  public double kappa() {
    double excess = predictedExcess(featureBound(1.0));
    double balance = StrictMath.pow(Tuning.BALANCE / excess, 1.0 / 6.0);
    double most = Math.max(balance, Math.sqrt(Tuning.INVISIBLE / excess));
    double kappa = 1.0 + (Math.min(most, MOST_KAPPA) - 1.0) * tails();
    return Math.max(Tuning.LEAST_KAPPA, Math.floor(STEPS * kappa) / STEPS);
  }

  // The end of a range is 2 default spreads from its middle, and more of a given spread: tails of
  // columns without a spread are short.
  private double tails() {
    long ranges = columns.stream().filter(Column::isQuantity).count();
    double given = spreads.isEmpty() ? 0.0 : Math.min(1.0, spreads.size() / (double) ranges);
    return Tuning.TAILS_OF_RANGES + (1.0 - Tuning.TAILS_OF_RANGES) * given;
  }

  private double featureBound(double kappa) {
    List<Column> features = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    double square = intercept() * intercept();
    for (Column column : columns) {
      if (!responses.contains(column.name())) {
        features.add(column);
        theirs.add(factor(column));
        square += meanSquare(column);
      }
    }
    return Math.min(
        Math.sqrt(kappa * square), RowSchema.largestNorm(features, theirs, intercept()));
  }

  // A response that its features explain is as long as they are: where the bound of the features is
  // wide, that of the response must be too, or it cuts off just what long features explain.
  /**
   * The bound of the responses beside features of this squared bound: a quarter of it at least,
   * which costs little and spares tails, and nearly all of it for a large kappa. No response is
   * beyond the end of its range.
   */
  private double responseBound(double featureSquare, double kappa) {
    double square =
        Math.max(
            Tuning.RESPONSE_SPREADS * Tuning.RESPONSE_SPREADS, Tuning.RESPONSE_SQUARES * kappa);
    double spreads = 0.0;
    double ends = 0.0;
    for (Column column : columns) {
      if (responses.contains(column.name())) {
        double end = factor(column) * factor(column);
        spreads += Math.min(end, square * meanSquare(column));
        ends += end;
      }
    }
    double share = Math.max(Tuning.RESPONSE_SHARE, 1.0 - 1.0 / kappa);
    return Math.sqrt(Math.min(ends, Math.max(share * featureSquare, spreads)));
  }

  /** The expected sum of squares of a column's encoded entries. */
  private double meanSquare(Column column) {
    double factor = factor(column);
    return factor * factor * unscaledSquare(column);
  }

  /** The root of the mean square of an encoded entry of a column, for a factor of 1. */
  private double entrySpread(Column column) {
    return Math.sqrt(unscaledSquare(column) / column.width());
  }

  private double unscaledSquare(Column column) {
    if (column.isOneHot()) { // all categories alike; the baseline has no entry
      return column.width() / (1.0 + column.width());
    }
    if (column.isIndicator()) {
      return 1.0; // -1 or 1
    }
    double range = column.upper() - column.lower();
    double spread = spreads.getOrDefault(column.name(), defaultSpread() * range);
    double scaled =
        spread / Math.max(column.upper() - column.typical(), column.typical() - column.lower());
    return Math.min(1.0, scaled * scaled);
  }

  // Whoever says some spreads leaves out those of codes, such as 0 or 1, whose values are the ends.
  private double defaultSpread() {
    return spreads.isEmpty() ? Tuning.DEFAULT_SPREAD : CODE_SPREAD;
  }

  // The excess of least squares on noisy moments with the whole budget, over d independent features
  // of one mean square v and a response of v, a share R of which they explain:
  //   sigma^2 ((|b|^2 + 1) tr M^-1 + sum b_j^2 (M^-1)_jj) / (4 n^2 s^2),
  // M = diag(c0^2, v, ..., v), |b|^2 = R, s^2 = (1 - R) v.
  private double predictedExcess(double bound) {
    double v = columnSquares() / width();
    double factor = budget.neighbours() == Neighbours.ADD_REMOVE ? 1.0 : Math.sqrt(2.0);
    double sigma = factor * bound * bound / GaussianDp.mu(budget.epsilon(), budget.delta());
    double inverse = 1.0 / (intercept() * intercept()) + (width() - 1.0) / v;
    double n = (double) expectedRows;
    return sigma
        * sigma
        * ((Tuning.EXPLAINED + 1.0) * inverse + Tuning.EXPLAINED / v)
        / (4.0 * n * n * (1.0 - Tuning.EXPLAINED) * v);
  }
}

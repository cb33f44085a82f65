package io.gauze.mechanism.select;

import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.model.ObjectiveModels;
import io.gauze.model.ModelRows;
import io.gauze.model.RowProducts;
import io.gauze.noise.Entropy;
import io.gauze.sketch.EmptySketchSpec;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/**
 * {@link SelectFit} on rows that are read again: once columns are selected, rows are shortened to a
 * bound that is planned for so few columns, which is far below that of whole rows. The noise falls
 * with its square. The payload is that of {@link SelectFit}.
 *
 * <p>Scores are products of a column and the residual, both clamped: the residual to the size that
 * the response may have at most, so that the bound does not grow with the number of columns or with
 * the model.
 *
 * @param spec the sketch of the state, which is empty
 * @param bounds of rows of few columns
 * @param plan the draws and the noise
 */
public record SelectFitRows(EmptySketchSpec spec, SelectedBounds bounds, SelectionPlan plan)
    implements RowsMechanism, SelectFitMechanism {
  // As SelectFit, where "Draws" and "Moments" differ:
  //
  // Draws. The score of column j is |sum over rows of a_j r|, a_j clamped to [-e, e] and r to
  // [-R, R], see SelectedBounds.column and SelectedBounds.residual. One row changes it by at most
  // e R, a replaced one by 2 e R, whatever the public model of r is.
  //
  // Moments. Given the draws, a row has the entries of the intercept and the t columns that were
  // drawn, shortened to B_t together, and the response times the same factor, clamped to T_t, see
  // SelectedBounds.features and SelectedBounds.response. Which columns these are decides what a row
  // becomes; after that each row is a function of itself alone, of squared norm at most B_t^2 +
  // T_t^2 in whole numbers, and the moments of such rows differ as those of NoisyMoments.
  //
  // All sums are of the same rows: those of one list. A job that repeats a fit publishes one of the
  // results alone.
  static SelectFitRows of(StreamRequest stream, int response, int selected, int rounds, double mu) {
    SelectedBounds bounds = SelectedBounds.of(stream, response);
    String name = stream.schema().encodedNames().get(response);
    IntToDoubleFunction unit = size -> bounds.clipper(size).grid().momentUnit();
    SelectionShares shares =
        SelectionShares.planned(stream, bounds.whole(), selected, rounds, mu, bounds.score());
    return new SelectFitRows(
        new EmptySketchSpec(stream.schema().dimension()),
        bounds,
        SelectionPlan.of(name, selected, rounds, mu, shares, bounds::moments, unit));
  }

  /** Returns a copy with other draws or noise. */
  public SelectFitRows with(SelectionPlan other) {
    return new SelectFitRows(spec, bounds, other);
  }

  @Override
  public double stepSize() {
    return bounds.clipper(plan.selected()).grid().momentUnit();
  }

  @Override
  public ModelRows rows() {
    return ModelRows.unclipped(spec.dimension() - 1);
  }

  @Override
  public void add(ModelRows rows, double... scaled) {
    double[] features = new double[scaled.length - 1];
    int response = bounds.whole().response();
    System.arraycopy(scaled, 0, features, 0, response);
    System.arraycopy(scaled, response + 1, features, response, features.length - response);
    rows.add(features, scaled[response]);
  }

  @Override
  public int payloadLength() {
    return plan.selected() + SelectFitKind.triangle(plan.selected());
  }

  @Override
  public long[] fit(ModelRows rows, Entropy entropy) {
    return new SelectionRounds(new Sums(rows), plan).release(stepSize(), entropy);
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = plan.parameters();
    parameters.put(SelectFitKind.READINGS, 2.0);
    parameters.put(ObjectiveModels.FEATURE_BOUND, bounds.features(plan.selected()));
    parameters.put("responseBound", bounds.response(plan.selected()));
    return parameters;
  }

  /** Sizes, and the bits of the bounds, which decide what a row adds. */
  @Override
  public List<Integer> shape() {
    List<Integer> shape = new ArrayList<>(SelectFitMechanism.super.shape());
    shape.addAll(
        ObjectiveModels.bits(bounds.features(plan.selected()), bounds.response(plan.selected())));
    return shape;
  }

  /** The factor of scores in the exponent of a draw, in the encoded scale squared. */
  public double rate() {
    return RowProducts.units() / scale().doubleValue();
  }

  // Scores are clamped, so that their scale is the same in all rounds.
  private BigInteger scale() {
    return SelectionRounds.scale(bounds.score(), plan.range(), 1.0 / RowProducts.units());
  }

  /**
   * Returns the exact moments of shortened rows, in units of the payload.
   *
   * @param columns the intercept, the selected ones and the response
   */
  public long[] moments(ModelRows rows, int... columns) {
    return moments(new RowProducts(rows), columns);
  }

  private long[] moments(RowProducts products, int... columns) {
    int[] features = new int[columns.length - 1];
    for (int k = 0; k < features.length; k++) {
      features[k] = place(columns[k]);
    }
    return products.moments(bounds.clipper(features.length - 1), features);
  }

  /** The place of an encoded column among the features of the list. */
  private int place(int column) {
    return column < bounds.whole().response() ? column : column - 1;
  }

  /** Exact sums over the rows of a list, which is read once for each of them. */
  private final class Sums implements SelectionRounds.Sums {
    private final RowProducts products;

    Sums(ModelRows rows) {
      this.products = new RowProducts(rows);
    }

    @Override
    public int response() {
      return bounds.whole().response();
    }

    @Override
    public BigInteger[] scores(Map<Integer, Double> theta) {
      int[] features = theta.keySet().stream().mapToInt(SelectFitRows.this::place).toArray();
      double[] weights = theta.values().stream().mapToDouble(weight -> weight).toArray();
      long[] sums = products.products(features, weights, bounds.column(), bounds.residual());
      BigInteger[] scores = new BigInteger[spec.dimension()];
      for (int column = 0; column < scores.length; column++) {
        scores[column] = BigInteger.valueOf(sums[Math.min(place(column), sums.length - 1)]).abs();
      }
      return scores;
    }

    @Override
    public BigInteger scale(Map<Integer, Double> theta) {
      return SelectFitRows.this.scale();
    }

    @Override
    public long[] upper(int... columns) {
      return moments(products, columns);
    }
  }
}

package io.gauze.regression.strata;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import java.util.ArrayList;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The weighted sum z of a row's entries that decides its stratum: the interval [-half, half] is cut
 * into equal parts. For the strata of a column the weights are 0 but for that column.
 *
 * <p>The estimates of a {@link StrataModel} are made in coordinates in which z takes the place of
 * one column. The weights have norm 1, so that the noise of z is that of an entry.
 *
 * @param column the column whose place z takes; its weight is not 0
 * @param weights of the columns; of norm 1
 * @param half half of the width of all strata together; positive
 * @param open whether the first and last stratum also hold the values beyond the interval
 * @param base by what weighted sum of the other entries the response exceeds the column's entry, in
 *     its unit: 0 but where rows were transformed; 0 at the column
 */
public record StratifyingDirection(
    int column, DoubleVector weights, double half, boolean open, DoubleVector base) {
  public StratifyingDirection {
    Checks.within("column", column, 0, weights.size() - 1);
    Checks.positiveFinite("|weight of the response|", Math.abs(weights.get(column)));
    Checks.positiveFinite("half", half);
  }

  /** Returns the axis of a column with the range [-1, 1]. */
  public static StratifyingDirection of(int column, int columns) {
    return new StratifyingDirection(
        column,
        DoubleVector.generate(columns, j -> j == column ? 1.0 : 0.0),
        1.0,
        false,
        DoubleVector.generate(columns, j -> 0.0));
  }

  /**
   * Returns the axis of a weighted sum with the interval [-1, 1].
   *
   * @param weights of any norm above 0
   */
  public static StratifyingDirection of(int column, double... weights) {
    double square = 0.0;
    for (double weight : weights) {
      square += weight * weight;
    }
    double norm = Math.sqrt(square);
    DoubleVector unit = DoubleVector.generate(weights.length, j -> weights[j] / norm);
    return new StratifyingDirection(
        column, unit, 1.0 / norm, true, DoubleVector.generate(weights.length, j -> 0.0));
  }

  /** Returns the axis for rows of which the column's entry is the response without a sum. */
  public StratifyingDirection withBase(DoubleVector other) {
    return new StratifyingDirection(column, weights, half, open, other);
  }

  /** Returns true if z is a column. */
  boolean isColumn() {
    return !open;
  }

  /** Returns the axis for columns in another order, in which all with a weight must be. */
  StratifyingDirection select(int... columns) {
    int place = 0;
    while (columns[place] != column) {
      place++;
    }
    return new StratifyingDirection(
        place,
        DoubleVector.generate(columns.length, j -> weights.get(columns[j])),
        half,
        open,
        DoubleVector.generate(columns.length, j -> base.get(columns[j])));
  }

  /** Returns sums of products with z in the place of the column: {@code T sums T'}. */
  List<DMatrixRMaj> turned(List<DMatrixRMaj> sums) {
    return isColumn() ? sums : sums.stream().map(sum -> congruent(turn(), sum)).toList();
  }

  /** Returns a model with the column in the place of z. */
  StrataModel back(StrataModel model) {
    if (isColumn()) {
      return model;
    }
    DMatrixRMaj back = backTurn();
    List<StrataModel.Group> groups = new ArrayList<>();
    for (StrataModel.Group group : model.groups()) {
      List<StrataModel.Part> parts = new ArrayList<>();
      for (StrataModel.Part part : group.parts()) {
        DMatrixRMaj mean = new DMatrixRMaj(model.columns(), 1);
        CommonOps_DDRM.mult(back, new DMatrixRMaj(part.mean().toArray()), mean);
        parts.add(new StrataModel.Part(part.rows(), DoubleVector.of(mean.getData())));
      }
      groups.add(new StrataModel.Group(congruent(back, group.covariance()), parts, group.share()));
    }
    return new StrataModel(groups, model.columns());
  }

  private DMatrixRMaj turn() {
    DMatrixRMaj turn = CommonOps_DDRM.identity(weights.size());
    for (int j = 0; j < weights.size(); j++) {
      turn.set(column, j, weights.get(j));
    }
    return turn;
  }

  // z = w_c a_c + sum of w_j a_j over the others, solved for a_c
  private DMatrixRMaj backTurn() {
    DMatrixRMaj back = CommonOps_DDRM.identity(weights.size());
    double own = weights.get(column);
    for (int j = 0; j < weights.size(); j++) {
      back.set(column, j, j == column ? 1.0 / own : -weights.get(j) / own);
    }
    return back;
  }

  private static DMatrixRMaj congruent(DMatrixRMaj map, DMatrixRMaj matrix) {
    int size = matrix.getNumRows();
    DMatrixRMaj half = new DMatrixRMaj(size, size);
    DMatrixRMaj whole = new DMatrixRMaj(size, size);
    CommonOps_DDRM.mult(map, matrix, half);
    CommonOps_DDRM.multTransB(half, map, whole);
    return whole;
  }
}

package io.gauze.mechanism;

import io.gauze.model.ModelRows;
import java.util.Optional;
import java.util.function.Function;

/** A fit that needs its rows several times. Noise is drawn when the last row is there. */
public final class BufferedEpochFit implements EpochFitter {
  private final RowsMechanism mechanism;
  private final ModelRows rows;
  private final Function<ModelRows, long[]> fit;

  private BufferedEpochFit(
      RowsMechanism mechanism, ModelRows rows, Function<ModelRows, long[]> fit) {
    this.mechanism = mechanism;
    this.rows = rows;
    this.fit = fit;
  }

  public static BufferedEpochFit of(RowsMechanism mechanism, Function<ModelRows, long[]> fit) {
    return new BufferedEpochFit(mechanism, mechanism.rows(), fit);
  }

  /** Returns the same fit of another list of the same rows. */
  public BufferedEpochFit with(ModelRows other) {
    return new BufferedEpochFit(mechanism, other, fit);
  }

  /** Returns the same fit with an empty list, into which the same rows are to be read. */
  public BufferedEpochFit again() {
    return with(mechanism.rows());
  }

  public ModelRows rows() {
    return rows;
  }

  @Override
  public void add(double... scaled) {
    mechanism.add(rows, scaled);
  }

  @Override
  public long bytes() {
    return rows.bytes();
  }

  @Override
  public Optional<BufferedEpochFit> held() {
    return Optional.of(this);
  }

  @Override
  public long[] numbers() {
    return fit.apply(rows);
  }
}

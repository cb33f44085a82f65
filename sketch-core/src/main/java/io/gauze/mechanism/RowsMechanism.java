package io.gauze.mechanism;

import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;

/**
 * A mechanism that needs the rows of an epoch themselves, several times: they are read into memory,
 * as far as they fit. Noise is drawn when the model is fitted.
 */
public interface RowsMechanism extends SecondReadingMechanism {
  /** Returns an empty list for the rows of one epoch and group. */
  ModelRows rows();

  /**
   * Adds a row to such a list.
   *
   * @param scaled D entries in the encoded scale, before they are clipped, as {@link
   *     io.gauze.row.RowEncoder#scale} gives them
   */
  void add(ModelRows rows, double... scaled);

  /**
   * The most rows of an epoch and group. With one more nothing is released, which is seen: so that
   * there are no more is an assumption of the guarantee. A public number, made from the config.
   */
  default int mostRows() {
    return ModelRows.MOST_ROWS;
  }

  /**
   * Returns the payload of an epoch.
   *
   * @param rows all of them; not changed
   * @param entropy random bits that are used for nothing else
   * @throws IllegalArgumentException if the rows are too many; the message names the limit, and not
   *     their number
   */
  long[] fit(ModelRows rows, Entropy entropy);

  @Override
  default EpochFitter begin(Entropy entropy) {
    return BufferedEpochFit.of(this, rows -> fit(rows, entropy));
  }
}

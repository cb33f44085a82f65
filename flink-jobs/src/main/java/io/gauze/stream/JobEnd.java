package io.gauze.stream;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;

/**
 * The end of a job.
 *
 * @param bounded whether the job ends at all
 * @param offsets where each partition of the rows ends, for a job that ends
 * @param lastEpoch the last epoch that the job cuts; it was over when the offsets were read
 */
public record JobEnd(boolean bounded, Offsets offsets, long lastEpoch) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The end of a job that runs until it is stopped. */
  public static final JobEnd NEVER = new JobEnd(false, Offsets.of(Map.of()), Long.MAX_VALUE);

  public JobEnd {
    Objects.requireNonNull(offsets, "offsets");
  }

  /** Returns the end of a job that ends at these offsets, when epoch {@code last} is over. */
  public static JobEnd at(Offsets offsets, long last) {
    return new JobEnd(true, offsets, last);
  }
}

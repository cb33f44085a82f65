package io.gauze.stream;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;

/**
 * Where a job ends.
 *
 * @param bounded whether it ends at all
 * @param offsets where each partition of the rows ends, for a job that ends
 * @param lastEpoch the last epoch that it cuts: over when the offsets were read
 */
public record JobEnd(boolean bounded, Offsets offsets, long lastEpoch) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Of a job that goes on. */
  public static final JobEnd NEVER = new JobEnd(false, Offsets.of(Map.of()), Long.MAX_VALUE);

  public JobEnd {
    Objects.requireNonNull(offsets, "offsets");
  }

  /** Of a job that ends at these offsets, where epoch {@code last} is over. */
  public static JobEnd at(Offsets offsets, long last) {
    return new JobEnd(true, offsets, last);
  }
}

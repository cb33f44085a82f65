package io.gauze.stream;

import io.gauze.mechanism.ranges.ColumnRanges;
import io.gauze.plan.StreamPlan;
import java.io.Serializable;

/**
 * Where a stream stands whose columns may have {@code range: estimate}. Such a stream has two jobs,
 * one after the other: the first one counts the rows of a calibration epoch and ends, the second
 * one has the chosen ranges and begins with a later epoch. So no row waits for a release. Both are
 * one series in the ledger, which is charged once.
 */
public sealed interface RangePhase extends Serializable {
  /** All ranges are in the config. */
  RangePhase KNOWN = new Known();

  /** The name of the sketch whose releases are counts of ranges. */
  String SKETCH = ColumnRanges.NAME;

  /** All ranges are in the config. */
  record Known() implements RangePhase {}

  /** The ranges are not in the config. */
  sealed interface Estimated extends RangePhase {
    /** The plan of the sketches as the config has them, with any ranges. */
    StreamPlan sketches();

    /** How the config turns records into rows. */
    RowInput input();
  }

  /**
   * The first job, which counts the rows of the first epoch of its schedule.
   *
   * @param restored whether it goes on from a state: then it may send counts that were charged
   */
  record Counting(StreamPlan sketches, RowInput input, boolean restored) implements Estimated {
    private static final long serialVersionUID = 1L;
  }

  /**
   * The second job, with chosen ranges.
   *
   * @param epoch the latest epoch that was counted; no sketch has rows of it or of earlier ones
   */
  record Chosen(StreamPlan sketches, RowInput input, long epoch) implements Estimated {
    private static final long serialVersionUID = 1L;
  }
}

package io.gauze.pipeline;

import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last epoch that this job has released, as far as is known: a row that comes for it, or for
 * one before, is in no release. Not so for epochs that were released before the job was submitted:
 * a job without state reads their rows again.
 *
 * <p>An epoch is in the ledger only after all partitions were read up to its cut, and so are those
 * before it. Asks the ledger once an epoch, when the next one is over, too.
 */
final class ClosedEpochs {
  private static final Logger LOG = LoggerFactory.getLogger(ClosedEpochs.class);

  private final SketchJobSettings settings;
  private final EpochSchedule schedule;
  private final ReleasedEpochs released;

  private long asked = Long.MIN_VALUE;
  private long through = Long.MIN_VALUE;

  /**
   * @param schedule with the first epoch of the job's first start
   */
  ClosedEpochs(SketchJobSettings settings, EpochSchedule schedule, ReleasedEpochs released) {
    this.settings = settings;
    this.schedule = schedule;
    this.released = released;
  }

  /**
   * The epoch, or one before all if none is known.
   *
   * @param now the wall clock, in milliseconds
   */
  long through(long now) {
    if (settings.bounded() || schedule.isAll() || settings.isCumulative()) {
      return through; // what is late for a cumulative release is in the next one
    }
    long epoch = schedule.lastCuttable(now) - 1;
    if (epoch > asked && epoch >= schedule.firstEpoch()) {
      asked = epoch;
      ask(epoch);
    }
    return through;
  }

  private void ask(long epoch) {
    try {
      List<String> ids = settings.releaseIds(epoch, epoch);
      boolean here = ids.stream().noneMatch(settings.published()::contains);
      if (here && released.ids(settings).containsAll(ids)) {
        through = epoch;
      }
    } catch (IOException | KafkaException e) {
      LOG.warn("The ledger could not be read; it is asked again after the next epoch.", e);
    }
  }
}

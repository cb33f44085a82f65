package io.gauze.stream;

import io.gauze.accounting.Budget;
import io.gauze.config.EpochSchedule;
import io.gauze.plan.StreamPlan;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Topics;
import java.io.Serializable;
import java.util.Objects;

/**
 * The part of the job's settings that comes from the config. Immutable.
 *
 * @param plan the sketches and their noise
 * @param schedule the epochs of the stream
 * @param input how records become rows
 * @param kafka the broker
 * @param topics the topics
 * @param totalBudget the budget that all releases over the same topic of rows may spend together,
 *     ever
 * @param ranges where a stream of estimated ranges stands
 */
public record StreamSpec(
    StreamPlan plan,
    EpochSchedule schedule,
    RowInput input,
    KafkaAccess kafka,
    Topics topics,
    Budget totalBudget,
    RangePhase ranges)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * Checks the schedule.
   *
   * @throws IllegalArgumentException if releases are cumulative and the schedule has no epochs, or
   *     does not name the first one
   */
  public StreamSpec {
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(kafka, "kafka");
    Objects.requireNonNull(topics, "topics");
    Objects.requireNonNull(totalBudget, "totalBudget");
    Objects.requireNonNull(ranges, "ranges");
    if (plan.request().releases().isCumulative()
        && (schedule.isAll() || !schedule.explicitFirst())) {
      throw new IllegalArgumentException(
          "schedule of cumulative releases must have epochs and name the first. Provided value: "
              + schedule);
    }
  }

  /** Creates the settings of a stream whose ranges are all known. */
  public StreamSpec(
      StreamPlan plan,
      EpochSchedule schedule,
      RowInput input,
      KafkaAccess kafka,
      Topics topics,
      Budget totalBudget) {
    this(plan, schedule, input, kafka, topics, totalBudget, RangePhase.KNOWN);
  }

  /** Returns a copy with another total budget. */
  StreamSpec with(Budget other) {
    return new StreamSpec(plan, schedule, input, kafka, topics, other, ranges);
  }

  /** Returns a copy with another format, key or grouping of the records. */
  StreamSpec with(RowInput other) {
    return new StreamSpec(plan, schedule, other, kafka, topics, totalBudget, ranges);
  }

  /** Returns a copy with other epochs. */
  StreamSpec with(EpochSchedule other) {
    return new StreamSpec(plan, other, input, kafka, topics, totalBudget, ranges);
  }
}

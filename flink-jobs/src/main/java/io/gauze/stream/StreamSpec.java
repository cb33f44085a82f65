package io.gauze.stream;

import io.gauze.accounting.Budget;
import io.gauze.config.EpochSchedule;
import io.gauze.kafka.KafkaAccess;
import io.gauze.kafka.Topics;
import io.gauze.mechanism.StreamPlan;
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
 */
public record StreamSpec(
    StreamPlan plan,
    EpochSchedule schedule,
    RowInput input,
    KafkaAccess kafka,
    Topics topics,
    Budget totalBudget)
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
    if (plan.request().releases().isCumulative()
        && (schedule.isAll() || !schedule.explicitFirst())) {
      throw new IllegalArgumentException(
          "schedule of cumulative releases must have epochs and name the first. Provided value: "
              + schedule);
    }
  }
}

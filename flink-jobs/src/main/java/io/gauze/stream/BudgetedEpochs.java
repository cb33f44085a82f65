package io.gauze.stream;

import io.gauze.accounting.PrivacyAccount;
import io.gauze.accounting.Spend;
import io.gauze.config.EpochSchedule;
import io.gauze.config.StreamConfig;
import io.gauze.ledger.LedgerBook;
import io.gauze.message.Message;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The number of epochs that {@code privacy.totalBudget} covers in a stream whose unit is a user.
 * Each epoch of such a stream is charged, also one without rows.
 *
 * @param all how many epochs the total budget covers if nothing else is charged on the rows; at
 *     most {@link #MOST}
 * @param left how many epochs the ledger leaves; empty if it was not read
 * @param until the end of the last epoch that is covered; empty if there are {@link #MOST} or more
 */
public record BudgetedEpochs(int all, Optional<Integer> left, Optional<Instant> until) {
  /** The most epochs that are counted: that many take seconds if the noise is not Gaussian. */
  public static final int MOST = 10_000;

  private static final Duration DAY = Duration.ofDays(1);

  /**
   * Computes the number from the config alone, from {@code epochs.from} on, or from now on.
   *
   * @return empty if the total budget covers any number of epochs
   */
  public static Optional<BudgetedEpochs> of(StreamConfig config, StreamPlan plan, Instant now) {
    if (!addsUp(config)) {
      return Optional.empty();
    }
    int all = covered(config, plan, MOST);
    EpochSchedule schedule = config.epochs().startingAt(now);
    Optional<Instant> until = until(schedule, schedule.firstEpoch(), Set.of(), all);
    return Optional.of(new BudgetedEpochs(all, Optional.empty(), until));
  }

  private static boolean addsUp(StreamConfig config) {
    return config.unit().kind().epochsAddUp() && !config.epochs().isAll();
  }

  private static int covered(StreamConfig config, StreamPlan plan, int most) {
    Spend epoch = Spend.of(plan.guarantee(Randomness.SYSTEM), plan.costs(), plan.samplerDistance());
    return PrivacyAccount.of(List.of()).times(epoch, config.totalBudget(), most);
  }

  /**
   * Adds how many epochs the ledger leaves.
   *
   * @param first the first epoch that the stream releases
   */
  public BudgetedEpochs less(LedgerBook book, SketchJobSettings job, long first) {
    EpochSchedule schedule = job.schedule();
    Set<Long> held =
        book.epochs(job.plan().stream()).stream()
            .map(schedule::epochOf)
            .filter(OptionalLong::isPresent)
            .map(OptionalLong::getAsLong)
            .collect(Collectors.toSet());
    int room = book.room(job.charge(), MOST);
    return new BudgetedEpochs(all, Optional.of(room), until(schedule, first, held, room));
  }

  private static Optional<Instant> until(
      EpochSchedule schedule, long first, Set<Long> held, int more) {
    if (more >= MOST) {
      return Optional.empty();
    }
    long epoch = first;
    for (int rest = more; rest > 0 || held.contains(epoch); epoch++) {
      rest -= held.contains(epoch) ? 0 : 1;
    }
    return Optional.of(Instant.ofEpochMilli(epoch * schedule.lengthMillis()));
  }

  /** Returns a warning if the total budget lasts less than a day. */
  static Optional<Message> warning(StreamConfig config, StreamPlan plan) {
    if (!addsUp(config)) {
      return Optional.empty();
    }
    Duration length = config.epochs().length().orElseThrow();
    long day = (DAY.toMillis() + length.toMillis() - 1) / length.toMillis();
    int some = covered(config, plan, Math.toIntExact(day));
    return some == day
        ? Optional.empty()
        : Optional.of(JobMessage.SHORTBUDGET.of(counted(some), length.toString()));
  }

  /** Describes the number of epochs in words. */
  public String text() {
    String reach = until.map(end -> ", until " + end).orElse("");
    return left.isPresent()
        ? epochs(all) + ", of which the ledger leaves " + epochs(left.get()) + reach
        : epochs(all) + reach;
  }

  private static String epochs(int number) {
    return (number >= MOST ? "at least " : "") + counted(number);
  }

  private static String counted(int number) {
    return number + (number == 1 ? " epoch" : " epochs");
  }
}

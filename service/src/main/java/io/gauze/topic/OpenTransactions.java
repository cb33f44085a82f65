package io.gauze.topic;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Says for whom a reader of committed records waits: the producer whose open transaction holds back
 * all records of a partition after its own. Speaks after a few seconds, and then once a minute. Not
 * thread-safe.
 */
public final class OpenTransactions {
  private static final Duration FIRST = Duration.ofSeconds(3);
  private static final Duration AGAIN = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Admin admin;
  private final Consumer<String> said;
  private long next = System.nanoTime() + FIRST.toNanos();

  /**
   * Creates a speaker whose few seconds begin now.
   *
   * @param said takes each line
   */
  public OpenTransactions(Admin admin, Consumer<String> said) {
    this.admin = admin;
    this.said = said;
  }

  /**
   * Says what is waited for, if it is time to.
   *
   * @param end the offset that the reader waits for
   * @throws InterruptedException if the thread is interrupted while the broker is asked
   */
  public void waiting(TopicPartition partition, long end) throws InterruptedException {
    if (System.nanoTime() - next < 0) {
      return;
    }
    said.accept(
        "waiting for partition "
            + partition.partition()
            + " of topic "
            + partition.topic()
            + " up to offset "
            + end
            + ". "
            + reason(partition));
    next = System.nanoTime() + AGAIN.toNanos();
  }

  private String reason(TopicPartition partition) throws InterruptedException {
    try {
      long stable =
          admin
              .listOffsets(
                  Map.of(partition, OffsetSpec.latest()),
                  new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
              .partitionResult(partition)
              .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
              .offset();
      return oldest(partition)
          .map(producer -> sentence(producer, stable))
          .orElse("No transaction is open there now; the broker may be slow.");
    } catch (ExecutionException | TimeoutException e) {
      return "The broker is slow, or a producer's open transaction holds the rest back; it does not"
          + " tell whose.";
    }
  }

  private Optional<ProducerState> oldest(TopicPartition partition)
      throws InterruptedException, ExecutionException, TimeoutException {
    return admin
        .describeProducers(List.of(partition))
        .partitionResult(partition)
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .activeProducers()
        .stream()
        .filter(producer -> producer.currentTransactionStartOffset().isPresent())
        .min(Comparator.comparingLong(each -> each.currentTransactionStartOffset().getAsLong()));
  }

  private String sentence(ProducerState producer, long stable) {
    return "An open transaction of "
        + name(producer.producerId())
        + " holds back what comes after the last stable offset, "
        + stable
        + "; its last record came at "
        + Instant.ofEpochMilli(producer.lastTimestamp())
        + ". Its producer must end it, or its timeout does: at most 15 minutes by default.";
  }

  /** Returns the transactional id of a producer, or its number if the broker does not tell it. */
  private String name(long producer) {
    try {
      ListTransactionsOptions ofProducer =
          new ListTransactionsOptions().filterProducerIds(Set.of(producer));
      return admin
          .listTransactions(ofProducer)
          .all()
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
          .stream()
          .map(found -> "transactional id " + found.transactionalId())
          .findFirst()
          .orElse("producer " + producer);
    } catch (ExecutionException | TimeoutException e) {
      return "producer " + producer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the caller's next wait ends
      return "producer " + producer;
    }
  }
}

package io.gauze.publish;

import io.gauze.kafka.Partitions;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** The releases that a job which starts afresh must not make. */
public final class PublishedReleases {
  private PublishedReleases() {}

  /** Those that the ledger holds. */
  public static Set<String> inLedger(LedgerBook book, SketchJobSettings settings) {
    return book.entries(settings.plan().stream()).stream()
        .map(entry -> entry.id().toString())
        .collect(Collectors.toSet());
  }

  /**
   * With the rest of each epoch that is partly out, if it is of users and the log no longer begins
   * where it did: the first rows of a user that are left may be others than those that counted in
   * what is out, and the epoch would hold more rows of a user than it may.
   *
   * @throws IOException if the broker does not answer
   */
  public static Set<String> withRest(LedgerBook book, SketchJobSettings settings)
      throws IOException {
    Set<String> out = inLedger(book, settings);
    if (settings.userField().isEmpty()) {
      return out;
    }
    Set<String> all = new HashSet<>(out);
    for (LedgerEntry entry : book.entries(settings.plan().stream())) {
      OptionalLong epoch = settings.schedule().epochOf(entry.id().epoch());
      epoch.ifPresent(number -> all.addAll(settings.releaseIds(number, number)));
    }
    return all.equals(out) || isWhole(settings) ? out : all;
  }

  private static boolean isWhole(SketchJobSettings settings) throws IOException {
    String topic = settings.topics().rows();
    try (Consumer<byte[], byte[]> consumer = settings.kafka().consumer()) {
      List<TopicPartition> partitions = Partitions.of(consumer, topic);
      return consumer.beginningOffsets(partitions).values().stream().allMatch(at -> at == 0);
    } catch (KafkaException e) {
      throw new IOException(
          "could not look up where topic " + topic + " begins: " + e.getMessage(), e);
    }
  }
}

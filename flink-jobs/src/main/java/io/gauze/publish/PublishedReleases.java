package io.gauze.publish;

import io.gauze.ledger.HeldReleases;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.stream.RangePhase;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.Partitions;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Finds the releases that a job without state must not make again. */
public final class PublishedReleases {
  private PublishedReleases() {}

  /**
   * Returns the ids of the stream's releases in the ledger. Counts of ranges that were charged and
   * not sent are left to a job that goes on from a state, which holds them.
   */
  public static HeldReleases inLedger(LedgerBook book, SketchJobSettings settings) {
    boolean sends =
        settings.spec().ranges() instanceof RangePhase.Counting counting && counting.restored();
    return book.held(
        settings.plan().stream(), entry -> !sends || entry.state() == LedgerEntry.State.PUBLISHED);
  }

  /**
   * Returns the ids of the stream's releases that were charged and not sent. A job whose state
   * holds one sends it.
   */
  public static Set<String> unsent(LedgerBook book, SketchJobSettings settings) {
    return book.entries(settings.plan().stream()).stream()
        .filter(entry -> entry.state() == LedgerEntry.State.SPENT)
        .map(entry -> entry.id().toString())
        .collect(Collectors.toSet());
  }

  /**
   * Returns the ids of {@link #inLedger}. If the unit is a user and the log has lost its beginning,
   * the ids of all other releases of the same epochs are added. The first remaining rows of a user
   * may then differ from those that counted in the published releases, so the epoch would hold more
   * rows of the user than the bound.
   *
   * @throws IOException if the broker does not answer
   */
  public static HeldReleases withRest(LedgerBook book, SketchJobSettings settings)
      throws IOException {
    HeldReleases out = inLedger(book, settings);
    if (settings.userField().isEmpty()) {
      return out;
    }
    Set<String> rest = new HashSet<>();
    for (String label : book.epochs(settings.plan().stream())) {
      settings
          .schedule()
          .epochOf(label)
          .ifPresent(
              epoch -> {
                if (!settings.areIn(out, epoch)) {
                  rest.addAll(settings.releaseIds(epoch, epoch));
                }
              });
    }
    return rest.isEmpty() || isWhole(settings) ? out : out.with(rest);
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

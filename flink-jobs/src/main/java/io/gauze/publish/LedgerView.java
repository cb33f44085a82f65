package io.gauze.publish;

import io.gauze.answer.LedgerFeed;
import io.gauze.ledger.LedgerRequest;
import io.gauze.report.LedgerReport;
import io.gauze.report.Report;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;

/** The ledger of a stream for many readers, read again at most once a second. Thread-safe. */
public final class LedgerView implements LedgerFeed {
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private final KafkaAccess kafka;
  private final String topic;
  private final LedgerRequest asked;
  private Optional<Ledger> reader = Optional.empty();
  private Optional<Report> last = Optional.empty();
  private long readAt;

  /**
   * Creates a view; reads nothing yet.
   *
   * @param asked what the stream charges, whose account is shown
   */
  public LedgerView(KafkaAccess kafka, String topic, LedgerRequest asked) {
    this.kafka = kafka;
    this.topic = topic;
    this.asked = asked;
  }

  @Override
  public synchronized Report read() throws IOException {
    if (last.isPresent() && System.nanoTime() - readAt < FRESH_NANOS) {
      return last.get();
    }
    try {
      if (reader.isEmpty()) {
        reader = Optional.of(new Ledger(kafka, topic));
      }
      reader.get().refresh();
      last = Optional.of(LedgerReport.of(topic, reader.get().book().summary(asked)));
      readAt = System.nanoTime();
      return last.get();
    } catch (IOException e) { // a new reader may succeed
      close();
      throw e;
    } catch (KafkaException e) {
      close();
      throw new IOException("the ledger topic " + topic + ": " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized void close() {
    last = Optional.empty();
    reader.ifPresent(Ledger::close);
    reader = Optional.empty();
  }
}

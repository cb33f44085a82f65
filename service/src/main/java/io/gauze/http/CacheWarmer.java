package io.gauze.http;

import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.ReleaseLibrary.Entry;
import io.gauze.answer.ReleaseRange;
import io.gauze.answer.RequestException;
import io.gauze.answer.SolveRequest;
import io.gauze.fit.FitQuestion;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fits each release once when it arrives, so that the first request finds it read and prepared. One
 * thread does it beside those of the executor; of many releases at once it takes the last ones.
 */
final class CacheWarmer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheWarmer.class);
  private static final int MOST_WAITING = 16;

  private final ReleaseLibrary library;
  private final AtomicLong warmed = new AtomicLong();
  private final ThreadPoolExecutor worker =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MOST_WAITING),
          work -> {
            Thread thread = new Thread(work, "gauze-warm");
            thread.setDaemon(true);
            return thread;
          },
          new ThreadPoolExecutor.DiscardOldestPolicy());

  CacheWarmer(ReleaseLibrary library) {
    this.library = library;
  }

  /** Has releases fitted, the last ones of many. */
  void arrived(List<Entry> entries) {
    int first = Math.max(0, entries.size() - MOST_WAITING);
    entries.subList(first, entries.size()).forEach(entry -> worker.execute(() -> warm(entry)));
  }

  /** How many releases were fitted, or cannot be. */
  long warmed() {
    return warmed.get();
  }

  private void warm(Entry entry) {
    try {
      ReleaseRange range = new ReleaseRange(entry.id(), entry.id());
      FitQuestion any = FitQuestion.byAllOthers("?");
      ReleaseLibrary.Prepared prepared =
          library.prepare(new SolveRequest(List.of(range), any, Duration.ZERO));
      RowSchema schema = prepared.sources().get(0).schema();
      prepared.fit(FitQuestion.byAllOthers(schema.encodedNames().get(schema.dimension() - 1)));
    } catch (RequestException e) { // who asks for it gets the same answer
      LOG.debug("Release {} is not fitted before it is asked for: {}", entry.id(), e.getMessage());
    } catch (IOException e) {
      LOG.debug("Release {} cannot be read now: {}", entry.id(), e.getMessage());
    } catch (RuntimeException | Error e) { // the next one may be fitted all the same
      LOG.error("Release {} cannot be fitted", entry.id(), e);
    } finally {
      warmed.incrementAndGet();
    }
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}

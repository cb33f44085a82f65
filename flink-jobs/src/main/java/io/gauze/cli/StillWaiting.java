package io.gauze.cli;

import io.gauze.config.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Says every few seconds what a command still waits for; one that is done earlier says nothing. */
final class StillWaiting {
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private StillWaiting() {}

  /**
   * Work that asks a broker.
   *
   * @param <E> what it throws besides
   */
  @FunctionalInterface
  interface Work<T, E extends Exception> {
    T run() throws IOException, ConfigException, E;
  }

  /**
   * Does the work.
   *
   * @param what the rest of a sentence that begins with "still waiting for"
   */
  static <T, E extends Exception> T during(String what, PrintWriter err, Work<T, E> work)
      throws IOException, ConfigException, E {
    return during(what, err, PERIOD, work);
  }

  static <T, E extends Exception> T during(
      String what, PrintWriter err, Duration period, Work<T, E> work)
      throws IOException, ConfigException, E {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(StillWaiting::daemon);
    long since = System.nanoTime();
    long millis = period.toMillis();
    Future<?> unused =
        timer.scheduleAtFixedRate(
            () -> say(what, since, err), millis, millis, TimeUnit.MILLISECONDS);
    try {
      return work.run();
    } finally {
      timer.shutdownNow();
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "gauze-waiting");
    thread.setDaemon(true);
    return thread;
  }

  private static void say(String what, long since, PrintWriter err) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
    err.println(String.format(Locale.ROOT, "still waiting for %s, for %,d s", what, seconds));
    err.flush();
  }
}

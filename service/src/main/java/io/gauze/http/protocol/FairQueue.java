package io.gauze.http.protocol;

import io.gauze.answer.ErrorCode;
import io.gauze.answer.RequestException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that waits for one of a few threads. Each client has a line of its own, and the threads take
 * from the lines in turn, so nobody waits for all the work of somebody else. Thread-safe.
 */
final class FairQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FairQueue.class);

  private final Limits limits;
  private final Map<String, Deque<Runnable>> lines = new LinkedHashMap<>(); // the next one first
  private final Map<String, Integer> running = new HashMap<>();
  private int waiting;
  private boolean closed;

  /**
   * The limits of a queue.
   *
   * @param threads how much work runs at once
   * @param running how much of it may be of one client, so that others find a free thread
   * @param queue how much more may wait
   * @param share how much of that may be of one client
   */
  record Limits(int threads, int running, int queue, int share) {
    /**
     * For computing: a client may use all cores, and there are as many threads again for others.
     */
    static Limits computing() {
      int cores = Runtime.getRuntime().availableProcessors();
      return new Limits(2 * cores, cores, 256, 64);
    }

    /** For reading of files and topics. */
    static Limits reading() {
      return new Limits(4, 2, 256, 64);
    }
  }

  /** A piece of work and its client. */
  private record Taken(String client, Runnable work) {}

  FairQueue(String name, Limits limits) {
    this.limits = limits;
    for (int k = 0; k < limits.threads(); k++) {
      Thread thread = new Thread(this::work, name);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /**
   * Adds work, at the end of its client's line.
   *
   * @throws RequestException if as much waits as may, of all clients or of this one
   */
  synchronized void add(String client, Runnable work) throws RequestException {
    Deque<Runnable> line = lines.getOrDefault(client, new ArrayDeque<>());
    if (line.size() >= limits.share()) {
      throw new RequestException(
          ErrorCode.BUSY,
          "as many questions of your address wait as may: "
              + limits.share()
              + "; ask again when some are answered");
    }
    if (waiting >= limits.queue()) {
      throw new RequestException(
          ErrorCode.BUSY, "too many questions wait already; ask again in a second");
    }
    line.add(work);
    lines.put(client, line);
    waiting++;
    notifyAll();
  }

  /** Removes work of a client that has not begun. */
  synchronized void remove(String client, Runnable work) {
    Deque<Runnable> line = lines.getOrDefault(client, new ArrayDeque<>());
    if (line.remove(work)) {
      waiting--;
      if (line.isEmpty()) {
        lines.remove(client);
      }
    }
  }

  /** How much work waits. */
  synchronized int waiting() {
    return waiting;
  }

  private void work() {
    try {
      for (Optional<Taken> next = take(); next.isPresent(); next = take()) {
        run(next.get());
      }
    } catch (InterruptedException e) { // nobody but the end of the process does this
      Thread.currentThread().interrupt();
    }
  }

  private void run(Taken taken) {
    try {
      taken.work().run();
    } catch (RuntimeException | Error e) { // a thread that ended would be missed for ever
      LOG.error("A question failed", Fault.of(e));
    } finally {
      done(taken.client());
    }
  }

  /** Waits for work; empty at the end. */
  private synchronized Optional<Taken> take() throws InterruptedException {
    while (!closed) {
      Iterator<Map.Entry<String, Deque<Runnable>>> each = lines.entrySet().iterator();
      while (each.hasNext()) {
        Map.Entry<String, Deque<Runnable>> line = each.next();
        String client = line.getKey();
        if (running.getOrDefault(client, 0) < limits.running()) {
          each.remove();
          return Optional.of(first(client, line.getValue()));
        }
      }
      wait();
    }
    return Optional.empty();
  }

  /** Takes the first work of a line, which goes to the end of all lines. */
  private Taken first(String client, Deque<Runnable> line) {
    Taken first = new Taken(client, line.remove());
    if (!line.isEmpty()) {
      lines.put(client, line);
    }
    waiting--;
    running.merge(client, 1, Integer::sum);
    return first;
  }

  private synchronized void done(String client) {
    running.computeIfPresent(client, (unused, count) -> count == 1 ? null : count - 1);
    notifyAll();
  }

  /** Lets the threads end after what they do now; what waits is forgotten. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}

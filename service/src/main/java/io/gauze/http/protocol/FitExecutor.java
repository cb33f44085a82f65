package io.gauze.http.protocol;

import io.gauze.answer.ExpiringCache;
import io.gauze.answer.RequestException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Has answers made by threads of its own: a few at once, equal ones once, and the last ones are
 * kept. Who waits for an answer holds no thread, and may leave: work that nobody waits for is not
 * begun, or stops at its next {@link Checkpoint}. Thread-safe.
 */
public final class FitExecutor implements AutoCloseable {
  /** The longest time that an answer may take, with the time in the queue. */
  public static final long LONGEST_SECONDS = 60;

  /** An answer that nobody asks for is kept so long. */
  private static final Duration IDLE = Duration.ofMinutes(10);

  private final FairQueue queue;
  private final Map<String, Shared> unfinished = new HashMap<>(); // guarded by this
  private final ExpiringCache<String, Reply> kept;
  private final ServiceMetrics metrics;
  private final Clock clock = Clock.systemUTC();

  /**
   * The limits of an executor.
   *
   * @param keptBytes the most bytes of all kept answers
   */
  public record Limits(FairQueue.Limits queue, long keptBytes) {
    /** For computing; keeps 32 MiB. */
    public static Limits fits() {
      return new Limits(FairQueue.Limits.computing(), 32L << 20);
    }

    /** For reading; keeps nothing. */
    public static Limits reads() {
      return new Limits(FairQueue.Limits.reading(), 0);
    }
  }

  /** What makes an answer. */
  public interface Work {
    /**
     * Returns the answer.
     *
     * @throws Exception {@link RequestException} or {@link Problem} if there is none
     */
    Reply run(Checkpoint check) throws Exception;
  }

  public FitExecutor(String name, Limits limits, ServiceMetrics metrics) {
    this.metrics = metrics;
    this.kept = new ExpiringCache<>(limits.keptBytes(), IDLE);
    this.queue = new FairQueue(name, limits.queue());
  }

  /**
   * Returns the answer to come: that of an equal question which waits or runs, or a new one. It
   * fails with what the work throws, with a {@link RequestException} if too much waits, and with a
   * {@link java.util.concurrent.TimeoutException} after {@link #LONGEST_SECONDS}. To cancel it is
   * to leave.
   *
   * @param client the address of who asks
   * @param key differs whenever the answer may
   */
  public CompletableFuture<Reply> answer(String client, String key, Work work) {
    CompletableFuture<Reply> mine = new CompletableFuture<>();
    Shared shared;
    try {
      synchronized (this) {
        shared = unfinished.getOrDefault(key, new Shared(key, work));
        shared.join(client, mine);
        unfinished.put(key, shared);
      }
    } catch (RequestException e) {
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<Reply> unusedEnd =
        mine.whenComplete((reply, failure) -> shared.leave(mine))
            .orTimeout(LONGEST_SECONDS, TimeUnit.SECONDS);
    return mine;
  }

  /** An answer to come, and who waits for it. Its state is guarded by the executor. */
  private final class Shared implements Runnable {
    private final String key;
    private final Work work;
    private final Set<CompletableFuture<Reply>> asking = new HashSet<>();
    private final Set<String> lines = new HashSet<>(); // the clients in whose lines it waits
    private boolean begun;

    Shared(String key, Work work) {
      this.key = key;
      this.work = work;
    }

    /** Waits in the line of each client who asks, so that nobody waits in the line of another. */
    void join(String client, CompletableFuture<Reply> mine) throws RequestException {
      if (!begun && !lines.contains(client)) {
        queue.add(client, this);
        lines.add(client);
      }
      asking.add(mine);
    }

    @SuppressWarnings("CollectionUndefinedEquality") // the same object is meant
    void leave(CompletableFuture<Reply> mine) {
      synchronized (FitExecutor.this) {
        asking.remove(mine);
        if (asking.isEmpty()) {
          unfinished.remove(key, this);
          leaveLines();
        }
      }
    }

    private void leaveLines() {
      lines.forEach(client -> queue.remove(client, this));
      lines.clear();
    }

    private boolean begin() {
      synchronized (FitExecutor.this) {
        boolean first = !begun && !asking.isEmpty();
        begun = true;
        leaveLines();
        return first;
      }
    }

    private void check() {
      synchronized (FitExecutor.this) {
        if (asking.isEmpty()) {
          throw new CancellationException("nobody waits for the answer any more");
        }
      }
    }

    /** Forgets the question first, so that a client who is told of a fault can ask again. */
    private List<CompletableFuture<Reply>> end() {
      synchronized (FitExecutor.this) {
        unfinished.remove(key, this);
        return List.copyOf(asking);
      }
    }

    @Override
    public void run() {
      if (!begin()) {
        return;
      }
      try {
        Reply reply = work.run(this::check);
        end().forEach(each -> each.complete(reply));
      } catch (Throwable e) { // who waits is told, whatever it is, and the handler logs it
        end().forEach(each -> each.completeExceptionally(e));
      }
    }
  }

  /** Returns the kept answer of this key. */
  public Optional<Reply> kept(String key) {
    Optional<Reply> known = kept.get(key, clock.millis());
    known.ifPresent(reply -> metrics.kept());
    return known;
  }

  /** Keeps an answer. */
  public void keep(String key, Reply reply) {
    long now = clock.millis();
    kept.expire(now);
    kept.put(key, reply, size(key, reply), now);
  }

  private static long size(String key, Reply reply) {
    return 500L + 2L * key.length() + 2L * reply.body().length; // and the compressed body
  }

  /** The number of questions that wait for a thread. */
  public int waiting() {
    return queue.waiting();
  }

  @Override
  public void close() {
    queue.close();
  }
}

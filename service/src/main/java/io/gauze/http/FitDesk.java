package io.gauze.http;

import io.gauze.answer.ErrorCode;
import io.gauze.answer.RequestException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes answers: a few at once, equal ones once, and the last ones are kept. Beyond a bounded
 * queue it refuses. Thread-safe.
 */
final class FitDesk implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FitDesk.class);
  private static final long LONGEST_SECONDS = 60;

  private final ThreadPoolExecutor workers;
  private final Map<String, CompletableFuture<Reply>> running = new ConcurrentHashMap<>();
  private final Kept kept;
  private final ServiceMetrics metrics;

  /**
   * The limits of a desk.
   *
   * @param workers how many answers are computed at once
   * @param queue how many more may wait
   * @param keptBytes the most bytes of all kept answers
   */
  record Limits(int workers, int queue, long keptBytes) {
    /** As many workers as cores, and 32 MiB. */
    static Limits usual() {
      return new Limits(Runtime.getRuntime().availableProcessors(), 256, 32L << 20);
    }
  }

  FitDesk(Limits limits, ServiceMetrics metrics) {
    this.metrics = metrics;
    this.kept = new Kept(limits.keptBytes());
    this.workers =
        new ThreadPoolExecutor(
            limits.workers(),
            limits.workers(),
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(limits.queue()),
            work -> {
              Thread thread = new Thread(work, "gauze-fit");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Returns the answer of this key: a kept one, that of an equal request which runs, or a new one.
   *
   * @param key differs whenever the answer may
   * @param work throws {@link RequestException} or {@link Problem} if there is no answer
   */
  Reply answer(String key, Callable<Reply> work) throws Problem {
    Optional<Reply> known = kept(key);
    if (known.isPresent()) {
      return known.get();
    }
    CompletableFuture<Reply> mine = new CompletableFuture<>();
    CompletableFuture<Reply> first = running.putIfAbsent(key, mine);
    if (first == null) {
      submit(key, work, mine);
    }
    return await(first == null ? mine : first);
  }

  /** Returns the kept answer of this key. */
  Optional<Reply> kept(String key) {
    Optional<Reply> known = kept.get(key);
    known.ifPresent(reply -> metrics.kept());
    return known;
  }

  /** Keeps an answer under one more key. */
  void keep(String key, Reply reply) {
    kept.put(key, reply);
  }

  private void submit(String key, Callable<Reply> work, CompletableFuture<Reply> result) {
    try {
      workers.execute(() -> run(key, work, result));
    } catch (RejectedExecutionException e) {
      running.remove(key);
      result.completeExceptionally(
          new RequestException(
              ErrorCode.BUSY, "too many fits wait already; ask again in a second"));
    }
  }

  // Removed before it completes, so that a client who was told of a fault can ask again.
  private void run(String key, Callable<Reply> work, CompletableFuture<Reply> result) {
    try {
      Reply reply = work.call();
      metrics.fitted();
      kept.put(key, reply);
      running.remove(key);
      result.complete(reply);
    } catch (Throwable e) {
      running.remove(key);
      result.completeExceptionally(e);
    }
  }

  private static Reply await(CompletableFuture<Reply> result) throws Problem {
    try {
      return result.get(LONGEST_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw problem(e.getCause());
    } catch (TimeoutException e) {
      throw Problem.of(
          new RequestException(
              ErrorCode.BUSY,
              "the fit takes longer than "
                  + LONGEST_SECONDS
                  + " s; ask for fewer columns or"
                  + " epochs"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Problem.internal();
    }
  }

  private static Problem problem(Throwable cause) {
    if (cause instanceof RequestException wrong) {
      return Problem.of(wrong);
    }
    if (cause instanceof Problem known) {
      return known;
    }
    LOG.error("A fit failed", cause);
    return Problem.internal();
  }

  /** The number of answers that wait for a worker. */
  int waiting() {
    return workers.getQueue().size();
  }

  @Override
  public void close() {
    workers.shutdownNow();
  }

  /** The last answers, the least recently used one goes first. */
  private static final class Kept {
    private final long most;
    private final Map<String, Reply> replies = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    Kept(long most) {
      this.most = most;
    }

    synchronized Optional<Reply> get(String key) {
      return Optional.ofNullable(replies.get(key));
    }

    synchronized void put(String key, Reply reply) {
      remove(key);
      replies.put(key, reply);
      bytes += size(key, reply);
      while (bytes > most) {
        remove(replies.keySet().iterator().next());
      }
    }

    private void remove(String key) {
      Reply old = replies.remove(key);
      bytes -= old == null ? 0 : size(key, old);
    }

    private static long size(String key, Reply reply) {
      return 500L + 2L * key.length() + 2L * reply.body().length; // and the compressed body
    }
  }
}

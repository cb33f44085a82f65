package io.gauze.http.protocol;

import io.gauze.answer.ErrorCode;
import io.gauze.answer.RequestException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Wakes waiting requests when a release arrives. A waiting request holds no thread. Thread-safe.
 */
public final class ReleaseSignal {
  private static final long LEAST_NANOS = 1_000_000;

  private final int most;
  private final int share;
  private final Map<CompletableFuture<Void>, String> waiting = new HashMap<>(); // to the client
  private long revision;

  /**
   * Creates an object for which nobody waits.
   *
   * @param most how many requests may wait at once
   * @param share how many of them may be of one client
   */
  public ReleaseSignal(int most, int share) {
    this.most = most;
    this.share = share;
  }

  /** Wakes all who wait. */
  public void arrived() {
    List<CompletableFuture<Void>> all;
    synchronized (this) {
      revision++;
      all = List.copyOf(waiting.keySet());
    }
    all.forEach(each -> each.complete(null));
  }

  /** A number that changes whenever releases arrive. */
  public synchronized long revision() {
    return revision;
  }

  /** How many requests wait. */
  public synchronized int waiting() {
    return waiting.size();
  }

  /**
   * Returns what completes when releases have arrived since {@code known}, or the time is over. It
   * fails with a {@link RequestException} if too many wait already. To cancel it is to leave.
   */
  public CompletableFuture<Void> next(String client, long known, long nanos) {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    synchronized (this) {
      if (revision != known) {
        return CompletableFuture.completedFuture(null);
      }
      if (waiting.size() >= most || Collections.frequency(waiting.values(), client) >= share) {
        return CompletableFuture.failedFuture(
            new RequestException(
                ErrorCode.BUSY,
                "the release is not there, and as many requests wait for theirs as may; ask again"
                    + " once it is there"));
      }
      waiting.put(mine, client);
    }
    CompletableFuture<Void> unusedEnd = mine.whenComplete((nothing, failure) -> leave(mine));
    return mine.completeOnTimeout(null, Math.max(nanos, LEAST_NANOS), TimeUnit.NANOSECONDS);
  }

  @SuppressWarnings("CollectionUndefinedEquality") // the same object is meant
  private synchronized void leave(CompletableFuture<Void> mine) {
    waiting.remove(mine);
  }
}

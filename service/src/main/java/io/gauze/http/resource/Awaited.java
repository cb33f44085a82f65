package io.gauze.http.resource;

import io.gauze.http.protocol.ReleaseSignal;
import io.gauze.http.protocol.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An answer whose releases may come until a deadline: looks for them whenever releases have
 * arrived, and holds no thread in between. Whoever cancels the answer ends the looking.
 */
final class Awaited {
  /** What a look returns if a release is missing. */
  static final Reply NOT_YET = Reply.text(Reply.TEXT, "");

  private final ReleaseSignal signal;
  private final String client;
  private final Looks looks;
  private final long end;
  private final CompletableFuture<Reply> answer = new CompletableFuture<>();
  private volatile CompletableFuture<?> step = answer; // what is waited for now

  /**
   * How to look.
   *
   * @param find returns the answer to come, or {@link #NOT_YET}
   * @param missing fails with the reason why there is none in time
   */
  record Looks(
      Supplier<CompletableFuture<Reply>> find, Supplier<CompletableFuture<Reply>> missing) {}

  private Awaited(ReleaseSignal signal, String client, Duration deadline, Looks looks) {
    this.signal = signal;
    this.client = client;
    this.looks = looks;
    this.end = System.nanoTime() + deadline.toNanos();
  }

  /** Returns the answer to come. */
  static CompletableFuture<Reply> answer(
      ReleaseSignal signal, String client, Duration deadline, Looks looks) {
    Awaited awaited = new Awaited(signal, client, deadline, looks);
    CompletableFuture<Reply> unusedEnd =
        awaited.answer.whenComplete((reply, failure) -> awaited.step.cancel(false));
    awaited.look();
    return awaited.answer;
  }

  private void look() {
    long known = signal.revision();
    follow(looks.find().get(), reply -> found(reply, known));
  }

  private void found(Reply reply, long known) {
    long left = end - System.nanoTime();
    if (reply != NOT_YET) {
      answer.complete(reply);
    } else if (left > 0) {
      follow(signal.next(client, known, left), arrived -> look());
    } else {
      follow(looks.missing().get(), answer::complete);
    }
  }

  private <T> void follow(CompletableFuture<T> next, Consumer<? super T> then) {
    step = next;
    if (answer.isDone()) {
      next.cancel(false); // cancelled before it was known
    }
    CompletableFuture<T> unusedEnd =
        next.whenComplete(
            (value, failure) -> {
              if (failure == null) {
                then.accept(value);
              } else {
                answer.completeExceptionally(failure);
              }
            });
  }
}

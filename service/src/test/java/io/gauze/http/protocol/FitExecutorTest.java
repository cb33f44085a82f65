package io.gauze.http.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.answer.ErrorCode;
import io.gauze.answer.RequestException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class FitExecutorTest {
  private static final String ME = "127.0.0.1";
  private static final String OTHER = "127.0.0.2";

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger runs = new AtomicInteger();
  private FitExecutor executor = executor(1, 1, 2, 1);

  private static FitExecutor executor(int threads, int running, int queue, int share) {
    FairQueue.Limits limits = new FairQueue.Limits(threads, running, queue, share);
    return new FitExecutor("test-fit", new FitExecutor.Limits(limits, 5000), new ServiceMetrics());
  }

  @AfterEach
  void close() {
    end.countDown();
    executor.close();
  }

  private static Reply text(String text) {
    return Reply.text(Reply.TEXT, text);
  }

  private Reply slow(Checkpoint check) throws InterruptedException {
    runs.incrementAndGet();
    begun.countDown();
    end.await();
    check.pass();
    return text("one");
  }

  private static void assertBusy(CompletableFuture<Reply> answer, String words) {
    assertThat(answer).isCompletedExceptionally();
    assertThatThrownBy(answer::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            RequestException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BUSY))
        .hasMessageContaining(words);
  }

  @Test
  void equalQuestionsAreAnsweredOnceAndTooManyAreBusy() throws Exception {
    List<CompletableFuture<Reply>> equal = new ArrayList<>();
    equal.add(executor.answer(ME, "a", this::slow));
    begun.await();
    equal.add(executor.answer(OTHER, "a", this::slow));
    CompletableFuture<Reply> waits = executor.answer(ME, "b", check -> text("two"));
    assertThat(executor.waiting()).isEqualTo(1);
    assertBusy(executor.answer(ME, "c", check -> text("three")), "of your address");
    CompletableFuture<Reply> others = executor.answer(OTHER, "c", check -> text("three"));
    assertBusy(executor.answer("127.0.0.3", "d", check -> text("four")), "too many questions");
    end.countDown();
    for (CompletableFuture<Reply> each : equal) {
      assertThat(each.get(10, TimeUnit.SECONDS).body())
          .isEqualTo("one".getBytes(StandardCharsets.UTF_8));
    }
    waits.get(10, TimeUnit.SECONDS);
    others.get(10, TimeUnit.SECONDS);
    assertThat(runs).hasValue(1);
  }

  /** One of two threads is for others, and the lines are served in turn. */
  @Test
  void oneClientDoesNotKeepAnotherWaiting() throws Exception {
    executor.close();
    executor = executor(2, 1, 100, 50);
    CompletableFuture<Reply> first = executor.answer(ME, "0", this::slow);
    begun.await();
    List<CompletableFuture<Reply>> many = new ArrayList<>();
    for (int k = 1; k <= 50; k++) {
      many.add(executor.answer(ME, Integer.toString(k), this::slow));
    }
    assertThat(
            executor
                .answer(OTHER, "mine", check -> text("mine"))
                .get(10, TimeUnit.SECONDS)
                .status())
        .isEqualTo(200);
    assertThat(runs).hasValue(1);
    // A question that another client asked before waits in the line of each of them.
    CompletableFuture<Reply> joined = executor.answer(OTHER, "50", this::slow);
    while (runs.get() < 2) {
      Thread.onSpinWait();
    }
    end.countDown();
    assertThat(joined.get(10, TimeUnit.SECONDS)).isSameAs(many.get(49).get(10, TimeUnit.SECONDS));
    first.get(10, TimeUnit.SECONDS);
    for (CompletableFuture<Reply> each : many) {
      each.get(10, TimeUnit.SECONDS);
    }
    assertThat(runs).hasValue(51); // none twice
  }

  @Test
  void whatNobodyWaitsForIsNotBegunAndStopsAtACheckpoint() throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    CompletableFuture<Reply> running =
        executor.answer(
            ME,
            "a",
            check -> {
              try {
                return slow(check);
              } catch (CancellationException e) {
                stopped.countDown();
                throw e;
              }
            });
    begun.await();
    CompletableFuture<Reply> queued = executor.answer(ME, "b", this::slow);
    CompletableFuture<Reply> alsoAsks = executor.answer(OTHER, "b", this::slow);
    queued.cancel(false);
    assertThat(executor.waiting()).isPositive(); // somebody waits still
    alsoAsks.cancel(false);
    assertThat(executor.waiting()).isZero();
    running.cancel(false);
    end.countDown();
    stopped.await();
    assertThat(executor.answer(ME, "c", check -> text("well")).get(10, TimeUnit.SECONDS).status())
        .isEqualTo(200);
    assertThat(runs).hasValue(1);
  }

  @Test
  void oldAnswersMakeRoomAndFaultsAreNotKept() throws Exception {
    for (String key : List.of("a", "b")) {
      executor.keep(key, text("x".repeat(1500)));
    }
    assertThat(executor.kept("a")).isEmpty();
    assertThat(executor.kept("b")).isPresent();
    CompletableFuture<Reply> fault =
        executor.answer(
            ME,
            "fault",
            check -> {
              throw new OutOfMemoryError("secret"); // is for the log, and ends no thread
            });
    assertThatThrownBy(() -> fault.get(10, TimeUnit.SECONDS)).hasRootCauseMessage("secret");
    assertThat(
            executor.answer(ME, "fault", check -> text("well")).get(10, TimeUnit.SECONDS).status())
        .isEqualTo(200);
  }
}

package io.gauze.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FitDeskTest {
  private final FitDesk desk = new FitDesk(new FitDesk.Limits(1, 1, 3000), new ServiceMetrics());

  @AfterEach
  void close() {
    desk.close();
  }

  private CompletableFuture<Reply> ask(String key, Callable<Reply> work) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return desk.answer(key, work);
          } catch (Problem e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void equalQuestionsAreAnsweredOnceAndTooManyAreBusy() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    List<CompletableFuture<Reply>> equal = new ArrayList<>();
    Callable<Reply> slow =
        () -> {
          runs.incrementAndGet();
          begun.countDown();
          end.await();
          return Reply.text(Reply.TEXT, "one");
        };
    equal.add(ask("a", slow));
    begun.await();
    equal.add(ask("a", slow));
    CompletableFuture<Reply> waits = ask("b", () -> Reply.text(Reply.TEXT, "two"));
    while (desk.waiting() == 0) {
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> desk.answer("c", () -> Reply.text(Reply.TEXT, "three")))
        .isInstanceOfSatisfying(
            Problem.class,
            e -> {
              assertThat(e.status()).isEqualTo(503);
              assertThat(e.reply().headers()).containsEntry("Retry-After", "1");
            });
    end.countDown();
    for (CompletableFuture<Reply> each : equal) {
      assertThat(each.get(10, TimeUnit.SECONDS).body())
          .isEqualTo("one".getBytes(StandardCharsets.UTF_8));
    }
    waits.get(10, TimeUnit.SECONDS);
    desk.answer("a", slow);
    assertThat(runs).hasValue(1);
  }

  @Test
  void oldAnswersMakeRoomAndFaultsAreNotKept() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Callable<Reply> large =
        () -> {
          runs.incrementAndGet();
          return Reply.text(Reply.TEXT, "x".repeat(1500));
        };
    desk.answer("a", large);
    desk.answer("b", large);
    desk.answer("a", large);
    assertThat(runs).hasValue(3);
    assertThatThrownBy(
            () ->
                desk.answer(
                    "fault",
                    () -> {
                      throw new IllegalStateException("secret"); // is for the log
                    }))
        .isInstanceOfSatisfying(
            Problem.class,
            e -> {
              assertThat(e.status()).isEqualTo(500);
              assertThat(e.getMessage()).doesNotContain("secret");
            });
    assertThat(desk.answer("fault", () -> Reply.text(Reply.TEXT, "well")).status()).isEqualTo(200);
  }
}

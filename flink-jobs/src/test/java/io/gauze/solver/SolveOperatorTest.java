package io.gauze.solver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.answer.ReleaseFeed;
import io.gauze.release.Release;
import io.gauze.testing.RecordedMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The operator in Flink's harness: waiting, deadlines, state. */
final class SolveOperatorTest {
  private static final Release FIRST =
      SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(1), "moments", 1);
  private static final Release SECOND =
      SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(2), "moments", 2);

  private final SolverFixture.MemoryFeed feed = new SolverFixture.MemoryFeed();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private long nanosAReading; // of the stopwatch, which stands still unless a test says otherwise

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness(
      int parallelism, int index, ReleaseFeed releases) throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness =
        new OneInputStreamOperatorTestHarness<>(operator(releases), 128, parallelism, index);
    open.add(harness);
    return harness;
  }

  private SolveOperator operator(ReleaseFeed releases) {
    return new SolveOperator(
        SolverFixture.STREAM, "requests", () -> releases, () -> nanos.addAndGet(nanosAReading));
  }

  private OneInputStreamOperatorTestHarness<RequestRecord, Answer> opened() throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = harness(1, 0, feed);
    harness.open();
    return harness;
  }

  private OneInputStreamOperatorTestHarness<RequestRecord, Answer> restored(
      OperatorSubtaskState state, int parallelism, int index, ReleaseFeed releases, long time)
      throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness =
        harness(parallelism, index, releases);
    harness.setup();
    harness.setProcessingTime(time);
    harness.initializeState(
        AbstractStreamOperatorTestHarness.repartitionOperatorState(
            state, 128, 1, parallelism, index));
    harness.open();
    return harness;
  }

  private static void ask(
      OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness,
      String id,
      int hour,
      String deadline)
      throws Exception {
    ask(harness, id, hour, deadline, "");
  }

  private static void ask(
      OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness,
      String id,
      int hour,
      String deadline,
      String more)
      throws Exception {
    String json =
        String.format(
            Locale.ROOT,
            "{\"response\":\"y\",\"release\":\"%s\",\"deadline\":\"%s\"%s}",
            SolverFixture.id(hour, "moments"),
            deadline,
            more);
    harness.processElement(new StreamRecord<>(SolverFixture.record(id, json)));
  }

  /** Ids and, for errors, codes of what came out since the last call. */
  private static List<String> take(
      OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness) {
    List<String> taken = new ArrayList<>();
    for (Answer answer : harness.extractOutputValues()) {
      JsonNode json = SolverFixture.json(answer);
      assertThat(json.at("/id").asText()).isEqualTo(answer.id());
      taken.add(answer.id() + " " + json.at("/error/code").asText("fit"));
    }
    harness.getOutput().clear();
    return taken;
  }

  @Test
  void answersAtOnceWhatIsThere() throws Exception {
    feed.publish(FIRST);
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    ask(harness, "a", 1, "PT0S");
    ask(harness, "a", 1, "PT1S");
    harness.processElement(new StreamRecord<>(SolverFixture.record("b", "{")));
    ask(harness, "c", 2, "PT0S");
    assertThat(take(harness))
        .containsExactly("a fit", "a fit", "b bad-request", "c unknown-release");
  }

  @Test
  void aRequestWaitsForItsRelease() throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    ask(harness, "early", 1, "PT10S");
    ask(harness, "other", 2, "PT20S");
    harness.setProcessingTime(9_000);
    assertThat(take(harness)).isEmpty();
    feed.publish(FIRST);
    harness.setProcessingTime(9_100);
    assertThat(take(harness)).containsExactly("early fit");
    harness.setProcessingTime(30_000);
    assertThat(take(harness)).containsExactly("other unknown-release");
    harness.setProcessingTime(90_000);
    assertThat(take(harness)).isEmpty();
  }

  @Test
  void everyRequestHasItsOwnDeadline() throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    ask(harness, "long", 1, "PT10M");
    ask(harness, "short", 1, "PT1S");
    ask(harness, "short", 1, "PT1S");
    harness.setProcessingTime(999);
    assertThat(take(harness)).isEmpty();
    harness.setProcessingTime(1_050);
    assertThat(take(harness)).containsExactly("short unknown-release", "short unknown-release");
    harness.setProcessingTime(599_000);
    assertThat(take(harness)).isEmpty();
    harness.setProcessingTime(600_050);
    assertThat(take(harness)).containsExactly("long unknown-release");
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> back =
        restored(harness.snapshot(1, 1), 1, 0, feed.again(), 0);
    back.setProcessingTime(700_000);
    assertThat(take(back)).as("nothing is left").isEmpty();
  }

  @Test
  void waitingRequestsSurviveARestart() throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    ask(harness, "a", 1, "PT10S");
    ask(harness, "b", 2, "PT20S");
    OperatorSubtaskState state = harness.snapshot(1, 1);

    SolverFixture.MemoryFeed later = feed.again();
    later.publish(FIRST);
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> back =
        restored(state, 1, 0, later, 5_000);
    assertThat(take(back)).as("its release came meanwhile").containsExactly("a fit");
    back.setProcessingTime(19_900);
    assertThat(take(back)).isEmpty();
    back.setProcessingTime(20_050);
    assertThat(take(back)).as("the old deadline").containsExactly("b unknown-release");
  }

  @Test
  void theAnswerAfterARestartHasTheSameBytes() throws Exception {
    feed.publish(FIRST);
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    ask(harness, "a", 1, "PT10S");
    String bytes = harness.extractOutputValues().get(0).toString();
    OperatorSubtaskState state = harness.snapshot(1, 1);
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> back =
        restored(state, 1, 0, feed.again(), 0);
    ask(back, "a", 1, "PT10S");
    assertThat(back.extractOutputValues().get(0)).hasToString(bytes);
  }

  @Test
  void deadlinesThatPassWhileTheJobIsDownAreAnswered() throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    ask(harness, "a", 1, "PT10S");
    OperatorSubtaskState state = harness.snapshot(1, 1);
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> back =
        restored(state, 1, 0, feed.again(), 500_000);
    assertThat(take(back)).containsExactly("a unknown-release");
  }

  @Test
  void waitingRequestsAreSharedOutWhenTheParallelismChanges() throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    List<String> wanted = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ask(harness, "r" + i, 1, "PT10S");
      wanted.add("r" + i + " fit");
    }
    OperatorSubtaskState state = harness.snapshot(1, 1);
    List<String> found = new ArrayList<>();
    for (int index = 0; index < 3; index++) {
      SolverFixture.MemoryFeed releases = feed.again();
      OneInputStreamOperatorTestHarness<RequestRecord, Answer> back =
          restored(state, 3, index, releases, 100);
      assertThat(take(back)).isEmpty();
      releases.publish(FIRST);
      back.setProcessingTime(1_000);
      List<String> mine = take(back);
      assertThat(mine).as("subtask " + index).hasSizeBetween(3, 4);
      found.addAll(mine);
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(wanted);
  }

  @Test
  void aRangeWaitsForItsEnds() throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    String range = SolverFixture.id(1, "moments") + ".." + SolverFixture.id(2, "moments");
    String json = "{\"response\":\"y\",\"releases\":\"" + range + "\"}";
    harness.processElement(new StreamRecord<>(SolverFixture.record("r", json)));
    feed.publish(SECOND);
    harness.setProcessingTime(100);
    assertThat(take(harness)).isEmpty();
    feed.publish(FIRST);
    harness.setProcessingTime(200);
    assertThat(take(harness)).containsExactly("r fit");
  }

  @Test
  void tooManyWaitingRequestsAreAnsweredAtOnce() throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    for (int i = 0; i < SolveOperator.MOST_WAITING; i++) {
      ask(harness, "w", 1, "PT10M");
    }
    assertThat(take(harness)).isEmpty();
    ask(harness, "last", 1, "PT10M");
    assertThat(
            SolverFixture.json(harness.extractOutputValues().get(0)).at("/error/message").asText())
        .startsWith(
            "the release is not there, and as many requests wait for theirs as may: at most")
        .contains("50000, and 64 MiB of them", "Ask again once the release is there")
        .doesNotContain("deadline");
    assertThat(take(harness)).containsExactly("last busy");
    ask(harness, "never waits", 1, "PT0S");
    assertThat(take(harness)).containsExactly("never waits unknown-release");
  }

  /** A reading of the stopwatch is 7 ms after the one before, so a slice of 20 ms has three. */
  @Test
  void requestsThatWaitedAreWorkedOffInSlices() throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    for (int i = 0; i < 8; i++) {
      ask(harness, "r" + i, 1, "PT" + (10 + i) + "S");
    }
    nanosAReading = 7_000_000;
    feed.publish(FIRST);
    harness.setProcessingTime(SolveOperator.TICK);
    assertThat(take(harness)).containsExactly("r0 fit", "r1 fit", "r2 fit");
    ask(harness, "new", 1, "PT0S");
    assertThat(take(harness)).as("goes between").containsExactly("new fit");
    OperatorSubtaskState state = harness.snapshot(1, 1);
    harness.setProcessingTime(SolveOperator.TICK + SolveOperator.PAUSE);
    assertThat(take(harness)).containsExactly("r3 fit", "r4 fit", "r5 fit");
    harness.setProcessingTime(100_000);
    assertThat(take(harness)).as("in time for both").containsExactly("r6 fit", "r7 fit");
    harness.setProcessingTime(200_000);
    assertThat(take(harness)).isEmpty();

    OneInputStreamOperatorTestHarness<RequestRecord, Answer> back =
        restored(state, 1, 0, feed.again(), 100_000);
    assertThat(take(back)).as("in open").containsExactly("r3 fit", "r4 fit", "r5 fit");
    OperatorSubtaskState later = back.snapshot(2, 2);
    assertThat(take(restored(later, 1, 0, feed.again(), 100_000)))
        .containsExactly("r6 fit", "r7 fit");
    back.endInput();
    assertThat(take(back)).containsExactly("r6 fit", "r7 fit");
  }

  /** Saying what there is instead takes a while where there are many releases. */
  @Test
  void deadlinesPassInSlices() throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    for (int i = 0; i < 4; i++) {
      ask(harness, "r" + i, 1, "PT" + (1 + i) + "S");
    }
    nanosAReading = 30_000_000;
    harness.setProcessingTime(4_000);
    assertThat(take(harness)).containsExactly("r0 unknown-release");
    feed.publish(FIRST);
    harness.setProcessingTime(4_005);
    assertThat(take(harness)).as("it is there now").containsExactly("r1 fit");
    nanosAReading = 0;
    harness.setProcessingTime(4_010);
    assertThat(take(harness)).containsExactly("r2 fit", "r3 fit");
  }

  @Test
  void aFaultOfTheSolverIsAnAnswerToo() throws Exception {
    feed.publish(FIRST);
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    feed.breakFetches();
    ask(harness, "a", 1, "PT1S");
    harness.processElement(new StreamRecord<>(SolverFixture.record("b", "{")));
    List<Answer> answers = harness.extractOutputValues();
    assertThat(SolverFixture.json(answers.get(0)).at("/error/message").asText())
        .contains("the solver failed on this request (IndexOutOfBoundsException)")
        .doesNotContain("secret");
    assertThat(take(harness)).containsExactly("a internal", "b bad-request");
  }

  /** Whatever is wrong, and whenever it is said. */
  @Test
  void metricsCountEveryErrorAndNoFit() throws Exception {
    feed.publish(FIRST);
    feed.damage(Optional.of(SolverFixture.id(3, "moments")), Optional.empty());
    RecordedMetrics metrics = new RecordedMetrics();
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = measured(metrics);
    ask(harness, "fit", 1, "PT0S");
    ask(harness, "known", 1, "PT0S");
    harness.processElement(new StreamRecord<>(SolverFixture.record("b", "{")));
    ask(harness, "c", 1, "PT0S", ",\"features\":[\"c\"]");
    ask(harness, "r", 1, "PT0S", ",\"loss\":\"lad\",\"strict\":true");
    ask(harness, "r", 1, "PT0S", ",\"loss\":\"lad\",\"strict\":true");
    ask(harness, "u", 2, "PT0S");
    ask(harness, "d", 3, "PT0S");
    assertThat(take(harness))
        .containsExactly(
            "fit fit",
            "known fit",
            "b bad-request",
            "c bad-column",
            "r refused",
            "r refused",
            "u unknown-release",
            "d damaged-release");
    assertThat(metrics.value("requests")).isEqualTo(8);
    assertThat(metrics.value("requestErrors")).isEqualTo(6);
    assertThat(metrics.value("answersKnown")).as("a fit and a refusal").isEqualTo(2);

    ask(harness, "short", 2, "PT1S");
    ask(harness, "long", 2, "PT10M");
    assertThat(metrics.value("requestsWaiting")).isEqualTo(2);
    assertThat(metrics.value("requestErrors")).isEqualTo(6);
    harness.setProcessingTime(1_050);
    assertThat(metrics.value("requestsWaiting")).isEqualTo(1);
    assertThat(metrics.value("requestErrors")).as("after its deadline").isEqualTo(7);
    feed.damage(Optional.empty(), Optional.of(FIRST.id()));
    harness.setProcessingTime(1_100);
    ask(harness, "contested", 1, "PT0S");
    feed.publish(SECOND);
    feed.breakFetches();
    harness.setProcessingTime(1_150);
    assertThat(take(harness))
        .containsExactly("short unknown-release", "contested contested-release", "long internal");
    assertThat(metrics.value("requestErrors")).isEqualTo(9);
    assertThat(metrics.value("requestsWaiting")).isZero();
    ask(harness, "last", 4, "PT10M");
    harness.endInput();
    assertThat(metrics.value("requestErrors")).isEqualTo(10);
    assertThat(metrics.value("requests")).isEqualTo(12);
  }

  private OneInputStreamOperatorTestHarness<RequestRecord, Answer> measured(RecordedMetrics metrics)
      throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness =
        new OneInputStreamOperatorTestHarness<>(operator(feed), metrics.environment());
    open.add(harness);
    harness.open();
    return harness;
  }

  @Test
  void nothingWaitsAtTheEndOfTheInput() throws Exception {
    OneInputStreamOperatorTestHarness<RequestRecord, Answer> harness = opened();
    ask(harness, "a", 1, "PT10M");
    harness.endInput();
    assertThat(take(harness)).containsExactly("a unknown-release");
  }
}

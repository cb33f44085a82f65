package io.gauze.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.stream.FaultInjection;
import io.gauze.stream.SketchJobSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Fails a job of this JVM at chosen steps: once at the n-th time that a step is reached. */
public final class CrashPlan implements FaultInjection {
  private static final long serialVersionUID = 1L;
  private static final Map<String, AtomicInteger> COUNTDOWNS = new ConcurrentHashMap<>();
  private static final AtomicInteger CRASHES = new AtomicInteger();

  private final String name;

  public CrashPlan(String name) {
    this.name = name;
  }

  /** How many crashes there were in this JVM. */
  static int crashes() {
    return CRASHES.get();
  }

  /**
   * Crashes the {@code nth} time that {@code step} is reached, counted from now, by any subtask.
   */
  public CrashPlan at(Step step, int nth) {
    COUNTDOWNS.put(name + step, new AtomicInteger(nth));
    return this;
  }

  /** A job that crashes the {@code nth} time at a step releases each of these sums once. */
  static void assertSurvived(
      StreamFixture stream, String name, Step step, int nth, Map<String, List<Long>> expected)
      throws Exception {
    StreamFixture.Output output = stream.newOutput();
    SketchJobSettings job = stream.prepare(output, true).settings();
    int before = crashes();
    stream.run(job.withProbe(new CrashPlan(name + step).at(step, nth)), 2);
    assertThat(crashes()).as("crash at %s", step).isEqualTo(before + 1);
    assertThat(output.bodies())
        .as("sums after a crash at %s", step)
        .isEqualTo(StreamFixture.once(expected));
    assertThat(output.committed())
        .as("records after a crash at %s", step)
        .containsExactlyInAnyOrderElementsOf(expected.keySet());
  }

  @Override
  public void reached(Step step) {
    AtomicInteger left = COUNTDOWNS.get(name + step);
    if (left != null && left.decrementAndGet() == 0) {
      CRASHES.incrementAndGet();
      throw new IllegalStateException("crash on purpose at " + step);
    }
  }
}

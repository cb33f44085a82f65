package io.gauze.job;

import io.gauze.stream.FaultInjection;
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

  @Override
  public void reached(Step step) {
    AtomicInteger left = COUNTDOWNS.get(name + step);
    if (left != null && left.decrementAndGet() == 0) {
      CRASHES.incrementAndGet();
      throw new IllegalStateException("crash on purpose at " + step);
    }
  }
}

package io.gauze.job;

import io.gauze.stream.FaultInjection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Fails a job of this JVM once, at the third slice of rows that is read for a pass of a fit. */
record CrashInAPass(String name) implements FaultInjection {
  private static final long serialVersionUID = 1L;
  private static final Map<String, Integer> SLICES = new ConcurrentHashMap<>();

  @Override
  public void reached(Step step) {
    if (step == Step.FIT) {
      SLICES.putIfAbsent(name, 0);
    } else if (step == Step.SECOND_READ
        && SLICES.containsKey(name)
        && SLICES.merge(name, 1, Integer::sum) == 3) {
      throw new IllegalStateException("crash on purpose in a pass");
    }
  }

  /** The slices until now, before the crash and after it. */
  int slices() {
    return SLICES.getOrDefault(name, 0);
  }
}

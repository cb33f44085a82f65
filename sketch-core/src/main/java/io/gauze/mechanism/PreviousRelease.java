package io.gauze.mechanism;

import io.gauze.internal.Checks;
import java.util.Arrays;
import java.util.List;

/**
 * The payload of the release of an earlier epoch.
 *
 * @param payload its numbers
 * @param epochsBefore how many epochs before the one that is to be fitted its epoch is, at least 1
 */
public record PreviousRelease(List<Long> payload, long epochsBefore) {
  /**
   * Copies the numbers.
   *
   * @throws IllegalArgumentException if epochsBefore is out of range
   */
  public PreviousRelease {
    payload = List.copyOf(payload);
    Checks.within("epochsBefore", epochsBefore, 1, Long.MAX_VALUE);
  }

  /**
   * Returns an earlier release.
   *
   * @param numbers its payload
   * @throws IllegalArgumentException if epochsBefore is out of range
   */
  public static PreviousRelease of(long[] numbers, long epochsBefore) {
    return new PreviousRelease(Arrays.stream(numbers).boxed().toList(), epochsBefore);
  }

  public long[] numbers() {
    return payload.stream().mapToLong(Long::longValue).toArray();
  }
}

package io.gauze.release;

import java.util.Arrays;

/**
 * Numbers of a payload as they are read: memory grows with what is there, not with what is
 * announced.
 */
final class NumberList {
  private final int most;
  private long[] numbers = new long[16];
  private int size;

  /** At most {@code most} numbers. */
  NumberList(int most) {
    this.most = most;
  }

  void add(long number) {
    if (size == most) {
      throw new IllegalArgumentException(
          "payload must have at most " + most + " numbers. Provided value: more");
    }
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * size); // at most 2^28
    }
    numbers[size++] = number;
  }

  long[] toArray() {
    return size == numbers.length ? numbers : Arrays.copyOf(numbers, size);
  }
}

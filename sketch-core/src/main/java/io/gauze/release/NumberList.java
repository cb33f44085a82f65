package io.gauze.release;

import java.util.Arrays;

/**
 * The numbers of a payload while it is read. Memory grows with the numbers that are read, not with
 * the announced length.
 */
final class NumberList {
  private final int most;
  private long[] numbers = new long[16];
  private int size;

  /** Creates an empty list of at most {@code most} numbers. */
  NumberList(int most) {
    this.most = most;
  }

  void add(long number) {
    if (size == most) {
      throw new IllegalArgumentException(
          "payload must have at most " + most + " numbers. Provided value: more");
    }
    if (size == numbers.length) {
      ReadingRoom.checkNumbers(2L * size);
      numbers = Arrays.copyOf(numbers, 2 * size); // at most 2^28
    }
    numbers[size++] = number;
  }

  long[] toArray() {
    return size == numbers.length ? numbers : Arrays.copyOf(numbers, size);
  }
}

package io.gauze.release;

import java.util.Locale;

/** Checks that a release fits into this process before memory is reserved for it. */
final class ReadingRoom {
  /**
   * The most bytes of memory that a number takes while it is read: as a number of the array, as an
   * object with its reference, and in two copies of the message.
   */
  private static final long NUMBER_BYTES = 80;

  private ReadingRoom() {}

  /**
   * Checks the size of a payload.
   *
   * @throws IllegalArgumentException if reading it would take more than half of this process's heap
   */
  static void checkNumbers(long numbers) {
    check(numbers, "numbers", Runtime.getRuntime().maxMemory() / 2 / NUMBER_BYTES);
  }

  /**
   * Checks the size of a file that is read as a whole, and checked in a copy.
   *
   * @throws IllegalArgumentException if that would take more than half of this process's heap
   */
  static void checkBytes(long bytes) {
    check(bytes, "bytes", Runtime.getRuntime().maxMemory() / 4);
  }

  private static void check(long size, String unit, long most) {
    if (size > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "release must have at most %d %s, which this process has memory for. Provided value:"
                  + " %d; give Java more memory with -Xmx",
              most,
              unit,
              size));
    }
  }
}

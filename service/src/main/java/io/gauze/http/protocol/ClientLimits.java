package io.gauze.http.protocol;

import java.time.Duration;

/**
 * How slow a client may be.
 *
 * @param request the time in which a request must be there, with its body, in [1 ms, 10 min]
 * @param bytesPerSecond how much of an answer a client must read, after a start of {@code request}
 */
public record ClientLimits(Duration request, int bytesPerSecond) {
  private static final Duration LEAST = Duration.ofMillis(1);

  /** The longest time for a request. */
  public static final Duration MOST = Duration.ofMinutes(10);

  /** The limits of a service for which none are given. */
  public static final ClientLimits USUAL = new ClientLimits(Duration.ofSeconds(30), 1024);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if one of them is out of its range
   */
  public ClientLimits {
    if (request.compareTo(LEAST) < 0 || request.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "the time for a request must be in [PT0.001S, PT10M]. Provided value: " + request);
    }
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "the bytes that a client reads in a second must be at least 1. Provided value: "
              + bytesPerSecond);
    }
  }

  /** The time in which a client must have read {@code bytes} of an answer. */
  Duration reading(long bytes) {
    return request.plusMillis(1000 * bytes / bytesPerSecond);
  }
}

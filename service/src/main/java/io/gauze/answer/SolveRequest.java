package io.gauze.answer;

import io.gauze.fit.FitQuestion;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A parsed request.
 *
 * @param releases single ones and ranges, which are all added up; empty: the latest epoch of the
 *     solver's own stream, and of its sketches the one with the smallest predicted error
 * @param question the fit
 * @param deadline how long the request may wait for its releases, from when the solver reads it, in
 *     [0, {@link #LONGEST_WAIT}]
 */
public record SolveRequest(List<ReleaseRange> releases, FitQuestion question, Duration deadline) {
  /** The deadline of a request that names none. */
  public static final Duration USUAL_WAIT = Duration.ofSeconds(30);

  /** The longest deadline. */
  public static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  /**
   * Checks the deadline.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public SolveRequest {
    releases = List.copyOf(releases);
    Objects.requireNonNull(question, "question");
    if (deadline.isNegative() || deadline.compareTo(LONGEST_WAIT) > 0) {
      throw new IllegalArgumentException(
          "deadline must be in [PT0S, " + LONGEST_WAIT + "]. Provided value: " + deadline);
    }
  }
}

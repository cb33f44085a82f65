package io.gauze.audit;

/** The number of runs in which each of the two {@link Events} happened. */
public record Tally(long runs, long above, long below) {
  static final Tally NONE = new Tally(0, 0, 0);

  Tally plus(Tally other) {
    return new Tally(runs + other.runs, above + other.above, below + other.below);
  }
}

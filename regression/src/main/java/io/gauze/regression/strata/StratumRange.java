package io.gauze.regression.strata;

/**
 * The values that the stratified column can have in one stratum, in rows that are not shortened.
 *
 * <p>A row is shortened to the row bound by a factor f, and its stratum is that of the shortened
 * value f z. So z is in [lower / f, upper / f].
 *
 * @param lower the least value
 * @param upper the largest value; not below lower
 * @param share the mean of f^2 over the rows of the stratum, in (0, 1]
 */
record StratumRange(double lower, double upper, double share) {
  /** Returns the range of rows that were shortened by the root of a share. */
  StratumRange shortened(double other) {
    double f = Math.sqrt(other);
    return new StratumRange(Math.min(lower, lower / f), Math.max(upper, upper / f), other);
  }

  /** Returns the range of this stratum and its upper neighbour together. */
  StratumRange with(StratumRange next) {
    return new StratumRange(lower, next.upper, 0.5 * (share + next.share));
  }

  double width() {
    return upper - lower;
  }

  /** The variance of values that are uniform in the range. */
  double uniformVariance() {
    return width() * width() / 12.0;
  }

  double middle() {
    return 0.5 * (lower + upper);
  }
}

package io.gauze.mechanism.select;

import io.gauze.accounting.BoundedRange;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.StreamRequest;

/**
 * How a selection of columns divides the square of its mu. The moments that are released have what
 * is left.
 *
 * @param draws the share of all draws of columns
 * @param fits the share of the moments between rounds; 0 for one round
 */
record SelectionShares(double draws, double fits) {
  /**
   * Returns shares that are expected to find columns which explain half of the response, all the
   * same part of it. The more columns there are to choose from, and the fewer rows, the more the
   * draws have. All that is used is public.
   *
   * @param bounds of the rows
   * @param selected the number of columns to select
   * @param sensitivity how much neighbours differ at most in a score of the first round
   */
  static SelectionShares planned(
      StreamRequest stream,
      SelectionBounds bounds,
      int selected,
      int rounds,
      double mu,
      double sensitivity) {
    double end = bounds.ends().get(bounds.response());
    double planned = ExpectedSquares.of(stream.schema()).get(bounds.response() - 1);
    double ofResponse = Math.min(planned, end * end);
    double ofColumn = ExpectedSquares.mean(stream.schema());
    double score =
        stream.expectedRows() * Math.sqrt(Tuning.EXPLAINED * ofResponse * ofColumn / selected);
    double candidates = stream.schema().dimension() - 2.0;
    double scales = Tuning.CLEARANCE * (Math.log(candidates / selected) + Tuning.MARGIN);
    double draw = BoundedRange.mu(2.0 * sensitivity * scales / score);
    double needed = selected * (draw / mu) * (draw / mu);
    double least =
        Math.max(Tuning.LEAST_OF_DRAWS, Tuning.LEAST_OF_MANY * (1.0 - selected / candidates));
    return new SelectionShares(
        Math.max(least, Math.min(Tuning.MOST_OF_DRAWS, needed)),
        rounds == 1 ? 0.0 : Tuning.BETWEEN_ROUNDS);
  }

  /** Returns the mu of each draw of a column. */
  double ofDraw(double mu, int selected) {
    return part(mu, draws / selected);
  }

  /** Returns the mu of the moments after each round but the last. */
  double ofFit(double mu, int rounds) {
    return part(mu, fits / (rounds - 1));
  }

  /** Returns the mu of the moments that are released. */
  double ofMoments(double mu) {
    return part(mu, 1.0 - draws - fits);
  }

  /** Returns the mu that spends a part of mu^2, rounded down. */
  private static double part(double mu, double part) {
    return mu * Math.sqrt(part) * (1.0 - 0x1p-45);
  }
}

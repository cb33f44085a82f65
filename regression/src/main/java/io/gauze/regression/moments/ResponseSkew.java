package io.gauze.regression.moments;

import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.Clipping;
import io.gauze.regression.EntryRange;
import io.gauze.regression.RegressionProblem;
import org.ejml.data.DMatrixRMaj;

/**
 * How far the ends of the range of a response are from its mean, in its standard deviations, as a
 * release tells them. Costs, prices and incomes have one end near and the other one far. What
 * explains them mostly multiplies, so that the law bends where rows are long and are shortened.
 *
 * @param near the distance of the nearer end; NaN if the release does not tell
 * @param far that of the other end
 */
record ResponseSkew(double near, double far) {
  /** A sum of squares is told if it is so many standard deviations of its noise. */
  private static final double TOLD = 4.0;

  private static final ResponseSkew UNKNOWN = new ResponseSkew(Double.NaN, Double.NaN);

  /** Of a response that is clipped, and whose range is known. */
  static ResponseSkew of(NoisyMomentsInput input, RegressionProblem problem) {
    Clipping clipping = problem.clipping();
    int response = problem.response();
    if (!Double.isFinite(clipping.bound())
        || clipping.ranges().size() != input.dimension()
        || !clipping.ranges().get(response).isNumber()) {
      return UNKNOWN;
    }
    double rows = input.moments().get(0, 0) / (input.intercept() * input.intercept());
    double mean = input.moments().get(0, response) / (input.intercept() * rows);
    double squares = Math.max(0.0, input.moments().get(response, response));
    double around = squares - rows * mean * mean;
    double noise = input.law(response).deviation(squares, new DMatrixRMaj(1, 1, true, 1.0));
    if (!(rows > 0.0) || !(around > TOLD * noise)) {
      return UNKNOWN;
    }
    double deviation = Math.sqrt(around / rows);
    EntryRange range = clipping.ranges().get(response);
    double below = Math.max(0.0, mean - range.lower()) / deviation;
    double above = Math.max(0.0, range.upper() - mean) / deviation;
    return new ResponseSkew(Math.min(below, above), Math.max(below, above));
  }

  /** Returns whether there is hardly room on one side of the mean, and much on the other. */
  boolean isSkewed() {
    return near < Tuning.SKEW_NEAR && far > Tuning.SKEW_FAR;
  }

  /** The warning of a fit in whose error clipping is a part. */
  Message warning(String response) {
    return FitMessage.SKEW.of(response, near, far);
  }
}

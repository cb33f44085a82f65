package io.gauze.regression.moments;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.mechanism.moments.ResidualStrataNoise;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.RegressionProblem;
import io.gauze.row.RowSchema;
import io.gauze.sketch.ResidualStrataSpec;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The public model between the two stages of {@link ResidualStrataNoise}: weights u of a row's
 * entries such that {@code u'a = (y - b'x) / (3 tau)}, where b is the ridge fit of the response on
 * all other columns and tau the standard deviation of its residuals, both from the noisy moments of
 * the first stage, to which those of earlier epochs may be added.
 *
 * <p>The model decides how well fits of the release are, never what it promises.
 */
public final class ResidualModel {
  /** The least tau, in the encoded scale: strata narrower than that tell nothing apart. */
  private static final double LEAST_DEVIATION = 0x1p-10;

  private ResidualModel() {}

  /**
   * Returns the model of a complete first stage, in units of the payload. Takes the time of a ridge
   * fit. Equal arguments give equal models.
   *
   * @param mechanism the mechanism
   * @param first the state of the first stage, with its noise
   */
  public static long[] of(TwoStageMechanism mechanism, long... first) {
    return of(mechanism, List.of(first));
  }

  /**
   * Returns the model of the first stages of several epochs, as the other method does of one.
   *
   * @param firsts at least one, each with its own noise; their order decides how sums are rounded
   */
  public static long[] of(TwoStageMechanism mechanism, List<long[]> firsts) {
    return of((ResidualStrataNoise) mechanism, firsts);
  }

  private static long[] of(ResidualStrataNoise mechanism, List<long[]> firsts) {
    double step = mechanism.stepSize();
    SymmetricMatrix moments =
        firsts.stream()
            .map(first -> moments(mechanism, first))
            .reduce(SymmetricMatrix::plus)
            .orElseThrow();
    double sigma = mechanism.first().diagonal().sigma() * step * Math.sqrt(firsts.size());
    double[] residual = weights(mechanism.schema(), mechanism.response(), moments, sigma);
    double scale = Tuning.REACH * deviation(moments, mechanism.schema().half(0), sigma, residual);
    long[] model = new long[residual.length];
    for (int i = 0; i < model.length; i++) {
      double weight = residual[i] / scale;
      double most = ResidualStrataSpec.MOST_WEIGHT;
      model[i] = (long) Math.rint(Math.max(-most, Math.min(most, weight)) / step);
    }
    return model;
  }

  private static SymmetricMatrix moments(ResidualStrataNoise mechanism, long... first) {
    double step = mechanism.stepSize();
    return SymmetricMatrix.ofUpperTriangle(
        mechanism.spec().dimension(),
        IntStream.range(0, first.length).mapToDouble(i -> first[i] * step).toArray());
  }

  /** Returns (-b, 1) for all columns. */
  private static double[] weights(
      RowSchema schema, int response, SymmetricMatrix moments, double sigma) {
    RegressionProblem problem = RegressionProblem.of(schema, schema.encodedNames().get(response));
    ReleasedMoments released = new ReleasedMoments(moments, sigma, 1.0 / schema.half(0));
    double[] weights = new double[moments.dimension()];
    weights[response] = 1.0;
    if (NoisyMomentsFit.of(released, problem) instanceof FitOutcome.Fitted fitted) {
      DoubleVector b = fitted.fit().coefficients();
      List<Integer> features = problem.features();
      for (int k = 0; k < features.size(); k++) {
        weights[features.get(k)] = -b.get(k);
      }
    }
    return weights;
  }

  /** Returns the standard deviation of residuals, at least that of the noise in it. */
  private static double deviation(
      SymmetricMatrix moments, double perConstant, double sigma, double... residual) {
    double norm = 0.0;
    for (double weight : residual) {
      norm += weight * weight;
    }
    double squares = Math.max(moments.quadraticForm(residual), sigma * norm);
    double rows = Math.max(1.0, moments.get(0, 0) * perConstant * perConstant);
    return Math.max(LEAST_DEVIATION, Math.min(1.0, Math.sqrt(squares / rows)));
  }
}

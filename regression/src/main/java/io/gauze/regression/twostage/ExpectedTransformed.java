package io.gauze.regression.twostage;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.mechanism.twostage.TwoStageRelease;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitRandom;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Predicts the error of a fit before there is a release: the median of simulated releases of
 * nominal rows, fitted as releases are. Public numbers only; it costs no privacy.
 *
 * @param payload the sizes and the noise
 * @param model the nominal rows
 */
record ExpectedTransformed(TransformedMoments payload, AssumedDataModel model) {
  private static final int RELEASES = 7;

  /** With more columns, each of which takes time, fewer releases are simulated. */
  private static final int COLUMNS = 420;

  /** Returns the relative excess of the root mean square over that of the non-private fit. */
  double excess() {
    DMatrixRMaj moments = model.moments();
    FitRandom random = FitRandom.seededBy(moments);
    int releases = releases(moments.getNumRows());
    double[] excesses = new double[releases];
    for (int k = 0; k < releases; k++) {
      excesses[k] = excess(moments, random);
    }
    Arrays.sort(excesses);
    return Math.min(model.ignorance(), excesses[releases / 2]);
  }

  /** How many releases of so many columns are simulated. */
  static int releases(int columns) {
    return Math.max(1, Math.min(RELEASES, COLUMNS / columns));
  }

  private double excess(DMatrixRMaj moments, FitRandom random) {
    TransformedMoments last =
        new TransformedMoments(
            moments.getNumRows(),
            moments.getNumRows() - 1,
            payload.rounds(),
            payload.counts(),
            payload.moments());
    long[] numbers =
        new TwoStageRelease(last, model.intercept())
            .numbers(new SimulatedSums(last, moments, model.rows(), random));
    FitOutcome outcome =
        TransformedPayloadFits.input(
                last,
                model.intercept(),
                DoubleVector.generate(moments.getNumRows(), k -> 0.0),
                k -> numbers[k] * TwoStageRelease.UNIT)
            .solve(model.problem());
    if (!(outcome instanceof FitOutcome.Fitted fitted)) {
      return model.ignorance();
    }
    return excess(model, fitted.fit().coefficients().toArray());
  }

  /** Returns the relative excess of a model of all features. */
  static double excess(AssumedDataModel model, double... coefficients) {
    DMatrixRMaj distance = new DMatrixRMaj(coefficients);
    CommonOps_DDRM.subtractEquals(distance, model.coefficients());
    int features = distance.getNumRows();
    double square =
        SymmetricMatrix.of(CommonOps_DDRM.extract(model.moments(), 0, features, 0, features))
            .quadraticForm(distance.getData());
    return Math.sqrt(1.0 + square / model.residual()) - 1.0;
  }
}

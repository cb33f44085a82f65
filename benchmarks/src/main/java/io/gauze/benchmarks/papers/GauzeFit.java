package io.gauze.benchmarks.papers;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.moments.ReleasedMoments;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** The library's fit of noisy moments: the last column on the others. */
final class GauzeFit {
  /** A ridge that the fit chooses. */
  static final Penalty RIDGE = Penalty.AUTO;

  /** No penalty. */
  static final Penalty NONE = new Penalty(OptionalDouble.of(0), 1, false);

  private GauzeFit() {}

  /** Returns the coefficients, or nothing if the fit is refused. */
  static Optional<double[]> of(double[][] noisy, MomentNoise noise, Penalty penalty) {
    int size = noisy.length;
    RegressionProblem problem =
        new RegressionProblem(
            IntStream.range(0, size).mapToObj(i -> "c" + i).toList(),
            size - 1,
            IntStream.range(0, size - 1).boxed().toList(),
            Loss.SQUARED,
            penalty);
    double[] upper =
        IntStream.range(0, size)
            .boxed()
            .flatMapToDouble(i -> IntStream.range(i, size).mapToDouble(j -> noisy[i][j]))
            .toArray();
    ReleasedMoments released =
        new ReleasedMoments(SymmetricMatrix.ofUpperTriangle(size, upper), noise, 1.0);
    FitOutcome outcome = Regression.fit(released, problem);
    return outcome instanceof FitOutcome.Fitted one
        ? Optional.of(one.fit().coefficients().toArray())
        : Optional.empty();
  }
}

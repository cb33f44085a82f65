package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.moments.ReleasedRows;
import io.gauze.regression.rows.ExactMoments;
import java.util.List;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Empty, singular and hopeless input: a reason or a warning, never an exception. */
class PoorInputTest {

  /**
   * Releases of an empty epoch: at most one in a hundred may be taken for data (the bound is for
   * one in a thousand), and then with warnings.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 5, 13, 40})
  void emptyEpochsOfMoments(int dimension) {
    ExactMoments none = ExactMoments.create(dimension, 0.5);
    int refused = 0;
    for (int seed = 0; seed < 200; seed++) {
      ReleasedMoments release = Simulation.release(none, 26.0, new SplittableRandom(seed));
      RegressionProblem strict = Simulation.problem(dimension).withStrict(true);
      FitOutcome outcome = release.solve(strict);
      if (outcome instanceof FitOutcome.Refused no) {
        refused++;
        assertThat(no.reason()).contains("no signal above its noise").contains("merge epochs");
      } else {
        assertThat(((FitOutcome.Fitted) outcome).fit().warnings()).isNotEmpty();
      }
    }
    assertThat(refused).isGreaterThanOrEqualTo(198);
  }

  /** Such releases are answered by zeros, nearly always, and the refusal is a warning. */
  @ParameterizedTest
  @ValueSource(ints = {2, 5, 13})
  void emptyEpochsAreAnsweredByZeros(int dimension) {
    ExactMoments none = ExactMoments.create(dimension, 0.5);
    int zeros = 0;
    for (int seed = 0; seed < 100; seed++) {
      ReleasedMoments release = Simulation.release(none, 26.0, new SplittableRandom(seed));
      RegressionProblem problem = Simulation.problem(dimension);
      Fit fit = Simulation.fit(release, problem);
      assertThat(fit.warnings()).isNotEmpty();
      zeros += CommonOps_DDRM.elementMaxAbs(column(fit)) < 1e-6 ? 1 : 0;
      // no penalty can be chosen
      assertThat(release.solve(problem.withLambda(1.0)) instanceof FitOutcome.Refused)
          .isEqualTo(Said.by(fit).contains(FitMessage.EMPTY));
    }
    assertThat(zeros).isGreaterThan(70);
  }

  private static DMatrixRMaj column(Fit fit) {
    double[] b = fit.coefficients().toArray();
    return DMatrixRMaj.wrap(b.length, 1, b);
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 64, 1024})
  void emptyEpochsOfBuckets(int buckets) {
    for (int seed = 0; seed < 100; seed++) {
      double[][] one = {new double[4]};
      ReleasedRows release = Buckets.release(one, buckets, 7.0, new SplittableRandom(seed));
      FitOutcome outcome = release.solve(Simulation.problem(4));
      if (outcome instanceof FitOutcome.Fitted fitted) {
        assertThat(fitted.fit().warnings()).isNotEmpty();
      }
    }
  }

  /** Whatever the noise does, numbers stay finite. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 10, 1000, 1e5})
  void fitsStayFinite(double sigma) {
    Simulation simulation = new Simulation(8, 0.9, 3);
    ExactMoments rows = simulation.moments(5000);
    for (int seed = 0; seed < 20; seed++) {
      ReleasedMoments release = Simulation.release(rows, sigma, new SplittableRandom(seed));
      for (RegressionProblem problem :
          List.of(
              simulation.problem(),
              simulation.problem().withFreeIntercept(),
              simulation.problem().withLambda(0))) {
        if (release.solve(problem) instanceof FitOutcome.Fitted fitted) {
          assertFinite(fitted.fit());
        } else {
          assertThat(sigma).isGreaterThanOrEqualTo(1000);
        }
      }
    }
  }

  private static void assertFinite(Fit fit) {
    CoefficientTable table = fit.encoded();
    for (int k = 0; k < table.names().size(); k++) {
      assertThat(table.estimates().get(k)).isFinite();
      if (!fit.withheld().contains(k)) {
        assertThat(table.standardErrors().get(k)).isFinite().isPositive();
      }
    }
    assertThat(fit.conditionNumber()).isPositive();
    if (Said.by(fit).contains(FitMessage.EMPTY)) {
      assertThat(fit.predictedExcess()).isNaN();
    } else {
      assertThat(fit.predictedExcess()).isFinite().isNotNegative();
    }
  }

  @Test
  void tooFewBuckets() {
    double[][] rows = {{0.5, 1, 2, 3}};
    ReleasedRows release = Buckets.release(rows, 4, 1.0, new SplittableRandom(1));
    assertThat(release.solve(Simulation.problem(4)))
        .isEqualTo(
            new FitOutcome.Refused(
                "4 buckets cannot hold 3 features and a response; fit fewer features, or plan at"
                    + " least 16 buckets"));
  }

  @Test
  void noRows() {
    assertThat(ExactMoments.create(3, 1.0).solve(Simulation.problem(3)))
        .isInstanceOf(FitOutcome.Refused.class);
  }

  /** A column that is there twice: the shortest solution, with a warning. */
  @Test
  void dependentColumns() {
    ExactMoments rows = ExactMoments.create(4, 1.0);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100; i++) {
      double x = random.nextGaussian();
      rows.add(1, x, x, 3 * x + 1);
    }
    Fit fit = Simulation.fit(rows, Simulation.problem(4));
    assertThat(Said.by(fit)).containsExactly(FitMessage.OPEN);
    assertThat(Said.of(FitMessage.OPEN, fit)).asString().contains("1 of 3 directions open");
    assertThat(fit.conditionNumber()).isInfinite();
    assertThat(fit.coefficients().get(1)).isCloseTo(1.5, within(1e-10));
    assertThat(fit.coefficients().get(2)).isCloseTo(1.5, within(1e-10));
    assertThat(rows.rmse(fit)).isLessThan(1e-6);
  }

  /** A column of nothing but zeros gets nothing. */
  @Test
  void emptyColumn() {
    ExactMoments rows = ExactMoments.create(3, 1.0);
    rows.add(1, 0, 2);
    rows.add(1, 0, 4);
    rows.add(1, 0, 6);
    Fit fit = Simulation.fit(rows, Simulation.problem(3));
    assertThat(fit.coefficients().get(0)).isCloseTo(4.0, within(1e-14));
    assertThat(fit.coefficients().get(1)).isZero();
    assertThat(fit.warnings()).hasSize(1);
  }

  @Test
  void fewerRowsThanFeatures() {
    ExactMoments rows = ExactMoments.create(3, 1.0);
    rows.add(1, 0.5, 2);
    assertThat(Said.by(Simulation.fit(rows, Simulation.problem(3)))).contains(FitMessage.SHORT);
  }

  @Test
  void argumentsAreChecked() {
    SymmetricMatrix one = SymmetricMatrix.ofUpperTriangle(1, 1.0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReleasedMoments(one, Double.NaN, 1))
        .withMessage("sigma must be > 0 and finite. Provided value: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SymmetricMatrix.ofUpperTriangle(2, 1, Double.NaN, 2))
        .withMessage("upper[1] must be finite. Provided value: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SymmetricMatrix.ofUpperTriangle(2, 1))
        .withMessage("upper must have 3 entries. Provided value: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> one.get(0, 1))
        .withMessage("column must be in [0, 0]. Provided value: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Simulation.problem(3).withLambda(-1))
        .withMessage("lambda must be >= 0 and finite. Provided value: -1.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExactMoments.create(4, 1).solve(Simulation.problem(3)))
        .withMessage("columns of the input must be in [3, 3]. Provided value: 4");
    ReleasedMoments other = new ReleasedMoments(one, 1, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReleasedMoments(one, 1, 1).plus(other))
        .withMessageContaining("Provided value: (1, 1.0) and (1, 2.0)");
    ExactMoments empty = ExactMoments.create(1, 1.0);
    assertThatIllegalArgumentException().isThrownBy(() -> empty.add(Double.POSITIVE_INFINITY));
    assertThat(empty.rows()).isZero();
    ExactMoments none = ExactMoments.create(3, 1.0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> none.rmse(Simulation.problem(3), DoubleVector.of(1, 2)))
        .withMessage("rows must be at least 1. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> none.residualSumOfSquares(Simulation.problem(3), DoubleVector.of(1)))
        .withMessage("coefficients must have 2 entries. Provided value: 1");
  }

  @Test
  void problemsAreChecked() {
    List<String> names = List.of("(intercept)", "x", "y");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RegressionProblem(names, 2, List.of(), Loss.SQUARED, Penalty.AUTO))
        .withMessage("features must not be empty. Provided value: []");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new RegressionProblem(names, 2, List.of(1, 2), Loss.SQUARED, Penalty.AUTO))
        .withMessage(
            "features must be distinct and not the response, and the intercept is one anyway."
                + " Provided value: y again");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RegressionProblem(names, 0, List.of(1), Loss.SQUARED, Penalty.AUTO))
        .withMessage("response must be a column, not the intercept. Provided value: (intercept)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RegressionProblem(names, 3, List.of(1), Loss.SQUARED, Penalty.AUTO))
        .withMessage("response must be in [1, 2]. Provided value: 3");
  }
}

package io.gauze.regression.strata;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.regression.Simulation;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;

/**
 * Strata of the residual y - b x of 50,000 rows (1, x, y), x = N(0, 1) / 3, in [-.3, .3]. Some
 * responses are 0, the others .1 x + .1 N(0, 1); b is the slope of least squares.
 */
class PointMassTest {
  private static final int ROWS = 50_000;
  private static final double HALF = 0.3;
  private static final RegressionProblem LAD = Simulation.problem(3).withLoss(Loss.ABSOLUTE);

  private static ReleasedStrata strata(double piled, int strata, double sigma) {
    SplittableRandom random = new SplittableRandom(7);
    double slope = 0.1 * (1.0 - piled);
    List<DMatrixRMaj> sums = Stream.generate(() -> new DMatrixRMaj(3, 3)).limit(strata).toList();
    DMatrixRMaj all = new DMatrixRMaj(3, 3);
    for (int i = 0; i < ROWS; i++) {
      double x = random.nextGaussian() / 3.0;
      double y = random.nextDouble() < piled ? 0.0 : 0.1 * x + 0.1 * random.nextGaussian();
      double place = 0.5 * strata * (1.0 + (y - slope * x) / HALF);
      DMatrixRMaj row = new DMatrixRMaj(new double[] {1.0, x, y});
      int k = (int) Math.max(0.0, Math.min(strata - 1.0, place));
      CommonOps_DDRM.multAddTransB(row, row, sums.get(k));
      CommonOps_DDRM.multAddTransB(row, row, all);
    }
    for (DMatrixRMaj sum : sums) {
      addNoise(sum, sigma, random);
    }
    return ReleasedStrata.ofResiduals(
        StratifyingDirection.of(2, 0.0, -slope / HALF, 1.0 / HALF),
        SymmetricMatrix.of(all),
        sums.stream().map(SymmetricMatrix::of).toList(),
        new StrataNoise(sigma, strata, 1.0),
        1.0);
  }

  private static void addNoise(DMatrixRMaj sum, double sigma, SplittableRandom random) {
    for (int i = 0; i < 3; i++) {
      for (int j = i; j < 3; j++) {
        double noise = (i == j ? 1.0 : Math.sqrt(0.5)) * sigma * random.nextGaussian();
        sum.set(i, j, sum.get(i, j) + noise);
        sum.set(j, i, sum.get(i, j));
      }
    }
  }

  private static Fit fit(ReleasedStrata strata) {
    return ((FitOutcome.Fitted) Regression.fit(strata, LAD)).fit();
  }

  /** Strata as wide as three deviations of the others take some of these for the pile. */
  @Test
  void shareIsThatOfTheRows() {
    for (double piled : new double[] {0.3, 0.45, 0.6}) {
      for (int strata : new int[] {4, 8}) {
        for (double sigma : new double[] {0.0, 10.0}) {
          double share = PointMass.of(strata(piled, strata, sigma)).share();
          assertThat(share).as("%s of %d", piled, strata).isBetween(0.9 * piled, 1.4 * piled);
        }
      }
    }
  }

  /** A pile of a tenth is not told from a peak of the residuals' density. */
  @Test
  void noOrSmallPilesAreNone() {
    for (double piled : new double[] {0.0, 0.1}) {
      for (int strata : new int[] {4, 8, 16}) {
        for (double sigma : new double[] {0.0, 30.0}) {
          PointMass pile = PointMass.of(strata(piled, strata, sigma));
          assertThat(pile.share()).isZero();
          assertThat(pile.isHidden()).isFalse();
        }
      }
    }
  }

  @Test
  void noiseMayHideAPile() {
    for (double piled : new double[] {0.0, 0.5}) {
      PointMass pile = PointMass.of(strata(piled, 8, 1_000.0));
      assertThat(pile.share()).isZero();
      assertThat(pile.isHidden()).isTrue();
    }
    Fit fit = fit(strata(0.0, 8, 1_000.0));
    assertThat(Said.by(fit)).contains(FitMessage.MASS);
    assertThat(fit.encoded().standardErrors().toArray()).containsOnly(Double.NaN);
  }

  /** With half of the responses 0, the constant 0 is the best fit; least squares' slope is .05. */
  @Test
  void fitsAreDrawnToThePile() {
    for (int strata : new int[] {4, 8}) {
      ReleasedStrata piled = strata(0.5, strata, 10.0);
      DoubleVector b = fit(piled).coefficients();
      Fit asked = ((FitOutcome.Fitted) Regression.fit(piled, LAD.withLambda(0.0))).fit();
      assertThat(Said.by(asked)).contains(FitMessage.PILE);
      double slope = asked.coefficients().get(1);
      assertThat(slope).as("not drawn").isGreaterThan(0.02);
      assertThat(b.get(1)).isBetween(0.0, 0.5 * slope);
      assertThat(b.get(0)).isBetween(-0.005, 0.005);
    }
  }

  @Test
  void coefficientsAreDrawnToThoseOfAConstant() {
    PointMass pile = PointMass.of(strata(0.6, 8, 0.0));
    double kept = pile.kept();
    assertThat(kept).isBetween(0.0, 0.5);
    DoubleVector b = DoubleVector.of(0.25, -3.0);
    assertThat(pile.drawn(b, DoubleVector.of(1.0, 0.0)).toArray())
        .containsExactly(kept * 0.25 + (1.0 - kept), kept * -3.0);
    assertThat(PointMass.NONE.drawn(b, DoubleVector.of(1.0, 0.0))).isEqualTo(b);
  }

  /** 0 is inside a stratum of five. */
  @Test
  void whatStrataDoNotShowIsNone() {
    assertThat(PointMass.of(strata(0.5, 5, 0.0))).isEqualTo(PointMass.NONE);
    assertThat(PointMass.of(strata(0.5, 2, 0.0))).isEqualTo(PointMass.NONE);
  }

  /** Rows of half 0, half N(0, .1^2): the constant 0 has the loss .04, the pile's f .02. */
  @Test
  void fitsExpectMoreWhereResponsesArePiledUp() {
    Fit piled = fit(strata(0.5, 8, 10.0));
    assertThat(Said.by(piled)).contains(FitMessage.PILE);
    assertThat(Said.of(FitMessage.PILE, piled)).asString().contains("% of the responses");
    assertThat(piled.predictedExcess()).isGreaterThan(0.02);
    assertThat(piled.encoded().standardErrors().toArray()).containsOnly(Double.NaN);
    Fit smooth = fit(strata(0.0, 8, 10.0));
    assertThat(Said.by(smooth)).doesNotContain(FitMessage.PILE, FitMessage.MASS);
    assertThat(smooth.predictedExcess()).isLessThan(0.01);
  }
}

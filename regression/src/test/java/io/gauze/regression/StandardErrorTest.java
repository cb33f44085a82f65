package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.noise.Entropy;
import io.gauze.noise.GaussianRows;
import io.gauze.noise.OutputGrid;
import io.gauze.noise.Randomness;
import io.gauze.noise.WishartSampler;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.moments.AdditiveLaw;
import io.gauze.regression.moments.BucketLaw;
import io.gauze.regression.moments.NoiseLaw;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.moments.ReleasedRows;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.regression.rows.MomentsInput;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Standard errors against what really happens, over many data sets and releases. */
class StandardErrorTest {
  private static final int DATA_SETS = 400;

  /**
   * Total errors cover the coefficients that the rows were drawn from: without noise, with noise of
   * the size of the sampling error, and with far more. 2400 nearly independent coefficients: a
   * standard deviation of 0.0045, 6.7 of them to 0.92 and 0.98, below 1e-10.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0, 8, 60})
  void intervalsCoverTheTruth(double sigma) {
    Simulation simulation = new Simulation(5, 0.5, 99);
    int inside = 0;
    int given = 0;
    double sampling = 0;
    double privacy = 0;
    for (int i = 0; i < DATA_SETS; i++) {
      ExactMoments rows = simulation.moments(4096);
      MomentsInput input = sigma == 0 ? rows : Simulation.release(rows, sigma, simulation.random());
      CoefficientTable table = Simulation.fit(input, simulation.problem()).encoded();
      for (int k = 0; k < 6; k++) {
        double truth = k == 0 ? 0.0 : simulation.slopes[k - 1];
        double total = table.standardErrors().get(k);
        double part = table.privacyStandardErrors().get(k);
        if (Double.isNaN(total)) { // withheld: noise covered a direction
          continue;
        }
        given++;
        inside += Math.abs(table.estimates().get(k) - truth) < 1.96 * total ? 1 : 0;
        privacy += part * part;
        sampling += total * total - part * part;
      }
    }
    assertThat(given).isGreaterThan((int) (0.8 * 6 * DATA_SETS));
    assertThat(inside / (double) given).isBetween(0.92, 0.98);
    assertThat(privacy / sampling).isBetween(sigma == 60 ? 10.0 : 0.0, sigma == 0 ? 0.0 : 250.0);
  }

  /**
   * The last two features differ by .02 N(0, 1), which noise exceeds, and their slopes by 1. The
   * other directions tell how large slopes are, so standard errors are given, and cover the slopes
   * of the rows. Measured: 96 %.
   */
  @Test
  void weakDirectionsAreComparedWithStrongOnes() {
    Simulation simulation = new Simulation(5, 0.5, 3);
    int inside = 0;
    int guessed = 0;
    for (int i = 0; i < 50; i++) {
      ExactMoments rows = ExactMoments.create(8, Simulation.INTERCEPT);
      for (int n = 0; n < 4096; n++) {
        double[] row = simulation.row();
        double near = row[5] + 0.02 * simulation.normal();
        double response = row[6] + 0.5 * (row[5] - near);
        rows.add(row[0], row[1], row[2], row[3], row[4], row[5], near, response);
      }
      RegressionProblem problem = Simulation.problem(8);
      Fit exact = Simulation.fit(rows, problem);
      Fit fit = Simulation.fit(Simulation.release(rows, 1.0, simulation.random()), problem);
      assertThat(fit.withheld()).isEmpty();
      guessed += Said.by(fit).contains(FitMessage.GUESS) ? 1 : 0;
      for (int k = 0; k < 7; k++) {
        double slope = exact.encoded().estimates().get(k);
        double error = fit.encoded().privacyStandardErrors().get(k);
        inside += Math.abs(fit.encoded().estimates().get(k) - slope) < 1.96 * error ? 1 : 0;
      }
    }
    assertThat(inside / 350.0).isBetween(0.93, 1.0);
    assertThat(guessed).isBetween(1, 50);
  }

  /** s2 (X'X)^-1 by hand: rows (1, -1, 0), (1, 0, 3), (1, 1, 0). */
  @Test
  void classicFormula() {
    ExactMoments rows = ExactMoments.create(3, 1.0);
    rows.add(1, -1, 0);
    rows.add(1, 0, 3);
    rows.add(1, 1, 0);
    CoefficientTable table = Simulation.fit(rows, Simulation.problem(3)).encoded();
    // b = (1, 0), residuals -1, 2, -1: s2 = 6 / (3 - 2), X'X = diag(3, 2)
    assertThat(table.estimates().get(0)).isCloseTo(1.0, within(1e-14));
    assertThat(table.estimates().get(1)).isCloseTo(0.0, within(1e-14));
    assertThat(table.standardErrors().get(0)).isCloseTo(Math.sqrt(2.0), within(1e-14));
    assertThat(table.standardErrors().get(1)).isCloseTo(Math.sqrt(3.0), within(1e-14));
    assertThat(table.privacyStandardErrors()).isEqualTo(DoubleVector.of(0, 0));
  }

  /**
   * Where noise covers nearly all of the signal the coefficients are mostly ridge. With the
   * strongest of directions only above the noise, no release shows the coefficients along the weak
   * ones: the fit says so, and gives no standard errors.
   */
  @Test
  void intervalsAreWithheldUnderNoise() {
    int withheld = 0;
    for (int seed = 0; seed < 200; seed++) {
      Simulation simulation = new Simulation(6, 0.8, seed);
      ExactMoments rows = simulation.moments(2000);
      ReleasedMoments release = Simulation.release(rows, 50, simulation.random());
      Fit fit = Simulation.fit(release, simulation.problem());
      assertThat(Said.by(fit)).contains(FitMessage.FEW, FitMessage.HIDDEN);
      CoefficientTable table = fit.encoded();
      for (int k = 0; k < 7; k++) {
        boolean isNone = Double.isNaN(table.standardErrors().get(k));
        assertThat(isNone).isEqualTo(fit.withheld().contains(k));
        withheld += isNone ? 1 : 0;
      }
      assertThat(Said.of(FitMessage.HIDDEN, fit))
          .asString()
          .contains(" of 7 coefficients have no standard error");
    }
    assertThat(withheld).isGreaterThan((int) (0.95 * 200 * 7));
  }

  /**
   * Covariance of E u, and deviation of u'E u, from 40,000 draws of E. A sample covariance has
   * variance (c_ii c_jj + c_ij^2) / n; 6 standard deviations, 7 numbers: below 2e-8.
   */
  @Test
  void lawOfNoisyMoments() {
    NoiseLaw law = new AdditiveLaw(new MomentNoise.Gaussian(2.0));
    FitRandom random = FitRandom.seededBy(new DMatrixRMaj(1, 1));
    checkLaw(law, new DMatrixRMaj(4, 4), 40_000, () -> law.sample(new DMatrixRMaj(4, 4), random));
  }

  /**
   * The same of real bucket rows: 2000 rows hashed into 256 buckets, 10,000 times. The formula is
   * of the limit of many rows; 1 / 2000 is a twentieth of the standard deviations here.
   */
  @Test
  void lawOfBuckets() {
    SplittableRandom random = new SplittableRandom(5);
    double[][] rows = new double[2000][4];
    ExactMoments exact = ExactMoments.create(4, 1.0);
    for (double[] row : rows) {
      for (int i = 0; i < 4; i++) {
        row[i] = random.nextGaussian() * (i + 1) + (i == 0 ? 1 : 0);
      }
      exact.add(row);
    }
    DMatrixRMaj moments = exact.moments().select(0, 1, 2, 3);
    NoiseLaw law = new BucketLaw(256, 2.0);
    checkLaw(
        law,
        moments,
        10_000,
        () -> {
          DMatrixRMaj error = Buckets.release(rows, 256, 2.0, random).moments().select(0, 1, 2, 3);
          CommonOps_DDRM.subtractEquals(error, moments);
          return error;
        });
  }

  /** Of the same law, drawn by hand: the difference of two exponential numbers is Laplace's. */
  @Test
  void lawOfLaplaceNoise() {
    SplittableRandom random = new SplittableRandom(8);
    NoiseLaw law = new AdditiveLaw(new MomentNoise.Laplace(2.0, 0.5));
    checkLaw(
        law,
        new DMatrixRMaj(4, 4),
        40_000,
        () -> {
          DMatrixRMaj error = new DMatrixRMaj(4, 4);
          for (int i = 0; i < 4; i++) {
            for (int j = i; j < 4; j++) {
              double plus = Math.log1p(-random.nextDouble());
              double minus = Math.log1p(-random.nextDouble());
              error.set(i, j, (i == j ? 2.0 : 0.5) * (plus - minus));
              error.set(j, i, error.get(i, j));
            }
          }
          return error;
        });
    FitRandom other = Draws.random(3);
    checkLaw(law, new DMatrixRMaj(4, 4), 40_000, () -> law.sample(new DMatrixRMaj(4, 4), other));
    NoiseLaw sum = new AdditiveLaw(new MomentNoise.Laplace(2.0, 0.5, 2.5));
    checkLaw(sum, new DMatrixRMaj(4, 4), 40_000, () -> sum.sample(new DMatrixRMaj(4, 4), other));
  }

  /** Of the samplers that releases use, and of those of the bootstrap. */
  @Test
  void lawOfWishartNoise() {
    Entropy entropy = Randomness.insecureForTests(9).entropy("wishart");
    WishartSampler sampler = WishartSampler.of(4, 30, Math.scalb(1.5, 40));
    NoiseLaw law = new AdditiveLaw(new MomentNoise.Wishart(30, 1.5));
    SymmetricMatrix none = SymmetricMatrix.ofUpperTriangle(4, new double[10]);
    checkLaw(
        law,
        new DMatrixRMaj(4, 4),
        20_000,
        () ->
            Draws.all(
                ReleasedMoments.debiased(
                        none.plus(
                            SymmetricMatrix.ofUpperTriangle(
                                4,
                                LongStream.of(sampler.sample(entropy))
                                    .mapToDouble(step -> Math.scalb((double) step, -40))
                                    .toArray())),
                        new MomentNoise.Wishart(30, 1.5),
                        1.0)
                    .moments()));
    FitRandom random = Draws.random(4);
    checkLaw(law, new DMatrixRMaj(4, 4), 20_000, () -> law.sample(new DMatrixRMaj(4, 4), random));
  }

  @Test
  void lawOfProjections() {
    DMatrixRMaj moments = someMoments();
    SymmetricMatrix shifted = SymmetricMatrix.of(moments).plusDiagonal(20.0);
    Entropy entropy = Randomness.insecureForTests(10).entropy("projection");
    OutputGrid grid = OutputGrid.relativeTo(20.0);
    GaussianRows rows = GaussianRows.of(4, upper(shifted), grid);
    checkLaw(
        new BucketLaw(256, Math.sqrt(20.0 / 256)),
        moments,
        5_000,
        () -> {
          double[] values = grid.values(rows.sample(256, entropy));
          ReleasedRows release = ReleasedRows.projection(256, 4, values, 20.0, 1.0);
          return minus(release, moments);
        });
    FitRandom random = Draws.random(5);
    NoiseLaw law = new BucketLaw(256, 0.3);
    checkLaw(law, moments, 20_000, () -> law.sample(moments, random));
  }

  static DMatrixRMaj minus(MomentsInput release, DMatrixRMaj moments) {
    DMatrixRMaj error = Draws.all(release.moments());
    CommonOps_DDRM.subtractEquals(error, moments);
    return error;
  }

  static DMatrixRMaj someMoments() {
    FitRandom random = Draws.random(7);
    DMatrixRMaj root = random.nextWishartRoot(4, 9);
    DMatrixRMaj moments = new DMatrixRMaj(4, 4);
    CommonOps_DDRM.multTransA(3.0, root, root, moments);
    return moments;
  }

  static double[] upper(SymmetricMatrix matrix) {
    double[] upper = new double[10];
    int next = 0;
    for (int i = 0; i < 4; i++) {
      for (int j = i; j < 4; j++) {
        upper[next++] = matrix.get(i, j);
      }
    }
    return upper;
  }

  static void checkLaw(NoiseLaw law, DMatrixRMaj moments, int draws, Supplier<DMatrixRMaj> draw) {
    double[] u = {0.5, -1.0, 0.25, 1.0};
    double[][] sums = new double[3][3];
    double square = 0;
    for (int t = 0; t < draws; t++) {
      DMatrixRMaj error = draw.get();
      double[] image = new double[4];
      double form = 0;
      for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
          image[i] += error.get(i, j) * u[j];
        }
        form += u[i] * image[i];
      }
      square += form * form;
      for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
          sums[i][j] += image[i] * image[j];
        }
      }
    }
    double value = SymmetricMatrix.of(moments).quadraticForm(u);
    DMatrixRMaj expected = law.covariance(moments, new DMatrixRMaj(4, 1, true, u), value);
    for (int i = 0; i < 3; i++) {
      for (int j = i; j < 3; j++) {
        double c = expected.get(i, j);
        double deviation = Math.sqrt((expected.get(i, i) * expected.get(j, j) + c * c) / draws);
        // 4 of 256 degrees of freedom are the fit's, of which there is none here
        double slack = law instanceof AdditiveLaw ? 0.0 : 4.0 / 252 * Math.abs(c);
        assertThat(sums[i][j] / draws).isCloseTo(c, within(6 * deviation + slack));
      }
    }
    double deviation = law.deviation(value, new DMatrixRMaj(4, 1, true, u));
    assertThat(Math.sqrt(square / draws))
        .isCloseTo(deviation, within(6 * deviation / Math.sqrt(2.0 * draws)));
  }
}

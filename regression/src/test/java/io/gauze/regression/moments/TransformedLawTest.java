package io.gauze.regression.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.payload.MomentNoise;
import io.gauze.regression.FitRandom;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;

final class TransformedLawTest {
  private static final DMatrixRMaj NONE = new DMatrixRMaj(3, 3);
  private static final DMatrixRMaj U = new DMatrixRMaj(new double[] {-0.5, 2.0, 1.0});
  private static final DMatrixRMaj W = new DMatrixRMaj(new double[] {1.0, 0.3, -0.7});

  private static DMatrixRMaj shape(double... root) {
    DMatrixRMaj matrix = new DMatrixRMaj(3, 3, true, root);
    DMatrixRMaj shape = new DMatrixRMaj(3, 3);
    CommonOps_DDRM.multTransB(matrix, matrix, shape);
    return shape;
  }

  private static final TransformedLaw LAW =
      new TransformedLaw(
          List.of(
              new TransformedLaw.Part(
                  new MomentNoise.Gaussian(2.0), shape(1, 0, 0, 0.5, 2, 0, -1, 0.3, 0.7)),
              new TransformedLaw.Part(
                  new MomentNoise.Gaussian(0.5), shape(2, 0, 0, 0, 1, 0, 1, 1, 3))));

  @Test
  void withoutATransformItIsTheLawOfTheNoise() {
    MomentNoise.Gaussian noise = new MomentNoise.Gaussian(1.5);
    AdditiveLaw plain = new AdditiveLaw(noise);
    TransformedLaw law =
        new TransformedLaw(List.of(new TransformedLaw.Part(noise, CommonOps_DDRM.identity(3))));
    assertThat(law.unit(3)).isCloseTo(plain.unit(3), within(1e-12));
    assertThat(law.edge(2)).isCloseTo(plain.edge(2), within(1e-12));
    assertThat(law.reach(2)).isCloseTo(plain.reach(2), within(1e-12));
    assertThat(law.formCovariance(U, W, 0.0))
        .isCloseTo(plain.formCovariance(U, W, 0.0), within(1e-12));
    assertThat(law.covariance(NONE, U, 0.0).getData())
        .containsExactly(plain.covariance(NONE, U, 0.0).getData(), within(1e-12));
    assertThat(law.isotropic(shape(1, 2, 3, 4, 5, 6, 7, 8, 10)).getData())
        .containsExactly(shape(1, 2, 3, 4, 5, 6, 7, 8, 10).getData(), within(1e-9));
  }

  @Test
  void samplesHaveItsCovariances() {
    FitRandom random = FitRandom.seededBy(NONE);
    int draws = 40_000;
    double forms = 0.0;
    DMatrixRMaj scores = new DMatrixRMaj(2, 2);
    for (int k = 0; k < draws; k++) {
      DMatrixRMaj sample = LAW.sample(NONE, random);
      DMatrixRMaj image = new DMatrixRMaj(3, 1);
      CommonOps_DDRM.mult(sample, U, image);
      DMatrixRMaj first = new DMatrixRMaj(new double[] {image.get(0), image.get(1)});
      CommonOps_DDRM.multAddTransB(1.0 / draws, first, first, scores);
      DMatrixRMaj other = new DMatrixRMaj(3, 1);
      CommonOps_DDRM.mult(sample, W, other);
      forms += CommonOps_DDRM.dot(U, image) * CommonOps_DDRM.dot(W, other) / draws;
    }
    DMatrixRMaj expected = LAW.covariance(NONE, U, 0.0);
    double scale = Math.sqrt(expected.get(0, 0) * expected.get(1, 1));
    for (int i = 0; i < 4; i++) {
      assertThat(scores.get(i)).isCloseTo(expected.get(i), within(0.04 * scale));
    }
    double form = Math.sqrt(LAW.formCovariance(U, U, 0.0) * LAW.formCovariance(W, W, 0.0));
    assertThat(forms).isCloseTo(LAW.formCovariance(U, W, 0.0), within(0.04 * form));
  }
}

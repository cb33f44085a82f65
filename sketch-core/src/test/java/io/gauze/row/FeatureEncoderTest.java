package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FeatureEncoderTest {
  /** Whatever the features, the integers are at most the bound, exactly. */
  @ParameterizedTest
  @ValueSource(doubles = {0.02, 0.7, 1.0, 1.3249999, 200.0})
  void noFeaturesAreLongerThanTheBound(double bound) {
    SplittableRandom random = new SplittableRandom(1);
    FeatureEncoder encoder = FeatureEncoder.of(5, bound);
    double largest = Math.pow(bound / encoder.grid().step(), 2);
    int[] out = new int[7];
    for (int i = 0; i < 2000; i++) {
      double[] features = new double[5];
      double size = bound * Math.pow(2.0, random.nextInt(9) - 4);
      for (int j = 0; j < 5; j++) {
        features[j] = size * random.nextGaussian();
      }
      double weight = encoder.encode(features, out, 1);
      double square = 0.0;
      for (int j = 0; j < 5; j++) {
        square += (double) out[j + 1] * out[j + 1];
        assertThat(out[j + 1] * encoder.grid().step())
            .isCloseTo(weight * features[j], within(2.01 * encoder.grid().step()));
      }
      assertThat(square).isLessThanOrEqualTo(largest);
      assertThat(weight).isBetween(Double.MIN_VALUE, 1.0);
      assertThat(out[0] + out[6]).isZero();
    }
  }

  @Test
  void notANumberIsZeroAndOthersAreScaledTogether() {
    FeatureEncoder encoder = FeatureEncoder.of(3, 1.0);
    int[] out = new int[3];
    assertThat(encoder.encode(new double[] {3.0, Double.NaN, 4.0}, out, 0)).isEqualTo(0.2);
    assertThat(out).containsExactly((int) (0.6 * 32768), 0, (int) (0.8 * 32768));
    assertThat(encoder.encode(new double[] {0.6, 0.0, 0.8}, out, 0)).isEqualTo(1.0);
  }

  @Test
  void rangesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FeatureEncoder.of(3, 0.001))
        .withMessage("featureBound must be in [0.015625, 256]. Provided value: 0.001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FeatureEncoder.of(3, 1.0).encode(new double[2], new int[3], 0))
        .withMessage("features must have 3 entries. Provided value: 2");
    assertThat(FeatureEncoder.of(3, 1.0)).hasToString("FeatureEncoder[features=3, bound=1.0]");
  }
}

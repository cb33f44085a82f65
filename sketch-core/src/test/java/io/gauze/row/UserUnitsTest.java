package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserUnitsTest {
  private static final int PRICE = 7;
  private static final int[] ALL = {0, 1, 2, 3, 4, 5, 6};

  private final RowSchema schema = Schemas.mixed(0.5, 3.0, MissingValues.REJECT);

  @Test
  void oneFeatureByHand() {
    // z_y = 0.2 * 0.5 + 0.4 * (alcohol - 11.5) / 3.5 and price = 490 + 510 z_y
    double[] user = UserUnits.of(schema, PRICE, 0, 1).coefficients(new double[] {0.2, 0.4});
    assertThat(user[0]).isCloseTo(490 + 510 * (0.1 - 0.4 * 11.5 / 3.5), within(1e-10));
    assertThat(user[1]).isCloseTo(510 * 0.4 / 3.5, within(1e-10));
  }

  @Test
  void theConstantIsThereWithoutTheIntercept() {
    UserUnits units = UserUnits.of(schema, PRICE, 1);
    assertThat(units.names()).containsExactly("(intercept)", "alcohol");
    double[] user = units.coefficients(new double[] {0.4});
    assertThat(user[0]).isCloseTo(490 - 510 * 0.4 * 11.5 / 3.5, within(1e-10));
    assertThat(user[1]).isCloseTo(510 * 0.4 / 3.5, within(1e-10));
  }

  @Test
  void namesFollowTheFeaturesWithTheConstantFirst() {
    assertThat(UserUnits.of(schema, PRICE, 6, 0, 3).names())
        .containsExactly("(intercept)", "region=east", "female");
    assertThat(UserUnits.of(schema, 5, 0, 7).responseScale()).isEqualTo(1.0);
    assertThat(UserUnits.of(schema, 3, 0, 7).responseScale()).isEqualTo(0.5);
    assertThat(UserUnits.of(schema, PRICE).coefficients(new double[0])).containsExactly(490.0);
  }

  /** For any coefficients and any point both scales predict the same response. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5, 7})
  void bothScalesPredictTheSame(int response) {
    int[] features = java.util.Arrays.stream(ALL).map(i -> i == response ? 7 : i).toArray();
    SplittableRandom random = new SplittableRandom(7);
    UserUnits units = UserUnits.of(schema, response, features);
    for (int trial = 0; trial < 1000; trial++) {
      double[] b = random.doubles(features.length, -1, 1).toArray();
      double[] beta = units.coefficients(b);
      double encoded = 0;
      double user = beta[0];
      int next = 1;
      for (int k = 0; k < features.length; k++) {
        double z = features[k] == 0 ? 0.5 : 2 * random.nextDouble() - 1;
        encoded += b[k] * z;
        if (features[k] != 0) {
          user += beta[next++] * (schema.mid(features[k]) + schema.half(features[k]) * z);
        }
      }
      double expected = schema.mid(response) + schema.half(response) * encoded;
      assertThat(user).isCloseTo(expected, within(1e-9));
    }
  }

  @Test
  void theJacobianIsTheLinearPart() {
    UserUnits units = UserUnits.of(schema, PRICE, ALL);
    double[][] jacobian = units.jacobian();
    double[] at0 = units.coefficients(new double[ALL.length]);
    assertThat(at0).containsExactly(490, 0, 0, 0, 0, 0, 0);
    for (int k = 0; k < ALL.length; k++) {
      double[] unit = new double[ALL.length];
      unit[k] = 1;
      double[] at1 = units.coefficients(unit);
      for (int i = 0; i < at1.length; i++) {
        assertThat(at1[i] - at0[i]).isCloseTo(jacobian[i][k], within(1e-9));
      }
    }
    jacobian[0][0] = 99;
    assertThat(units.jacobian()[0][0]).isNotEqualTo(99.0);
  }

  @Test
  void refusesWrongIndices() {
    refused("response must be in [1, 7]. Provided value: 0", 0, 1);
    refused("response must be in [1, 7]. Provided value: 8", 8, 1);
    refused("feature must be in [0, 7]. Provided value: -1", 1, -1);
    refused("features must be distinct and not the response. Provided value: cut again", 1, 2, 2);
    refused("features must be distinct and not the response. Provided value: cut again", 2, 1, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UserUnits.of(schema, PRICE, 0, 1).coefficients(new double[3]))
        .withMessage("encoded must have 2 coefficients. Provided value: 3");
  }

  private void refused(String message, int response, int... features) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UserUnits.of(schema, response, features))
        .withMessage(message);
  }
}

package io.gauze.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StreamFitsTest {
  private static final double NONE = Double.NaN;

  /** A term for each pair of an estimate and a standard error. */
  private static StreamFits of(double[]... streams) {
    Map<String, List<Term>> terms = new LinkedHashMap<>();
    for (double[] each : streams) {
      String name = "s" + terms.size();
      terms.put(name, List.of(new Term("x", each[0], each[1], NONE, NONE, NONE, NONE, NONE, NONE)));
    }
    return StreamFits.of(terms).orElseThrow();
  }

  /**
   * By hand: weights 100, 25, 4, mean 2.1085, Q = 1.1775 + 3.8282 + 0.6078 = 5.6135; with two
   * degrees of freedom p = exp(-Q / 2).
   */
  @Test
  void heterogeneityIsThatOfCochran() {
    StreamFits fits =
        of(new double[] {2.0, 0.1}, new double[] {2.5, 0.2}, new double[] {1.72, 0.5});
    double mean = (200.0 + 62.5 + 4 * 1.72) / 129.0;
    double q =
        100 * Math.pow(2.0 - mean, 2) + 25 * Math.pow(2.5 - mean, 2) + 4 * Math.pow(1.72 - mean, 2);
    StreamFits.Heterogeneity test = fits.heterogeneity(0).orElseThrow();
    assertThat(test.q()).isCloseTo(q, within(1e-12));
    assertThat(test.degrees()).isEqualTo(2);
    assertThat(test.pValue()).isCloseTo(Math.exp(-q / 2), within(1e-12));
    assertThat(fits.sentence()).startsWith("No coefficient differs");
  }

  @Test
  void saysWhatDiffers() {
    assertThat(of(new double[] {2.0, 0.1}, new double[] {3.0, 0.1}).sentence())
        .startsWith("The streams differ in x (Cochran's Q, p below 0.01)");
  }

  @Test
  void withheldErrorsHaveNoPart() {
    double[][] streams = {{2.0, 0.1}, {3.0, NONE}, {2.1, 0.1}};
    assertThat(of(streams).heterogeneity(0).orElseThrow().degrees()).isEqualTo(1);
    assertThat(of(Arrays.copyOf(streams, 2)).heterogeneity(0)).isEmpty();
    assertThat(of(streams).cell(1, 0)).isEqualTo("3.000");
    assertThat(of(streams).cell(2, 0)).isEqualTo("2.100 (0.10)");
  }
}

package io.gauze.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StreamFitsTest {
  private static final double NONE = Double.NaN;

  private static final List<String> NAMES = List.of("x");

  /** A term for each pair of an estimate and a standard error. */
  private static StreamFits of(double[]... streams) {
    return of(false, streams);
  }

  private static StreamFits of(boolean isDrawn, double[]... streams) {
    List<StreamFits.One> all = new ArrayList<>();
    for (double[] each : streams) {
      Term term = new Term("x", each[0], each[1], NONE, NONE, NONE, NONE, NONE, NONE);
      all.add(new StreamFits.One("s" + all.size(), "good", List.of(term)));
    }
    return new StreamFits(all, isDrawn);
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
    assertThat(fits.sentence(NAMES))
        .startsWith("Of 1 coefficients that were compared none differs");
  }

  @Test
  void saysWhatDiffers() {
    double[][] streams = {{2.0, 0.1}, {3.0, 0.1}};
    assertThat(of(streams).sentence(NAMES))
        .startsWith("The streams differ in x (Cochran's Q, p below 0.01)");
    assertThat(of(true, streams).sentence(NAMES))
        .startsWith("The streams are not compared: a given");
    assertThat(of(true, streams).heterogeneity(0)).isEmpty();
  }

  @Test
  void withheldErrorsHaveNoPart() {
    double[][] streams = {{2.0, 0.1}, {3.0, NONE}, {2.1, 0.1}};
    assertThat(of(streams).heterogeneity(0).orElseThrow().degrees()).isEqualTo(1);
    assertThat(of(Arrays.copyOf(streams, 2)).heterogeneity(0)).isEmpty();
    assertThat(of(Arrays.copyOf(streams, 2)).sentence(NAMES))
        .contains("not compared: less than two");
    assertThat(of(streams).cells(NAMES).get(1))
        .containsExactly("x", "2.000 (0.10)", "3.000", "2.100 (0.10)", "0.500", "1", "0.480");
    List<StreamFits.One> all = new ArrayList<>(of(streams).streams());
    all.add(new StreamFits.One("none", "no signal", List.of()));
    assertThat(new StreamFits(all, false).cells(NAMES).get(0))
        .containsExactly("predicted excess", "good", "good", "good", "no fit", "", "", "");
  }
}

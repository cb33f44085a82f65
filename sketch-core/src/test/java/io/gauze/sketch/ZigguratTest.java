package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.Erfc;
import org.junit.jupiter.api.Test;

/** The layers against the integral of the density, in closed form; nothing here is random. */
class ZigguratTest {
  private static final int LAYERS = 256;

  /** The area of layer 0: the box below the height at the tail, and the tail. */
  private static final double AREA = lowest(Ziggurat.TAIL);

  private static double lowest(double tail) {
    return tail * Math.exp(-0.5 * tail * tail)
        + Math.sqrt(Math.PI / 2) * Erfc.value(tail / Math.sqrt(2));
  }

  /** The right edge of a layer; 0 for the layer above the highest. */
  static double edge(int layer) {
    return layer == 0 ? 0.0 : Ziggurat.WIDTH[layer] * 0x1p53;
  }

  @Test
  void allLayersHaveOneArea() {
    assertThat(edge(LAYERS - 1)).isEqualTo(Ziggurat.TAIL);
    assertThat(Ziggurat.WIDTH[0] * 0x1p53 * Ziggurat.HEIGHT[LAYERS - 1])
        .isCloseTo(AREA, within(1e-13 * AREA));
    double errors = 0;
    for (int layer = 1; layer < LAYERS; layer++) {
      double area = edge(layer) * (Ziggurat.HEIGHT[layer - 1] - Ziggurat.HEIGHT[layer]);
      assertThat(area).isCloseTo(AREA, within(1e-13 * AREA));
      errors += Math.abs(area / AREA - 1);
    }
    // a layer is drawn with probability 1/256, so these are the relative errors of the density
    assertThat(errors / LAYERS / 2).isLessThan(0x1p-47);
  }

  /** The same sum with the tail at a place that is wrong by 1e-12 does not close. */
  @Test
  void theLayersOfAnotherTailDoNotClose() {
    assertThat(heightAfterAllLayers(Ziggurat.TAIL)).isCloseTo(1.0, within(1e-13));
    assertThat(heightAfterAllLayers(Ziggurat.TAIL + 1e-12)).isNotCloseTo(1.0, within(1e-13));
  }

  private static double heightAfterAllLayers(double tail) {
    double area = lowest(tail);
    double edge = tail;
    for (int layer = LAYERS - 1; layer > 1; layer--) {
      edge = Math.sqrt(-2 * Math.log(area / edge + Math.exp(-0.5 * edge * edge)));
    }
    return area / edge + Math.exp(-0.5 * edge * edge);
  }

  @Test
  void heightsAndInnerPartsAreThoseOfTheEdges() {
    assertThat(Ziggurat.HEIGHT[0]).isEqualTo(1.0);
    for (int layer = 1; layer < LAYERS; layer++) {
      assertThat(Ziggurat.HEIGHT[layer])
          .isCloseTo(Math.exp(-0.5 * edge(layer) * edge(layer)), within(1e-15));
      assertThat(Ziggurat.INNER[layer] * Ziggurat.WIDTH[layer])
          .isCloseTo(edge(layer - 1), within(1e-15));
    }
    assertThat(Ziggurat.INNER[0] * Ziggurat.WIDTH[0]).isCloseTo(Ziggurat.TAIL, within(1e-14));
  }

  @Test
  void edgesAscend() {
    assertThat(IntStream.range(0, LAYERS).mapToDouble(ZigguratTest::edge).toArray()).isSorted();
  }
}

package io.gauze.sketch;

/**
 * The 256 layers of equal area under {@code exp(-x^2/2)}, x >= 0, as in G. Marsaglia and W. Tsang,
 * <a href="https://doi.org/10.18637/jss.v005.i08">The ziggurat method</a>, 2000: layer 0 is the
 * lowest, with the tail; layer i has its right edge at x_i. StrictMath makes them equal on every
 * machine.
 */
final class Ziggurat {
  private static final int LAYERS = 256;

  // The edge of the tail and the area of a layer, for which the layers end exactly at height 1;
  // computed by bisection in 60 digits.
  static final double TAIL = 3.654152885361009;
  private static final double AREA = 0.004928673233974655;

  /** The width of each layer divided by 2^53, for positions in [0, 2^53). */
  static final double[] WIDTH = new double[LAYERS];

  /** The bound of each layer below which a position is certainly under the curve. */
  static final long[] INNER = new long[LAYERS];

  /** The height of the curve at the right edge of a layer; 1 for layer 0. */
  static final double[] HEIGHT = new double[LAYERS];

  static {
    double edge = TAIL;
    double lowest = AREA / density(TAIL); // the width of a box with the area of layer 0
    WIDTH[0] = lowest * 0x1p-53;
    INNER[0] = (long) (TAIL / lowest * 0x1p53);
    HEIGHT[0] = 1.0;
    for (int layer = LAYERS - 1; layer > 0; layer--) {
      WIDTH[layer] = edge * 0x1p-53;
      HEIGHT[layer] = density(edge);
      // AREA = edge * (height at the next edge - height at this one)
      double next = layer == 1 ? 0.0 : inverse(AREA / edge + density(edge));
      INNER[layer] = (long) (next / edge * 0x1p53);
      edge = next;
    }
  }

  private Ziggurat() {}

  private static double density(double x) {
    return StrictMath.exp(-0.5 * x * x);
  }

  private static double inverse(double height) {
    return StrictMath.sqrt(-2.0 * StrictMath.log(height));
  }
}

package io.gauze.regression.strata;

import java.util.ArrayList;
import java.util.List;

/**
 * A discrete law with a given mean and variance on an interval. It models how the stratified column
 * is distributed within a stratum.
 *
 * <p>The moments do not determine this law, and residuals depend on it if the other columns explain
 * little. A uniform law has variance {@code width^2 / 12}. A smaller variance means that values
 * pile up, as round numbers do: the model is then a uniform law on the whole and one on a sixth of
 * it, centred so that the mean fits. A larger variance means that values are at the ends: the model
 * is then a uniform law and the two ends.
 */
final class StratumQuadrature {
  // Gauss and Legendre's four nodes on [-1, 1]: roots of 35 t^4 - 30 t^2 + 3
  private static final double[] NODES = {
    -Math.sqrt(3.0 / 7.0 + 2.0 / 7.0 * Math.sqrt(1.2)),
    -Math.sqrt(3.0 / 7.0 - 2.0 / 7.0 * Math.sqrt(1.2)),
    Math.sqrt(3.0 / 7.0 - 2.0 / 7.0 * Math.sqrt(1.2)),
    Math.sqrt(3.0 / 7.0 + 2.0 / 7.0 * Math.sqrt(1.2))
  };
  private static final double[] WEIGHTS = {
    (18.0 - Math.sqrt(30.0)) / 72.0,
    (18.0 + Math.sqrt(30.0)) / 72.0,
    (18.0 + Math.sqrt(30.0)) / 72.0,
    (18.0 - Math.sqrt(30.0)) / 72.0
  };

  /**
   * One value.
   *
   * @param value of the column
   * @param weight its share, above 0; all weights add up to 1
   */
  record Node(double value, double weight) {}

  private final List<Node> nodes = new ArrayList<>();

  private StratumQuadrature() {}

  /**
   * Returns nodes with this mean and variance.
   *
   * @param lower the lower end of the interval
   * @param upper the upper end of the interval
   * @param mean in [lower, upper]
   * @param variance at least 0; reduced to the largest that the interval allows
   */
  static List<Node> of(double lower, double upper, double mean, double variance) {
    double middle = 0.5 * (lower + upper);
    double half = 0.5 * (upper - lower);
    double possible = Math.min(variance, (mean - lower) * (upper - mean));
    StratumQuadrature law = new StratumQuadrature();
    if (!law.pile(middle, half, mean - middle, possible)
        && !law.ends(middle, half, mean - middle, possible)) {
      law.uniform(mean, Math.sqrt(3.0 * Math.max(0.0, possible)), 1.0);
    }
    return law.nodes;
  }

  // A share rho is uniform on the whole, of variance U = half^2 / 3; a share 1 - rho is on the pile
  // around middle + shift, of variance g = PILE^2 U:
  //   mean:     (1 - rho) shift = d
  //   variance: rho U + (1 - rho) g + rho d^2 / (1 - rho) = v
  // Times 1 - rho, with rho the smaller root:
  //   (U - g) rho^2 - (U - 2 g + d^2 + v) rho + v - g = 0.
  private boolean pile(double middle, double half, double d, double v) {
    double whole = half * half / 3.0;
    double g = Tuning.PILE_WIDTH * Tuning.PILE_WIDTH * whole;
    double linear = whole - 2.0 * g + d * d + v;
    double root = Math.sqrt(Math.max(0.0, linear * linear - 4.0 * (whole - g) * (v - g)));
    double rho = 0.5 * (linear - root) / (whole - g);
    double shift = d / (1.0 - rho);
    if (!(rho >= 0.0 && rho < 1.0 - 1e-9 && Math.abs(shift) <= (1.0 - Tuning.PILE_WIDTH) * half)) {
      return false;
    }
    uniform(middle, half, rho);
    uniform(middle + shift, Tuning.PILE_WIDTH * half, 1.0 - rho);
    return true;
  }

  // A share rho is uniform, the rest is at the ends with balance t in [-1, 1]:
  //   d = (1 - rho) half t,  v + d^2 = rho half^2 / 3 + (1 - rho) half^2
  private boolean ends(double middle, double half, double d, double v) {
    double rho = 1.5 * (1.0 - (v + d * d) / (half * half));
    double rest = 1.0 - rho;
    if (!(rho >= 0.0 && rho < 1.0 && Math.abs(d) <= rest * half)) {
      return false;
    }
    double t = d / (rest * half);
    uniform(middle, half, rho);
    add(middle - half, 0.5 * rest * (1.0 - t));
    add(middle + half, 0.5 * rest * (1.0 + t));
    return true;
  }

  private void uniform(double middle, double half, double share) {
    for (int k = 0; k < NODES.length; k++) {
      add(middle + half * NODES[k], share * WEIGHTS[k]);
    }
  }

  private void add(double value, double weight) {
    if (weight > 0.0) {
      nodes.add(new Node(value, weight));
    }
  }
}

package io.gauze.regression.strata;

import io.gauze.linalg.DoubleVector;
import io.gauze.regression.FitRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Parametric bootstrap for fits of strata. It treats the model of a release as the truth, adds
 * fresh noise of the same law to its sums, and fits again. It chooses the ridge of least mean loss
 * on the truth, and estimates the distance of fits from the truth's own. It cannot see what
 * shrinkage removed from the model, and that rows of a stratum are not normal: see {@link
 * StrataErrors}.
 */
final class StrataBootstrap {
  /** A distance of so many standard deviations of its noise is seen. */
  static final double SEEN = 2.0;

  /** The number of fresh releases from which the ridge is chosen. */
  private static final int TRIALS = 12;

  /**
   * The number of fresh releases from which errors are estimated; the relative error of standard
   * deviations is then 1 / sqrt 80.
   */
  private static final int DRAWS = 40;

  private static final double TOLERANCE = 1e-9;

  /** A ridge, in units of the noise, that leaves nothing of a fit but its centre. */
  static final double CENTRE = 1e4;

  /** The candidates for the ridge, in units of {@link RidgeTarget#unit}. */
  private static final double[] GRID = {
    0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 100, CENTRE
  };

  private final StrataShrinkage.Shape shape;
  private final StrataObjective.Maker maker;
  private final StrataObjective truth;
  private final List<DMatrixRMaj> sums = new ArrayList<>();
  private final StrataModel model;
  private final RidgeTarget centre;
  private final FitRandom random;

  /**
   * Creates a bootstrap around a model.
   *
   * @param shape of the sums
   * @param model of the release
   * @param maker makes the objective of a model
   * @param centre the coefficients to which the ridge draws
   */
  StrataBootstrap(
      StrataShrinkage.Shape shape,
      StrataModel model,
      StrataObjective.Maker maker,
      RidgeTarget centre) {
    this.shape = shape;
    this.maker = maker;
    this.truth = maker.of(model);
    this.model = model;
    this.centre = centre;
    model.groups().forEach(group -> sums.add(StrataModel.released(group)));
    this.random = FitRandom.seededBy(model.sums());
  }

  /**
   * The distance of fits from the truth's fit.
   *
   * @param distance mean of d d' for differences d of coefficients
   * @param excess mean of the loss on the truth, over its least, minus 1
   * @param median the median of the same, whose law is skew
   */
  record Deviation(DMatrixRMaj distance, double excess, double median) {
    /** Returns the deviation without noise, which is 0. */
    static Deviation none(int features) {
      return new Deviation(new DMatrixRMaj(features, features), 0.0, 0.0);
    }

    /**
     * Returns the deviation of a fit that is worth having: its median is at most the part of the
     * gain that is not noise, or half of the gain.
     *
     * @param gain what the release seems to gain over a constant, relative to the least loss; it
     *     contains what fits of its noise gain, which is what they cost
     */
    Deviation within(double gain) {
      return new Deviation(distance, excess, Math.min(median, rest(gain)));
    }

    /**
     * Returns the deviation of the best constant in place of these fits, which loses that part of
     * the gain.
     *
     * @param cost of the noise in the constant, as a share of the loss
     */
    Deviation ofConstant(double gain, double cost) {
      return new Deviation(distance, excess, (1.0 + rest(gain)) * (1.0 + cost) - 1.0);
    }

    private double rest(double gain) {
      return Math.max(gain - excess, 0.5 * gain);
    }

    /**
     * Returns a deviation whose median is half way, in logarithms, to that of least squares with
     * the same noise, if that is larger. Strata take the features that they show for the truth,
     * which makes the median too small where noise hides some; that of least squares does not know
     * that long tails matter less here.
     */
    Deviation between(double squares) {
      return new Deviation(
          distance, excess, squares > median ? Math.sqrt(squares * median) : median);
    }
  }

  /**
   * The best constant.
   *
   * @param b its coefficients
   * @param cost of its noise, as a share of the loss
   */
  record Constant(DoubleVector b, double cost) {}

  /** Returns the ridge of least mean loss on the truth. */
  double ridge(double... start) {
    double[] risk = new double[GRID.length];
    for (int trial = 0; trial < TRIALS; trial++) {
      StrataObjective fresh = fresh();
      double[] b = start;
      for (int k = 0; k < GRID.length; k++) {
        b = fresh.minimum(GRID[k] * centre.unit(), TOLERANCE, b).b().toArray();
        risk[k] += truth.loss(b);
      }
    }
    int best = 0;
    for (int k = 1; k < risk.length; k++) {
      best = risk[k] < risk[best] ? k : best;
    }
    return GRID[best] * centre.unit();
  }

  /** Returns the share of the best constant's loss that the truth's fit takes off, in [0, 1]. */
  double explained(double... start) {
    double[] best = truth.minimum(0.0, TOLERANCE, start).b().toArray();
    double[] constant = centre.withBestIntercept(maker, model, new double[best.length]);
    double loss = truth.loss(constant);
    return loss > 0.0 ? Math.max(0.0, 1.0 - truth.loss(best) / loss) : 0.0;
  }

  /**
   * Returns how much more the slopes of least squares lose on the truth than its own fit, as a
   * share.
   *
   * @param squares coefficients of least squares; their intercept is fitted again
   */
  double apart(double... squares) {
    double least = truth.loss(truth.minimum(0.0, TOLERANCE, squares).b().toArray());
    double loss = truth.loss(centre.withBestIntercept(maker, model, squares));
    return least > 0.0 ? Math.max(0.0, loss / least - 1.0) : 0.0;
  }

  /**
   * Returns the error of fits with a ridge.
   *
   * @param lambda of the fits
   * @param aim the ridge of the truth's own fit
   * @param start any coefficients
   */
  Deviation deviation(double lambda, double aim, double... start) {
    double[] best = truth.minimum(aim, TOLERANCE, start).b().toArray();
    double least = truth.around(aim, best).value();
    DMatrixRMaj distance = new DMatrixRMaj(best.length, best.length);
    double[] excess = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      double[] b = fresh().minimum(lambda, TOLERANCE, best).b().toArray();
      excess[draw] = (truth.around(aim, b).value() - least) / least;
      DMatrixRMaj apart = new DMatrixRMaj(best.length, 1);
      for (int k = 0; k < best.length; k++) {
        apart.set(k, b[k] - best[k]);
      }
      CommonOps_DDRM.multAddTransB(1.0 / DRAWS, apart, apart, distance);
    }
    Arrays.sort(excess);
    double mean = Arrays.stream(excess).sum() / DRAWS;
    double median = 0.5 * (excess[(DRAWS - 1) / 2] + excess[DRAWS / 2]);
    return new Deviation(distance, Math.max(0.0, mean), Math.max(0.0, median));
  }

  /** Returns the constant of least loss. */
  Constant constant() {
    double[] best = centre.withBestIntercept(maker, model, new double[maker.target().size()]);
    return new Constant(DoubleVector.of(best), cost(best, freshConstants(best)));
  }

  // The noise, of variance v over fresh releases, makes the distance d of the best constant from
  // the mean too large: 1 - 4 v / d^2 of it is kept. James and Stein keep 1 - v / d^2, but within
  // two deviations the distance is hardly known, and median and mean are often alike.
  /**
   * Returns the best constant, drawn to the mean as far as noise may have moved it.
   *
   * @param mean of the response, as coefficients
   */
  Constant constant(double... mean) {
    double[] best = centre.withBestIntercept(maker, model, new double[mean.length]);
    List<double[]> fresh = freshConstants(best);
    double distance = square(best, mean);
    double variance = fresh.stream().mapToDouble(b -> square(b, best)).sum() / TRIALS;
    double noise = SEEN * SEEN * variance;
    double share = distance > noise ? 1.0 - noise / distance : 0.0;
    return new Constant(
        DoubleVector.of(between(mean, best, share)),
        cost(best, fresh.stream().map(b -> between(mean, b, share)).toList()));
  }

  private List<double[]> freshConstants(double... best) {
    List<double[]> constants = new ArrayList<>();
    for (int trial = 0; trial < TRIALS; trial++) {
      StrataModel fresh = StrataShrinkage.model(shape, freshSums());
      constants.add(centre.withBestIntercept(maker, fresh, best));
    }
    return constants;
  }

  private static double square(double[] one, double... other) {
    return IntStream.range(0, one.length)
        .mapToDouble(k -> (one[k] - other[k]) * (one[k] - other[k]))
        .sum();
  }

  private static double[] between(double[] from, double[] to, double share) {
    return IntStream.range(0, from.length)
        .mapToDouble(k -> from[k] + share * (to[k] - from[k]))
        .toArray();
  }

  /** Returns how much more constants lose on the truth than its own, on average, as a share. */
  private double cost(double[] best, List<double[]> constants) {
    double loss = constants.stream().mapToDouble(truth::loss).average().orElseThrow();
    return Math.max(0.0, loss / truth.loss(best) - 1.0);
  }

  private List<DMatrixRMaj> freshSums() {
    List<DMatrixRMaj> noisy = shape.noise().sampleAll(sums.get(0).getNumRows(), random);
    for (int k = 0; k < noisy.size(); k++) {
      CommonOps_DDRM.addEquals(noisy.get(k), sums.get(k));
    }
    return noisy;
  }

  private StrataObjective fresh() {
    List<DMatrixRMaj> noisy = freshSums();
    StrataModel fresh = StrataShrinkage.model(shape, noisy);
    return centre.drawn(maker, fresh, noisy).of(fresh);
  }
}

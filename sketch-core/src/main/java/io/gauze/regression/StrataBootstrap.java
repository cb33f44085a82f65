package io.gauze.regression;

import java.util.ArrayList;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Parametric bootstrap for fits of strata. It treats the model of a release as the truth, adds
 * fresh noise of the same law to its sums, and fits again. It chooses the ridge of least mean loss
 * on the truth, and estimates the distance of fits from the truth's own. It cannot see what
 * shrinkage removed from the model; in measurements the errors are right within a fifth.
 */
final class StrataBootstrap {
  /** The number of fresh releases from which the ridge is chosen. */
  private static final int TRIALS = 12;

  /**
   * The number of fresh releases from which errors are estimated; the relative error of standard
   * deviations is then 1 / sqrt 80.
   */
  private static final int DRAWS = 40;

  private static final double TOLERANCE = 1e-9;

  /** The candidates for the ridge, in units of {@link #unit}. */
  private static final double[] GRID = {0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5};

  private final StrataShrinkage.Shape shape;
  private final StrataObjective.Maker maker;
  private final StrataObjective truth;
  private final List<DMatrixRMaj> sums = new ArrayList<>();
  private final double unit;
  private final FitRandom random;

  /**
   * Creates a bootstrap around a model.
   *
   * @param shape of the sums
   * @param model of the release
   * @param maker makes the objective of a model
   * @param unit a ridge as large as the noise's part of the Hessian
   */
  StrataBootstrap(
      StrataShrinkage.Shape shape, StrataModel model, StrataObjective.Maker maker, double unit) {
    this.shape = shape;
    this.maker = maker;
    this.truth = maker.of(model);
    this.unit = unit;
    model.groups().forEach(group -> sums.add(StrataModel.sums(group)));
    this.random = FitRandom.seededBy(model.sums());
  }

  /**
   * The distance of fits from the truth's fit.
   *
   * @param distance mean of d d' for differences d of coefficients
   * @param excess mean of the loss on the truth, over its least, minus 1
   */
  record Deviation(DMatrixRMaj distance, double excess) {
    /** Returns the deviation without noise, which is 0. */
    static Deviation none(int features) {
      return new Deviation(new DMatrixRMaj(features, features), 0.0);
    }
  }

  /** Returns the ridge of least mean loss on the truth. */
  double ridge(double... start) {
    double[] risk = new double[GRID.length];
    for (int trial = 0; trial < TRIALS; trial++) {
      StrataObjective fresh = fresh();
      double[] b = start;
      for (int k = 0; k < GRID.length; k++) {
        b = NewtonSearch.minimise(fresh, GRID[k] * unit, TOLERANCE, b).b().toArray();
        risk[k] += truth.loss(b);
      }
    }
    int best = 0;
    for (int k = 1; k < risk.length; k++) {
      best = risk[k] < risk[best] ? k : best;
    }
    return GRID[best] * unit;
  }

  /**
   * Returns the error of fits with a ridge.
   *
   * @param lambda of the fits
   * @param aim the ridge of the truth's own fit
   * @param start any coefficients
   */
  Deviation deviation(double lambda, double aim, double... start) {
    double[] best = NewtonSearch.minimise(truth, aim, TOLERANCE, start).b().toArray();
    double least = truth.around(aim, best).value();
    DMatrixRMaj distance = new DMatrixRMaj(best.length, best.length);
    double excess = 0.0;
    for (int draw = 0; draw < DRAWS; draw++) {
      double[] b = NewtonSearch.minimise(fresh(), lambda, TOLERANCE, best).b().toArray();
      excess += (truth.around(aim, b).value() - least) / least / DRAWS;
      DMatrixRMaj apart = new DMatrixRMaj(best.length, 1);
      for (int k = 0; k < best.length; k++) {
        apart.set(k, b[k] - best[k]);
      }
      CommonOps_DDRM.multAddTransB(1.0 / DRAWS, apart, apart, distance);
    }
    return new Deviation(distance, Math.max(0.0, excess));
  }

  private StrataObjective fresh() {
    StrataNoise law = new StrataNoise(shape.sigma());
    List<DMatrixRMaj> noisy = new ArrayList<>();
    for (DMatrixRMaj sum : sums) {
      DMatrixRMaj noise = law.sample(sum.getNumRows(), random);
      CommonOps_DDRM.addEquals(noise, sum);
      noisy.add(noise);
    }
    return maker.of(StrataShrinkage.model(shape, noisy));
  }
}

package io.gauze.model;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import org.ejml.data.DMatrixRMaj;

/**
 * Releases one model, near the least absolute deviations, by iteratively reweighted least squares.
 * Each of J rounds releases noisy moments of rows that are weighted by their residuals under the
 * round before:
 *
 * <pre>
 *   M = sum w u u' + noise,  v = sum w u y + noise,  w = tau / max(tau, |y - u'theta|),
 *   theta = (PSD(M) + ridge I)^-1 v
 * </pre>
 *
 * <p>Neighbours: add-remove or replace-one, unit row; under replace-one the row may also move to
 * another cell, whose model has the same spec. Sensitivity: of M and v together, see {@code
 * WeightedSensitivity}. Unit: encoded scale. Guarantee: the promise of the spec's noise, for all
 * rounds together, and so for the model, which is a function of them.
 *
 * <p>After M. Park and M. Welling, <a href="https://arxiv.org/abs/1605.07511">A note on privacy
 * preserving iteratively reweighted least squares</a> (2016). Differs from the paper: Wishart noise
 * with the degrees of freedom that it takes; one joint query a round; exact composition and exact
 * sensitivities; sums instead of means, so that the number of rows stays private; integers; a ridge
 * against the noise. PROOF-private-irls.md has the proof. {@link ObjectivePerturbation} is more
 * accurate nearly everywhere.
 *
 * <p>Not covered: how long a fit takes.
 */
public final class PrivateIrls {
  private final IrlsCalibration calibration;
  private final WeightedMoments moments;
  private final RoundNoise.Sampler sampler;

  private PrivateIrls(IrlsCalibration calibration) {
    this.calibration = calibration;
    moments = new WeightedMoments(calibration.spec(), calibration.gridBits());
    sampler = calibration.noise(calibration.gridBits()).sampler(calibration.columns());
  }

  /**
   * Calibrates the mechanism.
   *
   * @throws IllegalArgumentException as {@link IrlsCalibration#of}
   */
  public static PrivateIrls of(IrlsSpec spec) {
    return new PrivateIrls(IrlsCalibration.of(spec));
  }

  /** The noise and what it costs. */
  public IrlsCalibration calibration() {
    return calibration;
  }

  /** Returns an empty list for the rows of one fit. */
  public ModelRows rows() {
    IrlsSpec spec = calibration.spec();
    return ModelRows.create(spec.features(), spec.featureBound());
  }

  /**
   * Fits a model, once for its rows: a second fit of the same rows spends the promise again. O(n
   * p^2) time a round; a million rows of 12 features take a tenth of a second.
   *
   * @param rows as {@link #rows()} makes them
   * @param randomness the source of noise
   * @param purpose names the model among others of the same source
   * @throws IllegalArgumentException if the rows are for another number of features or another
   *     bound
   */
  public IrlsModel fit(ModelRows rows, Randomness randomness, String purpose) {
    return new IrlsModel(
        calibration, fit(rows, randomness.entropy(purpose)), randomness.isPrivate());
  }

  /**
   * Fits a model, as {@link #fit(ModelRows, Randomness, String)}.
   *
   * @return its coefficients in the encoded scale
   */
  public DoubleVector fit(ModelRows rows, Entropy entropy) {
    DoubleVector model = start();
    for (int round = 0; round < calibration.spec().rounds(); round++) {
      model = solve(release(rows, model, round, entropy));
    }
    return model;
  }

  private DoubleVector start() {
    return DoubleVector.generate(calibration.spec().features(), i -> 0.0);
  }

  /**
   * Returns what one round releases: the noisy upper triangle, in steps. Its last entry, of the
   * response with itself, is 0 unless the noise is Wishart's.
   *
   * @param model of the round before, which is public
   * @param round from 0 on
   * @throws IllegalArgumentException if the rows are for another number of features or another
   *     bound
   */
  public long[] release(ModelRows rows, DoubleVector model, int round, Entropy entropy) {
    IrlsSpec spec = calibration.spec();
    Checks.length("features of rows", rows.features(), spec.features());
    Checks.within(
        "featureBound of rows", rows.featureBound(), spec.featureBound(), spec.featureBound());
    double threshold = round == 0 ? Double.POSITIVE_INFINITY : spec.threshold();
    long[] upper = moments.of(rows, model, threshold);
    if (!(calibration.spec().noise() instanceof IrlsNoise.Wishart)) {
      upper[upper.length - 1] = 0L; // has no noise
    }
    sampler.addTo(upper, entropy);
    return upper;
  }

  /** Returns the model of a round, a function of what it released. */
  public DoubleVector solve(long... upper) {
    int p = calibration.spec().features();
    double step = Math.scalb(1.0, -2 * calibration.gridBits());
    DMatrixRMaj matrix = new DMatrixRMaj(p, p);
    double[] right = new double[p];
    int next = 0;
    for (int i = 0; i < p; i++) {
      for (int j = i; j < p; j++) {
        double value = upper[next++] * step - (i == j ? calibration.mean() : 0.0);
        matrix.set(i, j, value);
        matrix.set(j, i, value);
      }
      right[i] = upper[next++] * step;
    }
    double ridge = calibration.ridge();
    DMatrixRMaj inverse = Spectrum.of(matrix).map(value -> 1.0 / (Math.max(0.0, value) + ridge));
    return DoubleVector.generate(
        p,
        i -> {
          double sum = 0.0;
          for (int j = 0; j < p; j++) {
            sum += inverse.get(i, j) * right[j];
          }
          return sum;
        });
  }
}

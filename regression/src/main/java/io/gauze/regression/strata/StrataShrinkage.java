package io.gauze.regression.strata;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import java.util.ArrayList;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.NormOps_DDRM;

/**
 * Estimates the normal laws of a {@link StrataModel} from the noisy sums of strata.
 *
 * <p>The mean of a stratum is shrunk towards the line on which the moments of all rows place it, by
 * James and Stein's factor. Its covariance is shrunk towards the mean covariance within strata: for
 * strata of a column by one factor that depends on the spread of all covariances beyond the noise,
 * for those of a residual see {@link StrataCovariances}. Eigenvalues are floored at a part of the
 * noise. The stratified column itself is known to be within the stratum. A stratum with hardly any
 * rows keeps its mass, and gets the line and the mean covariance.
 */
final class StrataShrinkage {
  /** Eigenvalues below this share of the largest are treated as rounding errors. */
  private static final double NEGLIGIBLE = 1e-12;

  /**
   * The shape of the sums.
   *
   * @param intercept c0
   * @param axis decides the stratum; its column is not 0
   * @param noise of the strata
   * @param ranges of what decides the stratum, in each stratum
   */
  record Shape(
      double intercept, StratifyingDirection axis, StrataNoise noise, List<StratumRange> ranges) {
    int column() {
      return axis.column();
    }

    double sigma() {
      return noise.sigma();
    }
  }

  private final Shape shape;
  private final List<DMatrixRMaj> sums;
  private final int strata;
  private final int columns;
  private final double[] rows; // of each stratum, at least 0
  private final double[] trusted; // the rows of each stratum, floored at the size of the noise
  private final double all;
  private DMatrixRMaj centre; // a column vector: the mean of all rows
  private double[] line; // the slope of the columns' means in the stratified column

  private StrataShrinkage(Shape shape, List<DMatrixRMaj> sums) {
    this.shape = shape;
    this.sums = sums;
    this.strata = sums.size();
    this.columns = sums.get(0).getNumRows();
    this.rows = new double[strata];
    this.trusted = new double[strata];
    double constant = shape.intercept() * shape.intercept();
    double sum = 0.0;
    for (int k = 0; k < strata; k++) {
      rows[k] = Math.max(0.0, sums.get(k).get(0, 0) / constant);
      trusted[k] = Math.max(rows[k], Math.max(1.0, shape.sigma() / constant));
      sum += sums.get(k).get(0, 0) / constant;
    }
    this.all = Math.max(1.0, sum);
  }

  /**
   * Returns the model.
   *
   * @param shape the shape of the sums
   * @param sums of each stratum, m x m, column 0 the constant; at least one positive entry (0, 0)
   */
  static StrataModel model(Shape shape, List<DMatrixRMaj> sums) {
    return shape.axis().back(new StrataShrinkage(shape, shape.axis().turned(sums)).model());
  }

  private StrataModel model() {
    placeLine();
    List<DMatrixRMaj> means = means();
    List<DMatrixRMaj> covariances = covariances(means);
    List<StrataModel.Group> groups = new ArrayList<>();
    for (int k = 0; k < strata; k++) {
      groups.add(group(k, means.get(k), covariances.get(k)));
    }
    return new StrataModel(groups, columns);
  }

  private StratumRange range(int k) {
    return shape.ranges().get(k);
  }

  private boolean isOpenBelow(int k) {
    return shape.axis().open() && k == 0;
  }

  private boolean isOpenAbove(int k) {
    return shape.axis().open() && k == strata - 1;
  }

  private void placeLine() {
    DMatrixRMaj total = new DMatrixRMaj(columns, columns);
    sums.forEach(sum -> CommonOps_DDRM.addEquals(total, sum));
    centre = CommonOps_DDRM.extractColumn(total, 0, null);
    CommonOps_DDRM.divide(centre, shape.intercept() * all);
    centre.set(0, shape.intercept());
    CommonOps_DDRM.divide(total, all);
    CommonOps_DDRM.multAddTransB(-1.0, centre, centre, total);
    DMatrixRMaj covariance = floored(total, Tuning.FLOOR * shape.noise().pooledSigma() / all);
    shrinkColumn(covariance, shape.noise().pooledSigma() / all);
    line = new double[columns];
    double spread = covariance.get(shape.column(), shape.column());
    for (int j = 1; j < columns && spread > 0.0; j++) {
      line[j] = covariance.get(j, shape.column()) / spread;
    }
  }

  // The covariances of the stratified column with the q others, s, contain noise of deviation
  // e / sqrt 2 each, which makes them too long: James and Stein keep the share 1 - q e^2 / (2 s's).
  // The matrix stays positive semidefinite.
  private void shrinkColumn(DMatrixRMaj covariance, double noise) {
    int column = shape.column();
    double square = 0.0;
    for (int j = 1; j < columns; j++) {
      square += j == column ? 0.0 : covariance.get(j, column) * covariance.get(j, column);
    }
    double expected = 0.5 * (columns - 2) * noise * noise;
    double share = expected == 0.0 ? 1.0 : Math.max(0.0, 1.0 - expected / square);
    for (int j = 1; j < columns; j++) {
      if (j != column) {
        double shrunk = share * covariance.get(j, column);
        covariance.set(j, column, shrunk);
        covariance.set(column, j, shrunk);
      }
    }
  }

  private List<DMatrixRMaj> means() {
    List<DMatrixRMaj> means = new ArrayList<>();
    for (int k = 0; k < strata; k++) {
      means.add(mean(k));
    }
    return means;
  }

  // Entries of the mean have noise of standard deviation e = sigma / (sqrt 2 c0 n). James and
  // Stein: of q differences from the line, of squared length s, the share 1 - q e^2 / s is kept.
  private DMatrixRMaj mean(int k) {
    double deviation = Math.sqrt(0.5) * shape.sigma() / (shape.intercept() * trusted[k]);
    double scale = 1.0 / (shape.intercept() * trusted[k]);
    double position = position(k, scale * sums.get(k).get(0, shape.column()), deviation);
    DMatrixRMaj mean = centre.copy();
    double[] apart = new double[columns];
    double square = 0.0;
    for (int j = 1; j < columns; j++) {
      mean.add(j, 0, line[j] * (position - centre.get(shape.column())));
      apart[j] = j == shape.column() ? 0.0 : scale * sums.get(k).get(0, j) - mean.get(j);
      square += apart[j] * apart[j];
    }
    double noise = (columns - 2) * deviation * deviation;
    double share = noise == 0.0 ? 1.0 : Math.max(0.0, 1.0 - noise / square);
    for (int j = 1; j < columns; j++) {
      mean.add(j, 0, share * apart[j]);
    }
    mean.set(shape.column(), position);
    return mean;
  }

  // The prior of the column's mean in the stratum is N(middle, width^2 / 48). A stratum that is
  // open at one end may have its mean beyond that end: the prior is twice as wide.
  private double position(int k, double noisy, double deviation) {
    StratumRange range = range(k);
    boolean open = isOpenBelow(k) || isOpenAbove(k);
    double prior = range.width() * range.width() / (open ? 12.0 : 48.0);
    double share = deviation == 0.0 ? 1.0 : prior / (prior + deviation * deviation);
    double mean = share * noisy + (1.0 - share) * range.middle();
    double least = isOpenBelow(k) ? mean : range.lower();
    double most = isOpenAbove(k) ? mean : range.upper();
    return Math.min(Math.max(mean, least), most);
  }

  private List<DMatrixRMaj> covariances(List<DMatrixRMaj> means) {
    List<DMatrixRMaj> apart = scatters(means);
    DMatrixRMaj within = new DMatrixRMaj(columns, columns);
    apart.forEach(scatter -> CommonOps_DDRM.addEquals(within, 1.0 / all, scatter));
    double pooledNoise = shape.noise().pooledSigma() / all;
    DMatrixRMaj common = floored(within, Tuning.FLOOR * pooledNoise);
    shrinkColumn(common, pooledNoise);
    for (int k = 0; k < strata; k++) {
      CommonOps_DDRM.divide(apart.get(k), trusted[k]);
    }
    return shape.axis().isColumn() || shape.sigma() == 0.0
        ? ofColumn(apart, common, pooledNoise)
        : new StrataCovariances(shape, common, trusted).of(apart);
  }

  private List<DMatrixRMaj> ofColumn(
      List<DMatrixRMaj> apart, DMatrixRMaj common, double pooledNoise) {
    apart.forEach(covariance -> CommonOps_DDRM.subtractEquals(covariance, common));
    double spread = spread(apart);
    List<DMatrixRMaj> covariances = new ArrayList<>();
    for (int k = 0; k < strata; k++) {
      double noise = shape.sigma() / trusted[k];
      double share = noise == 0.0 ? 1.0 : spread / (spread + noise * noise);
      DMatrixRMaj mixed = common.copy();
      CommonOps_DDRM.addEquals(mixed, share, apart.get(k));
      covariances.add(floored(mixed, Tuning.FLOOR * (share * noise + (1.0 - share) * pooledNoise)));
    }
    return covariances;
  }

  // The differences D_k of covariances from their mean have noise of squared Frobenius norm f e_k^2
  // with f = m (m - 1) / 2 and e_k = sigma / n_k. Their spread per entry beyond the noise,
  //   t = sum n_k (|D_k|^2 - f e_k^2) / (f sum n_k), 0 if negative,
  // keeps the share t / (t + e_k^2) of D_k. (Weights n_k^2 would be the least noisy, but small
  // strata, which contain the outliers, would hardly count: 5 to 40 % more excess.)
  private double spread(List<DMatrixRMaj> apart) {
    double freedom = 0.5 * columns * (columns - 1);
    double spread = 0.0;
    double weights = 0.0;
    for (int k = 0; k < strata; k++) {
      double norm = NormOps_DDRM.fastNormF(apart.get(k));
      double noise = shape.sigma() / trusted[k];
      spread += trusted[k] * (norm * norm - freedom * noise * noise);
      weights += trusted[k];
    }
    return Math.max(0.0, spread) / (freedom * weights);
  }

  /** Returns the sums around the means, with column 0 set to 0. */
  private List<DMatrixRMaj> scatters(List<DMatrixRMaj> means) {
    List<DMatrixRMaj> scatters = new ArrayList<>();
    for (int k = 0; k < strata; k++) {
      DMatrixRMaj scatter = sums.get(k).copy();
      CommonOps_DDRM.multAddTransB(-rows[k], means.get(k), means.get(k), scatter);
      for (int j = 0; j < columns; j++) {
        scatter.set(0, j, 0.0);
        scatter.set(j, 0, 0.0);
      }
      scatters.add(scatter);
    }
    return scatters;
  }

  /**
   * Returns the matrix with eigenvalues of at least {@code floor}, except row and column 0, which
   * become 0.
   */
  private static DMatrixRMaj floored(DMatrixRMaj matrix, double floor) {
    int size = matrix.getNumRows();
    DMatrixRMaj floored = new DMatrixRMaj(size, size);
    Spectrum spectrum = Spectrum.of(CommonOps_DDRM.extract(matrix, 1, size, 1, size));
    double least = Math.max(floor, NEGLIGIBLE * Math.max(0.0, spectrum.largest()));
    CommonOps_DDRM.insert(spectrum.map(value -> Math.max(value, least)), floored, 1, 1);
    return floored;
  }

  // An open end is as far away as a law of this mean and variance needs.
  private List<StratumQuadrature.Node> nodes(int k, double mean, double variance) {
    double lower = range(k).lower();
    double upper = range(k).upper();
    double least = 0.1 * range(k).width();
    if (isOpenBelow(k)) {
      lower = Math.min(lower, mean - 2.0 * variance / Math.max(upper - mean, least));
    } else if (isOpenAbove(k)) {
      upper = Math.max(upper, mean + 2.0 * variance / Math.max(mean - lower, least));
    }
    return StratumQuadrature.of(lower, upper, mean, variance);
  }

  // Given the stratified column z, the other columns are normal with
  //   mean mean + s (z - mean_z), s = S_z / S_zz,
  //   covariance S - S_z S_z' / S_zz;
  // z itself has the law of StratumQuadrature.
  private StrataModel.Group group(int k, DMatrixRMaj mean, DMatrixRMaj covariance) {
    int column = shape.column();
    double variance = covariance.get(column, column);
    StratumRange range = range(k);
    double usual = range.uniformVariance();
    double count = rows[k] / range.share();
    if (!(shape.sigma() / trusted[k] <= Tuning.WELL_KNOWN * usual && variance > 1e-9 * usual)) {
      DoubleVector whole = DoubleVector.of(mean.getData());
      StrataModel.Part part = new StrataModel.Part(count, whole);
      return new StrataModel.Group(covariance, List.of(part), range.share());
    }
    DMatrixRMaj slope = CommonOps_DDRM.extractColumn(covariance, column, null);
    CommonOps_DDRM.divide(slope, variance);
    DMatrixRMaj rest = covariance.copy();
    CommonOps_DDRM.multAddTransB(-variance, slope, slope, rest);
    List<StrataModel.Part> parts = new ArrayList<>();
    double at = mean.get(column);
    for (StratumQuadrature.Node node : nodes(k, at, variance)) {
      DMatrixRMaj moved = mean.copy();
      CommonOps_DDRM.addEquals(moved, node.value() - at, slope);
      parts.add(new StrataModel.Part(count * node.weight(), DoubleVector.of(moved.getData())));
    }
    return new StrataModel.Group(rest, parts, range.share());
  }
}

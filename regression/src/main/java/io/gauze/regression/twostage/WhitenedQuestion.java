package io.gauze.regression.twostage;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.Clipping;
import io.gauze.regression.Fit;
import io.gauze.regression.Loss;
import io.gauze.regression.RegressionProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * A question about encoded columns, in coordinates in which the noise of releases is isotropic.
 *
 * <p>Let z = T a be the rows of a release, G = Z'Z + E, and A = T^-1. The asked columns are s = A_s
 * z, features first. For a root L of K = A_s A_s' and B = L^-1 A_s the rows w = L^-1 s = B z have
 * the moments B G B', and B E B' has the law of E for fewer columns, since B B' = I. With L block
 * triangular,
 *
 * <pre>  s = L w,  L = (L_x 0; l' t),</pre>
 *
 * the last coordinate is the residual of what the release was made to expect, over t: a fit d of it
 * by the other ones is the fit {@code b = L_x^-T (l + t d)} of the asked response, and a ridge on d
 * draws b to {@code L_x^-T l}.
 *
 * <p>Of several releases K is the mean of theirs, by the variances of their noises. B E B' of one
 * of them then has at most the covariances of noise whose deviation is larger by the largest
 * eigenvalue of B B'.
 */
final class WhitenedQuestion {
  private final RegressionProblem problem;
  private final double intercept;
  private final SymmetricMatrix moments; // of the coordinates, the constant first
  private final MomentNoise.Gaussian noise;
  private final double constant;
  private final double unit;
  private final boolean hasIntercept;
  private final int[] features; // indexes among the problem's features, the intercept first
  private final DMatrixRMaj back;
  private final DMatrixRMaj jacobian;
  private final double[] origin;
  private final double[] base;

  /**
   * Changes the coordinates. O(D^3) time for each release.
   *
   * @param problem the question
   * @param releases at least one
   * @param intercept the constant of encoded rows
   */
  WhitenedQuestion(RegressionProblem problem, List<TransformedMatrix> releases, double intercept) {
    this.problem = problem;
    this.intercept = intercept;
    this.features = interceptFirst(problem);
    this.hasIntercept = problem.features().contains(0);
    int size = features.length;
    DMatrixRMaj root = root(mean(releases, columns()), hasIntercept);
    this.back = inverse(root);
    double first = Math.sqrt(mean(releases, 0).get(0, 0));
    this.constant = intercept / first;
    DMatrixRMaj sum = new DMatrixRMaj(size + 1 + extra(), size + 1 + extra());
    double variance = 0.0;
    for (TransformedMatrix release : releases) {
      CommonOps_DDRM.addEquals(sum, release.under(map(release, first)));
      double widest =
          Spectrum.of(TransformedMatrix.under(back, release.shape(columns()))).largest();
      variance += release.noise().diagonalVariance() * widest * widest;
    }
    this.moments = SymmetricMatrix.of(sum);
    this.noise = new MomentNoise.Gaussian(Math.sqrt(variance));
    this.jacobian = new DMatrixRMaj(size, size);
    this.origin = new double[size];
    this.unit = root.get(size, size);
    this.base = new double[size];
    for (int k = 0; k < size; k++) {
      base[k] = root.get(size, k) / unit;
    }
    for (int i = 0; i < size; i++) {
      for (int k = 0; k < size; k++) {
        jacobian.set(i, k, unit * back.get(k, i));
        origin[i] += back.get(k, i) * root.get(size, k);
      }
    }
  }

  /** The mean of the releases' shapes of some columns, by the variances of their noises. */
  private static DMatrixRMaj mean(List<TransformedMatrix> releases, int... columns) {
    DMatrixRMaj mean = new DMatrixRMaj(columns.length, columns.length);
    double all = 0.0;
    for (TransformedMatrix release : releases) {
      double variance = release.noise().diagonalVariance();
      CommonOps_DDRM.addEquals(mean, variance, release.shape(columns));
      all += variance;
    }
    CommonOps_DDRM.scale(1.0 / all, mean);
    return mean;
  }

  /** Returns B, and the constant before it if the question has none. */
  private DMatrixRMaj map(TransformedMatrix release, double first) {
    DMatrixRMaj asked = release.rows(columns());
    DMatrixRMaj all = new DMatrixRMaj(asked.getNumRows() + extra(), asked.getNumCols());
    if (!hasIntercept) {
      DMatrixRMaj row = release.rows(0);
      CommonOps_DDRM.scale(1.0 / first, row);
      CommonOps_DDRM.insert(row, all, 0, 0);
    }
    DMatrixRMaj map = new DMatrixRMaj(asked.getNumRows(), asked.getNumCols());
    CommonOps_DDRM.mult(back, asked, map);
    CommonOps_DDRM.insert(map, all, extra(), 0);
    return all;
  }

  private int extra() {
    return hasIntercept ? 0 : 1;
  }

  private static int[] interceptFirst(RegressionProblem problem) {
    List<Integer> order = new ArrayList<>();
    IntStream.range(0, problem.features().size())
        .forEach(k -> order.add(problem.features().get(k) == 0 ? 0 : order.size(), k));
    return order.stream().mapToInt(k -> k).toArray();
  }

  /** The asked columns, the constant first if it is one of them, and the response last. */
  int[] columns() {
    int[] columns = new int[features.length + 1];
    for (int k = 0; k < features.length; k++) {
      columns[k] = problem.features().get(features[k]);
    }
    columns[features.length] = problem.response();
    return columns;
  }

  // The features' block is a symmetric root, so that a coordinate is nearest to its column.
  /** Returns L, L L' = K: the constant, then the features, then the response. */
  private static DMatrixRMaj root(DMatrixRMaj shape, boolean hasIntercept) {
    int last = shape.getNumRows() - 1;
    DMatrixRMaj root = new DMatrixRMaj(last + 1, last + 1);
    DMatrixRMaj rest = shape.copy();
    int from = hasIntercept ? 1 : 0;
    if (hasIntercept) {
      takeOffConstant(rest, root);
    }
    if (from < last) {
      DMatrixRMaj block = Spectrum.root(CommonOps_DDRM.extract(rest, from, last, from, last));
      CommonOps_DDRM.insert(block, root, from, from);
      DMatrixRMaj products = CommonOps_DDRM.extract(rest, from, last, last, last + 1);
      DMatrixRMaj l = new DMatrixRMaj(last - from, 1);
      CommonOps_DDRM.mult(inverse(block), products, l);
      for (int k = from; k < last; k++) {
        root.set(last, k, l.get(k - from));
        rest.add(last, last, -l.get(k - from) * l.get(k - from));
      }
    }
    root.set(last, last, Math.sqrt(Math.max(Double.MIN_NORMAL, rest.get(last, last))));
    return root;
  }

  /** Writes the first column of a Cholesky factor, and takes it off the rest. */
  private static void takeOffConstant(DMatrixRMaj rest, DMatrixRMaj root) {
    double diagonal = Math.sqrt(rest.get(0, 0));
    int size = rest.getNumRows();
    for (int i = 0; i < size; i++) {
      root.set(i, 0, rest.get(i, 0) / diagonal);
    }
    for (int i = 1; i < size; i++) {
      for (int j = 1; j < size; j++) {
        rest.add(i, j, -root.get(i, 0) * root.get(j, 0));
      }
    }
  }

  private static DMatrixRMaj inverse(DMatrixRMaj matrix) {
    DMatrixRMaj inverse = new DMatrixRMaj(matrix.getNumRows(), matrix.getNumRows());
    if (!CommonOps_DDRM.invert(matrix, inverse)) {
      throw new IllegalArgumentException("the transform of the release must be invertible");
    }
    return inverse;
  }

  /**
   * Returns what rows of the asked columns are in the coordinates.
   *
   * @param coordinates the indexes of those that are returned
   */
  DMatrixRMaj rows(DMatrixRMaj asked, int... coordinates) {
    DMatrixRMaj whitened = new DMatrixRMaj(asked.getNumRows(), asked.getNumCols());
    CommonOps_DDRM.multTransB(asked, back, whitened);
    DMatrixRMaj rows = new DMatrixRMaj(asked.getNumRows(), coordinates.length);
    for (int i = 0; i < rows.getNumRows(); i++) {
      for (int k = 0; k < coordinates.length; k++) {
        int from = coordinates[k] - extra();
        rows.set(i, k, from < 0 ? 0.0 : whitened.get(i, from));
      }
    }
    return rows;
  }

  /**
   * Returns by what weighted sum of the coordinates the response exceeds the last one, in its unit.
   *
   * @param coordinates their number, with others behind those of the asked columns
   */
  DoubleVector base(int coordinates) {
    return DoubleVector.generate(coordinates, k -> k < base.length ? base[k] : 0.0);
  }

  /** The size of a residual of the asked columns whose last coordinate is 1. */
  double unit() {
    return unit;
  }

  // The rows of B are orthonormal if there is one release. The others are an orthonormal basis of
  // what they leave of the space, so that noise has the same law in all of these coordinates.
  /**
   * Returns an orthogonal map of z, of a question with an intercept to one release: the coordinates
   * of the asked columns, and then others. O(D^3) time.
   */
  DMatrixRMaj basis(TransformedMatrix release) {
    DMatrixRMaj asked = map(release, 1.0);
    int size = asked.getNumCols();
    DMatrixRMaj basis = new DMatrixRMaj(size, size);
    CommonOps_DDRM.insert(asked, basis, 0, 0);
    int next = asked.getNumRows();
    DMatrixRMaj left = CommonOps_DDRM.identity(size);
    DMatrixRMaj shape = new DMatrixRMaj(size, size);
    CommonOps_DDRM.multTransA(asked, asked, shape);
    CommonOps_DDRM.subtractEquals(left, shape); // of the eigenvalues 0 and 1
    for (; next < size; next++) {
      int largest = 0;
      for (int k = 1; k < size; k++) {
        largest = left.get(k, k) > left.get(largest, largest) ? k : largest;
      }
      double norm = Math.sqrt(left.get(largest, largest));
      for (int k = 0; k < size; k++) {
        basis.set(next, k, left.get(largest, k) / norm);
      }
      DMatrixRMaj row = CommonOps_DDRM.extractRow(basis, next, null);
      CommonOps_DDRM.multTransA(row, row, shape);
      CommonOps_DDRM.subtractEquals(left, shape);
    }
    return basis;
  }

  /** The moments of the constant, of the coordinates of the features, and of the last one. */
  SymmetricMatrix moments() {
    return moments;
  }

  /** The noise in them, or wider noise. */
  MomentNoise.Gaussian noise() {
    return noise;
  }

  /** The constant of these rows. */
  double constant() {
    return constant;
  }

  /** The question about the coordinates. */
  RegressionProblem problem() {
    List<String> names = new ArrayList<>();
    if (!hasIntercept) {
      names.add(problem.names().get(0));
    }
    for (int column : columns()) {
      names.add(problem.names().get(column));
    }
    int first = hasIntercept ? 0 : 1;
    return new RegressionProblem(
        names,
        names.size() - 1,
        IntStream.range(first, names.size() - 1).boxed().toList(),
        Loss.SQUARED,
        problem.penalty(),
        List.of(),
        Clipping.UNKNOWN,
        problem.strict());
  }

  /** Returns the fit of the asked columns that is a fit of the coordinates. */
  Fit fit(Fit whitened) {
    int size = features.length;
    DMatrixRMaj map = new DMatrixRMaj(size, size);
    double[] start = new double[size];
    for (int i = 0; i < size; i++) {
      start[features[i]] = origin[i];
      for (int k = 0; k < size; k++) {
        map.set(features[i], k, jacobian.get(i, k));
      }
    }
    DoubleVector from = DoubleVector.of(start);
    DoubleVector b =
        DoubleVector.generate(
            size,
            i -> {
              double sum = from.get(i);
              for (int k = 0; k < size; k++) {
                sum += map.get(i, k) * whitened.coefficients().get(k);
              }
              return sum;
            });
    return new Fit(
            problem,
            intercept,
            b,
            under(map, whitened.samplingCovariance()),
            under(map, whitened.privacyCovariance()),
            whitened.lambda(),
            whitened.conditionNumber(),
            whitened.rows(),
            whitened.predictedExcess(),
            whitened.convergence(),
            whitened.warnings())
        .withWithheld(withheld(map, whitened.withheld()))
        .withSets(whitened.sets().map(sets -> sets.of(map, from)));
  }

  /** Returns the coefficients of which a withheld one is a part. */
  private static Set<Integer> withheld(DMatrixRMaj map, Set<Integer> coordinates) {
    return IntStream.range(0, map.getNumRows())
        .filter(i -> coordinates.stream().anyMatch(k -> map.get(i, k) != 0.0))
        .boxed()
        .collect(Collectors.toSet());
  }

  private static SymmetricMatrix under(DMatrixRMaj map, SymmetricMatrix covariance) {
    int[] all = IntStream.range(0, map.getNumRows()).toArray();
    return SymmetricMatrix.of(TransformedMatrix.under(map, covariance.select(all)));
  }
}

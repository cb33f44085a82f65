package io.gauze.regression.twostage;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
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
 * A question about encoded columns, in coordinates in which the noise of a release is isotropic.
 *
 * <p>Let z = T a be the released rows, G = Z'Z + E, and A = T^-1. The asked columns are s = A_s z,
 * features first. For a root L of K = A_s A_s' and B = L^-1 A_s the rows w = L^-1 s = B z have the
 * moments B G B', and B E B' has the law of E for fewer columns, since B B' = I. With L block
 * triangular,
 *
 * <pre>  s = L w,  L = (L_x 0; l' t),</pre>
 *
 * the last coordinate is the residual of what the release was made to expect, over t: a fit d of it
 * by the other ones is the fit {@code b = L_x^-T (l + t d)} of the asked response, and a ridge on d
 * draws b to {@code L_x^-T l}.
 */
final class WhitenedQuestion {
  private final RegressionProblem problem;
  private final double intercept;
  private final SymmetricMatrix
      moments; // of the constant, the coordinates of features and the last
  private final double constant;
  private final boolean hasIntercept;
  private final int[] features; // indexes among the problem's features, the intercept first
  private final DMatrixRMaj jacobian;
  private final double[] origin;

  /**
   * Changes the coordinates. O(D^3) time.
   *
   * @param problem the question
   * @param inverse A, with its rows in the order of the encoded columns
   * @param released G
   * @param intercept the constant of encoded rows
   */
  WhitenedQuestion(
      RegressionProblem problem, DMatrixRMaj inverse, SymmetricMatrix released, double intercept) {
    this.problem = problem;
    this.intercept = intercept;
    this.features = interceptFirst(problem);
    this.hasIntercept = problem.features().contains(0);
    int size = features.length;
    DMatrixRMaj asked = rows(inverse, columns());
    DMatrixRMaj shape = new DMatrixRMaj(size + 1, size + 1);
    CommonOps_DDRM.multTransB(asked, asked, shape);
    DMatrixRMaj root = root(shape, hasIntercept);
    DMatrixRMaj back = inverse(root);
    DMatrixRMaj map = new DMatrixRMaj(size + 1, inverse.getNumCols());
    CommonOps_DDRM.mult(back, asked, map);
    this.constant = intercept / inverse.get(0, 0);
    this.moments = moments(released, map);
    this.jacobian = new DMatrixRMaj(size, size);
    this.origin = new double[size];
    double scale = root.get(size, size);
    for (int i = 0; i < size; i++) {
      for (int k = 0; k < size; k++) {
        jacobian.set(i, k, scale * back.get(k, i));
        origin[i] += back.get(k, i) * root.get(size, k);
      }
    }
  }

  private static int[] interceptFirst(RegressionProblem problem) {
    List<Integer> order = new ArrayList<>();
    IntStream.range(0, problem.features().size())
        .forEach(k -> order.add(problem.features().get(k) == 0 ? 0 : order.size(), k));
    return order.stream().mapToInt(k -> k).toArray();
  }

  private int[] columns() {
    int[] columns = new int[features.length + 1];
    for (int k = 0; k < features.length; k++) {
      columns[k] = problem.features().get(features[k]);
    }
    columns[features.length] = problem.response();
    return columns;
  }

  private static DMatrixRMaj rows(DMatrixRMaj matrix, int... rows) {
    DMatrixRMaj some = new DMatrixRMaj(rows.length, matrix.getNumCols());
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < matrix.getNumCols(); j++) {
        some.set(i, j, matrix.get(rows[i], j));
      }
    }
    return some;
  }

  // The features' block is a symmetric root, so that a coordinate is nearest to its column.
  /** Returns L, L L' = K: the constant, then the features, then the response. */
  private static DMatrixRMaj root(DMatrixRMaj shape, boolean hasIntercept) {
    int last = shape.getNumRows() - 1;
    DMatrixRMaj root = new DMatrixRMaj(last + 1, last + 1);
    DMatrixRMaj rest = shape.copy();
    int from = hasIntercept ? 1 : 0;
    if (hasIntercept) {
      takeOff(rest, root, 0, 1);
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

  /** Writes a column of a Cholesky factor, and takes it off the rest. */
  private static void takeOff(DMatrixRMaj rest, DMatrixRMaj root, int column, int after) {
    double diagonal = Math.sqrt(rest.get(column, column));
    int size = rest.getNumRows();
    for (int i = column; i < size; i++) {
      root.set(i, column, rest.get(i, column) / diagonal);
    }
    for (int i = after; i < size; i++) {
      for (int j = after; j < size; j++) {
        rest.add(i, j, -root.get(i, column) * root.get(j, column));
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

  /** Returns the moments of the constant of z, and of the coordinates beside it. */
  private SymmetricMatrix moments(SymmetricMatrix released, DMatrixRMaj map) {
    int extra = hasIntercept ? 0 : 1;
    DMatrixRMaj all = new DMatrixRMaj(map.getNumRows() + extra, map.getNumCols());
    if (!hasIntercept) {
      all.set(0, 0, 1.0);
    }
    CommonOps_DDRM.insert(map, all, extra, 0);
    DMatrixRMaj half = new DMatrixRMaj(all.getNumRows(), all.getNumCols());
    CommonOps_DDRM.mult(all, released.select(IntStream.range(0, all.getNumCols()).toArray()), half);
    DMatrixRMaj moments = new DMatrixRMaj(all.getNumRows(), all.getNumRows());
    CommonOps_DDRM.multTransB(half, all, moments);
    return SymmetricMatrix.of(moments);
  }

  /** The moments of the constant, of the coordinates of the features, and of the last one. */
  SymmetricMatrix moments() {
    return moments;
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
    int size = map.getNumRows();
    DMatrixRMaj half = new DMatrixRMaj(size, size);
    DMatrixRMaj result = new DMatrixRMaj(size, size);
    CommonOps_DDRM.mult(map, covariance.select(IntStream.range(0, size).toArray()), half);
    CommonOps_DDRM.multTransB(half, map, result);
    return SymmetricMatrix.of(result);
  }
}

package io.gauze.sketch;

import io.gauze.row.EncodedRow;
import io.gauze.row.MissingValues;
import io.gauze.row.ReferenceTask;
import io.gauze.row.RowBatch;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/** A data set, its exact second moments, and how far those of a sketch are from them. */
final class Embedding {
  private static final int BATCH = 4096;

  /** The least residual sum of squares that other software found, of all rows. */
  final double reference;

  /** D: the intercept, the features, the response. */
  final int dimension;

  private final double step;
  private final RowHasher hasher = RowHasher.create(new SplittableRandom(3)::nextLong);
  private final List<RowBatch> rows = new ArrayList<>();
  private final RealMatrix exact;

  /** The rows of a data set, named by their numbers; skips the test without the data. */
  Embedding(String task) throws IOException, RowRejectedException {
    ReferenceTask data = new ReferenceTask(task);
    reference = data.answers.at("/solutions/ols/objective").doubleValue();
    double bound = RowSchema.largestNorm(data.columns, 1.0);
    RowSchema schema = RowSchema.of(data.columns, 1.0, bound, MissingValues.REJECT);
    dimension = schema.dimension();
    step = schema.grid().step();
    data.forEachRow(schema, new RowEncoder(schema), this::append);
    SecondMoments moments = SecondMoments.create(new SecondMomentsSpec(dimension));
    addTo(moments);
    exact = MatrixUtils.createRealMatrix(dimension, dimension);
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j < dimension; j++) {
        double entry = (double) moments.state()[moments.spec().index(i, j)];
        exact.setEntry(i, j, entry * schema.grid().momentUnit());
      }
    }
  }

  private void append(EncodedRow row) {
    if (rows.isEmpty() || rows.get(rows.size() - 1).isFull()) {
      rows.add(new RowBatch(dimension, BATCH));
    }
    RowTag tag = new RowTag();
    hasher.tag(rows.size(), rows.get(rows.size() - 1).size(), tag);
    rows.get(rows.size() - 1).add(tag, row, 1);
  }

  /** Adds all rows. */
  void addTo(LinearSketch<?> sketch) {
    rows.forEach(sketch::add);
  }

  /** The rows in batches. */
  List<RowBatch> rows() {
    return rows;
  }

  /** The rows again, of which each second one has the tag of the one before. */
  List<RowBatch> withSharedTags() {
    return rows.stream().map(Embedding::withSharedTags).toList();
  }

  private static RowBatch withSharedTags(RowBatch batch) {
    int dimension = batch.dimension();
    RowBatch shared = new RowBatch(dimension, batch.size());
    EncodedRow row = new EncodedRow(dimension);
    RowTag tag = new RowTag();
    for (int k = 0; k < batch.size(); k++) {
      System.arraycopy(batch.values(), k * dimension, row.values(), 0, dimension);
      tag.set(batch.firstTags()[k & ~1], batch.secondTags()[k & ~1]);
      shared.add(tag, row, 1);
    }
    return shared;
  }

  /**
   * The second moments of a sketch.
   *
   * @param state rows of D numbers
   * @param unit of the numbers, in grid steps
   */
  RealMatrix moments(long[] state, double unit) {
    double[][] moments = new double[dimension][dimension];
    for (int at = 0; at < state.length; at += dimension) {
      for (int i = 0; i < dimension; i++) {
        double value = step * unit * state[at + i];
        for (int j = 0; j < dimension; j++) {
          moments[i][j] += value * (step * unit * state[at + j]);
        }
      }
    }
    return MatrixUtils.createRealMatrix(moments);
  }

  /**
   * {@code U'S'SU} for an orthonormal basis U of the column space and a sketch's second moments.
   */
  RealMatrix whitened(RealMatrix sketched) {
    // A'A = L L' and U = A (L')^-1, so U'S'SU = L^-1 (S A)'(S A) (L')^-1
    RealMatrix inverse = MatrixUtils.inverse(new CholeskyDecomposition(exact).getL());
    RealMatrix whitened = inverse.multiply(sketched).multiply(inverse.transpose());
    return whitened.add(whitened.transpose()).scalarMultiply(0.5);
  }

  /** The largest of {@code | |S A x|^2 / |A x|^2 - 1 |} over all x. */
  double distortion(RealMatrix sketched) {
    double[] values = new EigenDecomposition(whitened(sketched)).getRealEigenvalues();
    return Math.max(1 - values[dimension - 1], values[0] - 1); // they descend
  }

  /** The largest of {@code | |S A x| / |A x| - 1 |} over all x. */
  double deviation(RealMatrix sketched) {
    double[] values = new EigenDecomposition(whitened(sketched)).getRealEigenvalues();
    return Math.max(1 - Math.sqrt(Math.max(0, values[dimension - 1])), Math.sqrt(values[0]) - 1);
  }

  /** {@code |U'S'SU - I|_F^2}. */
  double squaredError(RealMatrix sketched) {
    RealMatrix identity = MatrixUtils.createRealIdentityMatrix(dimension);
    double norm = whitened(sketched).subtract(identity).getFrobeniusNorm();
    return norm * norm;
  }

  /** The sum over the rows u of U of {@code |u|^4}. */
  double squaredLeverages() {
    RealMatrix inverse = MatrixUtils.inverse(new CholeskyDecomposition(exact).getL());
    double sum = 0;
    double[] row = new double[dimension];
    for (RowBatch batch : rows) {
      for (int k = 0; k < batch.size(); k++) {
        for (int i = 0; i < dimension; i++) {
          row[i] = step * batch.values()[k * dimension + i];
        }
        double[] u = inverse.operate(row);
        double square = MatrixUtils.createRealVector(u).dotProduct(MatrixUtils.createRealVector(u));
        sum += square * square;
      }
    }
    return sum;
  }

  /** The exact sum of squares at the solution of least squares on the sketch. */
  double residualSumOfSquares(RealMatrix sketched) {
    int last = dimension - 1;
    RealVector b =
        new CholeskyDecomposition(sketched.getSubMatrix(0, last - 1, 0, last - 1))
            .getSolver()
            .solve(sketched.getColumnVector(last).getSubVector(0, last));
    RealVector residual = b.append(-1.0);
    return residual.dotProduct(exact.operate(residual));
  }

  /** The least sum of squares. */
  double leastSumOfSquares() {
    return residualSumOfSquares(exact);
  }
}

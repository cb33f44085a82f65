package io.gauze.payload;

import io.gauze.internal.Checks;
import io.gauze.row.RangeGrid;
import io.gauze.sketch.HistogramSpec;
import io.gauze.sketch.MultilevelSketchSpec;
import io.gauze.sketch.SketchSpec;
import io.gauze.sketch.StratifiedMomentsSpec;
import java.io.IOException;
import java.util.List;

/**
 * The meaning of the numbers of a release, and the law of their noise. All values are in the
 * encoded scale. Solvers support every payload listed here, whatever the mechanism.
 */
public interface Payload {
  /** The number of numbers. */
  int length();

  /** The name of this kind of payload in solvers, files and messages. */
  String kind();

  /**
   * Writes the numbers as arrays of their natural shapes, under the names that they have in files.
   *
   * @throws IOException if they cannot be written
   */
  void arrays(PayloadArrays out) throws IOException;

  /**
   * Second moments: the upper triangle with the diagonal, row by row. Then, where rows can be
   * shortened, the weight that it took off them.
   *
   * @param dimension D
   * @param noise the law of the noise in them. If its mean is not 0, as that of Wishart noise, the
   *     numbers still contain the mean
   * @param rowUnit the weight of a row; the standard deviation of the lost weight's noise is that
   *     of the diagonal. 0 if the lost weight is not released
   */
  record Moments(int dimension, MomentNoise noise, double rowUnit) implements Payload {
    /** Creates moments without the lost weight. */
    public Moments(int dimension, MomentNoise noise) {
      this(dimension, noise, 0.0);
    }

    /** Whether the lost weight is released. */
    public boolean hasLostWeight() {
      return rowUnit > 0.0;
    }

    /** The index of the lost weight. */
    public int lostAt() {
      return triangle(dimension);
    }

    @Override
    public int length() {
      return triangle(dimension) + (hasLostWeight() ? 1 : 0);
    }

    @Override
    public String kind() {
      return "moments";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.symmetric("moments", 0, dimension);
      if (hasLostWeight()) {
        out.doubles("lost_weight", i -> out.value(lostAt()) / rowUnit);
      }
    }
  }

  /**
   * A sample of the inverse Wishart law of scale matrix {@code M + ridge I}, where M are the second
   * moments: the upper triangle.
   *
   * @param dimension D
   * @param degrees nu, at least D
   * @param ridge psi
   */
  record InverseMoments(int dimension, int degrees, double ridge) implements Payload {
    @Override
    public int length() {
      return triangle(dimension);
    }

    @Override
    public String kind() {
      return "inverse moments";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.symmetric("inverse_moments", 0, dimension);
    }
  }

  /**
   * Buckets of signed sums of rows with independent normal noise, bucket by bucket.
   *
   * @param rows r, the number of buckets
   * @param dimension D
   * @param sigma the standard deviation of the noise in every entry
   */
  record Buckets(int rows, int dimension, double sigma) implements Payload {
    @Override
    public int length() {
      return product(rows, dimension);
    }

    @Override
    public String kind() {
      return "rows";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.numbers("rows", 0, rows, dimension);
    }
  }

  /**
   * Rows of the law {@code N(0, M + ridge I)}, where M are the second moments, row by row.
   *
   * @param rows r
   * @param dimension D
   * @param ridge w^2; 0 if there is none
   */
  record Projection(int rows, int dimension, double ridge) implements Payload {
    @Override
    public int length() {
      return product(rows, dimension);
    }

    @Override
    public String kind() {
      return "rows";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.numbers("rows", 0, rows, dimension);
    }
  }

  /**
   * A count and then rows, row by row. If the count is not 0, that many rows have the law {@code
   * N(0, M)} and zeros follow; if it is 0, all rows have the law {@code N(0, M + ridge I)}.
   *
   * @param rows the largest number of rows
   * @param dimension D
   * @param ridge w^2 of rows that have one
   */
  record AdaptiveRidgeProjection(int rows, int dimension, double ridge) implements Payload {
    @Override
    public int length() {
      return Math.addExact(1, Math.multiplyExact(rows, dimension));
    }

    @Override
    public String kind() {
      return "gated rows";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.numbers("free_rows", 0);
      out.numbers("rows", 1, rows, dimension);
    }
  }

  /**
   * Buckets of unsigned sums of rows with weights and independent normal noise, bucket by bucket.
   *
   * @param spec shape and weights; its seed is not that of the stream
   * @param sigma the standard deviation of the noise in every entry
   */
  record WeightedBuckets(MultilevelSketchSpec spec, double sigma) implements Payload {
    @Override
    public int length() {
      return spec.stateLength();
    }

    @Override
    public String kind() {
      return "weighted rows";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.numbers("rows", 0, spec.rows(), spec.dimension());
      out.doubles("weights", spec::weight, spec.rows());
    }
  }

  /**
   * Second moments of each stratum with independent normal noise, stratum by stratum.
   *
   * @param spec decides which rows are in which stratum
   * @param sigma the standard deviation on the diagonals; it is sigma / sqrt 2 off them
   */
  record Strata(StratifiedMomentsSpec spec, double sigma) implements Payload {
    @Override
    public int length() {
      return spec.stateLength();
    }

    @Override
    public String kind() {
      return "strata of moments";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.symmetrics("strata", 0, spec.strata(), spec.dimension());
    }
  }

  /**
   * Second moments of all rows with independent normal noise, then the D weights of a row's entries
   * whose sum decides the stratum of the row, then second moments of each stratum with independent
   * normal noise, stratum by stratum. The sum is the residual of a linear model of the response, in
   * units that place most residuals in [-1, 1]; that interval is cut into equal parts.
   *
   * @param dimension D
   * @param response the index of the encoded column that the model predicts
   * @param strata K
   * @param momentsSigma the standard deviation of the noise in the moments of all rows: on the
   *     diagonal; divided by sqrt 2 off it
   * @param strataSigma the same of the noise in each stratum
   */
  record ResidualStrata(
      int dimension, int response, int strata, double momentsSigma, double strataSigma)
      implements Payload {
    /** The index of the first weight. */
    public int weightsAt() {
      return triangle(dimension);
    }

    /** The index of the first number of the first stratum. */
    public int strataAt() {
      return weightsAt() + dimension;
    }

    @Override
    public int length() {
      return Math.addExact(strataAt(), product(strata, triangle(dimension)));
    }

    @Override
    public String kind() {
      return "strata of residuals";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.symmetric("moments", 0, dimension);
      out.numbers("residual_weights", weightsAt(), dimension);
      out.symmetrics("strata", strataAt(), strata, dimension);
    }
  }

  /**
   * Counts of the cells of {@link RangeGrid}, column by column, with independent normal noise, in
   * rows. They are those of the columns of unknown range, in the order of the schema.
   *
   * @param columns the number of these columns
   * @param sigma the standard deviation of the noise in every count
   */
  record RangeCounts(int columns, double sigma) implements Payload {
    @Override
    public int length() {
      return product(columns, RangeGrid.CELLS);
    }

    @Override
    public String kind() {
      return "range counts";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.numbers("counts", 0, columns, RangeGrid.CELLS);
    }
  }

  /**
   * Counts of cells with independent Laplace noise.
   *
   * @param spec the cells
   * @param scale the scale of the noise
   */
  record Counts(HistogramSpec spec, double scale) implements Payload {
    @Override
    public int length() {
      return spec.stateLength();
    }

    @Override
    public String kind() {
      return "counts";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.numbers("counts", 0, spec.axes().stream().mapToInt(HistogramSpec.Axis::bins).toArray());
    }
  }

  /**
   * The payload of AdaSSP for one response: the moments of all other columns (p (p + 1) / 2
   * numbers, p = D - 1), their products with the response (p numbers), and the least eigenvalue of
   * these moments.
   *
   * @param dimension D
   * @param response the index of the encoded column that is the response
   * @param momentsSigma the standard deviation of the symmetric noise in the moments: on the
   *     diagonal; divided by sqrt 2 off it
   * @param productsSigma the standard deviation of the noise in the products
   * @param eigenvalueSigma the standard deviation of the noise in the least eigenvalue
   */
  record SufficientStatistics(
      int dimension,
      int response,
      double momentsSigma,
      double productsSigma,
      double eigenvalueSigma)
      implements Payload {
    @Override
    public int length() {
      return triangle(dimension - 1) + dimension;
    }

    @Override
    public String kind() {
      return "sufficient statistics";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      int features = dimension - 1;
      out.symmetric("moments", 0, features);
      out.numbers("products", triangle(features), features);
      out.numbers("least_eigenvalue", triangle(features) + features);
    }
  }

  /**
   * The encoded columns that were selected, in order, and then second moments with normal noise of
   * the intercept, these columns and the response: the upper triangle.
   *
   * @param dimension D, of the rows
   * @param response the column of the response
   * @param selected the number of selected columns
   * @param sigma the standard deviation of the noise on the diagonal; off it {@code sigma / sqrt 2}
   */
  record SelectedMoments(int dimension, int response, int selected, double sigma)
      implements Payload {
    @Override
    public int length() {
      return selected + triangle(selected + 2);
    }

    @Override
    public String kind() {
      return "selected moments";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.numbers("selected", 0, selected);
      out.symmetric("moments", selected, selected + 2);
    }
  }

  /**
   * The coefficients of one fitted model in the encoded scale: that of the constant c0 first, then
   * those of the features.
   *
   * @param dimension D, of the rows
   * @param response the index of the encoded column that the model predicts
   * @param features the indexes of the encoded columns that it has coefficients of, rising, 0 first
   * @param loss what the model minimises
   * @param gradient the standard deviation of the noise in each entry of the gradient of the sum of
   *     losses, as far as it is known before the fit; 0 if it is not
   * @param ridge the weight of the ridge in that sum; 0 if there is none
   * @param expectedRows the public guess of the rows
   * @param origin how it came about
   */
  record Model(
      int dimension,
      int response,
      List<Integer> features,
      FittedLoss loss,
      double gradient,
      double ridge,
      double expectedRows,
      FitMethod origin)
      implements Payload {
    /** Creates a model that is a minimum, whose ridge draws to 0. */
    public Model(
        int dimension,
        int response,
        List<Integer> features,
        FittedLoss loss,
        double gradient,
        double ridge,
        double expectedRows) {
      this(
          dimension,
          response,
          features,
          loss,
          gradient,
          ridge,
          expectedRows,
          new FitMethod.Minimum(0.0));
    }

    /**
     * Checks the columns.
     *
     * @throws IllegalArgumentException if they break one of these rules
     */
    public Model {
      features = List.copyOf(features);
      Checks.within("response", response, 1, dimension - 1);
      Checks.within("intercept", features.get(0), 0, 0);
      int last = -1;
      for (int feature : features) {
        Checks.within("feature", feature, last + 1, dimension - 1);
        if (feature == response) {
          throw new IllegalArgumentException(
              "a feature must not be the response. Provided value: " + feature);
        }
        last = feature;
      }
    }

    /** Returns a copy that came about in another way. */
    public Model with(FitMethod other) {
      return new Model(dimension, response, features, loss, gradient, ridge, expectedRows, other);
    }

    /** Returns a copy of another loss. */
    public Model with(FittedLoss other) {
      return new Model(dimension, response, features, other, gradient, ridge, expectedRows, origin);
    }

    @Override
    public int length() {
      return features.size() + origin.extraNumbers();
    }

    @Override
    public String kind() {
      return "model";
    }

    @Override
    public void arrays(PayloadArrays out) throws IOException {
      out.numbers("coefficients", 0, features.size());
    }
  }

  private static int product(int rows, int dimension) {
    long product = (long) rows * dimension;
    if (product > SketchSpec.MAX_STATE_LENGTH) {
      throw new IllegalArgumentException(
          "rows * dimension must be at most 2^27. Provided value: " + rows + " * " + dimension);
    }
    return (int) product;
  }

  private static int triangle(int dimension) {
    return dimension * (dimension + 1) / 2;
  }
}

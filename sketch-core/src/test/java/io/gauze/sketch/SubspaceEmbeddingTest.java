package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.row.RowBatch;
import io.gauze.row.RowRejectedException;
import io.gauze.testing.Effort;
import java.io.IOException;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.apache.commons.math3.linear.RealMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the Javadoc of two sketches says about their error, on real data: medians over {@link
 * #SEEDS} seeds against bounds that hold with probability 1/2 at least.
 *
 * <p>Null hypothesis: a sketch is outside of its bound with probability p, independently over
 * seeds; the median is only if 3 of 5 are, which has probability at most {@code C(5, 3) p^3}.
 * CountSketch: in the normal limit of many rows a bucket, {@code r / 2 |U'S'SU - I|_F^2} is
 * chi-square with {@code (D^2 + D) / 2 >= 45} degrees of freedom, at twice its mean in the bound:
 * {@code p <= 1e-4}. Projection: of 800,000 simulated Wishart matrices of the shapes used here 14
 * were outside, so {@code p <= 1e-4} again. With the mean square error, two-sided at 5e-7, all
 * together alarm with probability below 1e-6 over the seeds, which are pinned.
 */
class SubspaceEmbeddingTest {
  private static final int SEEDS = 5;

  /** The sum of squares may be 1 + MU times the least. */
  private static final double MU = 0.5;

  /** With this t, {@code 1 - 2 exp(-t^2/2)} is 1/2. */
  private static final double T = Math.sqrt(2 * Math.log(4));

  private static void skipTheManyRows(String task) {
    Effort.skipIfLong(!task.equals("california"));
  }

  private static double median(LongFunction<Double> ofSeed) {
    double[] values =
        LongStream.range(0, SEEDS).parallel().mapToObj(ofSeed).mapToDouble(x -> x).toArray();
    Arrays.sort(values);
    return values[SEEDS / 2];
  }

  /** The encoding moves an entry by less than 2^-12. */
  @ParameterizedTest
  @ValueSource(strings = {"california", "diamonds", "flights"})
  void theLeastSumOfSquaresIsTheReferences(String task) throws IOException, RowRejectedException {
    Embedding data = new Embedding(task);
    assertThat(data.leastSumOfSquares()).isCloseTo(data.reference, within(2e-3 * data.reference));
  }

  private static RealMatrix countSketch(Embedding data, int buckets, long seed) {
    CountSketch sketch = CountSketch.create(new CountSketchSpec(data.dimension, buckets, seed));
    data.rows().forEach(sketch::add);
    return data.moments(sketch.state(), 1.0);
  }

  /** A sketch that uses the first buckets alone; with all of them, it adds without signs. */
  private static RealMatrix twin(Embedding data, int buckets, int used, long seed) {
    CountSketch hash = CountSketch.create(new CountSketchSpec(1, buckets, seed));
    long[] state = new long[buckets * data.dimension];
    for (RowBatch batch : data.rows()) {
      for (int k = 0; k < batch.size(); k++) {
        long tag = batch.firstTags()[k];
        int at = hash.bucketOf(tag) % used * data.dimension;
        long sign = used < buckets ? hash.signOf(tag) : 1;
        for (int i = 0; i < data.dimension; i++) {
          state[at + i] += sign * batch.values()[k * data.dimension + i];
        }
      }
    }
    return data.moments(state, 1.0);
  }

  private static double error(Embedding data, int buckets) {
    int d = data.dimension;
    return Math.sqrt(2.0 * (d * d + d) / buckets);
  }

  /** The twins have no signs, and 64 of the buckets. */
  @ParameterizedTest
  @CsvSource({"california, 1024", "california, 8192", "diamonds, 8192", "flights, 8192"})
  void countSketchIsAnEmbedding(String task, int buckets) throws IOException, RowRejectedException {
    skipTheManyRows(task);
    Embedding data = new Embedding(task);
    double e = error(data, buckets);
    assertThat(median(s -> data.distortion(countSketch(data, buckets, s)))).isLessThan(e);
    assertThat(median(s -> data.distortion(twin(data, buckets, buckets, s)))).isGreaterThan(e);
    assertThat(median(s -> data.distortion(twin(data, buckets, 64, s)))).isGreaterThan(e);
  }

  /**
   * The mean of {@code |U'S'SU - I|_F^2} is {@code (D^2 + D - 2 sum |u|^4) / r}, u the rows of U:
   * z-test over 400 seeds with the standard deviation that they show, a fifth of the mean. The twin
   * leaves an eighth of the buckets empty, so that rows meet 5/4 as often: z = 25.
   */
  @Test
  void meanSquareErrorOfCountSketch() throws IOException, RowRejectedException {
    Embedding data = new Embedding("california");
    int d = data.dimension;
    double mean = (d * d + d - 2 * data.squaredLeverages()) / 1024;
    assertThat(pOfMean(mean, s -> data.squaredError(countSketch(data, 1024, s))))
        .isGreaterThan(5e-7);
    assertThat(pOfMean(mean, s -> data.squaredError(twin(data, 1024, 896, s)))).isLessThan(5e-7);
  }

  private static double pOfMean(double mean, LongFunction<Double> ofSeed) {
    DoubleSummaryStatistics values = new DoubleSummaryStatistics();
    DoubleSummaryStatistics squares = new DoubleSummaryStatistics();
    for (long seed = 0; seed < 400; seed++) {
      double value = ofSeed.apply(seed) - mean;
      values.accept(value);
      squares.accept(value * value);
    }
    double variance = squares.getAverage() - values.getAverage() * values.getAverage();
    return PValues.z(values.getAverage() / Math.sqrt(variance / 400));
  }

  /**
   * 8192 is the least number of buckets with e at most 0.2, and so a bound of at most 1 + MU. The
   * twin uses 12 of them.
   */
  @ParameterizedTest
  @ValueSource(strings = {"california", "diamonds", "flights"})
  void countSketchKeepsLeastSquares(String task) throws IOException, RowRejectedException {
    skipTheManyRows(task);
    Embedding data = new Embedding(task);
    assertThat(error(data, 4096)).isGreaterThan(0.2);
    double e = error(data, 8192);
    assertThat((1 + e) / (1 - e)).isLessThan(1 + MU);
    double bound = (1 + e) / (1 - e) * data.leastSumOfSquares();
    assertThat(median(s -> data.residualSumOfSquares(countSketch(data, 8192, s))))
        .isLessThan(bound);
    assertThat(median(s -> data.residualSumOfSquares(twin(data, 8192, 12, s))))
        .isGreaterThan((1 + MU) * data.leastSumOfSquares());
  }

  private static RealMatrix projection(
      Embedding data, List<RowBatch> batches, int rows, long seed) {
    GaussianProjection sketch =
        GaussianProjection.create(new GaussianProjectionSpec(data.dimension, rows, seed));
    batches.forEach(sketch::add);
    return data.moments(sketch.state(), 0x1p-24 / Math.sqrt(rows));
  }

  private static double projectionError(Embedding data, int rows) {
    return (Math.sqrt(data.dimension) + T) / Math.sqrt(rows);
  }

  /** The least r for which {@code ((1 + e) / (1 - e))^2} is at most 1 + mu. */
  private static int projectionRows(Embedding data, double mu) {
    double ratio = Math.sqrt(1 + mu);
    double e = (ratio - 1) / (ratio + 1);
    return (int) Math.ceil(Math.pow((Math.sqrt(data.dimension) + T) / e, 2));
  }

  /**
   * The bound on lengths, and least squares, in some 2300 rows; the many flights in 325, since r
   * draws are made for each. The twin has one row more than the data have columns.
   */
  @ParameterizedTest
  @CsvSource({"california, 0.5", "diamonds, 0.5", "flights, 2"})
  void projectionIsAnEmbedding(String task, double mu) throws IOException, RowRejectedException {
    skipTheManyRows(task);
    Embedding data = new Embedding(task);
    int rows = projectionRows(data, mu);
    double e = projectionError(data, rows);
    double bound = (1 + mu) * data.leastSumOfSquares();
    List<RealMatrix> sketches = projections(data, rows);
    assertThat(median(s -> data.deviation(sketches.get((int) s)))).isLessThan(e);
    assertThat(median(s -> data.residualSumOfSquares(sketches.get((int) s)))).isLessThan(bound);
    List<RealMatrix> twins = projections(data, data.dimension + 1);
    assertThat(median(s -> data.deviation(twins.get((int) s)))).isGreaterThan(e);
    assertThat(median(s -> data.residualSumOfSquares(twins.get((int) s)))).isGreaterThan(bound);
  }

  private static List<RealMatrix> projections(Embedding data, int rows) {
    return LongStream.range(0, SEEDS)
        .parallel()
        .mapToObj(seed -> projection(data, data.rows(), rows, seed))
        .toList();
  }

  /** The twin makes one row of G for two rows of data. */
  @Test
  void projectionOfFewRowsIsAnEmbedding() throws IOException, RowRejectedException {
    Embedding data = new Embedding("california");
    List<RowBatch> shared = data.withSharedTags();
    double e = projectionError(data, 256);
    assertThat(median(s -> data.deviation(projection(data, data.rows(), 256, s)))).isLessThan(e);
    assertThat(median(s -> data.deviation(projection(data, shared, 256, s)))).isGreaterThan(e);
  }
}

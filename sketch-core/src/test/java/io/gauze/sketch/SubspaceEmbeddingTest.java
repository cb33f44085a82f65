package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.row.RowBatch;
import io.gauze.row.RowRejectedException;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.apache.commons.math3.linear.RealMatrix;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the Javadoc of two sketches says about their error, on real data: medians over {@link
 * #SEEDS} seeds against bounds that hold with probability 1/2 at least.
 *
 * <p>Null hypothesis: a sketch is outside of its bound with probability p, independently over
 * seeds; a median is if 10 of 20 are, with probability at most {@code C(20, 10) p^10}. CountSketch:
 * Markov's inequality gives the 1/2 of the bound. With the variance {@code 4 (D^2 + D) / r^2} of
 * {@code |U'S'SU - I|_F^2} in the normal limit, Chebyshev's gives {@code p <= 4 / (D^2 + D) <=
 * 0.045}, and its tail, chi-square with {@code (D^2 + D) / 2} degrees of freedom at twice its mean,
 * {@code p <= 1e-4}: 2e-35. Projection: of 600,000 Wishart matrices of the shapes used here 11 were
 * outside, p = 2e-5. So the whole class alarms with probability far below 1e-6 over the seeds,
 * which are pinned.
 */
class SubspaceEmbeddingTest {
  private static final int SEEDS = 20;

  /** The sum of squares may be 1 + MU times the least. */
  private static final double MU = 0.5;

  private static double median(LongFunction<Double> ofSeed) {
    double[] sorted =
        LongStream.range(0, SEEDS).parallel().mapToObj(ofSeed).mapToDouble(x -> x).toArray();
    Arrays.sort(sorted);
    return (sorted[SEEDS / 2 - 1] + sorted[SEEDS / 2]) / 2;
  }

  /** The encoding moves an entry by less than 2^-12. */
  @ParameterizedTest
  @ValueSource(strings = {"california", "diamonds", "flights"})
  void theLeastSumOfSquaresIsTheReferences(String task) throws IOException, RowRejectedException {
    Embedding data = new Embedding(task, 1);
    assertThat(data.leastSumOfSquares()).isCloseTo(data.reference, within(2e-3 * data.reference));
  }

  // -- CountSketch: e = sqrt(2 (D^2 + D) / r)

  private static RealMatrix countSketch(Embedding data, int buckets, long seed) {
    CountSketch sketch = CountSketch.create(new CountSketchSpec(data.dimension, buckets, seed));
    data.addTo(sketch);
    return data.moments(sketch.state(), 1.0);
  }

  /** A sketch that adds all rows with the sign 1, or uses the first buckets alone. */
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
    Embedding data = new Embedding(task, 1);
    double e = error(data, buckets);
    print(task, "CS", buckets, e, median(s -> data.distortion(countSketch(data, buckets, s))));
    assertThat(median(s -> data.distortion(countSketch(data, buckets, s)))).isLessThan(e);
    assertThat(median(s -> data.distortion(twin(data, buckets, buckets, s)))).isGreaterThan(e);
    assertThat(median(s -> data.distortion(twin(data, buckets, 64, s)))).isGreaterThan(e);
  }

  /**
   * r is the least power of two for which {@code (1 + e) / (1 - e)} is 1 + MU; the twin uses 12.
   */
  @ParameterizedTest
  @ValueSource(strings = {"california", "diamonds", "flights"})
  void countSketchKeepsLeastSquares(String task) throws IOException, RowRejectedException {
    Embedding data = new Embedding(task, 1);
    int buckets = 1;
    while ((1 + error(data, buckets)) / (1 - error(data, buckets)) > 1 + MU
        || error(data, buckets) >= 1) {
      buckets *= 2;
    }
    int r = buckets;
    double bound = (1 + MU) * data.leastSumOfSquares();
    print(
        task,
        "CS rss",
        r,
        bound / data.leastSumOfSquares(),
        median(s -> data.residualSumOfSquares(countSketch(data, r, s))) / data.leastSumOfSquares());
    print(
        task,
        "CS rss twin",
        r,
        bound / data.leastSumOfSquares(),
        median(s -> data.residualSumOfSquares(twin(data, r, 12, s))) / data.leastSumOfSquares());
    assertThat(median(s -> data.residualSumOfSquares(countSketch(data, r, s)))).isLessThan(bound);
    assertThat(median(s -> data.residualSumOfSquares(twin(data, r, 12, s)))).isGreaterThan(bound);
  }

  // -- Gaussian projection: e = (sqrt D + t) / sqrt r

  /** With this t, {@code 1 - 2 exp(-t^2/2)} is 1/2. */
  private static final double T = Math.sqrt(2 * Math.log(4));

  private static RealMatrix projection(Embedding data, int rows, long seed) {
    GaussianProjection sketch =
        GaussianProjection.create(new GaussianProjectionSpec(data.dimension, rows, seed));
    data.addTo(sketch);
    return data.moments(sketch.state(), 0x1p-24 / Math.sqrt(rows));
  }

  /**
   * The extremes, as multiples of e, of {@code |G A x| / (|A x| sqrt r) - 1}; the worse one. And
   * least squares: {@code ((1 + e) / (1 - e))^2 = 1 + MU}. The twin has 16 rows, each of them many
   * times over. Of the flights each eighth row is used.
   */
  @ParameterizedTest
  @CsvSource({"california, 1", "diamonds, 1", "flights, 8"})
  void projectionIsAnEmbedding(String task, int every) throws IOException, RowRejectedException {
    Embedding data = new Embedding(task, every);
    double least = Math.sqrt(1 + MU);
    int rows = (int) Math.ceil(square((Math.sqrt(data.dimension) + T) * (least + 1) / (least - 1)));
    double e = (Math.sqrt(data.dimension) + T) / Math.sqrt(rows);
    double bound = (1 + MU) * data.leastSumOfSquares();
    RealMatrix[] sketches =
        LongStream.range(0, SEEDS)
            .parallel()
            .mapToObj(s -> projection(data, rows, s))
            .toArray(RealMatrix[]::new);
    print(task, "GP", rows, e, median(s -> deviation(data, sketches[(int) s])));
    print(
        task,
        "GP rss",
        rows,
        1 + MU,
        median(s -> data.residualSumOfSquares(sketches[(int) s])) / data.leastSumOfSquares());
    assertThat(median(s -> deviation(data, sketches[(int) s]))).isLessThan(e);
    assertThat(median(s -> data.residualSumOfSquares(sketches[(int) s]))).isLessThan(bound);

    assertThat(median(s -> deviation(data, projection(data, 16, s)))).isGreaterThan(e);
    print(
        task,
        "GP rss twin",
        rows,
        1 + MU,
        median(s -> data.residualSumOfSquares(projection(data, 14, s))) / data.leastSumOfSquares());
    assertThat(median(s -> data.residualSumOfSquares(projection(data, 14, s))))
        .isGreaterThan(bound);
  }

  private static double square(double x) {
    return x * x;
  }

  private static double deviation(Embedding data, RealMatrix sketched) {
    double[] extremes = data.extremes(sketched);
    return Math.max(1 - Math.sqrt(Math.max(0, extremes[0])), Math.sqrt(extremes[1]) - 1);
  }

  private static void print(String task, String what, int r, double bound, double value) {
    System.err.println(task + " " + what + " r=" + r + " bound " + bound + " median " + value);
  }
}

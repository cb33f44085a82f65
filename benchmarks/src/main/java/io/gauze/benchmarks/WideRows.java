package io.gauze.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.config.StreamConfig;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.release.Release;
import io.gauze.row.RecordBatch;
import io.gauze.row.RowBatch;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.stream.Block;
import io.gauze.stream.NoiseInjection;
import io.gauze.stream.StreamSettings;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rows of nine numbers and ten columns of categories, in one thread: records are encoded and added
 * to a sketch with all entries of each row and with its cells alone, noise is added, and the
 * release is fitted, by four columns and by all. What a row's source takes is not measured. The
 * release has each row a thousand times, so that there is a signal.
 */
public final class WideRows {
  private static final int BATCH = 1024;
  private static final int LEAST_BATCH = 64;
  private static final int BATCH_VALUES = 1 << 16;
  private static final int REPEATS = 5;
  private static final long MOST_DENSE_WORK =
      1L << 30; // of rows of all entries, fewer are measured
  private static final long TIMES = 1000; // so often the rows are in a release
  private static final int NUMBERS = 9;
  private static final int CATEGORIES = 10;
  private static final String HEADER =
      "| mechanism | D | cells | all entries, rows a second | cells, rows a second | checkpoint,"
          + " bytes | release, bytes | noise and release, seconds | fit of 4 columns, seconds | of all |";

  private final PrintStream out = new PrintStream(System.out, true, UTF_8);
  private final int rows;
  private final int mostFitted;

  private WideRows(int rows, int mostFitted) {
    this.rows = rows;
    this.mostFitted = mostFitted;
  }

  /**
   * Runs.
   *
   * @param args rows of a measurement (100,000), the most encoded columns (20,000), and the most
   *     encoded columns with which a release is fitted (512)
   */
  public static void main(String[] args) throws Exception {
    int[] sizes = {100_000, 20_000, 512};
    for (int i = 0; i < args.length; i++) {
      sizes[i] = Integer.parseInt(args[i]);
    }
    warmUp(sizes[0]);
    WideRows benchmark = new WideRows(sizes[0], sizes[2]);
    benchmark.out.println(HEADER);
    benchmark.out.println("|---|---|---|---|---|---|---|---|---|---|");
    for (String mechanism : List.of("count-sketch", "noisy-moments")) {
      for (int dimension : new int[] {20, 60, 100, 200, 500, 2000, 5000, 20_000}) {
        boolean isRefused = mechanism.equals("noisy-moments") && dimension > 2000;
        if (dimension <= sizes[1] && !isRefused) {
          benchmark.run(mechanism, dimension);
        }
      }
    }
  }

  private static void warmUp(int rows) throws Exception {
    StreamPlan plan = plan("count-sketch", 100);
    Records records = new Records(plan.schema());
    for (boolean isSparse : new boolean[] {false, true, false, true}) {
      records.rate(plan.sketch("sketch").mechanism().spec().zero(), isSparse, rows);
    }
  }

  private static StreamPlan plan(String mechanism, int dimension) throws Exception {
    String numbers =
        IntStream.range(0, NUMBERS)
            .mapToObj(i -> "  - {name: x" + i + ", lower: -1, upper: 1}\n")
            .collect(Collectors.joining());
    int categories = (dimension - 1 - NUMBERS) / CATEGORIES;
    String texts =
        IntStream.rangeClosed(1, categories)
            .mapToObj(i -> "k" + i)
            .collect(Collectors.joining(", "));
    String columns =
        IntStream.range(0, CATEGORIES)
            .mapToObj(i -> "  - {name: c" + i + ", categories: [" + texts + "], other: rest}\n")
            .collect(Collectors.joining());
    return StreamSettings.plan(
        StreamConfig.parse(
            "wide.yaml",
            """
            stream: wide
            columns:
            NUMBERSCOLUMNSprivacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
            expectedRows: 10000000
            epochs: {length: all}
            sketches:
              - {name: sketch, mechanism: MECHANISM}
            """
                .replace("NUMBERS", numbers)
                .replace("COLUMNS", columns)
                .replace("MECHANISM", mechanism)));
  }

  private void run(String mechanism, int dimension) throws Exception {
    StreamPlan plan = plan(mechanism, dimension);
    RowSchema schema = plan.schema();
    int cells = 1 + schema.columns().size();
    Records records = new Records(schema);
    LinearSketch<?> sketch = plan.sketch("sketch").mechanism().spec().zero();
    long work = mechanism.equals("count-sketch") ? dimension : (long) dimension * dimension / 8;
    int few = (int) Math.max(BATCH, Math.min(rows, MOST_DENSE_WORK / work));
    double all = records.rate(sketch, false, few);
    long[] expected = sketch.state().clone();
    records.rate(sketch, true, few);
    if (!Arrays.equals(expected, sketch.state())) {
      throw new IllegalStateException("cells give other sums than all entries");
    }
    double rate = records.rate(sketch, true, rows);
    long start = System.nanoTime();
    ReleaseId id = new ReleaseId("wide", "all", "all", "sketch");
    long[] noisy = Arrays.stream(sketch.state()).map(sum -> TIMES * sum).toArray();
    addNoise(plan, id, noisy);
    Release release = NoiseInjection.release(plan, id, Randomness.SYSTEM, noisy);
    int bytes = release.toBytes().length;
    double seconds = 1e-9 * (System.nanoTime() - start);
    out.printf(
        Locale.ROOT,
        "| %s | %,d | %d | %,.0f | %,.0f | %,d | %,d | %.1f | %s | %s |%n",
        mechanism,
        dimension,
        cells,
        all,
        rate,
        8L * sketch.state().length,
        bytes,
        seconds,
        fit(release, 5),
        dimension <= mostFitted ? fit(release, dimension) : "");
  }

  private static void addNoise(StreamPlan plan, ReleaseId id, long... state) {
    for (int block = 0; block < Block.count(state.length); block++) {
      long[] noise =
          Block.longs(NoiseInjection.newBlock(plan.sketch("sketch"), block, id, Randomness.SYSTEM));
      int from = Block.from(block);
      for (int i = 0; i < noise.length; i++) {
        state[from + i] += noise[i];
      }
    }
  }

  /** Returns the seconds of a fit of column 1 by the others of the first so many. */
  private static String fit(Release release, int columns) {
    List<String> names = release.schema().encodedNames();
    RegressionProblem problem =
        new RegressionProblem(
            names,
            1,
            IntStream.range(0, columns).filter(k -> k != 1).boxed().toList(),
            Loss.SQUARED,
            Penalty.AUTO);
    long start = System.nanoTime();
    FitOutcome outcome = Regression.fit(FitInput.of(release), problem.withLambda(1_000.0));
    double seconds = 1e-9 * (System.nanoTime() - start);
    return outcome instanceof FitOutcome.Fitted
        ? String.format(Locale.ROOT, "%.2f", seconds)
        : "refused";
  }

  /** Records of a schema, whose values are made before they are measured. */
  private static final class Records {
    private static final int KEPT = 1 << 12;

    private final RowSchema schema;
    private final double[][] numbers = new double[KEPT][];
    private final String[][] texts = new String[KEPT][];

    Records(RowSchema schema) {
      this.schema = schema;
      SplittableRandom random = new SplittableRandom(5);
      for (int k = 0; k < KEPT; k++) {
        numbers[k] = random.doubles(schema.columns().size(), -1.0, 1.0).toArray();
        texts[k] =
            schema.columns().stream()
                .map(column -> column.isOneHot() ? text(column.texts(), random) : "")
                .toArray(String[]::new);
      }
    }

    private static String text(List<String> categories, SplittableRandom random) {
      return categories.get(random.nextInt(categories.size()));
    }

    /** Returns the rows a second of the fastest of some repeats, of which one is in the sketch. */
    double rate(LinearSketch<?> sketch, boolean isSparse, int count) throws Exception {
      double best = 0.0;
      for (int again = 0; again < REPEATS; again++) {
        sketch.clear();
        long start = System.nanoTime();
        add(sketch, isSparse, count);
        best = Math.max(best, count / (1e-9 * (System.nanoTime() - start)));
      }
      return best;
    }

    private void add(LinearSketch<?> sketch, boolean isSparse, int count) throws Exception {
      RowEncoder encoder = new RowEncoder(schema);
      int values = isSparse ? 1 + schema.columns().size() : schema.dimension();
      int capacity = Math.max(LEAST_BATCH, Math.min(BATCH, BATCH_VALUES / values));
      RecordBatch batch = RecordBatch.ofTags(encoder, isSparse, capacity);
      RowTag tag = new RowTag();
      for (int k = 0; k < count; k++) {
        encode(encoder, k % KEPT);
        tag.set(k * 0x9e3779b97f4a7c15L, k);
        batch.add(tag, k % 10 == 0 ? -1 : 1);
        if (batch.isFull() || k == count - 1) {
          RowBatch encoded = batch.encode();
          sketch.add(encoded);
          batch.clear();
        }
      }
    }

    private void encode(RowEncoder encoder, int k) throws Exception {
      encoder.begin();
      for (int field = 0; field < texts[k].length; field++) {
        if (schema.numericField(field)) {
          encoder.number(field, numbers[k][field]);
        } else {
          encoder.text(field, texts[k][field]);
        }
      }
      encoder.accept();
    }
  }
}

package io.gauze.benchmarks;

import io.gauze.mechanism.Mechanisms;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Rows in a CSV file, and the config of a stream of them.
 *
 * @param name in the tables
 * @param config with {@code epsilon: 1.0} and the mechanism {@code noisy-moments}
 * @param file with a header
 * @param rows at most so many rows are read, evenly spread over the file
 * @param of the number of rows of the file
 */
public record AccuracyData(String name, String config, Path file, int rows, int of) {
  static final String METERS = "meters";
  static final String OUTLIERS = "outliers";

  private static final String ADULT_HEADER =
      "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
          + "capital-gain,capital-loss,hours-per-week,native-country,income";

  /** The data sets of reference, under configs that say what is public and nothing else. */
  static List<AccuracyData> reference(Path folder) throws IOException {
    return List.of(
        reference("wine", folder.resolve("winequality-white.csv"), 4_898),
        reference("california", folder.resolve("california_housing.csv.gz"), 20_640),
        reference("diamonds", folder.resolve("diamonds.csv.gz"), 53_940),
        reference("adult", adult(folder.resolve("adult.data.gz")), 32_561),
        reference("earnings", earnings(), EarningsRows.ROWS),
        reference("flights", folder.resolve("flights.csv.gz"), 336_776));
  }

  /**
   * Rows of which 5 % have a response that is far too large, which moves least squares by 10 to 20
   * %: those of an epoch of {@link TrackRows}.
   */
  static AccuracyData outliers(int rows) throws IOException {
    Path file = temporary();
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      out.println(names(TrackRows.FEATURES).collect(Collectors.joining(",")));
      for (double[] row : TrackRows.still(rows)) {
        out.println(joined(Arrays.stream(row).skip(1)));
      }
    }
    return new AccuracyData(OUTLIERS, config(TrackRows.FEATURES, rows), file, rows, rows);
  }

  private static AccuracyData reference(String name, Path file, int rows) throws IOException {
    return new AccuracyData(name, resource("accuracy-" + name + ".yaml"), file, rows, rows);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = AccuracyData.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Made-up readings of smart meters, under the config of {@code gauze up}. */
  static AccuracyData meters() throws IOException {
    Path file = temporary();
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      MeterRows.write(out);
    }
    String config = resource("/io/gauze/cli/rows/up.yaml");
    return new AccuracyData(METERS, config, file, MeterRows.ROWS, MeterRows.ROWS);
  }

  /** Columns and response are uniform and independent of each other. */
  static AccuracyData noise(int rows, int dimension) throws IOException {
    SplittableRandom random = new SplittableRandom(rows);
    return generated("pure noise", rows, dimension, k -> 0.0, random);
  }

  /** Each second column nearly repeats the one before; the response depends on the first two. */
  static AccuracyData collinear(int rows, int dimension) throws IOException {
    SplittableRandom random = new SplittableRandom(rows + 1L);
    return generated("collinear", rows, dimension, k -> k < 2 ? 0.25 : 0.0, random);
  }

  private interface Slopes {
    double of(int k);
  }

  private static AccuracyData generated(
      String name, int rows, int dimension, Slopes slopes, SplittableRandom random)
      throws IOException {
    int features = dimension - 2;
    boolean isRepeated = name.startsWith("collinear");
    Path file = temporary();
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      out.println(names(features).collect(Collectors.joining(",")));
      double[] row = new double[dimension - 1];
      for (int i = 0; i < rows; i++) {
        row[features] = 0.5 * uniform(random);
        for (int k = 0; k < features; k++) {
          double more = uniform(random);
          row[k] = isRepeated && k % 2 == 1 ? row[k - 1] + 1e-3 * more : more;
          row[features] += slopes.of(k) * row[k];
        }
        out.println(joined(Arrays.stream(row)));
      }
    }
    return new AccuracyData(name, config(features, rows), file, rows, rows);
  }

  private static String joined(DoubleStream row) {
    return row.mapToObj(value -> Float.toString((float) value)).collect(Collectors.joining(","));
  }

  private static double uniform(SplittableRandom random) {
    return 2.0 * random.nextDouble() - 1.0;
  }

  private static Stream<String> names(int features) {
    return Stream.concat(IntStream.range(0, features).mapToObj(k -> "x" + k), Stream.of("y"));
  }

  private static String config(int features, int rows) {
    return names(features)
        .map(name -> "  - {name: " + name + ", lower: -1, upper: 1, typical: 0, spread: 0.58}\n")
        .collect(
            Collectors.joining(
                "",
                "stream: generated\ncolumns:\n",
                String.format(
                    Locale.ROOT,
                    """
                privacy: {epsilon: 1.0, delta: 1.0e-6, neighbours: replace-one}
                epochs: {length: all}
                expectedRows: %d
                sketches:
                  - {name: moments, mechanism: noisy-moments}
                """,
                    rows)));
  }

  /** A part of the rows, under a config that expects so many. */
  AccuracyData cut(int most) {
    String expects = config.replaceAll("(?m)^expectedRows: .*$", "expectedRows: " + most);
    return new AccuracyData(name, expects, file, most, of);
  }

  AccuracyData with(String otherConfig) {
    return new AccuracyData(name, otherConfig, file, rows, of);
  }

  /** Checks whether row i of the file is read. */
  boolean takes(long i) {
    return (i + 1) * rows / of > i * rows / of;
  }

  /** Returns a copy whose config says nothing of columns but their ranges. */
  AccuracyData rangesOnly() {
    return with(
        config
            .replaceAll(", (typical|spread): [-0-9._]+", "")
            .replaceAll("(?m)^response: .*$", ""));
  }

  AccuracyData withEpsilon(String epsilon) {
    return with(config.replace("epsilon: 1.0,", "epsilon: " + epsilon + ","));
  }

  /** Returns a copy with a sketch, or a model, of this mechanism and no other. */
  AccuracyData withMechanism(String mechanism) {
    boolean isModel = Mechanisms.models().contains(mechanism.replaceFirst(",.*", ""));
    return with(
        config
            .replace("sketches:", isModel ? "models:" : "sketches:")
            .replace("mechanism: noisy-moments", "mechanism: " + mechanism));
  }

  /** The file has no header. */
  private static Path adult(Path source) throws IOException {
    Path file = temporary();
    try (BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(source)), StandardCharsets.UTF_8));
        PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      out.println(ADULT_HEADER);
      lines.lines().filter(line -> !line.isBlank()).forEach(out::println);
    }
    return file;
  }

  private static Path earnings() throws IOException {
    Path file = temporary();
    EarningsRows workers = new EarningsRows();
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      out.println(workers.header());
      for (int i = 0; i < EarningsRows.ROWS; i++) {
        out.println(workers.next());
      }
    }
    return file;
  }

  static Path temporary() throws IOException {
    Path file = Files.createTempFile("accuracy", ".csv");
    file.toFile().deleteOnExit();
    return file;
  }
}

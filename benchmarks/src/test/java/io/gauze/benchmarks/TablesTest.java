package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables of few releases of few rows: each line has a cell for each title. Releases have noise;
 * bounds on what they give are wide enough that none of a million runs should miss one.
 */
final class TablesTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  /** The cells of each line; all lines must have as many as the titles. */
  private List<List<String>> lines() {
    List<List<String>> lines =
        bytes
            .toString(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.isBlank())
            .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
            .toList();
    assertThat(lines).allMatch(line -> line.size() == lines.get(0).size());
    assertThat(lines.get(1)).allMatch(cell -> cell.isEmpty() || cell.equals("---"));
    return lines.subList(2, lines.size());
  }

  private static double number(String cell) {
    return Double.parseDouble(cell);
  }

  /** A third of the response's variance is that of its columns. */
  private static AccuracyData clear() throws Exception {
    return AccuracyData.collinear(4_000, 4).with(config(AccuracyData.collinear(4_000, 4)));
  }

  private static String config(AccuracyData data) {
    return data.config() + "rowBound: 1.5\n";
  }

  @Test
  void modelsStandBesideSketches() throws Exception {
    new ModelTables(2, out).printSquares(List.of(clear()), List.of("0.1", "20.0"));
    List<List<String>> lines = lines();
    assertThat(lines).extracting(line -> line.get(2)).containsExactly("0.1", "20.0");
    for (int cell : new int[] {3, 5}) {
      assertThat(number(lines.get(0).get(cell))).isGreaterThan(-0.1);
      assertThat(number(lines.get(1).get(cell))).isBetween(-0.1, 5.0);
    }
    bytes.reset();
    new ModelTables(1, out).printModels(List.of(clear()), List.of("20.0"));
    for (int cell : new int[] {3, 5, 7, 9}) {
      assertThat(number(lines().get(0).get(cell))).isBetween(-0.1, 10.0);
    }
  }

  @Test
  void coverageIsInPercent() throws Exception {
    new CoverageTable(3, out).print(List.of(clear()), List.of("20.0"));
    List<List<String>> lines = lines();
    assertThat(lines).extracting(line -> line.get(3)).containsExactly("ridge", "lad");
    assertThat(lines.get(0).get(1)).isEqualTo("collinear, 4,000");
    for (List<String> line : lines) {
      for (String cell : line.subList(4, 8)) {
        assertThat(cell.equals("-") || (number(cell) >= 0.0 && number(cell) <= 100.0)).isTrue();
      }
    }
    assertThat(CoverageTable.data(AccuracyData.reference(folder())))
        .extracting(AccuracyData::name)
        .containsExactly("wine", "california", "diamonds", AccuracyData.METERS);
  }

  /** With hardly any noise, what is left of the excess is what shortening rows costs. */
  @Test
  void skewedRowsCostMoreThanIsPredicted() throws Exception {
    new SkewedTable(3, out).print(List.of("20.0")); // medians: a single release may be far off
    List<List<String>> lines = lines();
    assertThat(lines).hasSize(SkewedRows.values().length);
    for (List<String> line : lines) {
      for (int cell : new int[] {3, 4, 6, 7, 9, 10}) {
        assertThat(number(line.get(cell))).as("%s", line).isBetween(-0.1, 20.0);
      }
    }
    List<String> costs = lines.get(0);
    assertThat(costs.get(1)).isEqualTo(SkewedRows.COSTS.label());
    assertThat(number(costs.get(3))).isGreaterThan(number(costs.get(4)));
    assertThat(number(costs.get(3))).isGreaterThan(number(costs.get(6)));
  }

  @TempDir private Path temporary;

  /** Reference data: wine that is made up, and one line of the file that gets a header. */
  private Path folder() throws Exception {
    try (OutputStream file = Files.newOutputStream(temporary.resolve("adult.data.gz"));
        Writer adult = new OutputStreamWriter(new GZIPOutputStream(file), StandardCharsets.UTF_8)) {
      adult.write("39, State-gov\n");
    }
    List<String> rows = new ArrayList<>();
    rows.add(
        "fixed acidity;volatile acidity;citric acid;residual sugar;chlorides;free sulfur dioxide;"
            + "total sulfur dioxide;density;pH;sulphates;alcohol;quality");
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 4_898; i++) {
      double[] more = random.doubles(11).toArray();
      rows.add(
          String.format(
              Locale.ROOT,
              "%.2f;%.3f;%.3f;%.2f;%.3f;%.1f;%.1f;%.4f;%.2f;%.2f;%.2f;%.2f",
              6 + 2 * more[0],
              0.2 + 0.2 * more[1],
              0.2 + 0.2 * more[2],
              12 * more[3],
              0.1 * more[4],
              70 * more[5],
              200 * more[6],
              0.99 + 0.01 * more[7],
              3 + 0.4 * more[8],
              0.3 + 0.4 * more[9],
              9 + 4 * more[10],
              4 + 2 * more[10] + more[0]));
    }
    Files.write(temporary.resolve("winequality-white.csv"), rows);
    return temporary;
  }

  @Test
  void wordsChooseTables() throws Exception {
    String folder = folder().toString();
    PrintStream before = System.out;
    System.setOut(out);
    try {
      Accuracy.main(new String[] {folder, "1", "excess", "wine", "5.0"});
      List<List<String>> lines = lines();
      assertThat(lines).hasSize(3).allMatch(line -> line.get(1).equals("wine, 4,898"));
      bytes.reset();
      Accuracy.main(new String[] {folder, "1", "all-losses", "wine", "5.0", "ridge"});
      assertThat(lines()).hasSize(1).allMatch(line -> line.get(3).equals("ridge"));
    } finally {
      System.setOut(before);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Accuracy.main(new String[] {folder, "1", "excesses"}))
        .withMessageStartingWith("arguments must be of [")
        .withMessageEndingWith("]. Provided value: excesses");
  }

  /** Made-up rows under a name that the table knows, and under one that it does not. */
  @Test
  void rangesMayBeWideOrEstimated() throws Exception {
    AccuracyData made = clear();
    AccuracyData wine = new AccuracyData("wine", made.config(), made.file(), 4_000, 4_000);
    new EstimatedRangesTable(1, out).print(List.of(made, wine), List.of("5.0"));
    List<List<String>> lines = lines();
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).get(1)).isEqualTo("wine");
    assertThat(lines.get(0).subList(9, 12))
        .allMatch(cell -> number(cell) > 0.4 && number(cell) < 2.6);
    assertThat(lines.get(0).get(12)).isEqualTo("0"); // percent refused
  }

  @Test
  void tracksHaveTheExcessAfterAChange() throws Exception {
    double[] one = {0.01, 0.01, 0.01, 0.5, 0.25, 0.125, 0.01};
    double[] two = {0.03, 0.03, 0.03, 0.7, 0.35, 0.175, 0.03};
    TrackCells cells = new TrackCells();
    String still = cells.of("none", TrackRows.Stream.STILL, "1", List.of(one, two, two));
    String change = cells.of("none", TrackRows.Stream.REGIME, "1", List.of(one, two, two));
    assertThat(still).isEqualTo("19.2 | - | - |  |  | ");
    assertThat(change).isEqualTo("19.2 | - | - | 70.0 | 35.0 | 17.5");
    assertThat(cells.of("huber-track", TrackRows.Stream.REGIME, "1", List.of(one)))
        .contains(" (")
        .doesNotContain("-");
  }

  @Test
  void aMedianIsTheMiddleOrTheMeanOfBoth() {
    assertThat(MeasuredFits.median(3, 1, 2)).isEqualTo(2);
    assertThat(MeasuredFits.median(4, 1, 2, 3)).isEqualTo(2.5);
    assertThat(MeasuredFits.median(1, 2, Double.POSITIVE_INFINITY)).isEqualTo(2);
  }

  /** Of pure noise the best constant is as good as the fit; else it is far worse. */
  @Test
  void fitsAreMeasuredAgainstTheBestAndTheConstant() throws Exception {
    AccuracyData noise = AccuracyData.noise(2_000, 4);
    MeasuredFits fits = AccuracyQuestion.RIDGE.measured(noise.with(config(noise)), "1.0", 5);
    assertThat(fits.excessOfConstant()).isBetween(0.0, 0.01);
    assertThat(fits.excess()).isBetween(0.0, 0.1);
    assertThat(fits.overConstant()).isCloseTo(fits.excess(), within(0.02));
    assertThat(fits.refused()).isZero();
    MeasuredFits clear = AccuracyQuestion.RIDGE.measured(clear(), "30.0", 5);
    assertThat(clear.excessOfConstant()).isGreaterThan(0.05);
    assertThat(clear.overConstant()).isLessThan(-0.05);
  }
}

package io.gauze.benchmarks.papers;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.linalg.DoubleVector;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures that take seconds, of made-up rows. Their noise is from fixed seeds. */
final class FiguresTest {
  private static double median(Figure figure, String variant, double x) {
    return figure.rows().stream()
        .filter(row -> row.variant().equals(variant) && row.x() == x)
        .mapToDouble(FigureRow::median)
        .findFirst()
        .orElseThrow();
  }

  /** A response in [-1, 1] that two of four features explain, but for a residual. */
  private static ScaledRows rows() {
    SplittableRandom random = new SplittableRandom(1);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      double[] row = random.doubles(5, -1, 1).toArray();
      row[4] = 0.4 * row[0] - 0.4 * row[1] + 0.2 * row[4];
      rows.add(row);
    }
    return new ScaledRows(
        "made up",
        "units",
        rows,
        DoubleVector.of(-1, -1, -1, -1, -1),
        DoubleVector.of(1, 1, 1, 1, 1));
  }

  /** The error without noise is that of the residual, .2 / sqrt 3; more budget is less error. */
  @Test
  void errorsFallWithTheBudget() {
    List<Figure> figures = FunctionalFigures.comparison("2", rows());
    Figure errors = figures.get(0);
    assertThat(median(errors, "without noise", 1)).isBetween(0.11, 0.12);
    for (String variant : List.of("OLS, as corrected", "ridge, as corrected")) {
      assertThat(median(errors, variant, 10)).isBetween(0.11, median(errors, variant, 0.5));
    }
    assertThat(median(errors, "noisy moments, ridge", 10)).isBetween(0.11, 0.13);
    assertThat(figures.get(1).name()).isEqualTo("001-figure-4-made-up");
    FigureRow wide =
        FunctionalFigures.spread(rows()).rows().stream()
            .filter(row -> row.x() == 1)
            .findFirst()
            .orElseThrow();
    assertThat(wide.low()).isLessThan(wide.median());
    assertThat(wide.high()).isGreaterThan(wide.median());
    assertThat(median(FunctionalFigures.histogram(rows()), "DPME", 10)).isBetween(0.11, 0.3);
  }

  /** The published bounds on noise hold but for the last step of one. */
  @Test
  void boundsOfNoiseAreCompared() {
    Figure figure = SketchFigures.bounds().get(0);
    assertThat(figure.rows()).hasSize(15);
    assertThat(median(figure, "l2 norm, lemma 3", 1024)).isLessThan(1);
    assertThat(median(figure, "l1 norm, lemma 5", 1024)).isLessThan(1);
    assertThat(median(figure, "l1 norm, last step of equation 22", 1024)).isGreaterThan(0.5);
  }

  @Test
  void aFileOfWineIsReadWithoutItsHeader(@TempDir Path folder) throws Exception {
    Files.writeString(
        folder.resolve("winequality-white.csv"),
        "\"fixed acidity\";\"others\"\n7;0.27;0.36;20.7;0.045;45;170;1.001;3;0.45;8.8;6\n",
        StandardCharsets.UTF_8);
    ScaledRows wine = ScaledRows.wine(folder);
    assertThat(wine.rows()).hasSize(1);
    assertThat(wine.columns()).isEqualTo(12);
    assertThat(wine.scaled(0)[11]).isEqualTo(2 * 0.6 - 1);
  }
}

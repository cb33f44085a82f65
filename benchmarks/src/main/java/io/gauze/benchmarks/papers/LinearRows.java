package io.gauze.benchmarks.papers;

import io.gauze.benchmarks.AccuracyData;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Generated rows of a linear model: eight features, uniform in [-1, 1], a tenth of each and a
 * residual. Residuals are Laplace variables of scale 0.05, cut at 0.2, so that responses are in
 * [-1, 1] as well. A row is a constant 1, the features and the response. NOT private.
 */
final class LinearRows {
  static final int ROWS = 1 << 17;
  static final int SIZE = 10;

  /** The largest norm of a row. */
  static final double BOUND = Math.sqrt(SIZE);

  private final double[][] rows = new double[ROWS][SIZE];

  LinearRows() {
    SplittableRandom random = new SplittableRandom(2025);
    for (double[] row : rows) {
      row[0] = 1;
      double residual = PublishedFunctional.laplace(0.05, random);
      row[SIZE - 1] = Math.max(-0.2, Math.min(0.2, residual));
      for (int j = 1; j < SIZE - 1; j++) {
        row[j] = (float) (2 * random.nextDouble() - 1);
        row[SIZE - 1] += 0.1 * row[j];
      }
    }
  }

  double[] row(int i) {
    return rows[i];
  }

  double[][] moments() {
    double[][] moments = new double[SIZE][SIZE];
    for (double[] row : rows) {
      Matrix.add(moments, row);
    }
    return moments;
  }

  /** The mean absolute residual of a model. */
  double absolute(double... model) {
    double sum = 0;
    for (double[] row : rows) {
      double residual = row[SIZE - 1];
      for (int j = 0; j < SIZE - 1; j++) {
        residual -= row[j] * model[j];
      }
      sum += Math.abs(residual);
    }
    return sum / ROWS;
  }

  /** Writes the rows to a file, under a config of one sketch. */
  AccuracyData data(String mechanism, double epsilon) throws IOException {
    Path file = Files.createTempFile("linear", ".csv");
    file.toFile().deleteOnExit();
    StringBuilder config = new StringBuilder("stream: linear\ncolumns:\n");
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      for (int j = 1; j < SIZE; j++) {
        out.print("c" + j + (j == SIZE - 1 ? "\n" : ","));
        config.append("  - {name: c" + j + ", lower: -1, upper: 1}\n");
      }
      for (double[] row : rows) {
        for (int j = 1; j < SIZE; j++) {
          out.print(row[j] + (j == SIZE - 1 ? "\n" : ","));
        }
      }
    }
    config.append(
        String.format(
            Locale.ROOT,
            """
            privacy: {epsilon: %s, delta: 1.0e-6, neighbours: replace-one}
            epochs: {length: all}
            expectedRows: %d
            sketches:
              - {name: sketch, mechanism: %s}
            """,
            epsilon,
            ROWS,
            mechanism));
    return new AccuracyData("linear", config.toString(), file, ROWS, ROWS);
  }
}

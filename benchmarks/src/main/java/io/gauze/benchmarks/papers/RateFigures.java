package io.gauze.benchmarks.papers;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.papers.FrankWolfe;
import io.gauze.mechanism.papers.HardThresholding;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.plot.Axis;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The rates that D. Wang, Differentially private empirical risk minimization IV (lecture notes),
 * states for least squares, measured against the number of rows n and of features d: Frank-Wolfe
 * and iterative hard thresholding. The notes have no experiments. Moments are those of {@value
 * #SAMPLE} rows times {@code n / SAMPLE}, so that the sample is the same for all n.
 */
final class RateFigures {
  private static final int SEEDS = 11;
  private static final int SAMPLE = 1 << 15;
  private static final double RADIUS = 1.0;
  private static final int NONZERO = 8;
  private static final int ROUNDS = 8; // of peeling as published, which are parts of the rows
  private static final double EPSILON = 1.0;
  private static final double DELTA = 1e-6;
  private static final Budget BUDGET = new Budget(EPSILON, DELTA, Neighbours.REPLACE_ONE);

  private final int features;
  private final RowSchema schema;
  private final SecondMomentsSpec spec;
  private final double[][] mean; // of the moments of a row: intercept, features, response
  private final double[] best;

  private RateFigures(int features) {
    this.features = features;
    List<NumericColumn> columns = new ArrayList<>();
    for (int j = 0; j <= features; j++) {
      columns.add(new NumericColumn("x" + j, "x" + j, -1, 1));
    }
    schema =
        RowSchema.of(
            columns,
            SparseRows.INTERCEPT,
            RowSchema.largestNorm(columns, SparseRows.INTERCEPT),
            MissingValues.MIDPOINT);
    spec = new SecondMomentsSpec(schema.dimension());
    double[][] sum = new double[features + 2][features + 2];
    for (double[] row : SparseRows.of(SAMPLE, features)) {
      Matrix.add(sum, row);
    }
    mean = Matrix.times(sum, 1.0 / SAMPLE);
    best = Matrix.regression(mean);
  }

  /** The mean square of a model's error above that of least squares. */
  private double excess(double... model) {
    double sum = 0;
    for (int i = 0; i < model.length; i++) {
      for (int j = 0; j < model.length; j++) {
        sum += (model[i] - best[i]) * mean[i][j] * (model[j] - best[j]);
      }
    }
    return sum;
  }

  /** The square of the distance to the model of which the rows are made. */
  private static double distance(double... model) {
    double sum = 0;
    for (int i = 0; i < model.length; i++) {
      double difference = model[i] - SparseRows.slope(i);
      sum += difference * difference;
    }
    return sum;
  }

  private interface Fit {
    double[] of(long rows, SplittableRandom random);
  }

  /** What Gauze's mechanism releases. */
  private Fit mechanism(String name, Map<String, String> options) {
    return (rows, random) -> {
      StreamRequest stream =
          new StreamRequest(
              "rates",
              schema,
              BUDGET,
              StreamRequest.ROW,
              rows,
              List.of(),
              List.of(new SketchRequest("model", name, 1.0, options)));
      Mechanism mechanism = StreamPlan.of(stream).sketch("model").mechanism();
      double unit = schema.grid().momentUnit();
      long[] state = new long[spec.stateLength()];
      for (int i = 0; i < mean.length; i++) {
        for (int j = i; j < mean.length; j++) {
          state[spec.index(i, j)] = Math.round(rows * mean[i][j] / unit);
        }
      }
      long[] steps =
          mechanism.release(state, Randomness.insecureForTests(random.nextLong()).entropy("model"));
      return DoubleVector.generate(steps.length, k -> steps[k] * mechanism.stepSize()).toArray();
    };
  }

  /** Algorithm 2: T = (n epsilon)^(2/3) steps, Laplace noise in the scores of vertices. */
  private double[] frankWolfe(long rows, SplittableRandom random) {
    int steps = (int) Math.ceil(Math.pow(rows * EPSILON, 2.0 / 3));
    double lipschitz = 2 * (1 + RADIUS);
    double scale =
        2 * RADIUS * lipschitz * Math.sqrt(8 * steps * Math.log(1 / DELTA)) / (rows * EPSILON);
    double[] theta = new double[features + 1];
    double[] gradient = new double[theta.length]; // sum_k mean_jk theta_k - mean_jy
    for (int j = 0; j < theta.length; j++) {
      gradient[j] = -mean[j][features + 1];
    }
    for (int t = 1; t <= steps; t++) {
      int vertex = 0;
      double side = 1;
      double least = Double.POSITIVE_INFINITY;
      for (int j = 0; j < theta.length; j++) {
        for (double sign : new double[] {-1, 1}) {
          double score =
              sign * RADIUS * 2 * gradient[j] + PublishedFunctional.laplace(scale, random);
          if (score < least) {
            least = score;
            vertex = j;
            side = sign;
          }
        }
      }
      double part = 2.0 / (t + 2);
      for (int j = 0; j < theta.length; j++) {
        theta[j] *= 1 - part;
        double rest = gradient[j] + mean[j][features + 1];
        gradient[j] += part * (side * RADIUS * mean[j][vertex] - rest);
      }
      theta[vertex] += part * side * RADIUS;
    }
    return theta;
  }

  /** Algorithm 6 with K = C = 1; all parts have the moments of the sample. */
  private double[] peeling(long rows, SplittableRandom random) {
    double part = (double) rows / ROUNDS;
    double step = 2; // the moments of features are near 1/3
    double sensitivity = 2 * step * (Math.sqrt(NONZERO) + 1) / part;
    double scale = 2 * sensitivity * Math.sqrt(3 * NONZERO * Math.log(1 / DELTA)) / EPSILON;
    double[] theta = new double[features + 1];
    for (int round = 0; round < ROUNDS; round++) {
      double[] next = theta.clone();
      for (int j = 0; j < theta.length; j++) {
        double gradient = -mean[j][features + 1];
        for (int k = 0; k < theta.length; k++) {
          gradient += mean[j][k] * theta[k];
        }
        next[j] -= step * gradient;
      }
      theta = peeled(next, scale, random);
    }
    return theta;
  }

  private static double[] peeled(double[] values, double scale, SplittableRandom random) {
    double[] kept = new double[values.length];
    double square = 0;
    for (int i = 0; i < NONZERO; i++) {
      int chosen = 0;
      double largest = Double.NEGATIVE_INFINITY;
      for (int j = 0; j < values.length; j++) {
        double score = Math.abs(values[j]) + PublishedFunctional.laplace(scale, random);
        if (kept[j] == 0 && score > largest) {
          largest = score;
          chosen = j;
        }
      }
      kept[chosen] = values[chosen] + PublishedFunctional.laplace(scale, random);
      square += kept[chosen] * kept[chosen];
    }
    return square > 1 ? Matrix.times(new double[][] {kept}, 1 / Math.sqrt(square))[0] : kept;
  }

  private interface Measure {
    double of(double... model);
  }

  private static void curve(List<FigureRow> points, String name, Fit fit, Measure measure) {
    for (int log = 10; log <= 24; log += 2) {
      long rows = 1L << log;
      points.add(
          Repeated.row(
              name,
              (double) rows,
              Repeated.values(SEEDS, random -> measure.of(fit.of(rows, random)))));
    }
  }

  static Figure frankWolfe() {
    List<FigureRow> points = new ArrayList<>();
    for (int features : new int[] {16, 64, 256}) {
      RateFigures rates = new RateFigures(features);
      Fit corrected = rates.mechanism(FrankWolfe.NAME, Map.of("radius", "" + RADIUS));
      curve(points, "d " + features + Figure.CORRECTED, corrected, rates::excess);
      curve(points, "d " + features + Figure.NOT_PRIVATE, rates::frankWolfe, rates::excess);
    }
    return new Figure(
        "004-frank-wolfe",
        "Frank-Wolfe at epsilon 1",
        Axis.log("rows"),
        Axis.log("mean square above that of least squares"),
        points);
  }

  static Figure hardThresholding() {
    List<FigureRow> points = new ArrayList<>();
    Map<String, String> options = Map.of("nonzero", "" + NONZERO);
    for (int features : new int[] {64, 256}) {
      RateFigures rates = new RateFigures(features);
      String iht = HardThresholding.IHT;
      curve(
          points,
          iht + ", d " + features + Figure.CORRECTED,
          rates.mechanism(iht, options),
          RateFigures::distance);
      String peeling = HardThresholding.PEELING;
      curve(
          points,
          peeling + ", d " + features + Figure.CORRECTED,
          rates.mechanism(peeling, options),
          RateFigures::distance);
      curve(
          points,
          peeling + ", d " + features + Figure.PUBLISHED,
          rates::peeling,
          RateFigures::distance);
    }
    return new Figure(
        "004-hard-thresholding",
        "Iterative hard thresholding at epsilon 1, 8 coefficients of which 5 are not 0",
        Axis.log("rows"),
        Axis.log("|theta - theta*|^2"),
        points);
  }
}

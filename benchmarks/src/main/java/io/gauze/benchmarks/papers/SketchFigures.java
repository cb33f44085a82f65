package io.gauze.benchmarks.papers;

import io.gauze.benchmarks.AccuracyData;
import io.gauze.benchmarks.AccuracySample;
import io.gauze.config.ConfigException;
import io.gauze.plot.Axis;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The sketches and bounds of S. Das, D. Nayak and A. Dasgupta, Private sketches for linear
 * regression (2025), which has no experiments, on generated rows.
 */
final class SketchFigures {
  private static final int SEEDS = 11;
  private static final double PERCENT = 100;
  private static final double EPSILON = 1;
  private static final double LARGE_EPSILON = 40; // below it, noise drowns every l1 sketch
  private static final int[] SIZES = {64, 256, 1024, 4096, 16_384};

  private final LinearRows rows = new LinearRows();
  private final double[][] moments = rows.moments();
  private final double least = squared(Matrix.regression(moments));

  private double squared(double... model) {
    double[] full = Arrays.copyOf(model, model.length + 1);
    full[model.length] = -1;
    double sum = 0;
    for (int i = 0; i < full.length; i++) {
      for (int j = 0; j < full.length; j++) {
        sum += full[i] * moments[i][j] * full[j];
      }
    }
    return Math.sqrt(sum / LinearRows.ROWS);
  }

  private FigureRow excess(String name, int size, double... errors) {
    double[] excess = Arrays.stream(errors).map(error -> PERCENT * (error / least - 1)).toArray();
    return Repeated.row(name, size, excess);
  }

  /** Least squares from sketches of r rows. */
  static List<Figure> squared() throws IOException, ConfigException {
    SketchFigures figures = new SketchFigures();
    List<FigureRow> points = new ArrayList<>();
    for (int size : SIZES) {
      figures.published(points, size);
      figures.released(points, "CountSketch", "count-sketch, buckets: " + size, size);
      figures.released(points, "projection with ridge", "jl, rows: " + size, size);
      figures.released(points, "projection without ridge", "jl-unregularised, rows: " + size, size);
    }
    return List.of(
        new Figure(
            "002-sizes",
            "Least squares from sketches of r rows at epsilon 1, 131,072 generated rows",
            Axis.log("r"),
            Axis.log("RMSE above that without noise, %"),
            points));
  }

  private void published(List<FigureRow> points, int size) {
    double[][] root = Matrix.root(moments);
    double[][] ridged =
        Matrix.root(Matrix.plusDiagonal(moments, PublishedSketches.ridge(size, EPSILON)));
    points.add(
        excess(
            "CountSketch" + Figure.NOT_PRIVATE,
            size,
            measured(random -> PublishedSketches.countSketch(rows, size, EPSILON, random))));
    points.add(
        excess(
            "projection with ridge" + Figure.PUBLISHED,
            size,
            measured(random -> Matrix.wishart(ridged, size, random))));
    points.add( // both branches of algorithm 1 release a multiple of S A
        excess(
            "projection without ridge" + Figure.NOT_PRIVATE,
            size,
            measured(random -> Matrix.wishart(root, size, random))));
  }

  private interface Sketch {
    double[][] moments(SplittableRandom random);
  }

  private double[] measured(Sketch sketch) {
    return Repeated.values(SEEDS, random -> squared(Matrix.regression(sketch.moments(random))));
  }

  private void released(List<FigureRow> points, String name, String mechanism, int size)
      throws IOException, ConfigException {
    AccuracySample sample = AccuracySample.of(rows.data(mechanism, EPSILON));
    double[] errors =
        Repeated.values(
            SEEDS,
            random -> {
              FitOutcome outcome = Regression.fit(sample.release(), sample.problem());
              return outcome instanceof FitOutcome.Fitted one
                  ? sample.rows().rmse(one.fit())
                  : Double.POSITIVE_INFINITY;
            });
    points.add(excess(name + Figure.CORRECTED, size, errors));
  }

  /** Least absolute deviations from multilevel sketches of r rows. */
  static List<Figure> absolute() throws IOException, ConfigException {
    return new SketchFigures().absoluteFigure();
  }

  private List<Figure> absoluteFigure() throws IOException, ConfigException {
    String name = "multilevel sketch";
    List<FigureRow> points = new ArrayList<>();
    double best = rows.absolute(Matrix.regression(moments)); // residuals are symmetric
    for (int buckets : new int[] {64, 256, 1024, 4096}) {
      int size = buckets * (PublishedSketches.levels() + 1);
      points.add(
          absolute(
              name + Figure.NOT_PRIVATE,
              size,
              best,
              random -> PublishedSketches.leastAbsolute(rows, buckets, LARGE_EPSILON, random)));
      points.add(
          absolute(
              "the published sketch without noise",
              size,
              best,
              random ->
                  PublishedSketches.leastAbsolute(
                      rows, buckets, Double.POSITIVE_INFINITY, random)));
      AccuracyData data = rows.data("multilevel-l1, rows: " + size, LARGE_EPSILON);
      AccuracySample sample = AccuracySample.of(data);
      RegressionProblem problem = sample.problem().withLoss(Loss.ABSOLUTE);
      double[] errors =
          Repeated.values(
              SEEDS,
              random -> {
                FitOutcome outcome = Regression.fit(sample.release(), problem);
                return outcome instanceof FitOutcome.Fitted one
                    ? PERCENT * (sample.rows().meanLoss(one.fit()) / best - 1)
                    : Double.POSITIVE_INFINITY;
              });
      points.add(Repeated.row(name + Figure.CORRECTED, size, errors));
    }
    return List.of(
        new Figure(
            "002-l1",
            "Least absolute deviations from multilevel sketches at epsilon 40",
            Axis.log("rows of the sketch"),
            Axis.log("mean absolute error above that of least squares, %"),
            points));
  }

  private interface Model {
    double[] of(SplittableRandom random);
  }

  private FigureRow absolute(String name, int size, double best, Model model) {
    return Repeated.row(
        name,
        size,
        Repeated.values(SEEDS, random -> PERCENT * (rows.absolute(model.of(random)) / best - 1)));
  }

  /** Buckets that get no noise row, and so are published as they are. */
  static List<Figure> bareBuckets() {
    List<FigureRow> points = new ArrayList<>();
    int last = PublishedSketches.levels();
    for (int size : SIZES) {
      double[] bare = Repeated.values(200, random -> bare(size, size, -1, random));
      double some = Arrays.stream(bare).filter(count -> count > 0).count() / 2.0;
      points.add(new FigureRow("CountSketch: releases with a bare bucket", size, some, some, some));
      int buckets = size / 4;
      int all = buckets * (last + 1);
      for (int level : new int[] {0, 1, 2, last}) {
        double[] shares =
            Repeated.values(20, random -> PERCENT * bare(all, buckets, level, random) / buckets);
        points.add(Repeated.row("multilevel: bare buckets of level " + level, size, shares));
      }
    }
    return List.of(
        new Figure(
            "002-bare",
            "Buckets without a noise row, as published",
            Axis.log("buckets r; r / 4 in each level of a multilevel sketch"),
            Axis.linear("%").between(-2, 102),
            points));
  }

  /** Counts the buckets without noise among those of a level (-1: of a CountSketch). */
  private static double bare(int all, int buckets, int level, SplittableRandom random) {
    boolean[] noisy = new boolean[buckets];
    for (int i = 0; i < PublishedSketches.noiseRows(all); i++) {
      if (level < 0 || PublishedSketches.levelsOf(random).contains(level)) {
        noisy[random.nextInt(buckets)] = true;
      }
    }
    int bare = 0;
    for (boolean covered : noisy) {
      bare += covered ? 0 : 1;
    }
    return bare;
  }

  /** The published bounds on the noise rows, as the share of the bound that is measured. */
  static List<Figure> bounds() {
    List<FigureRow> points = new ArrayList<>();
    double log = Math.log(1.25 / PublishedSketches.DELTA);
    for (int size : SIZES) {
      int noiseRows = PublishedSketches.noiseRows(size);
      double sigma = PublishedSketches.sigma(EPSILON, 1);
      double unit = LinearRows.BOUND * size * Math.log(size) / EPSILON;
      double two = 13 * LinearRows.BOUND / EPSILON * Math.sqrt(size * Math.log(size) * log);
      double[] norms = Repeated.values(SEEDS, random -> norm(noiseRows, sigma, 2, random) / two);
      points.add(Repeated.row("l2 norm, lemma 3", size, norms));
      double[] sums =
          Repeated.values(
              SEEDS, random -> norm(noiseRows, sigma, 1, random) / (2 * unit * Math.sqrt(2 * log)));
      points.add(Repeated.row("l1 norm, lemma 5", size, sums));
      double[] last =
          Repeated.values(
              SEEDS, random -> norm(noiseRows, sigma, 1, random) / (2 * unit * Math.sqrt(log)));
      points.add(Repeated.row("l1 norm, last step of equation 22", size, last));
    }
    return List.of(
        new Figure(
            "002-bounds",
            "Noise rows times b, over the published bound, for b with one entry; above 1 is a failure",
            Axis.log("r"),
            Axis.linear("measured / bound").between(0, 1.4),
            points));
  }

  /** The norm of so many normal variables. */
  private static double norm(int count, double sigma, int p, SplittableRandom random) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.pow(Math.abs(sigma * random.nextGaussian()), p);
    }
    return Math.pow(sum, 1.0 / p);
  }
}

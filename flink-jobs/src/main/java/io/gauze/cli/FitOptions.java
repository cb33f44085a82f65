package io.gauze.cli;

import io.gauze.row.NearestName;
import io.gauze.row.RowSchema;
import io.gauze.solve.Loss;
import io.gauze.solve.Penalty;
import io.gauze.solve.RegressionProblem;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import picocli.CommandLine.TypeConversionException;

/** The options that say what is fitted and how it is shown, for every verb that fits. */
final class FitOptions {
  private static final String AUTO = "auto";

  private static final List<String> LOSSES =
      List.of(AUTO, "ridge", "lasso", "elastic-net", "lad", "quantile", "huber");

  @Option(
      names = "--response",
      paramLabel = "COL",
      required = true,
      description = "The column to explain.")
  private String response;

  @Option(
      names = "--features",
      paramLabel = "A,B",
      split = ",",
      description = "The columns that explain it, beside an intercept (default: all others).")
  private List<String> features = List.of();

  @Option(
      names = "--loss",
      paramLabel = "L",
      defaultValue = AUTO,
      completionCandidates = Losses.class,
      converter = LossReader.class,
      description =
          "One of: ${COMPLETION-CANDIDATES}; auto (default) is ridge, or lad where a release cannot"
              + " answer that.")
  private String loss;

  @Option(
      names = "--lambda",
      paramLabel = "X",
      description =
          "The penalty is X (alpha ||b||_2^2 + (1 - alpha) ||b||_1) on coefficients in the encoded"
              + " scale, X >= 0 (default: 0 on raw rows, chosen from the noise on releases).")
  private Optional<Double> lambda;

  @Option(
      names = "--alpha",
      paramLabel = "X",
      description =
          "In [0, 1], for elastic-net (default: 0.5) and huber (default: 1); ridge has 1, lasso,"
              + " lad and quantile 0.")
  private Optional<Double> alpha;

  @Option(
      names = "--quantile",
      paramLabel = "T",
      description = "In (0, 1): which quantile, for quantile.")
  private Optional<Double> quantile;

  @Option(
      names = "--huber-threshold",
      paramLabel = "X",
      description =
          "Residuals up to X are squared, for huber; in the encoded scale, where the response is in"
              + " [-1, 1].")
  private Optional<Double> threshold;

  @Option(names = "--free-intercept", description = "Leaves the intercept out of the penalty.")
  private boolean freeIntercept;

  @Option(
      names = "--scale",
      paramLabel = "SCALE",
      defaultValue = "user",
      converter = ScaleReader.class,
      description =
          "Of the result: user, the columns' own units (default), or encoded, columns in [-1, 1]"
              + " and an intercept column of 1.")
  private String scale;

  @Mixin private FormatOption format;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /** Whether to write one JSON object; else text. */
  boolean json() {
    return format.json();
  }

  /** Whether the result is in the columns' own units; else in the encoded scale. */
  boolean userUnits() {
    return scale.equals("user");
  }

  /**
   * What to fit.
   *
   * @throws ParameterException if an option does not suit the schema or another option
   */
  RegressionProblem problem(RowSchema schema) {
    try {
      RegressionProblem problem =
          features.isEmpty()
              ? RegressionProblem.of(schema, response)
              : RegressionProblem.of(schema, response, features);
      OptionalDouble weight = lambda.map(OptionalDouble::of).orElse(OptionalDouble.empty());
      return problem
          .withLoss(lossOfRows())
          .withPenalty(new Penalty(weight, alphaOfLoss(), freeIntercept));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /**
   * What to fit on a release: the first of these that it can answer. Two for {@code auto} without a
   * penalty, else one.
   *
   * @throws ParameterException as {@link #problem}
   */
  List<RegressionProblem> problems(RowSchema schema) {
    RegressionProblem first = problem(schema);
    Penalty none = new Penalty(OptionalDouble.empty(), 0.0, freeIntercept);
    return loss.equals(AUTO) && lambda.isEmpty()
        ? List.of(first, first.withLoss(Loss.ABSOLUTE).withPenalty(none))
        : List.of(first);
  }

  private Loss lossOfRows() {
    require("--quantile", "quantile", quantile);
    require("--huber-threshold", "huber", threshold);
    if (loss.equals("lad")) {
      return Loss.ABSOLUTE;
    }
    if (quantile.isPresent()) {
      return named("--quantile", () -> new Loss.Quantile(quantile.get()));
    }
    return threshold.isPresent()
        ? named("--huber-threshold", () -> new Loss.Huber(threshold.get()))
        : Loss.SQUARED;
  }

  /** Complaints name the option. */
  private static Loss named(String option, Supplier<Loss> loss) {
    try {
      return loss.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
  }

  /** {@code option} belongs to {@code owner}, which cannot do without it. */
  private void require(String option, String owner, Optional<Double> value) {
    if (loss.equals(owner) != value.isPresent()) {
      throw new IllegalArgumentException(
          value.isPresent()
              ? option + " is for --loss " + owner + ". Provided value: --loss " + loss
              : "--loss " + owner + " needs " + option);
    }
  }

  private double alphaOfLoss() {
    boolean free = loss.equals("elastic-net") || loss.equals("huber");
    double fixed = List.of(AUTO, "ridge", "huber").contains(loss) ? 1.0 : 0.0;
    double usual = loss.equals("elastic-net") ? 0.5 : fixed;
    if (!free && alpha.isPresent() && alpha.get() != fixed) {
      throw new IllegalArgumentException(
          "--alpha must be "
              + fixed
              + " for --loss "
              + loss
              + "; elastic-net and huber take any. Provided value: "
              + alpha.get());
    }
    return alpha.orElse(usual);
  }

  /** For the help text. */
  private static final class Losses implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return LOSSES.iterator();
    }
  }

  /** Refuses other words. */
  static final class LossReader implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      if (!LOSSES.contains(value)) {
        throw new TypeConversionException(NearestName.unknown("loss", value, LOSSES).getMessage());
      }
      return value;
    }
  }

  /** Refuses other words. */
  static final class ScaleReader implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      if (!value.equals("user") && !value.equals("encoded")) {
        throw new TypeConversionException("must be user or encoded. Provided value: " + value);
      }
      return value;
    }
  }
}

package io.gauze.cli.option;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitReport;
import io.gauze.fit.NameList;
import io.gauze.fit.QuestionFields;
import io.gauze.fit.Term;
import io.gauze.internal.Checks;
import io.gauze.regression.RegressionProblem;
import io.gauze.report.EffectsPlot;
import io.gauze.report.FitPage;
import io.gauze.report.FitTable;
import io.gauze.report.Report;
import io.gauze.report.StreamsTable;
import io.gauze.report.TidyTable;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import picocli.CommandLine.TypeConversionException;

/** The options of a fit and of its output, for every verb that fits. */
public class FitOptions implements QuestionFields {
  @Option(
      names = "--response",
      paramLabel = "COL",
      required = true,
      description = "The column to explain.")
  private String response;

  @Option(
      names = "--features",
      paramLabel = "A,B",
      description =
          "The columns that explain it, beside an intercept; a column with categories stands for"
              + " all of them (default: all others); \"(intercept)\" alone asks for the best constant."
              + " A name with a comma is in double quotes.")
  private List<String> features = List.of();

  @Option(
      names = "--loss",
      paramLabel = "L",
      defaultValue = FitQuestion.AUTO,
      completionCandidates = Losses.class,
      converter = LossReader.class,
      description =
          "One of: ${COMPLETION-CANDIDATES}; auto (default) is ridge, or lad or logistic where a release"
              + " cannot answer that; ols is ridge with lambda 0.")
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
      names = "--strict",
      description =
          "Refuses a release without signal; without this option its coefficients are drawn to 0,"
              + " with a warning.")
  private boolean strict;

  @Option(
      names = "--level",
      paramLabel = "P",
      description =
          "In (0, 1): the probability of the intervals (default: 0.95); json has them only if it is"
              + " given.")
  private Optional<Double> level;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      converter = FormatReader.class,
      description =
          "table, for people (default), json, for programs, or csv: a line an estimate with its"
              + " interval; warnings are then on standard error.")
  private String format;

  @Mixin private GuaranteeOption guarantee;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /** Prints a fit to standard output; as JSON with intervals only if a level is given. */
  public void print(FitReport fit) {
    print(fit, level.isPresent() ? fit.json() : fit.shortJson());
  }

  /**
   * Prints a fit to standard output.
   *
   * @param json its JSON
   */
  public void print(FitReport fit, JsonNode json) {
    print(FitTable.of(fit, json, guarantee.whole()), () -> csv(fit));
  }

  private static String csv(FitReport fit) {
    return fit.streams().isPresent()
        ? StreamsTable.csv(fit, List.of())
        : TidyTable.csv(fit.terms());
  }

  /**
   * Prints to standard output; the notes of the format csv, which holds data alone, to standard
   * error.
   *
   * @param csv returns the text of the format csv
   */
  public void print(Report report, Supplier<String> csv) {
    if (format.equals("csv")) {
      PrintWriter err = spec.commandLine().getErr();
      report.notes().forEach(err::println);
      err.flush();
    }
    String text =
        switch (format) {
          case "csv" -> csv.get();
          case "json" -> report.json();
          default -> report.table();
        };
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }

  /**
   * Writes a report, if one is wanted.
   *
   * @throws IOException if the file cannot be written
   */
  public void write(ReportOption file, FitReport fit) throws IOException {
    file.write((command, footer) -> FitPage.of(fit, command, footer), () -> EffectsPlot.svg(fit));
  }

  /** Returns whether the whole guarantee is printed. */
  public boolean wholeGuarantee() {
    return guarantee.whole();
  }

  /**
   * The probability of intervals; the usual one if none is given.
   *
   * @throws ParameterException if it is out of range
   */
  public double level() {
    return checked(
        () -> level.map(value -> Checks.inOpenUnit("--level", value)).orElse(Term.USUAL_LEVEL));
  }

  /**
   * Returns whether the result is in the columns' own units, as it is unless a verb offers the
   * encoded scale.
   */
  boolean userUnits() {
    return true;
  }

  /**
   * Returns the question of the options.
   *
   * @throws ParameterException if an option is out of range or does not match another
   */
  public FitQuestion question() {
    return checked(() -> FitQuestion.of(this));
  }

  @Override
  public Optional<String> text(String field) {
    return Optional.of(
        switch (field) {
          case "response" -> response.strip();
          case "loss" -> loss;
          case "scale" -> userUnits() ? "user" : "encoded";
          default -> throw new IllegalArgumentException(field);
        });
  }

  @Override
  public Optional<Double> number(String field) {
    return switch (field) {
      case "lambda" -> lambda;
      case "alpha" -> alpha;
      case "quantile" -> quantile;
      case "huberThreshold" -> threshold;
      default -> throw new IllegalArgumentException(field);
    };
  }

  @Override
  public boolean flag(String field) {
    return switch (field) {
      case "freeIntercept" -> freeIntercept;
      case "strict" -> strict;
      default -> throw new IllegalArgumentException(field);
    };
  }

  @Override
  public List<String> names(String field) {
    return features.stream().flatMap(text -> NameList.parse(name(field), text).stream()).toList();
  }

  @Override
  public String name(String field) {
    return "--" + field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the regression problem on rows.
   *
   * @throws ParameterException if an option does not match the schema or another option
   */
  public RegressionProblem problem(RowSchema schema) {
    FitQuestion question = question();
    checkColumns(question, schema);
    return checked(() -> question.problem(schema));
  }

  /**
   * Checks that there are the columns of a question.
   *
   * @throws ParameterException if one is missing
   */
  public void checkColumns(FitQuestion question, RowSchema schema) {
    checked(
        () -> {
          question.checkColumns(schema, this);
          return question;
        });
  }

  /**
   * Runs a step that may find that a column does not exist.
   *
   * @throws ParameterException if the step throws an {@link IllegalArgumentException}
   */
  public <T> T checked(Supplier<T> step) {
    try {
      return step.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** The names of the losses, for the help text. */
  private static final class Losses implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return FitQuestion.LOSSES.iterator();
    }
  }

  /** Refuses unknown losses. */
  static final class LossReader implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      try {
        FitQuestion.checkLoss("loss", value);
        return value;
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Refuses unknown formats. */
  static final class FormatReader implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      if (!List.of("table", "json", "csv").contains(value)) {
        throw new TypeConversionException("must be table, json or csv. Provided value: " + value);
      }
      return value;
    }
  }
}

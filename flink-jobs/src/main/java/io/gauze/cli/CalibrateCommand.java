package io.gauze.cli;

import io.gauze.accounting.Neighbours;
import io.gauze.cli.option.CommandMessage;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FormatOption;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.Mechanisms;
import io.gauze.message.Message;
import io.gauze.plan.Calibrations;
import io.gauze.report.Messages;
import io.gauze.report.Report;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code calibrate}: computes the noise that a mechanism needs. */
@Command(
    name = "calibrate",
    description = "The least noise with which a mechanism keeps a promise, and why.",
    footer = {
      "",
      "Example:",
      "  ./gauze calibrate --mechanism noisy-moments --epsilon 1 --delta 1e-6 \\",
      "      --neighbours replace-one"
    })
public final class CalibrateCommand implements Callable<Integer> {
  private static final Set<String> COUNTS =
      Set.of("columns", "level0Buckets", "degreesOfFreedom", "rows", "expectedRows");

  @Option(
      names = "--mechanism",
      paramLabel = "M",
      required = true,
      completionCandidates = Recommended.class,
      description = {
        "One of: ${COMPLETION-CANDIDATES};",
        "or one of those in docs/reference/mechanisms.md, or a query with noise: gaussian,"
            + " gaussian-classic or laplace."
      })
  private String mechanism;

  @Option(names = "--epsilon", paramLabel = "E", required = true, description = "In (0, 100].")
  private double epsilon;

  @Option(
      names = "--delta",
      paramLabel = "D",
      description = "In (0, 0.1]; not needed for laplace, functional and histogram.")
  private Optional<Double> delta;

  @Option(
      names = "--neighbours",
      paramLabel = "N",
      required = true,
      description = "add-remove or replace-one.")
  private String neighbours;

  @Option(
      names = "--columns",
      paramLabel = "C",
      defaultValue = "2",
      description =
          "Columns of a row, with the intercept, in [1, 4096] (default: ${DEFAULT-VALUE}).")
  private int columns;

  @Option(
      names = "--bound",
      paramLabel = "B",
      defaultValue = "1",
      description =
          "Largest l2 norm of a row; for gaussian and laplace the sensitivity itself, whatever the"
              + " neighbours; in [1e-50, 1e50] (default: ${DEFAULT-VALUE}).")
  private double bound;

  @Option(
      names = "--copies",
      paramLabel = "S",
      defaultValue = "1",
      description =
          "Buckets of level 0 that a row is in, multilevel-l1, in [1, 16] (default:"
              + " ${DEFAULT-VALUE}).")
  private int copies;

  @Option(
      names = "--rows",
      paramLabel = "R",
      description =
          "Rows that jl and jl-unregularised publish; degrees of freedom of inverse-wishart and, if"
              + " they are not to be chosen, of wishart.")
  private Optional<Integer> rows;

  @Option(
      names = "--scale",
      paramLabel = "X",
      description =
          "Variance of wishart's noise rows, to find the least degrees of freedom for it.")
  private Optional<Double> scale;

  @Option(
      names = "--expected-rows",
      paramLabel = "N",
      defaultValue = "" + CalibrationRequest.EXPECTED_ROWS,
      description =
          "A public guess of the number of rows, of mechanisms that are planned for it (default:"
              + " ${DEFAULT-VALUE}).")
  private long expectedRows;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws PrivacyRefusalException {
    try {
      CalibrationRequest request =
          new CalibrationRequest(
              epsilon,
              delta.map(OptionalDouble::of).orElse(OptionalDouble.empty()),
              Neighbours.parse(neighbours),
              bound,
              columns,
              copies,
              rows.map(OptionalInt::of).orElse(OptionalInt.empty()),
              scale.map(OptionalDouble::of).orElse(OptionalDouble.empty()),
              expectedRows);
      Calibration calibration = Calibrations.of(mechanism, request);
      format.print(report(request, calibration));
      warn(request, calibration);
      return ExitStatus.DONE;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    } catch (ArithmeticException e) {
      throw new PrivacyRefusalException(e.getMessage(), e);
    }
  }

  private void warn(CalibrationRequest request, Calibration calibration) {
    if (calibration.achievedDelta() > request.delta().orElse(0.0)) {
      PrintWriter err = spec.commandLine().getErr();
      Message message =
          CommandMessage.BROKENPROMISE.of(
              calibration.mechanism(), Double.toString(calibration.achievedDelta()));
      Messages.all("warning: ", List.of(message)).forEach(err::println);
      err.flush();
    }
  }

  /** The names of the mechanisms that people should take, for the help text. */
  private static final class Recommended implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Mechanisms.recommended().iterator();
    }
  }

  private static Report report(CalibrationRequest request, Calibration calibration) {
    Map<String, Number> parameters = numbers(calibration.parameters());
    Map<String, Number> noise = numbers(calibration.noise());
    Report report =
        new Report()
            .add("mechanism", "mechanism", calibration.mechanism())
            .add("epsilon", "epsilon", request.epsilon())
            .field("delta", request.delta().orElse(0.0));
    request.delta().ifPresent(delta -> report.line("delta", Double.toString(delta)));
    report
        .add("neighbours", "neighbours", request.neighbours().label())
        .add("bound", "bound", request.bound())
        .field("parameters", parameters)
        .field("noise", noise);
    parameters.forEach((name, x) -> report.line(name, x.toString()));
    noise.forEach((name, x) -> report.line("noise: " + name, x.toString()));
    return report
        .add("achievedDelta", "achieved delta", calibration.achievedDelta())
        .add("basis", "basis", calibration.basis());
  }

  /** Returns the values by name, with counts as whole numbers. */
  private static Map<String, Number> numbers(Map<String, Double> values) {
    Map<String, Number> all = new TreeMap<>();
    values.forEach((name, x) -> all.put(name, COUNTS.contains(name) ? (Number) x.intValue() : x));
    return all;
  }
}

package io.gauze.demo;

import io.gauze.cli.option.ReportOption;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitSource;
import io.gauze.release.Release;
import io.gauze.row.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Further questions that the demo's release can answer, as commands to paste. */
final class DemoQuestions {
  private static final int WANTED = 2;

  private final Path file;
  private final FitSource source;
  private final String response;

  private DemoQuestions(Path file, FitSource source, String response) {
    this.file = file;
    this.source = source;
    this.response = response;
  }

  /** A fit that differs from that of the demo. */
  private record Other(String response, String loss) {}

  /**
   * Returns two fits of another response or loss, and a report of the demo's own fit; empty if the
   * release cannot answer these.
   *
   * @param files the releases, of which the first is asked
   * @param fit the demo's fit of it
   * @throws IOException if the release cannot be read
   */
  static List<String> commands(List<Path> files, String response, DemoResult.DemoFit fit)
      throws IOException {
    if (files.isEmpty() || fit.coefficients().isEmpty()) {
      return List.of();
    }
    Path file = files.get(0);
    FitSource source = FitSource.of(List.of(Release.fromBytes(Files.readAllBytes(file))));
    return new DemoQuestions(file, source, response).commands(fit.coefficients());
  }

  private List<String> commands(Map<String, Double> coefficients) {
    List<Other> others = new ArrayList<>();
    strongest(coefficients).ifPresent(name -> others.add(new Other(name, FitQuestion.AUTO)));
    for (String loss : List.of("lasso", "lad", "quantile")) {
      others.add(new Other(response, loss));
    }
    List<String> commands =
        new ArrayList<>(
            others.stream().filter(this::isAnswered).limit(WANTED).map(this::command).toList());
    String report = file.resolveSibling("report.html").toString();
    commands.add(command("--response", response, "--report", report));
    return commands;
  }

  /** Returns the numeric column with the largest effect over its range. */
  private Optional<String> strongest(Map<String, Double> coefficients) {
    return source.schema().columns().stream()
        .filter(column -> column.numeric() && coefficients.containsKey(column.name()))
        .max(Comparator.comparingDouble(column -> effect(column, coefficients)))
        .map(Column::name);
  }

  private static double effect(Column column, Map<String, Double> coefficients) {
    return Math.abs(coefficients.get(column.name())) * (column.upper() - column.lower());
  }

  private boolean isAnswered(Other other) {
    FitQuestion.Parts parts =
        new FitQuestion.Parts(
            other.response(),
            List.of(),
            other.loss(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false,
            true,
            false);
    try {
      FitQuestion question = FitQuestion.of(parts, FitQuestion.Wording.OPTIONS);
      return BestFit.of(List.of(source), question).best().isPresent();
    } catch (IllegalArgumentException e) { // a loss that needs a number, or no such column
      return false;
    }
  }

  private String command(Other other) {
    return other.loss().equals(FitQuestion.AUTO)
        ? command("--response", other.response())
        : command("--response", other.response(), "--loss", other.loss());
  }

  private String command(String... options) {
    List<String> words = new ArrayList<>(List.of("fit", "--release", file.toString()));
    words.addAll(List.of(options));
    return ReportOption.command(words.toArray(new String[0]));
  }
}

package io.gauze.demo;

import io.gauze.cli.option.ReportOption;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitReport;
import io.gauze.fit.FitSource;
import io.gauze.fit.Term;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.row.Column;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Further questions that the demo's release can answer, as commands to paste. */
final class DemoQuestions {
  private static final int WANTED = 2;

  private final Path out;
  private final List<Path> files;
  private final FitSource source;
  private final String response;

  private DemoQuestions(Path out, List<Path> files, FitSource source, String response) {
    this.out = out;
    this.files = files;
    this.source = source;
    this.response = response;
  }

  /**
   * Returns two fits of another response or loss, and a report of the demo's own fit; empty if the
   * release cannot answer these.
   *
   * @param out the folder of reports
   * @param files the releases that are asked, which add up
   * @param source what they are together
   * @param fit the demo's fit of them
   */
  static List<String> commands(
      Path out, List<Path> files, FitSource source, String response, DemoResult.DemoFit fit) {
    return fit.terms().isEmpty()
        ? List.of()
        : new DemoQuestions(out, files, source, response).commands(fit.terms());
  }

  private List<String> commands(List<Term> terms) {
    List<FitQuestion> others = new ArrayList<>();
    strongest(terms).map(FitQuestion::byAllOthers).ifPresent(others::add);
    Penalty lasso = new Penalty(OptionalDouble.empty(), 0.0, false);
    others.add(question(Loss.SQUARED, lasso));
    others.add(question(Loss.ABSOLUTE, lasso));
    List<String> commands =
        new ArrayList<>(
            others.stream().filter(this::isAnswered).limit(WANTED).map(this::command).toList());
    String report = out.resolve("report.html").toString();
    commands.add(command("--response", response, "--report", report));
    return commands;
  }

  private FitQuestion question(Loss loss, Penalty penalty) {
    return new FitQuestion(response, List.of(), loss, penalty, false, true, false);
  }

  /** Returns the numeric column with the largest effect over its range. */
  private Optional<String> strongest(List<Term> terms) {
    List<String> numeric =
        source.schema().columns().stream().filter(Column::numeric).map(Column::name).toList();
    return FitReport.effects(terms, source.schema()).stream()
        .filter(effect -> numeric.contains(effect.name()))
        .max(Comparator.comparingDouble(effect -> Math.abs(effect.estimate())))
        .map(Term::name);
  }

  private boolean isAnswered(FitQuestion question) {
    try {
      return BestFit.of(List.of(source), question).best().isPresent();
    } catch (IllegalArgumentException e) { // no such column
      return false;
    }
  }

  private String command(FitQuestion other) {
    return other.orOther()
        ? command("--response", other.response())
        : command("--response", other.response(), "--loss", other.lossName());
  }

  private String command(String... options) {
    String all = files.stream().map(Path::toString).collect(Collectors.joining(","));
    List<String> words = new ArrayList<>(List.of("fit", "--release", all));
    words.addAll(List.of(options));
    return ReportOption.command(words.toArray(new String[0]));
  }
}

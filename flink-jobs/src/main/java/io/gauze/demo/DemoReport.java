package io.gauze.demo;

import io.gauze.demo.DemoResult.DemoFit;
import io.gauze.fit.Term;
import io.gauze.message.Message;
import io.gauze.report.Columns;
import io.gauze.report.Figures;
import io.gauze.report.Messages;
import io.gauze.report.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The report of the demo's result. */
final class DemoReport {
  private static final Columns<DemoFit> FITS =
      Columns.<DemoFit>ofNumbers()
          .add("source", "", DemoFit::source)
          .add("loss", "loss", DemoFit::loss)
          .field("coefficients", fit -> numbers(fit, Term::estimate))
          .field("standardErrors", fit -> numbers(fit, Term::stdError))
          .add(
              "rmse",
              "RMSE",
              DemoFit::rmse,
              fit -> fit.rmse().map(DemoReport::number).orElse("none"))
          .add(
              "excessRmse",
              "excess RMSE",
              DemoFit::excessRmse,
              fit -> fit.excessRmse().map(DemoReport::percent).orElse(""))
          .field("guarantee", fit -> fit.guarantee().orElse("none: not private"))
          .field("warnings", fit -> fit.warnings().stream().map(Message::text).toList())
          .field("messages", fit -> Messages.objects(fit.warnings()));

  private DemoReport() {}

  /**
   * Returns the report.
   *
   * @param guarantee of all releases together, for people
   */
  static Report of(DemoResult result, String guarantee) {
    Report report =
        new Report()
            .field("rows", result.rows())
            .field("deadLetters", result.rejected())
            .field("seconds", result.seconds())
            .field("rowsPerSecond", result.rowsPerSecond())
            .field("response", result.response())
            .field("truth", result.truth())
            .field("fits", FITS.objects(result.fits()))
            .field("alternatives", listed(FITS.objects(result.alternatives())))
            .field("releases", listed(result.files().stream().map(Path::toString).toList()))
            .field("next", listed(result.next()));
    addFits(report, result);
    addAlternatives(report, result);
    addRun(report, result, guarantee);
    return report;
  }

  /** Returns the list, or nothing if it is empty. */
  private static <T> Optional<List<T>> listed(List<T> all) {
    return Optional.of(all).filter(list -> !list.isEmpty());
  }

  private static void addFits(Report report, DemoResult result) {
    Columns<List<String>> columns = Columns.ofNumbers();
    List<String> header = header(result);
    for (int i = 0; i < header.size(); i++) {
      int index = i;
      columns.cell(header.get(i), cells -> cells.get(index));
    }
    List<List<String>> lines = new ArrayList<>();
    names(result).forEach(name -> lines.add(coefficients(name, result)));
    lines.add(errors("RMSE", result, fit -> fit.rmse().map(DemoReport::number)));
    lines.add(errors("excess RMSE", result, fit -> fit.excessRmse().map(DemoReport::percent)));
    report
        .gap()
        .text(
            "What explains "
                + result.response()
                + ", in the user's units (± standard error: sampling and privacy noise)")
        .gap()
        .table(columns, lines)
        .gap();
  }

  private static void addAlternatives(Report report, DemoResult result) {
    if (result.alternatives().isEmpty()) {
      return;
    }
    report
        .text(
            "Every mechanism on these rows, each with the whole budget: alternatives, of which one"
                + " would be published. Publishing several would spend the budget several times;"
                + " these were not kept.")
        .gap()
        .table(FITS, result.alternatives())
        .gap();
    addWarnings(report, "", result.alternatives());
    report.gap();
  }

  private static void addWarnings(Report report, String prefix, List<DemoFit> fits) {
    for (DemoFit fit : fits) {
      Messages.lines(prefix + fit.source() + ": ", fit.warnings()).forEach(report::text);
    }
  }

  private static void addRun(Report report, DemoResult result, String guarantee) {
    report
        .text(
            String.format(
                Locale.ROOT,
                "%s read in %.1f s: %,.0f rows/s, from the job's start to the last release.",
                Figures.rows(result.rows()),
                result.seconds(),
                result.rowsPerSecond()))
        .text(
            String.format(
                Locale.ROOT,
                "Of these, %s %s sketched. Could not be read (dead letters): %,d.",
                Figures.rows(result.sketched()),
                result.sketched() == 1 ? "was" : "were",
                result.rejected()))
        .gap()
        .text(guarantee)
        .text(
            "That holds for the releases, not for this table: its non-private fit, RMSE and numbers"
                + " of rows come from the rows themselves.");
    addWarnings(report, "warning: ", result.fits());
    report
        .gap()
        .text(
            "Releases: " + String.join(", ", result.files().stream().map(Path::toString).toList()));
    if (!result.next().isEmpty()) {
      report
          .text(
              "Ask the release"
                  + (result.promise().sites() ? "s of all sites" : "")
                  + " something else, and make a report. That costs no privacy (0 epsilon):")
          .gap();
      result.next().forEach(command -> report.text("    " + command));
      report.gap();
    }
    report.text(next(result));
  }

  /** Returns numbers of all coefficients; null where they are withheld. */
  private static Map<String, Double> numbers(DemoFit fit, ToDoubleFunction<Term> number) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    for (Term term : fit.terms()) {
      double value = number.applyAsDouble(term);
      numbers.put(term.name(), Double.isNaN(value) ? null : value);
    }
    return numbers;
  }

  private static List<String> header(DemoResult result) {
    List<String> cells = new ArrayList<>(List.of(""));
    if (!result.truth().isEmpty()) {
      cells.add("truth");
    }
    for (DemoFit fit : result.fits()) {
      cells.add(fit.source());
      if (hasIntervals(fit, result)) {
        cells.add(Figures.percent(Term.USUAL_LEVEL) + " interval");
      }
    }
    return cells;
  }

  /** Returns the names of all coefficients. */
  static Set<String> names(DemoResult result) {
    Set<String> names = new LinkedHashSet<>();
    result.fits().forEach(fit -> fit.terms().forEach(term -> names.add(term.name())));
    return names;
  }

  private static List<String> coefficients(String name, DemoResult result) {
    List<String> cells = new ArrayList<>(List.of(name));
    if (!result.truth().isEmpty()) {
      cells.add(Optional.ofNullable(result.truth().get(name)).map(DemoReport::number).orElse(""));
    }
    for (DemoFit fit : result.fits()) {
      Optional<Term> term = fit.term(name);
      cells.add(term.map(DemoReport::withError).orElse("none"));
      if (hasIntervals(fit, result)) {
        cells.add(term.filter(each -> !each.isWithheld()).map(DemoReport::ends).orElse("-"));
      }
    }
    return cells;
  }

  /**
   * Returns whether a fit has a column of intervals. The non-private fit and those of single sites
   * have none: intervals are those of the standard errors, and the line would be too long.
   */
  private static boolean hasIntervals(DemoFit fit, DemoResult result) {
    return fit.guarantee().isPresent()
        && (!result.promise().sites() || fit.equals(result.answer()));
  }

  private static String ends(Term term) {
    return number(term.confLow()) + " to " + number(term.confHigh());
  }

  private static String withError(Term term) {
    return number(term.estimate())
        + (Double.isNaN(term.stdError()) ? "" : " ± " + number(term.stdError()));
  }

  private interface Cell {
    Optional<String> of(DemoFit fit);
  }

  private static List<String> errors(String name, DemoResult result, Cell cell) {
    List<String> cells = new ArrayList<>(List.of(name));
    if (!result.truth().isEmpty()) {
      cells.add("");
    }
    for (DemoFit fit : result.fits()) {
      cells.add(cell.of(fit).orElse(""));
      if (hasIntervals(fit, result)) {
        cells.add("");
      }
    }
    return cells;
  }

  private static String number(double value) {
    double size = Math.abs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e7)) {
      return String.format(Locale.ROOT, "%.3e", value);
    }
    int digits = size >= 1000 ? 1 : size >= 10 ? 3 : 5;
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.4f %%", 100 * share);
  }

  private static String next(DemoResult result) {
    return String.format(
        Locale.ROOT,
        "Next, with ./gauze demo: %s--epsilon 0.2 for a tighter promise; --response COLUMN to"
            + " explain another column%s%s.",
        result.csv() ? "" : "--csv FILE --config FILE for your own rows; ",
        result.csv() ? "" : "; --faulty 0 without faulty meters",
        result.alternatives().isEmpty() && !result.promise().sites()
            ? "; --all for every mechanism"
            : "");
  }
}

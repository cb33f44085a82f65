package io.gauze.cli;

import io.gauze.cli.option.FitOptions;
import io.gauze.cli.option.NoFitException;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitSource;
import io.gauze.release.Release;
import io.gauze.report.Figures;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * Fits one problem on the candidate with the smallest predicted excess, and reports which one that
 * is.
 */
final class FitRun {
  private final FitOptions options;
  private final PrintWriter err;

  FitRun(FitOptions options, PrintWriter err) {
    this.options = options;
    this.err = err;
  }

  /**
   * Returns the best fit.
   *
   * @param candidates each one release, or several epochs of a sketch
   * @throws NoFitException if no candidate can answer
   */
  BestFit fit(List<List<Release>> candidates) throws NoFitException {
    FitQuestion question = options.question();
    List<FitSource> sources = candidates.stream().map(FitSource::of).toList();
    sources.forEach(source -> options.checkColumns(question, source.schema()));
    BestFit fit = options.checked(() -> BestFit.of(sources, question));
    if (fit.best().isEmpty()) {
      throw new NoFitException(fit.reasons(System.lineSeparator()));
    }
    say(fit.attempts(), fit.best().get());
    return fit;
  }

  private void say(List<BestFit.Attempt> attempts, BestFit.Attempt best) {
    String name = best.source().name();
    if (attempts.size() > 1) {
      attempts.forEach(attempt -> err.println(attempt.source().name() + ": " + outlook(attempt)));
      err.println("taken: " + name + ", the smallest predicted excess");
    }
    int releases = best.source().ids().size();
    if (releases > 1) {
      err.println("merged " + releases + " releases: " + name);
    }
    err.flush();
  }

  private static String outlook(BestFit.Attempt attempt) {
    return attempt
        .fit()
        .map(
            fit ->
                String.format(
                    Locale.ROOT,
                    "%s, predicted excess %s: %s",
                    fit.loss(),
                    Figures.excess(fit.predictedExcess()),
                    attempt.verdict().word()))
        .orElseGet(() -> "no fit: " + attempt.reason());
  }
}

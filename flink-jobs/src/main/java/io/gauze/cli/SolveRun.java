package io.gauze.cli;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.privacy.Guarantee;
import io.gauze.release.GuaranteeJson;
import io.gauze.release.Release;
import io.gauze.solve.Fit;
import io.gauze.solve.FitInput;
import io.gauze.solve.FitOutcome;
import io.gauze.solve.Regression;
import io.gauze.solve.RegressionProblem;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Fits one problem on the candidate that promises the smallest error. */
final class SolveRun {
  private final FitOptions options;
  private final PrintWriter err;

  /** What came of one candidate: a fit, or why there is none. */
  private record Attempt(List<Release> releases, Optional<Fit> fit, String reason) {
    String name() {
      String first = releases.get(0).id().toString();
      return releases.size() == 1
          ? first
          : first + " to " + releases.get(releases.size() - 1).id().epoch();
    }
  }

  SolveRun(FitOptions options, PrintWriter err) {
    this.options = options;
    this.err = err;
  }

  /**
   * The report of the best fit.
   *
   * @param candidates each one release, or several epochs of a sketch
   * @throws NoFitException if no candidate can answer
   */
  String report(List<List<Release>> candidates) throws NoFitException {
    Attempt best = best(candidates);
    Release release = best.releases().get(0);
    FitReport report =
        FitReport.ofRelease(
            best.fit().orElseThrow(),
            release.schema(),
            options.userUnits(),
            guarantee(best.releases()));
    return options.json() ? report.json() : report.table();
  }

  private Attempt best(List<List<Release>> candidates) throws NoFitException {
    int ways = options.problems(candidates.get(0).get(0).schema()).size();
    List<Attempt> refused = new ArrayList<>();
    for (int way = 0; way < ways; way++) {
      List<Attempt> attempts = new ArrayList<>();
      for (List<Release> releases : candidates) {
        attempts.add(attempt(releases, options.problems(releases.get(0).schema()).get(way)));
      }
      Optional<Attempt> least =
          attempts.stream()
              .filter(attempt -> attempt.fit().isPresent())
              .min(Comparator.comparingDouble(attempt -> attempt.fit().get().predictedExcess()));
      if (least.isPresent()) {
        say(attempts, least.get());
        return least.get();
      }
      refused.addAll(attempts);
    }
    throw new NoFitException(
        String.join(
            System.lineSeparator(),
            refused.stream()
                .map(attempt -> attempt.name() + ": " + attempt.reason())
                .distinct()
                .toList()));
  }

  private static Attempt attempt(List<Release> releases, RegressionProblem problem) {
    FitOutcome outcome;
    try {
      outcome = Regression.fit(FitInput.of(releases), problem);
    } catch (IllegalArgumentException e) { // no input of a regression, or no sum
      return new Attempt(releases, Optional.empty(), e.getMessage());
    }
    if (outcome instanceof FitOutcome.Fitted fitted) {
      return new Attempt(releases, Optional.of(fitted.fit()), "");
    }
    return new Attempt(releases, Optional.empty(), ((FitOutcome.Refused) outcome).reason());
  }

  private void say(List<Attempt> attempts, Attempt best) {
    if (attempts.size() > 1) {
      attempts.forEach(attempt -> err.println(attempt.name() + ": " + outlook(attempt)));
      err.println("taken: " + best.name() + ", the smallest error that a release promises");
    }
    if (best.releases().size() > 1) {
      err.println("merged " + best.releases().size() + " epochs: " + best.name());
    }
    err.flush();
  }

  private static String outlook(Attempt attempt) {
    return attempt
        .fit()
        .map(
            fit ->
                String.format(
                    Locale.ROOT,
                    "%s, expected %.3g %% above the non-private fit",
                    fit.loss(),
                    100.0 * fit.predictedExcess()))
        .orElseGet(() -> "no fit: " + attempt.reason());
  }

  private static Map<String, Object> guarantee(List<Release> releases) {
    Guarantee guarantee = releases.get(0).guarantee();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("releases", releases.stream().map(release -> release.id().toString()).toList());
    all.putAll(
        JsonMapper.builder()
            .build()
            .convertValue(
                GuaranteeJson.write(guarantee), new TypeReference<Map<String, Object>>() {}));
    String merged =
        releases.size() == 1
            ? ""
            : " Merged from "
                + releases.size()
                + " epochs, each with this guarantee: a row is in one of them, so that it holds for all"
                + " of them together.";
    all.put("sentence", guarantee.sentence() + merged);
    return all;
  }
}

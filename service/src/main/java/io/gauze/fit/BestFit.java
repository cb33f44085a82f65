package io.gauze.fit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitQuality;
import io.gauze.regression.RegressionProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The fit with the smallest predicted excess that several sources give for one question.
 *
 * @param attempts the attempt on each source; if no source gave a fit, the attempts on every form
 *     of the question that the source might answer
 * @param best the attempt that is used, if there is a fit
 */
public record BestFit(List<Attempt> attempts, Optional<Attempt> best) {
  /**
   * An attempt to fit one source.
   *
   * @param fit empty if there is none
   * @param reason the reason if there is none
   */
  public record Attempt(FitSource source, Optional<Fit> fit, String reason) {
    /**
     * What the predicted excess of the fit means.
     *
     * @throws java.util.NoSuchElementException if there is no fit
     */
    public FitQuality verdict() {
      return source.verdict(fit.orElseThrow());
    }

    /**
     * Returns the report of the fit.
     *
     * @param userUnits whether it is in the columns' own units; if not, in the encoded scale
     * @param level the probability of each interval, in (0, 1)
     * @throws java.util.NoSuchElementException if there is no fit
     */
    public FitReport report(boolean userUnits, double level) {
      FitReport.Scale scale = new FitReport.Scale(source.schema(), userUnits, level);
      return FitReport.ofRelease(fit.orElseThrow(), source, scale);
    }

    // The predicted excess of a fit of selected features leaves out what the others would explain,
    // so that it compares with no other: it comes after all complete fits that are of use.
    private int rank() {
      boolean isUseless = verdict() == FitQuality.USELESS;
      return isUseless ? 2 : source.hasFeatures(fit.orElseThrow()) ? 0 : 1;
    }
  }

  /** Creates a result with a copy of the attempts. */
  public BestFit {
    attempts = List.copyOf(attempts);
  }

  /**
   * Fits every source.
   *
   * @param sources at least one, of one schema
   * @throws IllegalArgumentException if a column does not exist; the message names the nearest one
   */
  public static BestFit of(List<FitSource> sources, FitQuestion question) {
    List<List<RegressionProblem>> problems =
        sources.stream().map(source -> question.problems(source.schema())).toList();
    List<Attempt> refused = new ArrayList<>();
    for (int way = 0; way < problems.get(0).size(); way++) {
      List<Attempt> attempts = new ArrayList<>();
      for (int k = 0; k < sources.size(); k++) {
        attempts.add(attempt(sources.get(k), problems.get(k).get(way)));
      }
      Optional<Attempt> least =
          attempts.stream()
              .filter(attempt -> attempt.fit().isPresent())
              .min(
                  Comparator.comparingInt(Attempt::rank)
                      .thenComparingDouble(attempt -> attempt.fit().get().predictedExcess()));
      if (least.isPresent()) {
        return new BestFit(attempts, least);
      }
      boolean first = way == 0;
      boolean second = way == 1; // what the last way is for, the reasons of the others say
      attempts.stream()
          .filter(attempt -> first || (second && attempt.source().hasBends()))
          .forEach(refused::add);
    }
    return new BestFit(refused, Optional.empty());
  }

  /** Fits one problem on one source. */
  public static Attempt attempt(FitSource source, RegressionProblem problem) {
    FitOutcome outcome = source.fit(problem);
    return outcome instanceof FitOutcome.Fitted fitted
        ? new Attempt(source, Optional.of(fitted.fit()), "")
        : new Attempt(source, Optional.empty(), ((FitOutcome.Refused) outcome).reason());
  }

  /** Returns why there is no fit: each source and its reason. */
  public String reasons(String separator) {
    return attempts.stream()
        .map(attempt -> attempt.source().name() + ": " + attempt.reason())
        .distinct()
        .collect(Collectors.joining(separator));
  }

  /**
   * Returns the report of the best fit.
   *
   * @param userUnits whether it is in the columns' own units; if not, in the encoded scale
   * @param level the probability of each interval, in (0, 1)
   * @throws java.util.NoSuchElementException if there is none
   */
  public FitReport report(boolean userUnits, double level) {
    return best.orElseThrow().report(userUnits, level);
  }

  /**
   * Returns an object after the releases that the best fit comes from.
   *
   * @throws java.util.NoSuchElementException if there is none
   */
  public ObjectNode withReleases(ObjectNode answer) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ArrayNode releases = all.putArray("releases");
    best.orElseThrow().source().ids().forEach(id -> releases.add(id.toString()));
    return all.setAll(answer);
  }
}

package io.gauze.demo;

import io.gauze.demo.DemoResult.DemoFit;
import io.gauze.local.LocalSketch;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.message.Message;
import io.gauze.noise.Randomness;
import io.gauze.payload.Payload;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.release.Release;
import io.gauze.row.EncodedRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Sketches the same rows with every mechanism, each in its own stream with the whole budget. This
 * is for comparison: publishing several of the releases would spend the budget several times. The
 * releases are not written anywhere. Holds all encoded rows.
 */
final class Alternatives {
  private final String response;
  private final Map<String, LocalSketch> sketches = new LinkedHashMap<>();
  private final Map<String, String> impossible = new LinkedHashMap<>();
  private final boolean readsTwice;
  private final List<EncodedRow> rows = new ArrayList<>(); // for second readings

  /**
   * Creates an empty sketch of each mechanism.
   *
   * @param stream the stream whose columns, budget and expected rows are used; its sketches are not
   * @param response the column that will be explained; also the column of mechanisms that need one
   */
  Alternatives(StreamRequest stream, String response) {
    this.response = response;
    for (String mechanism : Mechanisms.names()) {
      try {
        StreamPlan plan = StreamPlan.of(alone(stream, mechanism, response));
        sketches.put(mechanism, new LocalSketch(plan, Randomness.SYSTEM));
      } catch (IllegalArgumentException e) {
        impossible.put(mechanism, e.getMessage());
      }
    }
    this.readsTwice = sketches.values().stream().anyMatch(LocalSketch::readsTwice);
  }

  private static StreamRequest alone(StreamRequest stream, String mechanism, String response) {
    Map<String, String> options = new LinkedHashMap<>();
    for (MechanismOption option : Mechanisms.options(mechanism)) {
      if (option.kind() == MechanismOption.Kind.COLUMN && !option.planned()) {
        options.put(option.name(), response);
      }
    }
    return stream.withSketches(List.of(new SketchRequest(mechanism, mechanism, 1.0, options)));
  }

  /** Adds a row to all sketches, and keeps a copy for those that read it twice. */
  void add(EncodedRow row) {
    sketches.values().forEach(sketch -> sketch.add(row));
    if (readsTwice) {
      EncodedRow copy = new EncodedRow(row.dimension());
      System.arraycopy(row.values(), 0, copy.values(), 0, row.dimension());
      rows.add(copy);
    }
  }

  private Release release(LocalSketch sketch) {
    if (sketch.readsTwice()) {
      sketch.readAgain();
      rows.forEach(sketch::add);
    }
    return sketch.release().get(0);
  }

  /**
   * Fits a release of each mechanism; must be called only once.
   *
   * @param exact exact moments, for the errors
   * @param best the RMSE of the non-private fit in the response's unit, if there is one
   */
  List<DemoFit> fits(ExactMoments exact, Optional<Double> best) {
    List<DemoFit> fits = new ArrayList<>();
    for (String mechanism : Mechanisms.names()) {
      fits.add(
          sketches.containsKey(mechanism)
              ? fit(release(sketches.get(mechanism)), exact, best)
              : none(mechanism, impossible.get(mechanism), Optional.empty()));
    }
    return fits;
  }

  private DemoFit fit(Release release, ExactMoments exact, Optional<Double> best) {
    Optional<String> promise = Optional.of(release.guarantee().promise());
    FitOutcome outcome;
    try {
      outcome = Regression.fit(FitInput.of(release), problem(release));
    } catch (IllegalArgumentException e) { // a payload that no regression takes
      return none(release.mechanism(), e.getMessage(), promise);
    }
    if (outcome instanceof FitOutcome.Refused refused) {
      return none(release.mechanism(), refused.reason(), promise);
    }
    var fit = ((FitOutcome.Fitted) outcome).fit();
    CoefficientTable user = fit.inUserUnits(release.schema());
    double rmse = exact.rmse(fit) * release.schema().half(fit.problem().response());
    return new DemoFit(
        release.mechanism(),
        fit.loss(),
        DemoResult.byName(user.names(), user.estimates()),
        DemoResult.byName(user.names(), user.standardErrors()),
        DemoResult.intervals(user),
        Optional.of(rmse),
        best.map(least -> rmse / least - 1),
        promise,
        fit.warnings());
  }

  /**
   * Returns a problem with least squares, or with least absolute deviations for payloads made for
   * them.
   */
  private RegressionProblem problem(Release release) {
    RegressionProblem squares = RegressionProblem.of(release.schema(), response);
    boolean absolute =
        release.payload() instanceof Payload.Strata
            || release.payload() instanceof Payload.ResidualStrata
            || release.payload() instanceof Payload.WeightedBuckets
            || (release.payload() instanceof Payload.Model model && !model.loss().isSquared());
    return absolute
        ? squares
            .withLoss(Loss.ABSOLUTE)
            .withPenalty(new Penalty(OptionalDouble.empty(), 0.0, false))
        : squares;
  }

  private static DemoFit none(String mechanism, String reason, Optional<String> guarantee) {
    return new DemoFit(
        mechanism,
        "none",
        Map.of(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        guarantee,
        List.of(new Message("", reason, "")));
  }
}

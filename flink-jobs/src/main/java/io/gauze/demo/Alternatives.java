package io.gauze.demo;

import io.gauze.demo.DemoResult.DemoFit;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitSource;
import io.gauze.fit.Term;
import io.gauze.local.LocalSketch;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.twostage.TransformedStrata;
import io.gauze.noise.Randomness;
import io.gauze.payload.Payload;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.Fit;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
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
              : DemoFit.none(mechanism, impossible.get(mechanism), Optional.empty()));
    }
    return fits;
  }

  private DemoFit fit(Release release, ExactMoments exact, Optional<Double> best) {
    String mechanism = release.mechanism();
    String promise = release.guarantee().promise();
    BestFit.Attempt attempt = BestFit.attempt(FitSource.of(List.of(release)), problem(release));
    if (attempt.fit().isEmpty()) {
      return DemoFit.none(mechanism, attempt.reason(), Optional.of(promise));
    }
    Fit fit = attempt.fit().get();
    double rmse = exact.rmse(fit) * release.schema().half(fit.problem().response());
    return DemoFit.of(mechanism, attempt.report(true, Term.USUAL_LEVEL), rmse, best, promise);
  }

  /**
   * Returns a problem with least squares, or with least absolute deviations for payloads made for
   * them.
   */
  private RegressionProblem problem(Release release) {
    RegressionProblem squares = RegressionProblem.of(release.schema(), response);
    boolean absolute =
        release.payload() instanceof Payload.Strata
            || release.payload() instanceof TransformedStrata
            || release.payload() instanceof Payload.WeightedBuckets
            || (release.payload() instanceof Payload.Model model && !model.loss().isSquared());
    return absolute
        ? squares
            .withLoss(Loss.ABSOLUTE)
            .withPenalty(new Penalty(OptionalDouble.empty(), 0.0, false))
        : squares;
  }
}

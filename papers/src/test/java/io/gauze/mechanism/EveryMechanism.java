package io.gauze.mechanism;

import io.gauze.mechanism.descent.DescentModel;
import io.gauze.mechanism.model.HuberTrack;
import io.gauze.mechanism.model.IrlsTrack;
import io.gauze.mechanism.model.LogisticModel;
import io.gauze.mechanism.moments.NoisyCountSketch;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.mechanism.moments.StratifiedMomentsNoise;
import io.gauze.mechanism.papers.NoisyMultilevelSketch;
import io.gauze.mechanism.papers.ReweightedModel;
import io.gauze.mechanism.papers.SquaresModel;
import io.gauze.mechanism.twostage.TwoStageMoments;
import io.gauze.mechanism.twostage.TwoStageStrata;
import io.gauze.plan.StreamPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Streams of every mechanism of a kind, those of papers among them. */
public final class EveryMechanism {
  private EveryMechanism() {}

  /** The names of the mechanisms of papers. */
  public static List<String> ofPapers() {
    String papers = NoisyMultilevelSketch.class.getPackageName();
    return ServiceLoader.load(MechanismProvider.class).stream()
        .filter(provider -> provider.type().getPackageName().equals(papers))
        .map(provider -> provider.get().kind().name())
        .toList();
  }

  /** One sketch for each additive mechanism. */
  public static StreamPlan gaussians() {
    return StreamPlan.of(
        Fixtures.request(
            Fixtures.schema(),
            Fixtures.BUDGET,
            Mechanisms.additive().stream()
                .map(EveryMechanism::gaussian)
                .toArray(SketchRequest[]::new)));
  }

  /** A sketch of an additive mechanism. */
  public static SketchRequest gaussian(String mechanism) {
    return switch (mechanism) {
      case NoisyMoments.NAME -> Fixtures.MOMENTS;
      case NoisyCountSketch.NAME -> Fixtures.BUCKETS;
      case StratifiedMomentsNoise.NAME ->
          new SketchRequest("strata", mechanism, 1.0, Map.of("strata", "2"));
      case NoisyMultilevelSketch.NAME ->
          new SketchRequest(
              "levels",
              mechanism,
              1.0,
              Map.of("rows", "6", "levels", "2", "samplingBase", "2", "level0Buckets", "2"));
      default -> new SketchRequest(mechanism, mechanism, 1.0, Map.of());
    };
  }

  /** The names of the mechanisms that allow the units user and key. */
  public static List<String> ofAllUnits() {
    List<String> names = new ArrayList<>(Mechanisms.names());
    names.removeAll(
        List.of(
            TwoStageStrata.NAME,
            TwoStageMoments.NAME,
            DescentModel.NAME,
            DescentModel.HUBER,
            DescentModel.QUANTILE,
            HuberTrack.NAME,
            IrlsTrack.NAME,
            LogisticModel.NAME,
            ReweightedModel.NAME,
            SquaresModel.NAME));
    return names;
  }
}

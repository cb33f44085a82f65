package io.gauze.plan;

import io.gauze.accounting.Guarantee;
import io.gauze.accounting.MechanismCost;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SecondReadingMechanism;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a stream's releases promise, in words.
 *
 * @param request the stream
 * @param sketches its sketches and models
 */
record StreamGuarantee(StreamRequest request, List<SketchPlan> sketches) {
  private static final String CHECKPOINT =
      "One stolen checkpoint alone, of a job without other streams of these rows, shows, beside the"
          + " exact numbers of rows read so far and in which groups and epochs there are any, no"
          + " more than a release does; with the release, or with another checkpoint, it gives away"
          + " the exact sum of the rows in between.";

  private static final String RANGES =
      " Since rows are read twice, it also shows between which offsets of the log the rows of each"
          + " epoch lie, until the epoch is released.";

  private static final String NO_SUMS =
      "A stolen checkpoint holds no row and no sum of rows. It shows the exact numbers of rows read"
          + " so far, in which groups and epochs there are any, between which offsets of the log"
          + " the rows of each epoch lie until it is released, and models that wait for their"
          + " release.";

  private static final List<String> ASSUMPTIONS =
      List.of(
          "other rows keep their values, groups and epochs whether or not this one is there",
          "AES-256 in counter mode, HMAC-SHA-256 and the operating system's generator cannot be"
              + " told from random bits");

  private static final String SEEN =
      "nothing but releases is seen: no checkpoint, rejected or late row, log, metric or timing";

  private static final String SEEN_ONCE =
      "nothing but releases and one checkpoint is seen: no second checkpoint, rejected or late row,"
          + " log, metric or timing";

  private static final String BEFORE_OR_AFTER =
      "other rows are read before a stolen checkpoint or after it whether or not this one is there,"
          + " and each epoch that is open in it is released by a job that went on from it or from a"
          + " later one";

  private static final String TWO_NOISES =
      "One stolen checkpoint or savepoint, once in the life of the stream, and all releases"
          + " together keep this guarantee, but for the exact numbers of rows read so far, and in"
          + " which groups and epochs there are any, which the checkpoint shows: a second noise as"
          + " wide as the first hides the rows between it and the release. Two checkpoints give"
          + " away the exact sum of the rows between them.";

  private static final String GAUSSIAN =
      "Gaussian noise of that size by Balle and Wang, Improving the Gaussian mechanism,"
          + " ICML 2018, theorem 8; sketches composed exactly by Dong, Roth and Su, Gaussian"
          + " differential privacy, JRSS B 84 (2022), corollary 3.3; the samplers' distance from"
          + " their law is paid for out of delta";

  private static final String ALONE =
      "the noise is the least that keeps the budget; where samplers have a distance from their law,"
          + " it is paid for out of delta";

  private static final String ITS_EPSILON =
      "the mechanism has at most this epsilon by itself; delta is for what its proof needs of it,"
          + " and for samplers' distance from their law";

  private static final String MIXED =
      "sketches composed by their privacy-loss distributions, discretised and rounded up after"
          + " Doroshenko, Ghazi, Kamath, Kumar and Manurangsi, Connect the dots, PoPETs 2022; where"
          + " samplers have a distance from their law, it is paid for out of delta";

  Guarantee of(Randomness randomness) {
    Set<String> assumptions = new LinkedHashSet<>(request.assumptions());
    assumptions.addAll(ASSUMPTIONS);
    if (request.checkpointLeaks() > 0) {
      assumptions.add(BEFORE_OR_AFTER);
    }
    assumptions.add(request.checkpointLeaks() > 0 ? SEEN_ONCE : SEEN);
    Set<String> reasons = new LinkedHashSet<>();
    boolean idealised = false;
    for (SketchPlan sketch : sketches) {
      MechanismKind kind = Mechanisms.kind(sketch.mechanism().name());
      assumptions.addAll(kind.proof().assumptions());
      reasons.add(kind.proof().basis());
      idealised |= kind.proof().idealised();
    }
    rowLimit().ifPresent(assumptions::add);
    return new Guarantee(
        request.budget().epsilon(),
        request.budget().delta(),
        request.budget().neighbours(),
        request.unit().kind(),
        List.copyOf(assumptions),
        String.join("; ", reasons)
            + "; "
            + request.scope().basis()
            + composition()
            + request.ranges().basis(),
        idealised,
        checkpoint(),
        randomness.description(),
        randomness.isPrivate());
  }

  /** Returns the limit of rows of the model that takes the fewest; empty if none has a limit. */
  private Optional<String> rowLimit() {
    return sketches.stream()
        .map(SketchPlan::mechanism)
        .filter(RowsMechanism.class::isInstance)
        .mapToInt(mechanism -> ((RowsMechanism) mechanism).mostRows())
        .boxed()
        .min(Comparator.naturalOrder())
        .map(
            most ->
                String.format(
                    Locale.ROOT,
                    "an epoch and group has at most %,d rows: with more a model is not made, which"
                        + " is seen",
                    most));
  }

  private String composition() {
    List<MechanismCost> costs = sketches.stream().map(s -> s.mechanism().cost()).toList();
    boolean gaussian = costs.stream().allMatch(cost -> cost.gaussianMu().isPresent());
    boolean alone =
        sketches.size() == 1
            && request.releases().freshReleases() == 1
            && request.rangeShare() == 0.0;
    if (gaussian) {
      return GAUSSIAN;
    }
    return alone ? (costs.get(0).hasLargestLoss() ? ITS_EPSILON : ALONE) : MIXED;
  }

  private String checkpoint() {
    String units = request.unit().checkpoint();
    return request
        .releases()
        .checkpoint()
        .orElseGet(() -> units.isEmpty() ? sums() : units + " " + sums());
  }

  private String sums() {
    List<String> bare =
        sketches.stream()
            .filter(sketch -> !sketch.mechanism().noiseInState())
            .map(SketchPlan::name)
            .toList();
    if (sketches.stream().allMatch(each -> Mechanisms.keepsNoSums(each.mechanism().spec()))) {
      return NO_SUMS;
    }
    if (bare.isEmpty()) {
      boolean readTwice =
          sketches.stream()
              .map(SketchPlan::mechanism)
              .anyMatch(SecondReadingMechanism.class::isInstance);
      return request.checkpointLeaks() > 0 ? TWO_NOISES : CHECKPOINT + (readTwice ? RANGES : "");
    }
    return "NOT COVERED: a checkpoint or savepoint holds the exact sums of "
        + String.join(", ", bare)
        + " without noise until an epoch is released; protect it like the rows.";
  }
}

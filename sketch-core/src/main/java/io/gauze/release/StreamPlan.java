package io.gauze.release;

import io.gauze.privacy.Budget;
import io.gauze.privacy.GaussianDp;
import io.gauze.privacy.Guarantee;
import io.gauze.privacy.PrivacyCost;
import io.gauze.privacy.Randomness;
import io.gauze.privacy.RoundedGaussian;
import io.gauze.row.NearestName;
import io.gauze.row.Neighbours;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SketchSpec;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A stream with the noise of every sketch, such that all sketches of a group and epoch together
 * keep the budget. Immutable; travels to the workers.
 */
public final class StreamPlan implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final String CHECKPOINT =
      "One stolen checkpoint alone shows, beside the exact numbers of rows read so far, no more than"
          + " a release does; with the release, or with another checkpoint, it gives away the exact"
          + " sum of the rows in between.";

  private static final List<String> ASSUMPTIONS =
      List.of(
          "other rows keep their values, groups and epochs whether or not this one is there",
          "AES-256 in counter mode, HMAC-SHA-256 and the operating system's generator cannot be told from"
              + " random bits",
          "nothing but releases is seen: no checkpoint, rejected or late row, log, metric or timing");

  private final StreamRequest request;
  private final String encodingVersion;
  private final double mu;
  private final double samplerDelta;
  private final List<SketchPlan> sketches;

  private StreamPlan(
      StreamRequest request, double mu, double samplerDelta, List<SketchPlan> sketches) {
    this.request = request;
    this.encodingVersion = Fingerprint.encoding(request.schema());
    this.mu = mu;
    this.samplerDelta = samplerDelta;
    this.sketches = List.copyOf(sketches);
  }

  /**
   * Plans the noise.
   *
   * @throws IllegalArgumentException if the budget asks for noise that the grid cannot carry, or is
   *     so loose or its delta so small that the samplers' distance from their laws uses it up
   */
  public static StreamPlan of(StreamRequest request) {
    Budget budget = request.budget();
    double[] weights = request.sketches().stream().mapToDouble(SketchRequest::weight).toArray();
    // The shapes come first, since the noise depends on the number of entries, if ever so slightly.
    double[] shares = GaussianDp.split(GaussianDp.mu(budget.epsilon(), budget.delta()), weights);
    List<SketchSpec> specs = new ArrayList<>();
    long entries = 0;
    for (int i = 0; i < shares.length; i++) {
      SketchRequest sketch = request.sketches().get(i);
      SketchSpec spec = Mechanisms.kind(sketch.mechanism()).size(request, sketch, shares[i]);
      specs.add(spec);
      entries += spec.stateLength();
    }
    double samplerDelta = samplerDelta(budget, entries);
    double mu = GaussianDp.mu(budget.epsilon(), Math.nextDown(budget.delta() - samplerDelta));
    double[] parts = GaussianDp.split(mu, weights);
    List<SketchPlan> sketches = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      sketches.add(calibrate(request, request.sketches().get(i), specs.get(i), parts[i]));
    }
    return new StreamPlan(request, mu, samplerDelta, sketches);
  }

  /** What the samplers' distance from their laws costs. */
  private static double samplerDelta(Budget budget, long entries) {
    // Let eta bound the total variation between the noise of one cell (group and epoch) as sampled
    // and as proved: at most entries * TOTAL_VARIATION. Only the cells that the row touches differ
    // between neighbours, two of them if a replaced row moves. For sampled P, P' and exact Q, Q':
    //   P(E) <= Q(E) + eta <= e^eps Q'(E) + delta' + eta <= e^eps (P'(E) + eta) + delta' + eta.
    double eta = samplerDistance(budget, entries);
    double cost = (1.0 + Math.exp(budget.epsilon())) * eta;
    if (!(cost < Budget.LARGEST_DELTA)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "epsilon must be smaller: the distance of %d noise samples from their law would cost"
                  + " a delta of %.3g. Provided value: %s",
              cells(budget) * entries,
              cost,
              budget.epsilon()));
    }
    if (!(budget.delta() - cost > 0.0)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "delta must be above %.3g, which the distance of %d noise samples from their law costs"
                  + " at epsilon %s. Provided value: %s",
              cost,
              cells(budget) * entries,
              budget.epsilon(),
              budget.delta()));
    }
    return cost;
  }

  private static double samplerDistance(Budget budget, long entries) {
    return cells(budget) * entries * RoundedGaussian.TOTAL_VARIATION;
  }

  private static int cells(Budget budget) {
    return budget.neighbours() == Neighbours.ADD_REMOVE ? 1 : 2;
  }

  private static SketchPlan calibrate(
      StreamRequest request, SketchRequest sketch, SketchSpec spec, double mu) {
    try {
      AdditiveMechanism mechanism =
          Mechanisms.kind(sketch.mechanism()).calibrate(request, spec, mu);
      return new SketchPlan(sketch.name(), sketch.weight(), mechanism);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("sketch " + sketch.name() + ": " + e.getMessage(), e);
    }
  }

  /** The stream's name. */
  public String stream() {
    return request.stream();
  }

  /** The public description of the rows. */
  public RowSchema schema() {
    return request.schema();
  }

  /** For all sketches of one group and epoch together. */
  public Budget budget() {
    return request.budget();
  }

  /** What the plan was made for. */
  public StreamRequest request() {
    return request;
  }

  /** The sketches, in the order of the request; immutable. */
  public List<SketchPlan> sketches() {
    return sketches;
  }

  /**
   * The sketch of this name.
   *
   * @throws IllegalArgumentException if there is none; the message names the nearest
   */
  public SketchPlan sketch(String name) {
    for (SketchPlan sketch : sketches) {
      if (sketch.name().equals(name)) {
        return sketch;
      }
    }
    List<String> names = sketches.stream().map(SketchPlan::name).toList();
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "sketch must be one of the stream's; the nearest is %s. Provided value: %s",
            NearestName.of(name, names),
            name));
  }

  /**
   * SHA-256 of the encoding, in hexadecimal digits: columns, ranges, intercept, row bound, grid and
   * what to do with missing values. Releases of equal versions may be added up.
   */
  public String encodingVersion() {
    return encodingVersion;
  }

  /**
   * A fingerprint of columns, budget and sketches, for one way to cut the stream into epochs: state
   * and releases of different series never mix.
   *
   * @param epochs how the stream is cut, in words
   */
  public String series(String epochs) {
    return Fingerprint.series(this, epochs);
  }

  /** What all sketches together spend, {@code sqrt(sum mu_i^2)} up to rounding down. */
  public double mu() {
    return mu;
  }

  /** The part of delta that is set aside for the samplers' distance from their laws. */
  public double samplerDelta() {
    return samplerDelta;
  }

  /** What the sketches of one group and epoch cost, in their order; immutable. */
  public List<PrivacyCost> costs() {
    return sketches.stream()
        .map(sketch -> (PrivacyCost) new PrivacyCost.Gaussian(sketch.mechanism().mu()))
        .toList();
  }

  /**
   * The total variation between the noise as it is sampled and its law, in all groups and epochs
   * that one row can change.
   */
  public double samplerDistance() {
    long entries =
        sketches.stream().mapToLong(sketch -> sketch.mechanism().spec().stateLength()).sum();
    return samplerDistance(budget(), entries);
  }

  /** The law of each sketch's noise, in words. */
  public List<String> noise() {
    return sketches.stream().map(s -> s.name() + ": " + s.mechanism().noiseLaw()).toList();
  }

  /** What the owner should know before the stream is run; may be empty. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (budget().delta() * request.expectedRows() > 1.0) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "delta %s is above one over expectedRows, %,d: a promise so weak allows whole rows to"
                  + " be published; make it far smaller",
              budget().delta(),
              request.expectedRows()));
    }
    for (SketchPlan sketch : sketches) {
      MechanismKind kind = Mechanisms.kind(sketch.mechanism().name());
      kind.warnings(request, sketch.mechanism())
          .forEach(warning -> warnings.add("sketch " + sketch.name() + ": " + warning));
    }
    return warnings;
  }

  /** What a release of this stream promises, if noise and secrets come from there. */
  public Guarantee guarantee(Randomness randomness) {
    Set<String> assumptions = new LinkedHashSet<>(request.assumptions());
    assumptions.addAll(ASSUMPTIONS);
    Set<String> reasons = new LinkedHashSet<>();
    for (SketchPlan sketch : sketches) {
      MechanismKind kind = Mechanisms.kind(sketch.mechanism().name());
      assumptions.addAll(kind.assumptions());
      reasons.add(kind.basis());
    }
    return new Guarantee(
        budget().epsilon(),
        budget().delta(),
        budget().neighbours(),
        request.unit(),
        List.copyOf(assumptions),
        String.join("; ", reasons)
            + "; Gaussian noise of that size by Balle and Wang, Improving the Gaussian mechanism,"
            + " ICML 2018, theorem 8; sketches composed exactly by Dong, Roth and Su, Gaussian"
            + " differential privacy, JRSS B 84 (2022), corollary 3.3; the samplers' distance from"
            + " their law is paid for out of delta",
        false,
        CHECKPOINT,
        randomness.description(),
        randomness.isPrivate());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StreamPlan that
        && request.equals(that.request)
        && sketches.equals(that.sketches);
  }

  @Override
  public int hashCode() {
    return request.hashCode();
  }

  @Override
  public String toString() {
    return "StreamPlan[" + stream() + ", " + budget() + ", " + noise() + "]";
  }
}

package io.gauze.plan;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.mechanism.Cumulative;
import io.gauze.mechanism.LeakProtection;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.mechanism.ranges.ColumnRanges;
import io.gauze.message.Message;
import io.gauze.message.NearestName;
import io.gauze.message.PlanMessage;
import io.gauze.noise.Randomness;
import io.gauze.noise.RoundedGaussian;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.EstimatedColumn;
import io.gauze.row.RangeGrid;
import io.gauze.row.RowSchema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A stream with the calibrated noise of every sketch. All sketches together keep the budget: over
 * all epochs if the unit is a row, over one epoch if it is a user, over all snapshots if it is a
 * key. Immutable; serialized to the workers.
 */
public final class StreamPlan implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * The relative part of delta that is left for rounding when the costs of many snapshots are added
   * up.
   */
  private static final double ROUNDING = 1e-9;

  /**
   * The smallest epsilon that an error message suggests. If the budget can be kept only with a
   * smaller one, the message asks for more delta.
   */
  private static final double LEAST_REMEDY = 1.0;

  private final StreamRequest request;
  private final String encodingVersion;
  private final double samplerDistance;
  private final double samplerDelta;
  private final List<SketchPlan> sketches;

  private StreamPlan(
      StreamRequest request,
      double samplerDistance,
      double samplerDelta,
      List<SketchPlan> sketches) {
    this.request = request;
    this.encodingVersion = StreamFingerprints.encoding(request.schema());
    this.samplerDistance = samplerDistance;
    this.samplerDelta = samplerDelta;
    this.sketches = List.copyOf(sketches);
  }

  /**
   * Plans the noise.
   *
   * @throws IllegalArgumentException if the row bound is above the largest norm that a row can have
   *     by more than 1 %, if the budget needs noise that the grid does not support, or if epsilon
   *     is so large or delta so small that the samplers' distance from their laws uses delta up
   */
  public static StreamPlan of(StreamRequest request) {
    RowSchema schema = request.schema();
    RowSchema.usefulBound(schema.rowBound(), schema.largestNorm());
    Budget budget = request.budget();
    List<UncalibratedMechanism> drafts = drafts(request);
    double noises = cells(request) * (1.0 + request.checkpointLeaks());
    double distance =
        noises * (drafts.stream().mapToDouble(d -> distance(request, d)).sum() + ranges(request));
    int releases = request.releases().freshReleases();
    double own = releases * drafts.stream().mapToDouble(StreamPlan::ownDelta).sum();
    double samplerDelta = samplerDelta(budget, budget.delta() - own, releases * distance);
    double delta = budget.delta() - samplerDelta;
    Budget left =
        budget(
            budget,
            releases == 1 && request.rangeShare() == 0.0 ? delta : delta * (1.0 - ROUNDING));
    List<MechanismCost> costs =
        request.countsRanges()
            ? List.of(new MechanismCost.Gaussian(request.rangesMu()))
            : costs(request, drafts, left);
    return new StreamPlan(request, distance, samplerDelta, calibrate(request, drafts, costs));
  }

  private static List<UncalibratedMechanism> drafts(StreamRequest request) {
    boolean unknown =
        request.schema().columns().stream().anyMatch(EstimatedColumn.class::isInstance);
    if (unknown) {
      request.sketches().forEach(StreamPlan::requireRanges);
    }
    Budget budget = request.budget();
    double[] weights = request.sketches().stream().mapToDouble(SketchRequest::weight).toArray();
    // The shapes come first, since the noise depends slightly on the number of entries.
    double mu = GaussianDp.mu(budget.epsilon(), budget.delta());
    double part = request.rangeShare();
    double left = Math.sqrt(request.countsRanges() ? part : 1.0 - part);
    double[] sizes = GaussianDp.split(part == 0.0 ? mu : mu * left, weights);
    List<UncalibratedMechanism> drafts = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      SketchRequest sketch = request.sketches().get(i);
      double size = sizes[i];
      drafts.add(named(sketch, () -> Mechanisms.sized(request, sketch, size)));
    }
    return drafts;
  }

  private static void requireRanges(SketchRequest sketch) {
    if (!sketch.mechanism().equals(ColumnRanges.NAME)) {
      throw new IllegalArgumentException(
          "sketch "
              + sketch.name()
              + ": mechanism must be ranges where a column has range: estimate, until it is chosen."
              + " Provided value: "
              + sketch.mechanism());
    }
  }

  /**
   * Returns the plan of the same sketches, at the same costs, for rows of another encoding. The
   * encoding may depend on a release that this plan's costs leave room for.
   *
   * @param schema of as many encoded columns
   * @return the plan; empty if a sketch would have another law or size there, whose cost might
   *     differ
   */
  // The costs are those of this plan, so that they do not depend on what the schema was chosen by.
  public Optional<StreamPlan> withSchema(RowSchema schema) {
    return as(request.withSchema(schema));
  }

  /** Returns the plan of the same sketches, at the same costs, for a request that differs. */
  Optional<StreamPlan> as(StreamRequest other) {
    RowSchema.usefulBound(other.schema().rowBound(), other.schema().largestNorm());
    List<UncalibratedMechanism> drafts = drafts(request);
    List<UncalibratedMechanism> theirs = drafts(other);
    for (int i = 0; i < theirs.size(); i++) {
      UncalibratedMechanism mine = drafts.get(i);
      if (!theirs.get(i).family().equals(mine.family())
          || theirs.get(i).samplerDistance() != mine.samplerDistance()
          || theirs.get(i).spec().stateLength() != mine.spec().stateLength()) {
        return Optional.empty();
      }
    }
    return Optional.of(
        new StreamPlan(other, samplerDistance, samplerDelta, calibrate(other, theirs, costs())));
  }

  /**
   * Returns the plan of counts that this plan leaves room for.
   *
   * @param cost what is left for them
   */
  StreamPlan counts(StreamRequest counts, MechanismCost.Gaussian cost) {
    return new StreamPlan(
        counts, samplerDistance, samplerDelta, calibrate(counts, drafts(counts), List.of(cost)));
  }

  /** Returns the sampler distance of the counts of ranges, beside sketches that use the ranges. */
  private static double ranges(StreamRequest request) {
    return !request.ranges().counts() || request.countsRanges()
        ? 0.0
        : request.schema().columns().size() * RangeGrid.CELLS * RoundedGaussian.TOTAL_VARIATION;
  }

  /**
   * Returns the sampler distance of the noise of one cell; for cumulative releases, that of all of
   * them together.
   */
  private static double distance(StreamRequest request, UncalibratedMechanism draft) {
    return request.releases().samplerDistance(draft.samplerDistance(), draft.spec().stateLength());
  }

  /** Returns the part of delta that a mechanism needs whatever its size. */
  private static double ownDelta(UncalibratedMechanism draft) {
    return draft.family() instanceof BudgetSplit.Approximate approximate
        ? approximate.delta()
        : 0.0;
  }

  private static Budget budget(Budget budget, double delta) {
    return new Budget(budget.epsilon(), Math.nextDown(delta), budget.neighbours());
  }

  private static List<MechanismCost> costs(
      StreamRequest request, List<UncalibratedMechanism> drafts, Budget budget) {
    List<BudgetSplit.Part> parts = new ArrayList<>();
    for (int i = 0; i < drafts.size(); i++) {
      parts.add(new BudgetSplit.Part(drafts.get(i).family(), request.sketches().get(i).weight()));
    }
    int releases = request.releases().freshReleases();
    return BudgetSplit.of(budget, parts, releases, request.rangesMu());
  }

  private static List<SketchPlan> calibrate(
      StreamRequest request, List<UncalibratedMechanism> drafts, List<MechanismCost> costs) {
    List<SketchPlan> sketches = new ArrayList<>();
    for (int i = 0; i < drafts.size(); i++) {
      SketchRequest sketch = request.sketches().get(i);
      Function<MechanismCost, Mechanism> calibration = drafts.get(i).calibrate();
      MechanismCost cost = costs.get(i);
      sketches.add(
          new SketchPlan(
              sketch.name(),
              sketch.weight(),
              named(sketch, () -> placed(request, calibration.apply(cost)))));
    }
    return sketches;
  }

  /** Converts the mechanism to one that adds its noise when this request needs it. */
  private static Mechanism placed(StreamRequest request, Mechanism mechanism) {
    return request.checkpointLeaks() > 0
        ? new LeakProtection((AdditiveMechanism) mechanism)
        : request.releases().place(mechanism);
  }

  /**
   * Runs the supplier and prepends the sketch's name to the message of an IllegalArgumentException.
   */
  private static <T> T named(SketchRequest sketch, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      String kind = Mechanisms.models().contains(sketch.mechanism()) ? "model " : "sketch ";
      throw new IllegalArgumentException(kind + sketch.name() + ": " + e.getMessage(), e);
    }
  }

  /** Returns the part of delta that covers the samplers' distance from their laws. */
  // Let eta bound the total variation between the noise as sampled and as proved, over all cells
  // that the unit touches. (A cell is a group and epoch; for cumulative releases, a group with the
  // noise of all K.) There is one cell for each row of the unit, two if rows are replaced and move;
  // twice as many noises if noise is added twice, and all that again for each snapshot. For sampled
  // P, P' and exact Q, Q':
  //   P(E) <= Q(E) + eta <= e^eps Q'(E) + delta' + eta <= e^eps (P'(E) + eta) + delta' + eta.
  // The cost is a tenth of the spare delta at epsilon = ln(spare / (10 eta) - 1).
  private static double samplerDelta(Budget budget, double spare, double eta) {
    double cost = (1.0 + Math.exp(budget.epsilon())) * eta;
    if (cost < spare) {
      return cost;
    }
    double remedy = Math.floor(10.0 * Math.log(0.1 * spare / eta - 1.0)) / 10.0;
    throw new IllegalArgumentException(
        remedy >= LEAST_REMEDY
            ? tooLoose(budget, remedy)
            : tooTight(budget, eta * budget.delta() / spare));
  }

  private static String tooLoose(Budget budget, double remedy) {
    return String.format(
        Locale.ROOT,
        "epsilon must be smaller with delta %s and these sketches, such as %s: the noise as it is"
            + " drawn is not quite its law, which would cost more than that delta. Provided value:"
            + " %s",
        budget.delta(),
        remedy,
        budget.epsilon());
  }

  private static String tooTight(Budget budget, double needed) {
    // a larger epsilon can be lowered to LEAST_REMEDY
    double epsilon = Math.min(budget.epsilon(), LEAST_REMEDY);
    return String.format(
        Locale.ROOT,
        "delta must be above %.3g, which the distance of the noise from its law costs at epsilon"
            + " %s. Provided value: %s",
        (1.0 + Math.exp(epsilon)) * needed,
        epsilon,
        budget.delta());
  }

  /**
   * Returns the largest number of cells (group and epoch) that one unit can change each time its
   * budget is spent.
   */
  private static double cells(StreamRequest request) {
    boolean removed = request.budget().neighbours() == Neighbours.ADD_REMOVE;
    return request.unit().rows() * (removed ? 1.0 : 2.0);
  }

  /** The stream's name. */
  public String stream() {
    return request.stream();
  }

  /** The public description of the rows. */
  public RowSchema schema() {
    return request.schema();
  }

  /** The budget of all sketches together, see {@link StreamRequest#budget}. */
  public Budget budget() {
    return request.budget();
  }

  /** The request that this plan fulfils. */
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

  /** Returns the kind of the payload of a sketch's releases, and the law of its noise. */
  public Payload payload(String sketch) {
    Mechanism mechanism = sketch(sketch).mechanism();
    return Mechanisms.kind(mechanism.name())
        .payload()
        .apply(
            new PayloadParameters(
                schema(),
                mechanism.parameters(),
                mechanism.settings(),
                mechanism.stepSize(),
                mechanism.sigma(),
                budget().neighbours()));
  }

  /**
   * SHA-256 of the encoding, in hexadecimal digits: columns, ranges, intercept, row bound, grid and
   * the treatment of missing values. Releases of equal encoding versions may be added up.
   */
  public String encodingVersion() {
    return encodingVersion;
  }

  /**
   * Returns a fingerprint of columns, budget and sketches, for one way to cut the stream into
   * epochs. State and releases of different series are never mixed.
   *
   * @param epochs describes how the stream is cut
   */
  public String series(String epochs) {
    return StreamFingerprints.series(this, epochs);
  }

  /** The part of delta that is reserved for the samplers' distance from their laws. */
  public double samplerDelta() {
    return samplerDelta;
  }

  /**
   * The costs of the sketches, in their order; immutable. They are the costs of all epochs together
   * if the unit is a row, of one epoch if it is a user, and of one snapshot if it is a key, in each
   * case with all groups. Without the cost of counted ranges, whose plan is another one.
   */
  public List<MechanismCost> costs() {
    return sketches.stream().map(sketch -> sketch.mechanism().cost()).toList();
  }

  /**
   * The total variation between the noise as it is sampled and its law, over all cells that one
   * unit can change each time these costs are spent.
   */
  public double samplerDistance() {
    return samplerDistance;
  }

  /** Describes the law of each sketch's noise in words. */
  public List<String> noise() {
    return sketches.stream().map(s -> s.name() + ": " + s.mechanism().noiseLaw()).toList();
  }

  /** Returns what the owner should know before a stream without groups is run; may be empty. */
  public List<Message> warnings() {
    return warnings(1);
  }

  /**
   * Returns what the owner should know before a stream with groups is run; may be empty.
   *
   * @param groups the number of groups, at least 1
   */
  public List<Message> warnings(int groups) {
    List<Message> warnings = new ArrayList<>();
    if (budget().delta() * request.expectedRows() > 1.0) {
      long rows = request.expectedRows();
      warnings.add(
          PlanMessage.DELTA.of(
              Double.toString(budget().delta()), rows, "1e-" + Budget.digitsOfDelta(rows)));
    }
    warnings.addAll(SameColumns.warnings(schema().columns()));
    for (SketchPlan sketch : sketches) {
      MechanismKind kind = Mechanisms.kind(sketch.mechanism().name());
      warnings.addAll(kind.warnings().of(request, sketch.name(), sketch.mechanism()));
    }
    Cumulative.warning(sketches.stream().map(SketchPlan::mechanism).toList(), groups)
        .ifPresent(warnings::add);
    return warnings;
  }

  /** Returns the guarantee of a release of this stream for this source of noise and secrets. */
  public Guarantee guarantee(Randomness randomness) {
    return new StreamGuarantee(request, sketches).of(randomness);
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

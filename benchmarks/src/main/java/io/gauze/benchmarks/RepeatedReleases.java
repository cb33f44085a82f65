package io.gauze.benchmarks;

import io.gauze.local.LocalSketch;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.TwoStageMoments;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowBatch;
import io.gauze.row.RowHasher;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Releases of the same rows, each under fresh noise, to measure the law of an error. NOT private: a
 * stream releases a sum once.
 */
final class RepeatedReleases {
  private static final int BATCH = 1024;

  private final StreamPlan plan;
  private final ReleaseId id;
  private final Mechanism mechanism;
  private final LinearSketch<?> sums;
  private final RowHasher hasher;
  private final RowTag tag = new RowTag();
  private final Optional<ModelRows> ofModel; // if it is a model of the rows themselves
  private final RowBatch batch; // rows that are not in the sums yet
  private long rows;
  private boolean isSeries;
  private Optional<PreviousRelease> last = Optional.empty(); // of the series
  private OptionalDouble bound = OptionalDouble.empty(); // that is given

  /** Of a plan of one sketch. */
  RepeatedReleases(StreamPlan plan) {
    this(plan, plan.sketches().get(0).mechanism().spec().zero(), rows(plan));
  }

  private RepeatedReleases(StreamPlan plan, LinearSketch<?> sums, Optional<ModelRows> ofModel) {
    this.plan = plan;
    this.id = LocalSketch.ids(plan).get(0);
    this.mechanism = plan.sketches().get(0).mechanism();
    this.sums = sums;
    this.batch = new RowBatch(plan.schema().dimension(), BATCH);
    this.ofModel = ofModel;
    this.hasher = RowHasher.create(Randomness.SYSTEM.entropy("row hashes")::nextLong);
  }

  private static Optional<ModelRows> rows(StreamPlan plan) {
    return plan.sketches().get(0).mechanism() instanceof RowsMechanism model
        ? Optional.of(model.rows())
        : Optional.empty();
  }

  /**
   * Returns releases of the same rows under another plan, whose sketch sums up the same, or whose
   * model takes the same rows.
   *
   * @throws IllegalArgumentException if it needs more than these sums or other rows
   */
  RepeatedReleases under(StreamPlan other) {
    Mechanism released = other.sketches().get(0).mechanism();
    if (!shape(rows(other)).equals(shape(ofModel))
        || !released.spec().equals(sums.spec())
        || !schema().equals(other.schema())) {
      throw new IllegalArgumentException(released.name() + " needs other sums than these");
    }
    flush();
    return new RepeatedReleases(other, sums, ofModel);
  }

  /** What decides how rows are held: the features and their bound; empty if none are held. */
  private static List<Double> shape(Optional<ModelRows> held) {
    return held.map(rows -> List.of((double) rows.features(), rows.featureBound()))
        .orElse(List.of());
  }

  RowSchema schema() {
    return plan.schema();
  }

  /** Adds a row of which nothing but its sums is needed, clipped and on the grid. */
  void add(EncodedRow row) {
    hasher.tag(0, rows++, tag);
    batch.add(tag, row, 1);
    if (batch.isFull()) {
      flush();
    }
  }

  private void flush() {
    sums.add(batch);
    batch.clear();
  }

  /**
   * Adds a row.
   *
   * @param scaled in the encoded scale, before it is clipped
   * @param row the same, clipped and on the grid
   */
  void add(double[] scaled, EncodedRow row) {
    ofModel.ifPresent(held -> ((RowsMechanism) mechanism).add(held, scaled));
    add(row);
  }

  /** Makes each further release begin with the one before, as in a stream. */
  void inSeries() {
    isSeries = true;
  }

  /**
   * Gives the rows of each further release of two stages this squared bound: {@link GivenBound}.
   */
  void within(double square) {
    bound = OptionalDouble.of(square);
  }

  Release next() {
    Entropy entropy = Randomness.SYSTEM.entropy("noise of " + id + " " + rows);
    return Release.of(plan, id, Randomness.SYSTEM, mechanism.release(complete(entropy), entropy));
  }

  private long[] complete(Entropy entropy) {
    if (isSeries && mechanism instanceof TrackingMechanism tracking) {
      long[] numbers =
          tracking.begin(last, entropy).held().orElseThrow().with(ofModel.orElseThrow()).numbers();
      last = Optional.of(PreviousRelease.of(numbers, 1));
      return numbers;
    }
    if (bound.isPresent() && mechanism instanceof TwoStageMoments moments) {
      RowSums sums = moments.sums(ofModel.orElseThrow(), entropy);
      return GivenBound.numbers(moments, sums, bound.getAsDouble());
    }
    if (mechanism instanceof RowsMechanism model) {
      return model.fit(ofModel.orElseThrow(), entropy);
    }
    flush();
    long[] state = sums.state().clone();
    mechanism.addNoise(state, 0, entropy);
    return state;
  }
}

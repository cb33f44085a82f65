package io.gauze.release;

import io.gauze.accounting.Guarantee;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Cumulative;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Randomness;
import io.gauze.payload.Payload;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * A published private sketch: a header of public configuration and the noisy sums. It contains
 * nothing exact about the data. Immutable; a reader needs nothing else to fit from it.
 */
public final class Release {
  private final ReleaseHeader header;
  private final Payload payload;
  private final long[] numbers;

  Release(ReleaseHeader header, long[] numbers) {
    this.header = header;
    this.payload = header.payload();
    this.numbers = numbers;
    if (numbers.length != payload.length()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "payload of %s must have %d numbers. Provided value: %d",
              payload,
              payload.length(),
              numbers.length));
    }
  }

  /**
   * Creates the release of a finished sketch.
   *
   * @param plan the stream
   * @param id of the plan's stream and one of its sketches
   * @param randomness the source of noise and secrets
   * @param payload the result of {@link Mechanism#release}; copied
   * @throws IllegalArgumentException if the arguments do not fit together
   */
  public static Release of(StreamPlan plan, ReleaseId id, Randomness randomness, long[] payload) {
    if (plan.sketch(id.sketch()).mechanism() instanceof Cumulative) {
      throw new IllegalArgumentException(
          "release must be of a stream that is not cumulative. Provided value: " + id);
    }
    return new Release(ReleaseHeader.of(plan, id, randomness), payload.clone());
  }

  /**
   * Creates one of the cumulative releases of a plan.
   *
   * @param plan the stream, of {@link BudgetScope#cumulative}
   * @param id of the plan's stream and one of its sketches
   * @param randomness the source of noise and secrets
   * @param releaseIndex the index of the release, in [0, K)
   * @param firstEpoch the label of the epoch of release 0
   * @param payload the sum so far, with the noise of this release; copied
   * @throws IllegalArgumentException if the arguments do not fit together
   */
  public static Release cumulative(
      StreamPlan plan,
      ReleaseId id,
      Randomness randomness,
      int releaseIndex,
      String firstEpoch,
      long[] payload) {
    if (!(plan.sketch(id.sketch()).mechanism() instanceof Cumulative series)) {
      throw new IllegalArgumentException(
          "release must be of a cumulative stream. Provided value: " + id);
    }
    return new Release(
        ReleaseHeader.of(plan, series.at(releaseIndex, firstEpoch), id, randomness),
        payload.clone());
  }

  /**
   * Returns true if this release is of a series in which each release contains the rows of the
   * earlier ones, so that two of them must not be added.
   */
  public boolean isCumulative() {
    return parameters().containsKey(Cumulative.RELEASES);
  }

  /**
   * Returns true if this is the cumulative release with this index, in a series that begins with
   * this epoch.
   *
   * @param releaseIndex from 0
   * @param firstEpoch the label of the epoch of release 0
   */
  public boolean isCumulativeRelease(long releaseIndex, String firstEpoch) {
    return isCumulative()
        && Double.valueOf(releaseIndex + 1.0).equals(parameters().get(Cumulative.RELEASE_NUMBER))
        && firstEpoch.equals(settings().get(Cumulative.FIRST));
  }

  /**
   * Returns an upper bound on the bytes of this sketch's releases, for any group, epoch and data.
   * The topic must accept messages of this size.
   */
  public static long largestSize(StreamPlan plan, SketchPlan sketch) {
    String longest = "x".repeat(ReleaseId.LONGEST_PART);
    ReleaseId id = new ReleaseId(plan.stream(), longest, longest, sketch.name());
    int numbers = ReleaseHeader.of(plan, id, Randomness.SYSTEM).payload().length();
    long best = 0;
    // The randomness is not known here, so the longer of the two descriptions counts.
    for (Randomness randomness :
        new Randomness[] {
          Randomness.SYSTEM, Randomness.insecureForTests(0), Randomness.noiseFreeForTests(0)
        }) {
      best = Math.max(best, ReleaseAvro.headerSize(ReleaseHeader.of(plan, id, randomness)));
    }
    return best + ReleaseAvro.largestPayload(numbers);
  }

  /**
   * Parses the bytes that {@link #toBytes} returns.
   *
   * @throws IllegalArgumentException if the bytes are not a release, of an unknown version,
   *     truncated, or contradict themselves
   */
  public static Release fromBytes(byte[] bytes) {
    return ReleaseAvro.read(bytes);
  }

  /** Returns the Avro single-object encoding under the schema of its version. */
  public byte[] toBytes() {
    return ReleaseAvro.write(this);
  }

  /** The id. */
  public ReleaseId id() {
    return header.id();
  }

  /**
   * Returns true if this release matches the plan: the same columns, budget, sketch and noise.
   * Descriptions, guesses and randomness may differ.
   */
  public boolean isOf(StreamPlan plan) {
    return header.isOf(plan);
  }

  /** The public description of the rows. */
  public RowSchema schema() {
    return header.schema();
  }

  /**
   * The encoding version, see {@link StreamPlan#encodingVersion}. Releases of equal versions may be
   * added up.
   */
  public String encodingVersion() {
    return header.encodingVersion();
  }

  /** The mechanism's name, one of {@link Mechanisms#names}. */
  public String mechanism() {
    return header.mechanism();
  }

  /** The mechanism's public numbers by name, immutable. */
  public Map<String, Double> parameters() {
    return header.parameters();
  }

  /** The parameters that are texts, such as names of columns and variants. */
  public Map<String, String> settings() {
    return header.settings();
  }

  /** The kind of the payload, and the law of its noise. */
  public Payload payload() {
    return payload;
  }

  /**
   * Returns a number of the payload, in the encoded scale.
   *
   * @throws IndexOutOfBoundsException if the index is not in [0, payload().length())
   */
  public double value(int index) {
    return numbers[index] * header.stepSize();
  }

  /** Describes the law of the noise in words. */
  public String noiseLaw() {
    return header.noiseLaw();
  }

  /** The guarantee of this release. */
  public Guarantee guarantee() {
    return header.guarantee();
  }

  /** The size of one unit of the payload in the encoded scale; a power of two. */
  public double stepSize() {
    return header.stepSize();
  }

  /** The standard deviation of the widest noise in the encoded scale. */
  public double sigma() {
    return header.sigma() * header.stepSize();
  }

  /** The standard deviation of the widest noise in the unit of the payload. */
  public double sigmaSteps() {
    return header.sigma();
  }

  /** Returns a copy of the noisy sums, in the order of the spec. */
  public long[] numbers() {
    return numbers.clone();
  }

  /** Returns the noisy sums without a copy, to write them. */
  long[] sharedNumbers() {
    return numbers;
  }

  ReleaseHeader header() {
    return header;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Release that
        && header.equals(that.header)
        && Arrays.equals(numbers, that.numbers);
  }

  @Override
  public int hashCode() {
    return 31 * header.hashCode() + Arrays.hashCode(numbers);
  }

  /** Shows id and guarantee only. */
  @Override
  public String toString() {
    return "Release[" + id() + ", " + guarantee().sentence() + "]";
  }
}

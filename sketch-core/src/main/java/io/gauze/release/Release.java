package io.gauze.release;

import io.gauze.accounting.Guarantee;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Cumulative;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.Payload;
import io.gauze.mechanism.ReleaseHeader;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchPlan;
import io.gauze.mechanism.StreamPlan;
import io.gauze.noise.Randomness;
import io.gauze.row.RowSchema;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * A private sketch as it is published, once: a header of public configuration and the noisy sums.
 * Says nothing exact about the data. Immutable; a reader needs nothing else to fit from it.
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
   * The release of a finished sketch.
   *
   * @param plan the stream
   * @param id of the plan's stream and one of its sketches
   * @param randomness where noise and secrets came from
   * @param payload what {@link Mechanism#release} gave; copied
   * @throws IllegalArgumentException if they do not fit together
   */
  public static Release of(StreamPlan plan, ReleaseId id, Randomness randomness, long[] payload) {
    if (plan.sketch(id.sketch()).mechanism() instanceof Cumulative) {
      throw new IllegalArgumentException(
          "release must be of a stream that is not cumulative. Provided value: " + id);
    }
    return new Release(ReleaseHeader.of(plan, id, randomness), payload.clone());
  }

  /**
   * One of the cumulative releases of a plan.
   *
   * @param plan the stream, of {@link BudgetScope#cumulative}
   * @param id of the plan's stream and one of its sketches
   * @param randomness where noise and secrets came from
   * @param releaseIndex which of the releases, in [0, K)
   * @param firstEpoch the label of the epoch of release 0
   * @param payload the sum so far, with the noise of this release; copied
   * @throws IllegalArgumentException if they do not fit together
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
   * Whether it is of a series in which each release holds the rows of those before it, so that two
   * of them must not be added.
   */
  public boolean isCumulative() {
    return parameters().containsKey(Cumulative.RELEASES);
  }

  /**
   * Whether it is the cumulative release with this index, in a series from this epoch on.
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
   * An upper bound on the bytes of this sketch's releases, for any group, epoch and data: what a
   * topic must take.
   */
  public static long largestSize(StreamPlan plan, SketchPlan sketch) {
    String longest = "x".repeat(ReleaseId.LONGEST_PART);
    ReleaseId id = new ReleaseId(plan.stream(), longest, longest, sketch.name());
    int numbers = ReleaseHeader.of(plan, id, Randomness.SYSTEM).payload().length();
    long best = 0;
    // The longer of the two kinds of randomness is not known here.
    for (Randomness randomness :
        new Randomness[] {
          Randomness.SYSTEM, Randomness.insecureForTests(0), Randomness.noiseFreeForTests(0)
        }) {
      best = Math.max(best, ReleaseAvro.headerSize(ReleaseHeader.of(plan, id, randomness)));
    }
    return best + ReleaseAvro.largestPayload(numbers);
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws IllegalArgumentException if the bytes are not a release, of an unknown version,
   *     truncated, or contradict themselves
   */
  public static Release fromBytes(byte[] bytes) {
    return ReleaseAvro.read(bytes);
  }

  /** The Avro single-object encoding under {@code release-v1.avsc}. */
  public byte[] toBytes() {
    return ReleaseAvro.write(this);
  }

  /** The id. */
  public ReleaseId id() {
    return header.id();
  }

  /**
   * Whether it is what the plan makes: the same columns, budget, sketch and noise. Words, guesses
   * and randomness may differ.
   */
  public boolean isOf(StreamPlan plan) {
    return header.isOf(plan);
  }

  /** The public description of the rows. */
  public RowSchema schema() {
    return header.schema();
  }

  /** See {@link StreamPlan#encodingVersion}: releases of equal versions may be added up. */
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

  /** Parameters that are texts: names of columns and variants. */
  public Map<String, String> settings() {
    return header.settings();
  }

  /** What the payload is, and the law of its noise. */
  public Payload payload() {
    return payload;
  }

  /**
   * A number of the payload, in the encoded scale.
   *
   * @throws IndexOutOfBoundsException if the index is not in [0, payload().length())
   */
  public double value(int index) {
    return numbers[index] * header.stepSize();
  }

  /** The law of the noise, in words. */
  public String noiseLaw() {
    return header.noiseLaw();
  }

  /** What it promises. */
  public Guarantee guarantee() {
    return header.guarantee();
  }

  /** What 1 in the payload is in the encoded scale; a power of two. */
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

  /** A copy of the noisy sums, in the order of the spec. */
  public long[] numbers() {
    return numbers.clone();
  }

  /** The noisy sums without a copy, for writing them. */
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

  /** Id and guarantee only. */
  @Override
  public String toString() {
    return "Release[" + id() + ", " + guarantee().sentence() + "]";
  }
}

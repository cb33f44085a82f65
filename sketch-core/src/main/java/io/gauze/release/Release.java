package io.gauze.release;

import io.gauze.privacy.Guarantee;
import io.gauze.privacy.Randomness;
import io.gauze.row.RowSchema;
import io.gauze.sketch.CountSketchSpec;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.SketchSpec;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * A private sketch as it is published, once: a header of public configuration and the noisy sums.
 * Says nothing exact about the data. Immutable; a reader needs nothing else to fit from it.
 */
public final class Release {
  private final ReleaseHeader header;
  private final SketchSpec spec;
  private final long[] payload;

  Release(ReleaseHeader header, long[] payload) {
    this.header = header;
    this.spec = header.spec();
    this.payload = payload;
    if (payload.length != spec.stateLength()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "payload of %s must have %d numbers. Provided value: %d",
              spec,
              spec.stateLength(),
              payload.length));
    }
  }

  /**
   * The release of a finished sketch.
   *
   * @param plan the stream
   * @param id of the plan's stream and one of its sketches
   * @param randomness where noise and secrets came from
   * @param state the whole state with its noise in it; copied
   * @throws IllegalArgumentException if they do not fit together
   */
  public static Release of(StreamPlan plan, ReleaseId id, Randomness randomness, long[] state) {
    return new Release(ReleaseHeader.of(plan, id, randomness), state.clone());
  }

  /**
   * An upper bound on the bytes of this sketch's releases, for any group, epoch and data: what a
   * topic must take.
   */
  public static long largestSize(StreamPlan plan, SketchPlan sketch) {
    String longest = "x".repeat(ReleaseId.LONGEST_PART);
    ReleaseId id = new ReleaseId(plan.stream(), longest, longest, sketch.name());
    long best = 0;
    // The longer of the two kinds of randomness is not known here.
    for (Randomness randomness :
        new Randomness[] {
          Randomness.SYSTEM, Randomness.insecureForTests(0), Randomness.noiseFreeForTests(0)
        }) {
      best = Math.max(best, ReleaseAvro.headerSize(ReleaseHeader.of(plan, id, randomness)));
    }
    return best + ReleaseAvro.largestPayload(sketch.mechanism().spec().stateLength());
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

  /** The shape of the payload; its seed, if it has one, is not the stream's. */
  public SketchSpec spec() {
    return spec;
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
  public double unit() {
    return header.unit();
  }

  /** The standard deviation of the widest noise in the encoded scale. */
  public double sigma() {
    return header.sigma() * header.unit();
  }

  /** The standard deviation of the widest noise in the unit of the payload. */
  public double sigmaSteps() {
    return header.sigma();
  }

  /** A copy of the noisy sums, in the order of the spec. */
  public long[] payload() {
    return payload.clone();
  }

  /** The noisy sums without a copy, for writing them. */
  long[] sharedPayload() {
    return payload;
  }

  ReleaseHeader header() {
    return header;
  }

  /**
   * The noisy sum of {@code a_i a_j} over rows a, in the encoded scale.
   *
   * @param i encoded column, in [0, D)
   * @param j encoded column, in [0, D)
   * @throws IllegalStateException if this is not a release of second moments
   * @throws IndexOutOfBoundsException if i or j is not in its range
   */
  public double moment(int i, int j) {
    if (!(spec instanceof SecondMomentsSpec moments)) {
      throw new IllegalStateException("moment needs noisy-moments; this is " + mechanism());
    }
    return payload[moments.index(i, j)] * header.unit();
  }

  /**
   * One column of the noisy sum of the signed rows in a bucket, in the encoded scale.
   *
   * @param bucket in [0, buckets())
   * @param column encoded column, in [0, D)
   * @throws IllegalStateException if this is not a CountSketch
   * @throws IndexOutOfBoundsException if bucket or column is not in its range
   */
  public double bucket(int bucket, int column) {
    return payload[countSketch().index(bucket, column)] * header.unit();
  }

  /**
   * The number of buckets.
   *
   * @throws IllegalStateException if this is not a CountSketch
   */
  public int buckets() {
    return countSketch().buckets();
  }

  private CountSketchSpec countSketch() {
    if (!(spec instanceof CountSketchSpec sketch)) {
      throw new IllegalStateException("buckets need count-sketch; this is " + mechanism());
    }
    return sketch;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Release that
        && header.equals(that.header)
        && Arrays.equals(payload, that.payload);
  }

  @Override
  public int hashCode() {
    return 31 * header.hashCode() + Arrays.hashCode(payload);
  }

  /** Id and guarantee only. */
  @Override
  public String toString() {
    return "Release[" + id() + ", " + guarantee().sentence() + "]";
  }
}

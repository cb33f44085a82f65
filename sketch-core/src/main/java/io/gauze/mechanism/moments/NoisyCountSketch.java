package io.gauze.mechanism.moments;

import io.gauze.internal.Fingerprint;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Noise;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.mechanism.UniformScaleNoise;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.noise.RoundedGaussian;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.Dimensions;
import io.gauze.sketch.CountSketchSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A CountSketch of the rows with one Gaussian noise row in every bucket: each bucket is the sum of
 * its rows under random signs, plus N(0, sigma^2 I).
 *
 * <p>After R. Das, G. Nayak and D. Dasgupta, private sketches for linear regression, section 3.2.
 * Differs from the paper: every bucket has a noise row, where the paper throws a number of noise
 * rows at random and leaves about one bucket bare; the hash is fresh and secret, which their proof
 * presumes.
 *
 * @param spec the sketch
 * @param sensitivity in the encoded scale: B (add-remove), 2 B (replace-one), times the rows of a
 *     unit
 * @param mu the mu that one release spends
 * @param stepSize a grid step in the encoded scale
 * @param noise the noise in each entry, in grid steps
 * @param expectedRows the public guess that decides the default number of buckets
 */
public record NoisyCountSketch(
    CountSketchSpec spec,
    double sensitivity,
    double mu,
    double stepSize,
    RoundedGaussian noise,
    long expectedRows)
    implements UniformScaleNoise {
  /** The name in config files and releases. */
  public static final String NAME = "count-sketch";

  /** The assumption on which the secrecy of the buckets rests. */
  public static final String SECRET_HASH =
      "SipHash-2-4 under a secret key that only the workers know cannot be told from a random"
          + " function";

  private static final String BUCKETS = "buckets";
  private static final int MOST_BUCKETS = 1 << 14;
  private static final int MOST_ROWS = 1 << 20;

  public static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              MechanismOption.whole(BUCKETS, 1, MOST_ROWS)
                  .orPlanned()
                  .means("Into how many buckets rows are hashed.")),
          true,
          NoisyCountSketch::sized,
          Optional.of(NoisyCountSketch::calibration),
          NoisyCountSketch::payload,
          NoisyCountSketch::warnings,
          new MechanismKind.Proof(
              "a row counts in one bucket of a secret hash, so that one of norm at most B changes"
                  + " the sketch by at most B, a replaced one by 2 B",
              List.of(SECRET_HASH),
              false));

  /**
   * Checks that the noise is large enough.
   *
   * @throws IllegalArgumentException if it is not
   */
  public NoisyCountSketch {
    Noise.checkSpending(sensitivity, mu, noise.sigma() * stepSize);
  }

  // Sensitivity, for a fixed hash. A row adds +-a to one bucket and nothing elsewhere: adding or
  // removing one row moves the state by |a| <= B. Row a in place of b under the same key moves one
  // bucket by a - b: at most 2 B, attained by b = -a. If the row moves to another group, epoch or
  // bucket, one block loses b and another gains a, under independent noise:
  // sqrt(|a|^2 + |b|^2) <= sqrt 2 B, which is less. The bound holds for the integers: the encoder
  // rounds toward zero, so no entry grows, and then checks the exact integer norm. For whole x,
  // x + round(Z) = round(x + Z), so the integer release is a function of that of the Gaussian
  // mechanism in the reals.
  //
  // The hash. The key of a row is its position in the log. A missing row shifts the positions of
  // all later rows; under a hash that is known, or the same for both neighbours, all of them would
  // change their buckets. Here the hash is a secret random function, drawn once and never
  // published: as long as positions are distinct, the rows common to both neighbours get
  // independent uniform buckets and signs, of the same law for both. So couple the two: for each
  // assignment h of the common rows the states differ by the one row, and the guarantee holds given
  // h. It holds for the mixture over h, since h has the same law on both sides:
  //   sum_h p(h) (P_h(E) - e^eps Q_h(E)) <= delta for every E.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    int dimension = stream.schema().dimension();
    // the same for every number of buckets
    double sensitivity = stream.unitSensitivity(new CountSketchSpec(dimension, 1, 0L));
    int buckets =
        (int)
            sketch
                .whole(BUCKETS)
                .orElseGet(
                    () ->
                        defaultBuckets(
                            stream.expectedRows() * ExpectedSquares.mean(stream.schema()),
                            sensitivity / size,
                            dimension));
    CountSketchSpec spec =
        new CountSketchSpec(dimension, buckets, Fingerprint.seed(stream.stream(), sketch.name()));
    return UncalibratedMechanism.gaussian(
        spec, spec.stateLength(), mu -> calibrate(stream, spec, sensitivity, mu));
  }

  private static NoisyCountSketch calibrate(
      StreamRequest stream, CountSketchSpec spec, double sensitivity, double mu) {
    double stepSize = stream.schema().grid().rowUnit();
    double sigma = Noise.sigma(NAME, sensitivity / mu, stepSize, 1.0);
    return new NoisyCountSketch(
        spec, sensitivity, mu, stepSize, RoundedGaussian.of(sigma), stream.expectedRows());
  }

  private static Payload payload(PayloadParameters header) {
    int buckets = header.whole(BUCKETS, 1, MOST_ROWS);
    return new Payload.Buckets(buckets, header.dimension(), header.encodedSigma());
  }

  private static List<Message> warnings(StreamRequest stream, String sketch, Mechanism mechanism) {
    double sigma = mechanism.sigma() * mechanism.stepSize();
    int features = mechanism.spec().dimension() - 1;
    double signal = stream.expectedRows() * ExpectedSquares.mean(stream.schema());
    double needed = Tuning.ROWS_A_FEATURE * features * sigma * sigma;
    return signal >= needed
        ? List.of()
        : List.of(
            PlanMessage.DROWNED.of(sketch, "a bucket", signal, needed, instead(features + 1)));
  }

  private static String instead(int dimension) {
    String other = dimension > Dimensions.MOST_CELLS ? "fewer categories" : "noisy-moments";
    return other + ", more rows an epoch or a larger epsilon";
  }

  private static Calibration calibration(CalibrationRequest request) {
    return Calibration.gaussian(
        NAME,
        request,
        Map.of(),
        request.sensitivity(new CountSketchSpec(request.columns(), 1, 0L)),
        "B (add-remove) or 2 B (replace-one), whatever the number of buckets");
  }

  /**
   * Returns the default number of buckets: the power of two nearest to {@code n v / (2 sigma^2)},
   * where noise and collisions add about the same error, but at least {@code 4 (D - 1)}, rounded up
   * to a power of two, and at most 16384, nor more than a state of D columns can have.
   *
   * @param signal n v, the expected rows times the mean square of a column; above 0
   * @param sigma the standard deviation of the noise in the encoded scale, above 0
   * @param dimension D, in [2, 20000]
   */
  public static int defaultBuckets(double signal, double sigma, int dimension) {
    double wanted = signal / (2.0 * sigma * sigma);
    long exponent = Math.round(Math.log(wanted) / Math.log(2.0));
    int nearest = 1 << Math.min(14L, Math.max(0L, exponent));
    int least = Integer.highestOneBit(Math.max(1, 4 * (dimension - 1) - 1)) << 1;
    int most = Math.min(MOST_BUCKETS, CountSketchSpec.mostBuckets(dimension));
    return Math.min(most, Math.max(least, nearest));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            BUCKETS,
            (double) spec.buckets(),
            EXPECTED_ROWS,
            (double) expectedRows,
            "mu",
            mu,
            "sensitivity",
            sensitivity));
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "independent normal noise, rounded to whole steps of %s: standard deviation %s in every"
            + " column of every bucket",
        stepSize,
        noise.sigma() * stepSize);
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

package io.gauze.mechanism.moments;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.noise.Entropy;
import io.gauze.payload.MomentNoise;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.ShortenedMomentsSpec;
import io.gauze.sketch.SketchSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Second moments with Gaussian noise: {@code sum of a a' + E}, E symmetric with independent entries
 * of standard deviation sigma on the diagonal and {@code sigma / sqrt 2} off it.
 *
 * <p>Where rows can be longer than the row bound, or where ranges are chosen from rows, the weight
 * that shortening took off the rows is released beside them, with normal noise of a fiftieth of
 * mu^2.
 *
 * <p>After C. Dwork, K. Talwar, A. Thakurta and L. Zhang, <a
 * href="https://doi.org/10.1145/2591796.2591883">Analyze Gauss</a>, STOC 2014. Differs from the
 * paper: the noise is isotropic in the half-vectorisation whose norm is the Frobenius norm, so that
 * entries off the diagonal get half the variance; the sensitivity to a replaced row is sqrt 2 B^2,
 * which is exact.
 *
 * @param spec the sketch: {@link SecondMomentsSpec} if no row is shortened for sure, else {@link
 *     ShortenedMomentsSpec}
 * @param sensitivity in the encoded scale: B^2 (add-remove), sqrt 2 B^2 (replace-one), times the
 *     rows of a unit; with the lost weight sqrt(50 / 49) times that
 * @param mu the mu that one release spends
 * @param stepSize a squared grid step in the encoded scale
 * @param noise the noise in squared grid steps
 */
public record NoisyMoments(
    SketchSpec spec, double sensitivity, double mu, double stepSize, SymmetricNoise noise)
    implements AdditiveMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "noisy-moments";

  private static final String ROW_UNIT = "rowUnit";
  private static final String SENSITIVITY = "sensitivity";

  /** No version has released lost weight in a smaller unit, in squared bounds. */
  private static final double LEAST_UNIT = 0x1p-6;

  /** Machines may differ in the last bits of a sensitivity. */
  private static final double SAME = 1e-9;

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(),
          true,
          NoisyMoments::sized,
          Optional.of(NoisyMoments::calibration),
          NoisyMoments::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "one row of norm at most B changes the second moments by at most B^2 in Frobenius"
                  + " norm, a replaced one by sqrt 2 B^2; with the lost weight, if it is released,"
                  + " by at most sqrt(50/49) times that",
              List.of(),
              false));

  /**
   * Checks that the noise is large enough.
   *
   * @throws IllegalArgumentException if it is not
   */
  public NoisyMoments {
    noise.checkSpending(sensitivity, mu, stepSize);
  }

  // Sensitivity. Let v(M) list the diagonal of a symmetric M and sqrt 2 times the entries above it:
  // |v(M)| is the Frobenius norm. Adding or removing a row a changes M by a a', of norm
  // |a|^2 <= B^2. A row a in place of b changes it by a a' - b b', and
  //   |a a' - b b'|^2 = |a|^4 + |b|^4 - 2 (a'b)^2 <= 2 B^4,
  // attained by orthogonal a, b of norm B. If a replaced row moves to another group or epoch, one
  // matrix loses b b' and another gains a a', each with independent noise: again
  //   |a|^4 + |b|^4 <= 2 B^4.
  // A row adds at most K to the lost weight, K^2 = B^4 / 49. So the squared norms above grow by at
  // most K^2 (added or removed) and 2 K^2 (replaced, also if it moves).
  // The bound holds for the integers, not only for the reals: the encoder rounds toward zero, so no
  // entry grows, and then checks the exact integer norm of the row against B.
  //
  // Noise. N(0, sigma^2 I) on v(M) and the lost weight is N(0, sigma^2) on the diagonal and on it,
  // and N(0, sigma^2 / 2) on entries above the diagonal. The state x is whole, so x + round(Z) =
  // round(x + Z): the release is a function of the output of the Gaussian mechanism and has its
  // guarantee.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    SketchSpec spec = spec(stream);
    return UncalibratedMechanism.gaussian(
        spec, spec.stateLength(), mu -> calibrate(stream, spec, mu));
  }

  // A plan before ranges are chosen has the size and the cost of the plan after.
  private static SketchSpec spec(StreamRequest stream) {
    RowSchema schema = stream.schema();
    boolean chosen = stream.ranges().counts();
    return chosen || schema.shortens()
        ? ShortenedMomentsSpec.of(schema, Tuning.LOST_WEIGHT)
        : new SecondMomentsSpec(schema.dimension());
  }

  private static NoisyMoments calibrate(StreamRequest stream, SketchSpec spec, double mu) {
    double sensitivity = stream.unitSensitivity(spec);
    double stepSize = stream.schema().grid().momentUnit();
    SymmetricNoise noise = SymmetricNoise.of(NAME, spec.dimension(), sensitivity / mu, stepSize);
    return new NoisyMoments(spec, sensitivity, mu, stepSize, noise);
  }

  // The first releases of all did not have it.
  private static Payload payload(PayloadParameters header) {
    MomentNoise noise = new MomentNoise.Gaussian(header.encodedSigma());
    if (!header.parameters().containsKey(ROW_UNIT)) {
      return new Payload.Moments(header.dimension(), noise);
    }
    double square = header.schema().rowBound() * header.schema().rowBound();
    double unit = Checks.within(ROW_UNIT, header.positive(ROW_UNIT), LEAST_UNIT * square, square);
    checkSensitivity(header, square, unit);
    return new Payload.Moments(header.dimension(), noise, unit);
  }

  // The unit decides what a release tells of its rows, and noise is made for the sensitivity.
  private static void checkSensitivity(PayloadParameters header, double square, double unit) {
    double ofRow =
        Math.hypot(square, unit)
            * (header.neighbours() == Neighbours.ADD_REMOVE ? 1.0 : Math.sqrt(2.0));
    double sensitivity = header.positive(SENSITIVITY);
    double rows = Math.max(1.0, Math.rint(sensitivity / ofRow));
    if (!(Math.abs(sensitivity - rows * ofRow) <= SAME * sensitivity)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be a whole multiple of %s, which follows from rowBound, %s %s and the"
                  + " neighbours. Provided value: %s",
              SENSITIVITY,
              ofRow,
              ROW_UNIT,
              unit,
              sensitivity));
    }
  }

  private static Calibration calibration(CalibrationRequest request) {
    return Calibration.gaussian(
        NAME,
        request,
        Map.of(),
        request.sensitivity(new SecondMomentsSpec(request.columns())),
        "B^2 (add-remove) or sqrt 2 B^2 (replace-one) in Frobenius' norm; sigma is on the diagonal,"
            + " sigma / sqrt 2 off it");
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public double sigma() {
    return noise.diagonal().sigma();
  }

  @Override
  public double noiseScale(int stateIndex) {
    Objects.checkIndex(stateIndex, spec.stateLength());
    int moments = momentsLength();
    return stateIndex < moments ? noise.scale(stateIndex, moments) : sigma();
  }

  @Override
  public void addNoise(long[] block, int from, Entropy entropy) {
    Objects.checkFromIndexSize(from, block.length, spec.stateLength());
    int moments = Math.max(0, Math.min(block.length, momentsLength() - from));
    noise.addToFirst(block, moments, from, entropy);
    for (int i = moments; i < block.length; i++) {
      block[i] += noise.diagonal().sample(entropy);
    }
  }

  private int momentsLength() {
    return SecondMomentsSpec.length(spec.dimension());
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new TreeMap<>(Map.of("mu", mu, SENSITIVITY, sensitivity));
    if (spec instanceof ShortenedMomentsSpec shortened) {
      parameters.put(ROW_UNIT, shortened.rowUnit() * stepSize);
    }
    return parameters;
  }

  @Override
  public String noiseLaw() {
    return noise.law(stepSize)
        + (spec instanceof ShortenedMomentsSpec ? ", as on it of the lost weight" : "");
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }

    @Override
    public boolean isRecommended() {
      return true;
    }
  }
}

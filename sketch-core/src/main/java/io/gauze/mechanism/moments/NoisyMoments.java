package io.gauze.mechanism.moments;

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
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Second moments with Gaussian noise: {@code sum of a a' + E}, E symmetric with independent entries
 * of standard deviation sigma on the diagonal and {@code sigma / sqrt 2} off it.
 *
 * <p>After C. Dwork, K. Talwar, A. Thakurta and L. Zhang, <a
 * href="https://doi.org/10.1145/2591796.2591883">Analyze Gauss</a>, STOC 2014. Differs from the
 * paper: the noise is isotropic in the half-vectorisation whose norm is the Frobenius norm, so that
 * entries off the diagonal get half the variance; the sensitivity to a replaced row is sqrt 2 B^2,
 * which is exact.
 *
 * @param spec the sketch
 * @param sensitivity in the encoded scale: B^2 (add-remove), sqrt 2 B^2 (replace-one), times the
 *     rows of a unit
 * @param mu the mu that one release spends
 * @param stepSize a squared grid step in the encoded scale
 * @param noise the noise in squared grid steps
 */
public record NoisyMoments(
    SecondMomentsSpec spec, double sensitivity, double mu, double stepSize, SymmetricNoise noise)
    implements AdditiveMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "noisy-moments";

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
                  + " norm, a replaced one by sqrt 2 B^2",
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
  // The bound holds for the integers, not only for the reals: the encoder rounds toward zero, so no
  // entry grows, and then checks the exact integer norm of the row against B.
  //
  // Noise. N(0, sigma^2 I) on v(M) is N(0, sigma^2) on the diagonal and N(0, sigma^2 / 2) on
  // entries above it. The state x is whole, so x + round(Z) = round(x + Z): the release is a
  // function of the output of the Gaussian mechanism and has its guarantee.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    SecondMomentsSpec spec = new SecondMomentsSpec(stream.schema().dimension());
    return UncalibratedMechanism.gaussian(
        spec, spec.stateLength(), mu -> calibrate(stream, spec, mu));
  }

  private static NoisyMoments calibrate(StreamRequest stream, SecondMomentsSpec spec, double mu) {
    double sensitivity = stream.unitSensitivity(spec);
    double stepSize = stream.schema().grid().momentUnit();
    SymmetricNoise noise = SymmetricNoise.of(NAME, spec.dimension(), sensitivity / mu, stepSize);
    return new NoisyMoments(spec, sensitivity, mu, stepSize, noise);
  }

  private static Payload payload(PayloadParameters header) {
    return new Payload.Moments(header.dimension(), new MomentNoise.Gaussian(header.encodedSigma()));
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
    return noise.scale(stateIndex, spec.stateLength());
  }

  @Override
  public void addNoise(long[] block, int from, Entropy entropy) {
    noise.add(block, from, spec.stateLength(), entropy);
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(Map.of("mu", mu, "sensitivity", sensitivity));
  }

  @Override
  public String noiseLaw() {
    return noise.law(stepSize);
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

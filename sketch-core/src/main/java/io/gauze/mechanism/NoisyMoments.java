package io.gauze.mechanism;

import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.PrivacyCost;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Second moments with Gaussian noise: {@code sum of a a' + E}, E symmetric with independent entries
 * of standard deviation sigma on the diagonal and {@code sigma / sqrt 2} off it.
 *
 * <p>After C. Dwork, K. Talwar, A. Thakurta and L. Zhang, <a
 * href="https://doi.org/10.1145/2591796.2591883">Analyze Gauss</a>, STOC 2014. Differs from the
 * paper: noise is isotropic in the half-vectorisation whose norm is Frobenius', so that entries off
 * the diagonal get half its variance; replaced rows count sqrt 2 B^2, which is exact.
 *
 * @param spec the sketch
 * @param sensitivity in the encoded scale: B^2 (add-remove), sqrt 2 B^2 (replace-one), times the
 *     rows of a unit
 * @param mu what it spends
 * @param stepSize what a squared grid step is in the encoded scale
 * @param noise in squared grid steps
 */
public record NoisyMoments(
    SecondMomentsSpec spec, double sensitivity, double mu, double stepSize, SymmetricNoise noise)
    implements AdditiveMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "noisy-moments";

  static final MechanismKind KIND = new Kind();

  /**
   * Checks that the noise is enough.
   *
   * @throws IllegalArgumentException if it is not
   */
  public NoisyMoments {
    noise.checkSpending(sensitivity, mu, stepSize);
  }

  // Sensitivity. Let v(M) list the diagonal of a symmetric M and sqrt 2 times the entries above it:
  // |v(M)| is the Frobenius norm. One row a more or less changes M by a a', of norm |a|^2 <= B^2. A
  // row a in place of b changes it by a a' - b b', and
  //   |a a' - b b'|^2 = |a|^4 + |b|^4 - 2 (a'b)^2 <= 2 B^4,
  // attained by orthogonal a, b of norm B. If a replaced row moves to another group or epoch, one
  // matrix loses b b' and another gains a a', each with noise of its own: |a|^4 + |b|^4 <= 2 B^4
  // again. The bound holds for the integers, not only for the reals: the encoder rounds toward
  // zero, so no entry grows, and then checks the exact integer norm of the row against B.
  //
  // Noise. N(0, sigma^2 I) on v(M) is N(0, sigma^2) on the diagonal and N(0, sigma^2 / 2) on
  // entries above it. The state x is whole, so x + round(Z) = round(x + Z): the release is a
  // function of what the Gaussian mechanism gives, and keeps its guarantee as it stands.
  private record Kind() implements MechanismKind {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public List<MechanismOption> options() {
      return List.of();
    }

    @Override
    public UncalibratedMechanism draft(StreamRequest stream, SketchRequest sketch, double size) {
      SecondMomentsSpec spec = new SecondMomentsSpec(stream.schema().dimension());
      double distance = spec.stateLength() * RoundedGaussian.TOTAL_VARIATION;
      return new UncalibratedMechanism(
          spec,
          new BudgetSplit.Gaussian(),
          distance,
          cost -> calibrate(stream, spec, ((PrivacyCost.Gaussian) cost).mu()));
    }

    private static NoisyMoments calibrate(StreamRequest stream, SecondMomentsSpec spec, double mu) {
      double sensitivity =
          stream.unitSensitivity(
              spec.sensitivity(stream.schema().rowBound(), stream.budget().neighbours()));
      double stepSize = stream.schema().grid().momentUnit();
      SymmetricNoise noise = SymmetricNoise.of(NAME, spec.dimension(), sensitivity / mu, stepSize);
      return new NoisyMoments(spec, sensitivity, mu, stepSize, noise);
    }

    @Override
    public Payload payload(ReleaseHeader header) {
      return new Payload.Moments(
          header.schema().dimension(),
          new Payload.GaussianNoise(header.sigma() * header.stepSize()));
    }

    @Override
    public boolean isAdditive() {
      return true;
    }

    @Override
    public List<String> assumptions() {
      return List.of();
    }

    @Override
    public String basis() {
      return "one row of norm at most B changes the second moments by at most B^2 in Frobenius norm,"
          + " a replaced one by sqrt 2 B^2";
    }

    @Override
    public List<String> warnings(StreamRequest stream, Mechanism mechanism) {
      return List.of();
    }
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
}

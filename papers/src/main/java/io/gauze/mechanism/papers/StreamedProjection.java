package io.gauze.mechanism.papers;

import io.gauze.accounting.MechanismCost;
import io.gauze.internal.Fingerprint;
import io.gauze.mechanism.NoisyStateMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import io.gauze.sketch.GaussianProjectionSpec;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The projection of {@link MomentProjection} as a sketch: r sums of the rows with coefficients N(0,
 * 1) from a secret, to which r rows of the ridge, {@code N(0, w^2 I)}, are added at creation. The
 * release has the same law; the stored state is private at any time.
 *
 * @param spec the state
 * @param cost the cost of a release
 * @param ridge w^2, in the encoded scale squared
 * @param stepSize a step of the state in the encoded scale
 * @param noise a row of the ridge, in 2^{@code shift} steps
 * @param shift bits by which the ridge is wider than the sampler's range, in [0, 20]
 * @param fine narrow noise that fills these bits, in steps
 */
public record StreamedProjection(
    GaussianProjectionSpec spec,
    MechanismCost.Projection cost,
    double ridge,
    double stepSize,
    RoundedGaussian noise,
    int shift,
    RoundedGaussian fine)
    implements NoisyStateMechanism {
  /**
   * The largest standard deviation of the noise before the shift, in 2^{@code shift} steps. 2^33
   * rows and the noise then stay below 2^63.
   */
  private static final double WIDEST = 0x1p38;

  private static final int LARGEST_SHIFT = 20;

  /** The standard deviation of the narrow noise, in 2^{@code shift} steps. */
  private static final double FINE = 16.0;

  static UncalibratedMechanism sized(StreamRequest stream, SketchRequest sketch, int rows) {
    GaussianProjectionSpec spec =
        new GaussianProjectionSpec(
            stream.schema().dimension(), rows, Fingerprint.seed(stream.stream(), sketch.name()));
    return UncalibratedMechanism.projection(spec, rows, cost -> of(stream, spec, cost));
  }

  private static StreamedProjection of(
      StreamRequest stream, GaussianProjectionSpec spec, MechanismCost.Projection cost) {
    double ridge = Jl.ridge(cost, stream.schema().rowBound());
    double stepSize =
        Math.scalb(stream.schema().grid().rowUnit(), -GaussianProjectionSpec.FRACTION_BITS);
    double sigma = Math.nextUp(Math.sqrt(ridge) / stepSize);
    int shift = Math.max(0, Math.getExponent(sigma / WIDEST) + 1);
    if (shift > LARGEST_SHIFT) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "ridge of jl must be below %.4g in the encoded scale squared, since sums of projections"
                  + " hold no more. Provided value: %.4g; give it more of epsilon",
              Math.pow(Math.scalb(WIDEST, LARGEST_SHIFT) * stepSize, 2.0),
              ridge));
    }
    double steps = Math.nextUp(Math.scalb(sigma, -shift));
    return new StreamedProjection(
        spec,
        cost,
        ridge,
        stepSize,
        RoundedGaussian.of(steps),
        shift,
        RoundedGaussian.of(Math.max(RoundedGaussian.SMALLEST_SIGMA, Math.scalb(FINE, shift))));
  }

  @Override
  public String name() {
    return Jl.NAME;
  }

  @Override
  public double sigma() {
    return Math.scalb(noise.sigma(), shift);
  }

  // The wide noise alone is a multiple of h = 2^shift steps, and would disclose the sums modulo h:
  // a column that is 0 in all rows would be recognised. Adding an independent N(0, (16 h)^2),
  // rounded to steps, gives the law of N(0, w^2 + (16 h)^2 + ...) rounded to steps, except for
  // ripples of relative size 2 e^(-2 pi^2 16^2) (Poisson's summation formula), below 2^-7000. A
  // variance above w^2 discloses less.
  @Override
  public void addNoise(long[] block, int from, Entropy entropy) {
    Objects.checkFromIndexSize(from, block.length, spec.stateLength());
    for (int i = 0; i < block.length; i++) {
      block[i] += (noise.sample(entropy) << shift) + fine.sample(entropy);
    }
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(Map.of(Jl.ROWS, (double) cost.rows(), Jl.RIDGE, ridge));
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(Jl.STATE, Jl.PROJECTION);
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "%d rows: sums of the data's rows with independent coefficients N(0, 1), plus N(0, %s I)",
        cost.rows(),
        ridge);
  }
}

package io.gauze.release;

import io.gauze.privacy.Entropy;
import io.gauze.privacy.RoundedGaussian;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.SketchSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
 * @param sensitivity in the encoded scale: B^2 (add-remove), sqrt 2 B^2 (replace-one)
 * @param mu what it spends
 * @param unit what a squared grid step is in the encoded scale
 * @param diagonal the noise on the diagonal, in squared grid steps
 * @param offDiagonal the noise off the diagonal, in squared grid steps
 */
public record NoisyMoments(
    SecondMomentsSpec spec,
    double sensitivity,
    double mu,
    double unit,
    RoundedGaussian diagonal,
    RoundedGaussian offDiagonal)
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
    Noise.checkSpending(sensitivity, mu, diagonal.sigma() * unit);
    Noise.checkSpending(sensitivity, mu, Math.sqrt(2.0) * offDiagonal.sigma() * unit);
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
    public Set<String> options() {
      return Set.of();
    }

    @Override
    public SketchSpec size(StreamRequest stream, SketchRequest sketch, double mu) {
      return new SecondMomentsSpec(stream.schema().dimension());
    }

    @Override
    public NoisyMoments calibrate(StreamRequest stream, SketchSpec spec, double mu) {
      double sensitivity =
          spec.sensitivity(stream.schema().rowBound(), stream.budget().neighbours());
      double unit = stream.schema().grid().momentUnit();
      double sigma = Noise.sigma(NAME, sensitivity / mu, unit, Math.sqrt(0.5));
      return new NoisyMoments(
          (SecondMomentsSpec) spec,
          sensitivity,
          mu,
          unit,
          RoundedGaussian.of(sigma),
          RoundedGaussian.of(Math.nextUp(sigma * Math.sqrt(0.5))));
    }

    @Override
    public SketchSpec shape(int dimension, Map<String, Double> parameters) {
      return new SecondMomentsSpec(dimension);
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
    public List<String> warnings(StreamRequest stream, AdditiveMechanism mechanism) {
      return List.of();
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public double sigma() {
    return diagonal.sigma();
  }

  @Override
  public double noiseScale(int stateIndex) {
    Objects.checkIndex(stateIndex, spec.stateLength());
    return sampler(stateIndex, nextDiagonal(stateIndex)).sigma();
  }

  @Override
  public void addNoise(long[] block, int from, Entropy entropy) {
    Objects.checkFromIndexSize(from, block.length, spec.stateLength());
    int diagonalAt = nextDiagonal(from);
    for (int i = 0; i < block.length; i++) {
      int index = from + i;
      if (index > diagonalAt) {
        diagonalAt = nextDiagonal(index);
      }
      block[i] += sampler(index, diagonalAt).sample(entropy);
    }
  }

  private RoundedGaussian sampler(int index, int diagonalAt) {
    return index == diagonalAt ? diagonal : offDiagonal;
  }

  /** The first diagonal entry at or after an index. */
  private int nextDiagonal(int index) {
    int at = 0;
    int row = 0;
    while (at < index) {
      at += spec.dimension() - row;
      row++;
    }
    return at;
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(Map.of("mu", mu, "sensitivity", sensitivity));
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "independent normal noise, rounded to whole steps of %s: standard deviation %s on the"
            + " diagonal, %s off it",
        unit,
        diagonal.sigma() * unit,
        offDiagonal.sigma() * unit);
  }
}

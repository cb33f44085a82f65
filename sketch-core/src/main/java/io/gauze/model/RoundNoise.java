package io.gauze.model;

import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import io.gauze.noise.RoundedLaplace;
import io.gauze.noise.WishartSampler;

/**
 * The noise of one round, in the encoded scale or in steps of moments: independent numbers, or one
 * Wishart matrix.
 */
sealed interface RoundNoise {
  /** The noise with another unit. */
  RoundNoise times(double factor);

  /** The largest of its scales. */
  double largest();

  /**
   * The deviation of a Gaussian matrix with this noise off its diagonal, where the deviation on the
   * diagonal is meant.
   */
  double deviation();

  /** What the noise adds to each entry of the diagonal on average. */
  default double mean() {
    return 0.0;
  }

  /** Makes a sampler; the scales are in steps. */
  Sampler sampler(int columns);

  /** Adds noise to an upper triangle whose last entry is the square of the response. */
  @FunctionalInterface
  interface Sampler {
    void addTo(long[] upper, Entropy entropy);
  }

  /** Laplace noise of one scale. */
  record Laplace(double scale) implements RoundNoise {
    @Override
    public RoundNoise times(double factor) {
      return new Laplace(factor * scale);
    }

    @Override
    public double largest() {
      return scale;
    }

    @Override
    public double deviation() {
      return 2.0 * scale;
    }

    @Override
    public Sampler sampler(int columns) {
      RoundedLaplace law = RoundedLaplace.of(scale);
      return (upper, entropy) -> {
        for (int i = 0; i < upper.length - 1; i++) {
          upper[i] += law.sample(entropy);
        }
      };
    }
  }

  /** Gaussian noise: sigma on the diagonal, {@code sigma / sqrt 2} off it. */
  record Gaussian(double sigma) implements RoundNoise {
    @Override
    public RoundNoise times(double factor) {
      return new Gaussian(factor * sigma);
    }

    @Override
    public double largest() {
      return sigma;
    }

    @Override
    public double deviation() {
      return sigma;
    }

    @Override
    public Sampler sampler(int columns) {
      RoundedGaussian diagonal = RoundedGaussian.of(sigma);
      RoundedGaussian offDiagonal = RoundedGaussian.of(sigma * Math.sqrt(0.5) * (1.0 + 0x1p-50));
      return (upper, entropy) -> {
        int next = 0;
        for (int i = 0; i < columns - 1; i++) {
          upper[next++] += diagonal.sample(entropy);
          for (int j = i + 1; j < columns; j++) {
            upper[next++] += offDiagonal.sample(entropy);
          }
        }
      };
    }
  }

  /**
   * Wishart noise of the whole matrix.
   *
   * @param degrees k
   * @param variance of an entry of a noise row
   */
  record Wishart(int degrees, double variance) implements RoundNoise {
    @Override
    public RoundNoise times(double factor) {
      return new Wishart(degrees, factor * variance);
    }

    /** Of the mean, which steps have to hold as well. */
    @Override
    public double largest() {
      return mean() * 0x1p-9;
    }

    @Override
    public double deviation() {
      return variance * Math.sqrt(2.0 * degrees);
    }

    @Override
    public double mean() {
      return degrees * variance;
    }

    @Override
    public Sampler sampler(int columns) {
      return WishartSampler.of(columns, degrees, variance)::addTo;
    }
  }
}

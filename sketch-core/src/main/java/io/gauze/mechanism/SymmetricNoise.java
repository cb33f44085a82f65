package io.gauze.mechanism;

import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import java.io.Serializable;
import java.util.Locale;
import java.util.Objects;

/**
 * Gaussian noise for a sequence of upper triangles: sigma on diagonals, {@code sigma / sqrt 2} off
 * them, in squared grid steps.
 *
 * @param dimension D, of every triangle
 * @param diagonal the noise on diagonals
 * @param offDiagonal the noise off them
 */
public record SymmetricNoise(int dimension, RoundedGaussian diagonal, RoundedGaussian offDiagonal)
    implements Serializable {
  private static final double SMALLEST = Math.sqrt(0.5);

  /**
   * Returns the noise of a mechanism.
   *
   * @param mechanism the name for the error message
   * @param dimension D, of every triangle
   * @param encoded sigma, in the encoded scale
   * @param stepSize a squared grid step in the encoded scale
   */
  public static SymmetricNoise of(
      String mechanism, int dimension, double encoded, double stepSize) {
    double sigma = Noise.sigma(mechanism, encoded, stepSize, SMALLEST);
    return new SymmetricNoise(
        dimension,
        RoundedGaussian.of(sigma),
        RoundedGaussian.of(Math.nextUp(sigma * Math.sqrt(0.5))));
  }

  public void checkSpending(double sensitivity, double mu, double stepSize) {
    Noise.checkSpending(sensitivity, mu, diagonal.sigma() * stepSize);
    Noise.checkSpending(sensitivity, mu, Math.sqrt(2.0) * offDiagonal.sigma() * stepSize);
  }

  public double scale(int index, int length) {
    int place = Objects.checkIndex(index, length) % triangle();
    return sampler(place, nextDiagonal(place)).sigma();
  }

  public void add(long[] block, int from, int length, Entropy entropy) {
    Objects.checkFromIndexSize(from, block.length, length);
    addToFirst(block, block.length, from, entropy);
  }

  /**
   * Adds noise to the first numbers of a block.
   *
   * @param count how many
   * @param from the index of the first of them among those of the triangles
   */
  public void addToFirst(long[] block, int count, int from, Entropy entropy) {
    Objects.checkIndex(count, block.length + 1);
    int triangle = triangle();
    int diagonalAt = nextDiagonal(from % triangle);
    for (int i = 0; i < count; i++) {
      int place = (from + i) % triangle;
      if (place == 0 || place > diagonalAt) {
        diagonalAt = nextDiagonal(place);
      }
      block[i] += sampler(place, diagonalAt).sample(entropy);
    }
  }

  /** Describes the law of the noise in words. */
  public String law(double stepSize) {
    return String.format(
        Locale.ROOT,
        "independent normal noise, rounded to whole steps of %s: standard deviation %s on the"
            + " diagonal, %s off it",
        stepSize,
        diagonal.sigma() * stepSize,
        offDiagonal.sigma() * stepSize);
  }

  private int triangle() {
    return dimension * (dimension + 1) / 2;
  }

  private RoundedGaussian sampler(int place, int diagonalAt) {
    return place == diagonalAt ? diagonal : offDiagonal;
  }

  /** Returns the index of the first diagonal entry of a triangle at or after an index. */
  private int nextDiagonal(int place) {
    int at = 0;
    int row = 0;
    while (at < place) {
      at += dimension - row;
      row++;
    }
    return at;
  }
}

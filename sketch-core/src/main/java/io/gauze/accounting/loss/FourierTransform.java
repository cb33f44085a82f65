package io.gauze.accounting.loss;

/**
 * The discrete Fourier transform of a power of two complex numbers, in place: the algorithm of
 * Cooley and Tukey, radix 2, with a table of roots of unity.
 */
// N. J. Higham, Accuracy and stability of numerical algorithms (2002), theorem 24.2: with
// t = log2(n), the relative error of the result in the Euclidean norm is at most
// t eta / (1 - t eta), eta = mu + gamma_4 (sqrt(2) + mu), where mu bounds the error of the roots.
// Here mu < 1e-15 (an angle of up to pi has an error of at most 7e-16), so that
// eta < 1.7e-15 < 2^-49. Recurrences for the roots, as in many libraries, would lose more digits.
public final class FourierTransform {
  /** The eta of the error bound. */
  static final double ETA = 0x1p-49;

  private final int size;
  private final double[] cosines;
  private final double[] sines;

  public FourierTransform(int size) {
    this.size = size;
    cosines = new double[size / 2];
    sines = new double[size / 2];
    for (int i = 0; i < size / 2; i++) {
      double angle = -2.0 * Math.PI * i / size;
      cosines[i] = Math.cos(angle);
      sines[i] = Math.sin(angle);
    }
  }

  /** Returns a bound on the relative error in the Euclidean norm. */
  public double error() {
    return 1.001 * ETA * (Integer.SIZE - Integer.numberOfLeadingZeros(size));
  }

  /** Replaces x by {@code sum_k x_k e^(-2 pi i j k / n)}. */
  public void apply(double[] real, double[] imaginary) {
    int shift = Integer.numberOfLeadingZeros(size) + 1;
    for (int i = 0; i < size; i++) {
      int j = Integer.reverse(i) >>> shift;
      if (i < j) {
        swap(real, i, j);
        swap(imaginary, i, j);
      }
    }
    for (int half = 1; half < size; half *= 2) {
      int stride = size / (2 * half);
      for (int start = 0; start < size; start += 2 * half) {
        for (int k = 0; k < half; k++) {
          double c = cosines[k * stride];
          double s = sines[k * stride];
          int i = start + k;
          int j = i + half;
          double re = c * real[j] - s * imaginary[j];
          double im = c * imaginary[j] + s * real[j];
          real[j] = real[i] - re;
          imaginary[j] = imaginary[i] - im;
          real[i] += re;
          imaginary[i] += im;
        }
      }
    }
  }

  private static void swap(double[] values, int i, int j) {
    double value = values[i];
    values[i] = values[j];
    values[j] = value;
  }
}

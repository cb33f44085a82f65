package io.gauze.mechanism.twostage;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Numbers that should be normal around known means, with known deviations. */
public final class Law {
  private final String name;
  private final double[] exact;
  private final Supplier<double[]> noisy;
  private final IntToDoubleFunction deviation;
  private double sum;
  private double squares;
  private long count;

  public Law(String name, double[] exact, Supplier<double[]> noisy, IntToDoubleFunction deviation) {
    this.name = name;
    this.exact = exact;
    this.noisy = noisy;
    this.deviation = deviation;
  }

  /** Those of moments on the diagonal, of deviation s, and off it, of deviation s / sqrt 2. */
  public static List<Law> both(TwoStagePlan.Part part, double[] exact, Supplier<double[]> noisy) {
    int size = part.noise().dimension();
    boolean[] isDiagonal = new boolean[exact.length];
    int next = 0;
    for (int i = 0; i < size; i++) {
      isDiagonal[next] = true;
      next += size - i;
    }
    double s = part.deviation();
    return List.of(
        some("diagonal", exact, noisy, isDiagonal, true, s),
        some("beside it", exact, noisy, isDiagonal, false, s / Math.sqrt(2.0)));
  }

  private static Law some(
      String name,
      double[] exact,
      Supplier<double[]> noisy,
      boolean[] isDiagonal,
      boolean chosen,
      double deviation) {
    int[] places = IntStream.range(0, exact.length).filter(k -> isDiagonal[k] == chosen).toArray();
    return new Law(name, at(places, exact), () -> at(places, noisy.get()), k -> deviation);
  }

  private static double[] at(int[] places, double... values) {
    return IntStream.of(places).mapToDouble(k -> values[k]).toArray();
  }

  public String name() {
    return name;
  }

  public void draw(int draws) {
    for (int d = 0; d < draws; d++) {
      double[] values = noisy.get();
      for (int k = 0; k < values.length; k++) {
        double z = (values[k] - exact[k]) / deviation.applyAsDouble(k);
        sum += z;
        squares += z * z;
        count++;
      }
    }
  }

  /** z of the mean. */
  public double mean() {
    return sum / Math.sqrt((double) count);
  }

  /** z of the mean square, of noise whose deviations are multiplied by a factor. */
  public double squares(double factor) {
    return (factor * factor * squares - (double) count) / Math.sqrt(2.0 * count);
  }
}

package io.gauze.benchmarks;

import io.gauze.row.RowBatch;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The same sums as the sketches', as bare loops over the same arrays: no objects, no checks, no
 * deletions. Ceilings, but for the naive projection.
 */
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PlainLoopBenchmark {
  private static final int LANES = 256;
  private static final int SLABS = Rows.SIZE / LANES;

  /** What the loops add to. */
  @State(Scope.Thread)
  public static class Sums {
    long[] buckets;
    long[] triangle;
    double[][] columns;
    double[] flat;
    final double[] lanes = new double[LANES];
    double[][] projection;
    final double[] coefficients = new double[SketchBenchmark.PROJECTION_ROWS];
    final Random random = new Random(5);

    /** Makes room. */
    @Setup
    public void make(Rows rows) {
      int d = rows.dimension;
      buckets = new long[SketchBenchmark.BUCKETS * d];
      triangle = new long[d * (d + 1) / 2];
      columns = new double[SLABS * d][LANES];
      flat = new double[d * Rows.SIZE];
      projection = new double[SketchBenchmark.PROJECTION_ROWS][d];
    }
  }

  /** CountSketch: one mix, one bucket, one sign. */
  @Benchmark
  @OperationsPerInvocation(Rows.SIZE)
  public long[] countSketch(Rows rows, Sums sums) {
    RowBatch batch = rows.batch();
    int[] values = batch.values();
    long[] tags = batch.firstTags();
    long[] into = sums.buckets;
    int d = rows.dimension;
    for (int k = 0; k < Rows.SIZE; k++) {
      long z = tags[k] + 0x9e3779b97f4a7c15L;
      z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
      z ^= z >>> 31;
      long sign = 1 - ((z & 1) << 1);
      int at = (int) (z >>> 54) * d;
      int from = k * d;
      for (int i = 0; i < d; i++) {
        into[at + i] += sign * values[from + i];
      }
    }
    return into;
  }

  /** Second moments, row by row, in longs. */
  @Benchmark
  @OperationsPerInvocation(Rows.SIZE)
  public long[] momentsRowByRow(Rows rows, Sums sums) {
    int[] values = rows.batch().values();
    long[] into = sums.triangle;
    int d = rows.dimension;
    for (int k = 0; k < Rows.SIZE; k++) {
      int next = 0;
      for (int i = k * d; i < (k + 1) * d; i++) {
        long a = values[i];
        for (int j = i; j < (k + 1) * d; j++) {
          into[next++] += a * values[j];
        }
      }
    }
    return into;
  }

  /** Second moments, four rows at a time, in longs. */
  @Benchmark
  @OperationsPerInvocation(Rows.SIZE)
  public long[] momentsFourRows(Rows rows, Sums sums) {
    int[] values = rows.batch().values();
    long[] into = sums.triangle;
    int d = rows.dimension;
    for (int k = 0; k < Rows.SIZE * d; k += 4 * d) {
      int next = 0;
      for (int i = k; i < k + d; i++) {
        long a = values[i];
        long b = values[i + d];
        long c = values[i + 2 * d];
        long e = values[i + 3 * d];
        for (int j = i; j < k + d; j++) {
          into[next++] +=
              a * values[j] + b * values[j + d] + c * values[j + 2 * d] + e * values[j + 3 * d];
        }
      }
    }
    return into;
  }

  /** Second moments in doubles, two columns by two in registers. */
  @Benchmark
  @OperationsPerInvocation(Rows.SIZE)
  public long[] momentsTiles(Rows rows, Sums sums) {
    int[] values = rows.batch().values();
    int d = rows.dimension;
    int n = Rows.SIZE;
    double[] x = sums.flat;
    for (int i = 0; i < d; i++) {
      for (int k = 0; k < n; k++) {
        x[i * n + k] = values[k * d + i];
      }
    }
    for (int i = 0; i < d; i += 2) {
      for (int j = i; j < d; j += 2) {
        addTile(x, i * n, j * n, sums.triangle, i * d - i * (i - 1) / 2 + j - i);
      }
    }
    return sums.triangle;
  }

  /** Adds a tile; where the tile's second row is put does not matter for the time that it takes. */
  private static void addTile(double[] x, int left, int right, long[] into, int at) {
    int n = Rows.SIZE;
    double ac = 0;
    double ad = 0;
    double bc = 0;
    double bd = 0;
    for (int k = 0; k < n; k++) {
      double a = x[left + k];
      double b = x[left + n + k];
      double c = x[right + k];
      double e = x[right + n + k];
      ac += a * c;
      ad += a * e;
      bc += b * c;
      bd += b * e;
    }
    into[at] += (long) ac;
    into[at + 1] += (long) ad;
    into[Math.min(into.length - 1, at + 2)] += (long) bc + (long) bd;
  }

  /** Second moments in doubles, by columns in lanes that make vectors. */
  @Benchmark
  @OperationsPerInvocation(Rows.SIZE)
  public long[] momentsLanes(Rows rows, Sums sums) {
    int[] values = rows.batch().values();
    int d = rows.dimension;
    double[][] x = sums.columns;
    for (int s = 0; s < SLABS; s++) {
      for (int i = 0; i < d; i++) {
        double[] column = x[s * d + i];
        for (int k = 0; k < LANES; k++) {
          column[k] = values[(s * LANES + k) * d + i];
        }
      }
    }
    int next = 0;
    for (int i = 0; i < d; i++) {
      for (int j = i; j < d; j++) {
        sums.triangle[next++] += product(x, i, j, d, sums.lanes);
      }
    }
    return sums.triangle;
  }

  private static long product(double[][] x, int i, int j, int d, double[] lanes) {
    double[] a0 = x[i];
    double[] b0 = x[j];
    double[] a1 = x[d + i];
    double[] b1 = x[d + j];
    double[] a2 = x[2 * d + i];
    double[] b2 = x[2 * d + j];
    double[] a3 = x[3 * d + i];
    double[] b3 = x[3 * d + j];
    for (int k = 0; k < LANES; k++) {
      lanes[k] = a0[k] * b0[k] + a1[k] * b1[k] + a2[k] * b2[k] + a3[k] * b3[k];
    }
    for (int k = 0; k < LANES / 2; k++) {
      lanes[k] += lanes[LANES / 2 + k];
    }
    double even = 0;
    double odd = 0;
    double third = 0;
    double fourth = 0;
    for (int k = 0; k < LANES / 2; k += 4) {
      even += lanes[k];
      odd += lanes[k + 1];
      third += lanes[k + 2];
      fourth += lanes[k + 3];
    }
    return (long) (even + odd + third + fourth);
  }

  /** The projection as one writes it first: a normal draw for each row and output row, then add. */
  @Benchmark
  @OperationsPerInvocation(Rows.SIZE)
  public double[][] naiveProjection(Rows rows, Sums sums) {
    int[] values = rows.batch().values();
    int d = rows.dimension;
    for (int k = 0; k < Rows.SIZE; k++) {
      for (int j = 0; j < sums.coefficients.length; j++) {
        sums.coefficients[j] = sums.random.nextGaussian();
      }
      for (int j = 0; j < sums.coefficients.length; j++) {
        double g = sums.coefficients[j];
        double[] into = sums.projection[j];
        for (int i = 0; i < d; i++) {
          into[i] += g * values[k * d + i];
        }
      }
    }
    return sums.projection;
  }
}

package io.gauze.model;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.row.ColumnBatch;
import io.gauze.row.RowClipper;
import io.gauze.sketch.SecondMoments;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Exact sums over the rows of a list, which private selections of features and fits of the selected
 * ones need. Rows are read once for each sum; neither rows nor sums are kept. The sums are private.
 *
 * @param rows whose features are not clipped, see {@link ModelRows#unclipped}
 */
public record RowProducts(ModelRows rows) {
  /** The fraction bits of features and residuals in products: these have twice as many. */
  static final int PRODUCT_BITS = 16;

  /** The fraction bits of the coefficients of a model. */
  static final int THETA_BITS = 20;

  /** The most sums that the threads of one pass hold together: 32 MiB. */
  private static final int MOST_SUMS = 1 << 22;

  /** The largest size of a coefficient. */
  public static final double LARGEST_COEFFICIENT = 64.0;

  /**
   * Returns the number of units of {@link #products} in 1.
   *
   * @return 2^32
   */
  public static double units() {
    return Math.scalb(1.0, 2 * PRODUCT_BITS);
  }

  /**
   * Returns, by feature, the sum of products of the feature and the residual of a model, both
   * clamped. One row changes a sum by at most {@code end * largest * units()}, exactly. O(n p)
   * time.
   *
   * @param features the places of the model's features, from 0, where 0 is the intercept; may be
   *     empty
   * @param theta their coefficients, rounded to multiples of 2^-20; each in [-64, 64]
   * @param end the size to which features are clamped, the intercept, too; in [0, 1]
   * @param largest the size to which residuals are clamped, in [0, 1]
   * @throws IllegalArgumentException if an argument is out of range
   */
  // A product is at most 2^32, a sum of 2^30 rows 2^62.
  public long[] products(int[] features, double[] theta, double end, double largest) {
    Checks.length("theta", theta.length, features.length);
    Checks.within("end", end, 0.0, 1.0);
    Checks.within("largest", largest, 0.0, 1.0);
    long most = (long) Math.scalb(end, PRODUCT_BITS);
    Residuals residuals = new Residuals(features, theta, largest);
    long[] sums = new long[rows.features()];
    int shift = rows.gridBits() - PRODUCT_BITS;
    rows.forEach(
        block -> {
          for (int i = 0; i < block.rows(); i++) {
            long residual = residuals.of(block, i);
            int from = i * sums.length;
            for (int j = 0; j < sums.length; j++) {
              long feature = towardZero(block.features[from + j], shift);
              sums[j] += Math.max(-most, Math.min(most, feature)) * residual;
            }
          }
        });
    return sums;
  }

  /** A number over a power of two, rounded toward zero. */
  private static long towardZero(long value, int bits) {
    return (value + (value >> (Long.SIZE - 1) & (1L << bits) - 1L)) >> bits;
  }

  /**
   * Returns the second moments of some features and the response of rows that a clipper shortens:
   * the upper triangle, the response last, in squared steps of the clipper's grid. O(n s^2) time.
   *
   * @param features their places, from 0; one less than the clipper's entries
   * @throws IllegalArgumentException if they are not as many
   */
  // An entry is at most 2^15 steps, a sum of 2^30 products 2^60; noise is below 2^50.
  public long[] moments(RowClipper clipper, int... features) {
    int size = clipper.dimension();
    Checks.length("features", features.length, size - 1);
    double[] row = new double[size];
    int[] steps = new int[size];
    long[] upper = new long[size * (size + 1) / 2];
    double step = Math.scalb(1.0, -rows.gridBits());
    rows.forEach(
        block -> {
          for (int i = 0; i < block.rows(); i++) {
            int from = i * rows.features();
            for (int k = 0; k < features.length; k++) {
              row[k] = block.features[from + features[k]] * step;
            }
            row[size - 1] = block.responses[i] / FixedPointScore.UNITS;
            clipper.clip(row, steps);
            addSquare(upper, 0, steps);
          }
        });
    return upper;
  }

  /** A public function of one row, which several threads apply to some rows at once. */
  @FunctionalInterface
  public interface RowMap {
    /**
     * Maps rows, which must not be kept.
     *
     * @param rows the features, in the encoded scale; may be overwritten
     * @param mapped of as many rows; receives as many entries of each
     */
    void apply(ColumnBatch rows, ColumnBatch mapped);
  }

  /** The cell of the squared norm of a mapped row, which several threads ask for. */
  @FunctionalInterface
  public interface NormCell {
    /** Returns the cell, from 0. */
    int of(double square);
  }

  /**
   * Returns the second moments of mapped rows of all features, which a clipper shortens: the upper
   * triangle, in squared steps of the clipper's grid. The responses do not matter. O(n p^2) time
   * beside that of the map.
   *
   * @throws IllegalArgumentException if the clipper is for another number of entries
   */
  public long[] moments(RowMap map, RowClipper clipper) {
    Checks.length("features", rows.features(), clipper.dimension());
    SecondMomentsSpec spec = new SecondMomentsSpec(clipper.dimension());
    int parts = Math.max(1, MOST_SUMS / spec.stateLength());
    SecondMoments all = spec.zero();
    rows.forEachPart(parts, () -> new MomentsPass(map, clipper, spec.zero()))
        .forEach(pass -> all.merge(pass.sums()));
    return all.state();
  }

  /** The strata of mapped rows, which several threads ask for. */
  @FunctionalInterface
  public interface Strata {
    /**
     * Writes the stratum of each row of a slab, from 0.
     *
     * @param steps rows that were shortened, in steps of the clipper's grid
     * @param strata receives them
     */
    void of(ColumnBatch steps, int slab, int[] strata);
  }

  /**
   * Returns the second moments of the mapped rows of each stratum, which a clipper shortens: upper
   * triangles, in squared steps of the clipper's grid. The responses do not matter. O(n p^2) time
   * beside that of the map.
   *
   * @param of decides the stratum of a row
   * @param strata their number
   * @throws IllegalArgumentException if the clipper is for another number of entries
   */
  // As of moments: a sum of 2^30 products is at most 2^60.
  public long[] moments(RowMap map, RowClipper clipper, Strata of, int strata) {
    Checks.length("features", rows.features(), clipper.dimension());
    long[] all = new long[Math.multiplyExact(strata, SymmetricMatrix.length(rows.features()))];
    int parts = Math.max(1, MOST_SUMS / all.length);
    rows.forEachPart(parts, () -> new StrataPass(map, clipper, of, new long[all.length]))
        .forEach(pass -> Arrays.setAll(all, k -> all[k] + pass.sums[k]));
    return all;
  }

  /**
   * Returns the sum of mapped rows of all features, which a clipper shortens, in steps of the
   * clipper's grid. The responses do not matter. O(n p) time beside that of the map.
   *
   * @throws IllegalArgumentException if the clipper is for another number of entries
   */
  // An entry is at most 2^15 steps, a sum of 2^30 rows 2^45.
  public long[] sums(RowMap map, RowClipper clipper) {
    Checks.length("features", rows.features(), clipper.dimension());
    long[] all = new long[clipper.dimension()];
    rows.forEachPart(Integer.MAX_VALUE, () -> new SumsPass(map, clipper))
        .forEach(pass -> Arrays.setAll(all, k -> all[k] + pass.sums[k]));
    return all;
  }

  /**
   * Returns the numbers of mapped rows of all features in cells of their norms. O(n p) time beside
   * that of the map.
   *
   * @param cells the number of cells
   */
  public long[] counts(RowMap map, NormCell cell, int cells) {
    long[] all = new long[cells];
    rows.forEachPart(Integer.MAX_VALUE, () -> new CountsPass(map, cell, new long[cells]))
        .forEach(pass -> Arrays.setAll(all, k -> all[k] + pass.counts[k]));
    return all;
  }

  /** One thread's pass over mapped rows. */
  private abstract class MappedPass implements Consumer<ModelRows.Block> {
    private final RowMap map;
    private final ColumnBatch batch = new ColumnBatch(rows.features());
    private final ColumnBatch mapped = new ColumnBatch(rows.features());
    private final double step = Math.scalb(1.0, -rows.gridBits());

    MappedPass(RowMap map) {
      this.map = map;
    }

    @Override
    public final void accept(ModelRows.Block block) {
      for (int from = 0; from < block.rows(); from += batch.size()) {
        int count = Math.min(block.rows() - from, batch.capacity());
        batch.resize(count);
        mapped.resize(count);
        for (int s = 0; s < ColumnBatch.SLABS; s++) {
          load(block.features, from + batch.first(s), batch.rows(s), batch.slab(s));
        }
        map.apply(batch, mapped);
        add(mapped);
      }
    }

    private void load(int[] features, int first, int count, double[][] columns) {
      int width = columns.length;
      for (int j = 0; j < width; j++) {
        double[] column = columns[j];
        int at = first * width + j;
        for (int lane = 0; lane < count; lane++, at += width) {
          column[lane] = features[at] * step;
        }
      }
    }

    /** Adds mapped rows, which may be changed. */
    abstract void add(ColumnBatch mapped);
  }

  private final class CountsPass extends MappedPass {
    private final NormCell cell;
    private final long[] counts;
    private double[] squares = {};

    CountsPass(RowMap map, NormCell cell, long[] counts) {
      super(map);
      this.cell = cell;
      this.counts = counts;
    }

    @Override
    void add(ColumnBatch mapped) {
      if (squares.length < mapped.lanes()) {
        squares = new double[mapped.lanes()];
      }
      for (int s = 0; s < ColumnBatch.SLABS; s++) {
        mapped.squares(s, squares);
        for (int lane = 0; lane < mapped.rows(s); lane++) {
          counts[cell.of(squares[lane])]++;
        }
      }
    }
  }

  private final class SumsPass extends MappedPass {
    private final RowClipper clipper;
    private final long[] sums;

    SumsPass(RowMap map, RowClipper clipper) {
      super(map);
      this.clipper = clipper;
      this.sums = new long[clipper.dimension()];
    }

    // Sums of whole numbers below 2^53: doubles hold them exactly.
    @Override
    void add(ColumnBatch mapped) {
      clipper.clip(mapped);
      for (int s = 0; s < ColumnBatch.SLABS; s++) {
        for (int k = 0; k < sums.length; k++) {
          double[] column = mapped.slab(s)[k];
          double sum = 0.0;
          for (int lane = 0; lane < mapped.rows(s); lane++) {
            sum += column[lane];
          }
          sums[k] += (long) sum;
        }
      }
    }
  }

  private final class MomentsPass extends MappedPass {
    private final RowClipper clipper;
    private final SecondMoments sums;

    MomentsPass(RowMap map, RowClipper clipper, SecondMoments sums) {
      super(map);
      this.clipper = clipper;
      this.sums = sums;
    }

    @Override
    void add(ColumnBatch mapped) {
      clipper.clip(mapped);
      sums.add(mapped);
    }

    SecondMoments sums() {
      return sums;
    }
  }

  private final class StrataPass extends MappedPass {
    private final RowClipper clipper;
    private final Strata of;
    private final long[] sums;
    private final int[] steps = new int[rows.features()];
    private int[] strata = {};

    StrataPass(RowMap map, RowClipper clipper, Strata of, long... sums) {
      super(map);
      this.clipper = clipper;
      this.of = of;
      this.sums = sums;
    }

    @Override
    void add(ColumnBatch mapped) {
      clipper.clip(mapped);
      if (strata.length < mapped.lanes()) {
        strata = new int[mapped.lanes()];
      }
      int length = SymmetricMatrix.length(steps.length);
      for (int s = 0; s < ColumnBatch.SLABS; s++) {
        of.of(mapped, s, strata);
        for (int lane = 0; lane < mapped.rows(s); lane++) {
          for (int k = 0; k < steps.length; k++) {
            steps[k] = (int) mapped.slab(s)[k][lane];
          }
          addSquare(sums, strata[lane] * length, steps);
        }
      }
    }
  }

  private static void addSquare(long[] sums, int from, int... steps) {
    int next = from;
    for (int i = 0; i < steps.length; i++) {
      long factor = steps[i];
      for (int j = i; j < steps.length; j++) {
        sums[next++] += factor * steps[j];
      }
    }
  }

  /** Computes clamped residuals in units of 2^-16. */
  private final class Residuals {
    private final int[] features;
    private final long[] weights;
    private final long largest;
    private final int shift = rows.gridBits() + THETA_BITS - FixedPointScore.BITS;

    Residuals(int[] features, double[] theta, double largest) {
      this.features = features.clone();
      this.weights = new long[theta.length];
      for (int k = 0; k < weights.length; k++) {
        Checks.within("theta", theta[k], -LARGEST_COEFFICIENT, LARGEST_COEFFICIENT);
        weights[k] = Math.round(Math.scalb(theta[k], THETA_BITS));
      }
      this.largest = (long) Math.scalb(largest, PRODUCT_BITS);
    }

    // Below 2^26 * 2^22 for a feature within its range, and 2^26 * 2^30 for any intercept.
    long of(ModelRows.Block block, int row) {
      int from = row * rows.features();
      long predicted = 0;
      for (int k = 0; k < features.length; k++) {
        predicted += weights[k] * block.features[from + features[k]];
      }
      long residual = block.responses[row] - towardZero(predicted, shift);
      long coarse = towardZero(residual, FixedPointScore.BITS - PRODUCT_BITS);
      return Math.max(-largest, Math.min(largest, coarse));
    }
  }
}

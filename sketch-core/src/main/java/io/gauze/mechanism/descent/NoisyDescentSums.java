package io.gauze.mechanism.descent;

import io.gauze.mechanism.twostage.NoisyRowSums;
import io.gauze.mechanism.twostage.NormCells;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.model.RowProducts;
import io.gauze.noise.Entropy;
import io.gauze.row.ColumnBatch;
import io.gauze.row.RowClipper;
import java.util.Arrays;

/** Exact sums over a list of rows, with the noise of a plan. */
final class NoisyDescentSums implements DescentSums {
  private final DescentPlan plan;
  private final NoisyRowSums before;
  private final RowProducts products;
  private final Entropy entropy;
  private final double intercept;
  private final RowClipper clipper;

  /**
   * Creates the sums of one release.
   *
   * @param encoded shortens encoded rows, and checks the norm of each
   * @param intercept the constant of encoded rows, on their grid
   * @param products of the rows, whose features are all of their entries, the response last
   * @param entropy random bits that are used for nothing else
   */
  NoisyDescentSums(
      RowClipper encoded,
      DescentPlan plan,
      double intercept,
      RowProducts products,
      Entropy entropy) {
    this.plan = plan;
    this.before = new NoisyRowSums(encoded, plan, intercept, products, entropy);
    this.products = products;
    this.entropy = entropy;
    this.intercept = intercept;
    this.clipper = RowClipper.of(encoded.dimension(), DescentPlan.BOUND);
  }

  @Override
  public RowSums first() {
    return before;
  }

  @Override
  public long[] sizes(RowGradient gradient) {
    return before.counts(map(gradient), square -> NormCells.of(StrictMath.sqrt(square)));
  }

  @Override
  public long[] residuals(RowTransform transform) {
    RowProducts.RowMap map = before.map(transform);
    return before.counts(
        (rows, mapped) -> {
          map.apply(rows, mapped);
          for (int s = 0; s < ColumnBatch.SLABS; s++) {
            inCells(mapped.slab(s), mapped.rows(s));
          }
        },
        square -> (int) Math.rint(Math.sqrt(square)));
  }

  /** Writes the cells of the last entries of rows at their place, and 0 at all others. */
  private static void inCells(double[][] columns, int rows) {
    int last = columns.length - 1;
    for (int k = 0; k < last; k++) {
      Arrays.fill(columns[k], 0, rows, 0.0);
    }
    for (int lane = 0; lane < rows; lane++) {
      columns[last][lane] = ResidualCells.of(columns[last][lane]);
    }
  }

  @Override
  public long[] gradient(RowGradient gradient, int rounds) {
    long[] sums = products.sums(map(gradient), clipper);
    long[] entries = Arrays.copyOf(sums, sums.length - 1); // the last one is 0
    for (int k = 0; k < entries.length; k++) {
      entries[k] += plan.step(rounds).sample(entropy);
    }
    return entries;
  }

  private RowProducts.RowMap map(RowGradient gradient) {
    return (rows, mapped) -> {
      for (int s = 0; s < ColumnBatch.SLABS; s++) {
        Arrays.fill(rows.slab(s)[0], 0, rows.rows(s), intercept);
      }
      gradient.apply(rows, mapped);
    };
  }
}

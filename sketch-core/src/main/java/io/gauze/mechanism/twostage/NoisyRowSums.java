package io.gauze.mechanism.twostage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.model.RowProducts;
import io.gauze.noise.Entropy;
import io.gauze.row.ColumnBatch;
import io.gauze.row.RowClipper;
import java.util.Arrays;

/** Exact sums over a list of rows, with the noise of a plan. */
public final class NoisyRowSums implements RowSums {
  private final RowClipper encoded;
  private final SumsNoise noise;
  private final RowProducts products;
  private final Entropy entropy;
  private final double intercept;

  /**
   * Creates the sums of one release.
   *
   * @param encoded shortens encoded rows, and checks the norm of each
   * @param intercept the constant of encoded rows, on their grid
   * @param products of the rows, whose features are all of their entries
   * @param entropy random bits that are used for nothing else
   */
  public NoisyRowSums(
      RowClipper encoded,
      SumsNoise noise,
      double intercept,
      RowProducts products,
      Entropy entropy) {
    this.encoded = encoded;
    this.noise = noise;
    this.products = products;
    this.entropy = entropy;
    this.intercept = intercept;
  }

  @Override
  public SymmetricMatrix encoded() {
    RowProducts.RowMap same =
        (rows, mapped) -> {
          for (int s = 0; s < ColumnBatch.SLABS; s++) {
            double[][] out = mapped.slab(s);
            for (int k = 1; k < out.length; k++) {
              System.arraycopy(rows.slab(s)[k], 0, out[k], 0, rows.rows(s));
            }
            Arrays.fill(out[0], 0, rows.rows(s), intercept);
          }
        };
    long[] sums = products.moments(same, encoded);
    noise.first().noise().add(sums, 0, sums.length, entropy);
    double unit = noise.first().unit();
    return SymmetricMatrix.ofUpperTriangle(
        encoded.dimension(), Arrays.stream(sums).mapToDouble(sum -> sum * unit).toArray());
  }

  @Override
  public long[] norms(RowTransform transform, int round) {
    return counts(map(transform), NormCells::of);
  }

  /**
   * Returns noisy numbers of mapped rows in {@link NormCells}, in units of a release.
   *
   * @param map of rows, which has to set the constant
   */
  public long[] counts(RowProducts.RowMap map, RowProducts.NormCell cell) {
    long[] counts = products.counts(map, cell, NormCells.COUNT);
    for (int k = 0; k < counts.length; k++) {
      long noisy = (counts[k] << TwoStagePlan.COUNT_BITS) + noise.norms().sample(entropy);
      counts[k] = noisy << (TwoStageRelease.UNIT_BITS - TwoStagePlan.COUNT_BITS);
    }
    return counts;
  }

  @Override
  public long[] moments(RowTransform transform, int round, boolean isLast) {
    RowClipper clipper = RowClipper.of(encoded.dimension(), TwoStageRelease.BOUND);
    long[] sums = products.moments(map(transform), clipper);
    noise.part(round, isLast).noise().add(sums, 0, sums.length, entropy);
    return sums;
  }

  /** Returns what a transform makes of rows. */
  public RowProducts.RowMap map(RowTransform transform) {
    return (rows, mapped) -> {
      for (int s = 0; s < ColumnBatch.SLABS; s++) {
        Arrays.fill(rows.slab(s)[0], 0, rows.rows(s), intercept);
      }
      transform.apply(rows, mapped);
    };
  }
}

package io.gauze.mechanism.twostage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.model.RowProducts;
import io.gauze.noise.Entropy;
import io.gauze.row.ColumnBatch;
import io.gauze.row.RowClipper;
import io.gauze.row.RowSchema;
import java.util.Arrays;

/** Exact sums over a list of rows, with the noise of a plan. */
final class NoisyRowSums implements RowSums {
  private final RowSchema schema;
  private final TwoStagePlan plan;
  private final RowProducts products;
  private final Entropy entropy;
  private final double intercept;

  /**
   * Creates the sums of one release.
   *
   * @param intercept the constant of encoded rows, on their grid
   * @param products of the rows, whose features are all of their entries
   * @param entropy random bits that are used for nothing else
   */
  NoisyRowSums(
      RowSchema schema,
      TwoStagePlan plan,
      double intercept,
      RowProducts products,
      Entropy entropy) {
    this.schema = schema;
    this.plan = plan;
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
    long[] sums = products.moments(same, RowClipper.ofAnyRow(schema));
    plan.first().noise().add(sums, 0, sums.length, entropy);
    double unit = plan.first().unit();
    return SymmetricMatrix.ofUpperTriangle(
        schema.dimension(), Arrays.stream(sums).mapToDouble(sum -> sum * unit).toArray());
  }

  @Override
  public long[] norms(RowTransform transform, int round) {
    long[] counts = products.counts(map(transform), NormCells::of, NormCells.COUNT);
    for (int cell = 0; cell < counts.length; cell++) {
      long noisy = (counts[cell] << TwoStagePlan.COUNT_BITS) + plan.norms().sample(entropy);
      counts[cell] = noisy << (TwoStageRelease.UNIT_BITS - TwoStagePlan.COUNT_BITS);
    }
    return counts;
  }

  @Override
  public long[] moments(RowTransform transform, int round, boolean isLast) {
    RowClipper clipper = RowClipper.of(schema.dimension(), TwoStageRelease.BOUND);
    long[] sums = products.moments(map(transform), clipper);
    plan.part(round, isLast).noise().add(sums, 0, sums.length, entropy);
    return sums;
  }

  private RowProducts.RowMap map(RowTransform transform) {
    return (rows, mapped) -> {
      for (int s = 0; s < ColumnBatch.SLABS; s++) {
        Arrays.fill(rows.slab(s)[0], 0, rows.rows(s), intercept);
      }
      transform.apply(rows, mapped);
    };
  }
}

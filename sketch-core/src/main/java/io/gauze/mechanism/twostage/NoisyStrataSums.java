package io.gauze.mechanism.twostage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.model.RowProducts;
import io.gauze.noise.Entropy;
import io.gauze.row.RowClipper;

/** Exact sums over a list of rows, with the noise of a plan. */
final class NoisyStrataSums implements StrataSums {
  private final StrataPlan plan;
  private final NoisyRowSums moments;
  private final RowProducts products;
  private final Entropy entropy;
  private final int dimension;

  /**
   * Creates the sums of one release.
   *
   * @param encoded shortens encoded rows, and checks the norm of each
   * @param intercept the constant of encoded rows, on their grid
   * @param products of the rows, whose features are all of their entries
   * @param entropy random bits that are used for nothing else
   */
  NoisyStrataSums(
      RowClipper encoded,
      StrataPlan plan,
      double intercept,
      RowProducts products,
      Entropy entropy) {
    this.plan = plan;
    this.moments = new NoisyRowSums(encoded, plan.moments(), intercept, products, entropy);
    this.products = products;
    this.entropy = entropy;
    this.dimension = encoded.dimension();
  }

  @Override
  public RowSums moments() {
    return moments;
  }

  @Override
  public long[] strata(RowTransform transform, ResidualWeights weights) {
    RowClipper clipper = RowClipper.of(dimension, TwoStageRelease.BOUND);
    double step = clipper.grid().step();
    long[] sums =
        products.moments(
            moments.map(transform),
            clipper,
            (steps, slab, out) -> weights.strata(steps, slab, step, out),
            weights.strata());
    int length = SymmetricMatrix.length(dimension);
    long[] stratum = new long[length];
    for (int from = 0; from < sums.length; from += length) {
      System.arraycopy(sums, from, stratum, 0, length);
      plan.strata().noise().add(stratum, 0, length, entropy);
      System.arraycopy(stratum, 0, sums, from, length);
    }
    return sums;
  }
}

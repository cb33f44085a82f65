package io.gauze.regression;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.moments.InverseLaw;
import io.gauze.regression.papers.ReleasedInverse;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/** Releases of inverse Wishart noise, drawn from their law. */
public final class InverseDraws {
  private InverseDraws() {}

  public static ReleasedInverse of(
      SymmetricMatrix exact, int degrees, double psi, FitRandom random) {
    int freedom = degrees - exact.dimension() - 1;
    DMatrixRMaj moments = Draws.all(exact);
    CommonOps_DDRM.addEquals(moments, new InverseLaw(freedom, psi).sample(moments, random));
    SymmetricMatrix sample = SymmetricMatrix.of(moments).plusDiagonal(psi).times(1.0 / freedom);
    return ReleasedInverse.of(sample, degrees, psi, Simulation.INTERCEPT);
  }
}

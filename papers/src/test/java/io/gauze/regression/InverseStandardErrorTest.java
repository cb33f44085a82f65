package io.gauze.regression;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.noise.Entropy;
import io.gauze.noise.InverseWishartSampler;
import io.gauze.noise.OutputGrid;
import io.gauze.noise.Randomness;
import io.gauze.regression.moments.InverseLaw;
import io.gauze.regression.moments.NoiseLaw;
import io.gauze.regression.papers.ReleasedInverse;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;

/** {@link StandardErrorTest} of inverse Wishart noise. */
final class InverseStandardErrorTest {
  @Test
  void lawOfInverses() {
    DMatrixRMaj moments = StandardErrorTest.someMoments();
    double[] shifted = StandardErrorTest.upper(SymmetricMatrix.of(moments).plusDiagonal(20.0));
    Entropy entropy = Randomness.insecureForTests(11).entropy("inverse");
    OutputGrid grid = OutputGrid.relativeTo(1e-3);
    InverseWishartSampler sampler = InverseWishartSampler.of(4, 257, shifted, grid);
    NoiseLaw law = new InverseLaw(252, 20.0);
    StandardErrorTest.checkLaw(
        law,
        moments,
        20_000,
        () -> {
          double[] sample = grid.values(sampler.sample(entropy));
          SymmetricMatrix v = SymmetricMatrix.ofUpperTriangle(4, sample);
          return StandardErrorTest.minus(ReleasedInverse.of(v, 257, 20.0, 1.0), moments);
        });
    FitRandom random = Draws.random(6);
    StandardErrorTest.checkLaw(law, moments, 20_000, () -> law.sample(moments, random));
  }
}

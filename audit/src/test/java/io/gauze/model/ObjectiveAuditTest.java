package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.AuditResult;
import io.gauze.audit.Auditor;
import io.gauze.audit.Claim;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.testing.Effort;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One feature, one row: worst neighbours, whose densities are known. */
final class ObjectiveAuditTest {
  private static final double FAR = 35.4;
  private static final List<Double> NONE = List.of();
  private static final Claim PURE = new Claim(1.0, 0.0, Neighbours.REPLACE_ONE);
  private static final Variant HALF_RIDGE = new Variant("half the ridge", 0.5, 1.0);
  private static final Variant HALF_NOISE = new Variant("noise for add-remove", 1.0, 0.5);

  /** Neighbours, claim and noise; the responses of rows whose feature is 1, k = 1. */
  private record Pair(
      Neighbours neighbours,
      ObjectiveNoise noise,
      Claim claim,
      List<Double> first,
      List<Double> second) {
    ObjectivePerturbation mechanism(double share) {
      double delta = claim.delta() > 0.0 ? claim.delta() : 1e-6;
      Budget budget = new Budget(claim.epsilon(), delta, neighbours);
      return ObjectivePerturbation.of(
          ObjectiveSpec.of(1, 1.0, new ModelLoss.Huber(1.0), budget)
              .withNoise(noise)
              .withDeterminantShare(share));
    }
  }

  private static ModelRows rows(ObjectivePerturbation mechanism, List<Double> responses) {
    ModelRows rows = mechanism.rows();
    for (double response : responses) {
      rows.add(new double[] {1.0}, response);
    }
    return rows;
  }

  /** The logarithm of the density of the minimiser, up to a constant. */
  private static double logDensity(
      ObjectivePerturbation mechanism, Variant variant, double theta, List<Double> responses) {
    double lambda = variant.lambda(mechanism);
    double linear = -lambda * theta;
    double curvature = lambda;
    for (double response : responses) {
      double residual = response - theta;
      linear += Math.max(-1.0, Math.min(1.0, residual));
      curvature += Math.abs(residual) < 1.0 ? 1.0 : 0.0;
    }
    double scale = variant.noiseFactor * mechanism.calibration().scale();
    double size = Math.abs(linear) / scale;
    boolean pure = mechanism.calibration().spec().noise() == ObjectiveNoise.PURE;
    return Math.log(curvature) - (pure ? size : 0.5 * size * size);
  }

  private static double largestLoss(Pair pair, double share, Variant variant) {
    ObjectivePerturbation mechanism = pair.mechanism(share);
    double largest = 0.0;
    for (double theta = -12.0; theta < 40.0; theta += 5e-4) {
      double loss =
          logDensity(mechanism, variant, theta, pair.first)
              - logDensity(mechanism, variant, theta, pair.second);
      largest = Math.max(largest, Math.abs(loss));
    }
    return largest;
  }

  /**
   * Rows whose outcomes reach the claim but for the solver's hundredth: at a corner of one loss
   * both the gradient and the determinant are at their bounds. Half of the ridge would break it.
   */
  @ParameterizedTest
  @CsvSource({"1.0, 0.3, -7.40987, true", "1.0, 0.3, -1.5, true", "3.0, 0.1, -1.5042, false"})
  void theWorstOutcomesReachTheClaim(
      double epsilon, double share, double response, boolean replaced) {
    Neighbours neighbours = replaced ? Neighbours.REPLACE_ONE : Neighbours.ADD_REMOVE;
    Claim claim = new Claim(epsilon, 0.0, neighbours);
    List<Double> second = replaced ? List.of(FAR) : NONE;
    Pair pair = new Pair(neighbours, ObjectiveNoise.PURE, claim, List.of(response), second);

    assertThat(largestLoss(pair, share, Variant.SHIPPED))
        .isBetween(0.99 * epsilon - 1e-3, 0.99 * epsilon);
    Pair further =
        new Pair(neighbours, ObjectiveNoise.PURE, claim, List.of(2.0 * response), second);
    assertThat(largestLoss(further, share, HALF_RIDGE)).isGreaterThan(1.05 * epsilon);
  }

  /** What is run for an audit: as shipped, or with less ridge or noise. */
  private record Variant(String label, double lambdaFactor, double noiseFactor) {
    static final Variant SHIPPED = new Variant("as shipped", 1.0, 1.0);

    boolean isSound() {
      return equals(SHIPPED);
    }

    double release(ObjectivePerturbation mechanism, ModelRows rows, Entropy entropy) {
      if (isSound()) {
        return mechanism.fit(rows, entropy).get(0);
      }
      double linear = noiseFactor * mechanism.calibration().linear(entropy)[0];
      PerturbedObjective objective =
          new PerturbedObjective(
              rows,
              Score.of(mechanism.calibration().spec().loss()),
              lambda(mechanism),
              new double[1],
              new double[] {linear});
      FixedVector start = objective.centre();
      return ObjectiveSolver.solve(objective, start, mechanism.calibration().tolerance())
              .theta()
              .units(0)
              .doubleValue()
          * 0x1p-60;
    }

    double lambda(ObjectivePerturbation mechanism) {
      return Math.rint(lambdaFactor * mechanism.calibration().lambda() * 0x1p30) * 0x1p-30;
    }
  }

  private static AuditCase audit(Pair pair, Variant variant, OptionalDouble threshold) {
    boolean pure = pair.noise == ObjectiveNoise.PURE;
    ObjectivePerturbation mechanism = pair.mechanism(pure ? 0.6 : 0.1);
    ModelRows first = rows(mechanism, pair.first);
    ModelRows second = rows(mechanism, pair.second);
    return new AuditCase(
        "objective-perturbation",
        variant.label(),
        variant.isSound(),
        pair.claim,
        threshold,
        Effort.of(60_000, 1_000_000),
        () ->
            (inSecond, entropy) -> {
              double theta = variant.release(mechanism, inSecond ? second : first, entropy);
              return logDensity(mechanism, variant, theta, pair.second)
                  - logDensity(mechanism, variant, theta, pair.first);
            });
  }

  private static Pair pair(Neighbours neighbours, ObjectiveNoise noise, double epsilon) {
    boolean replaced = neighbours == Neighbours.REPLACE_ONE;
    boolean pure = noise == ObjectiveNoise.PURE;
    Claim claim = new Claim(epsilon, pure ? 0.0 : 0.02, neighbours);
    List<Double> first = List.of(pure ? -2.8 : -FAR);
    return new Pair(neighbours, noise, claim, first, replaced ? List.of(FAR) : NONE);
  }

  static Stream<AuditCase> cases() {
    Pair replaced = pair(Neighbours.REPLACE_ONE, ObjectiveNoise.PURE, 1.0);
    Pair gaussian = pair(Neighbours.REPLACE_ONE, ObjectiveNoise.GAUSSIAN, 1.0);
    Pair added = pair(Neighbours.ADD_REMOVE, ObjectiveNoise.PURE, 1.0);
    OptionalDouble near = OptionalDouble.of(0.85);
    OptionalDouble above = OptionalDouble.of(1.15);
    return Stream.of(
        audit(replaced, Variant.SHIPPED, near),
        audit(added, Variant.SHIPPED, near),
        audit(gaussian, Variant.SHIPPED, OptionalDouble.empty()),
        audit(replaced, HALF_RIDGE, above),
        audit(replaced, HALF_NOISE, above),
        audit(gaussian, HALF_NOISE, OptionalDouble.empty()));
  }

  /**
   * False alarms: 1e-6 for a sound case; a broken one must be four standard errors above. The
   * default build has a sound and a broken case.
   */
  @ParameterizedTest
  @MethodSource("cases")
  void soundOnesStandAndBrokenOnesAreCaught(AuditCase audited) {
    Effort.skipIfLong(
        !audited.claim().equals(PURE) || audited.variant().equals(HALF_NOISE.label()));
    AuditResult result = Auditor.run(audited, audited.runs(), Randomness.insecureForTests(61));

    assertThat(result.asExpected()).isTrue();
    if (audited.sound()) {
      assertThat(result.lowerBound()).isGreaterThan(0.2 * audited.claim().epsilon());
    } else {
      assertThat(result.margin()).isGreaterThan(4.0);
    }
  }

  /** A row that moves costs the removal of one cell and the addition of the other: the claim. */
  @Test
  void twoCellsCostWhatIsPromised() {
    for (double epsilon : new double[] {0.1, 1.0, 5.0}) {
      Budget budget = new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE);
      ObjectiveSpec spec = ObjectiveSpec.of(5, 1.25, new ModelLoss.Huber(0.1), budget);
      ObjectiveCalibration pure = ObjectiveCalibration.of(spec);
      double removal = 0.65 * epsilon;
      double addition = 0.35 * epsilon;
      assertThat(pure.removalDelta(removal)).isLessThan(1e-20);
      assertThat(pure.additionDelta(addition)).isLessThan(1e-20);
      assertThat(pure.removalDelta(0.99 * removal)).isGreaterThan(1e-4 * epsilon);
      assertThat(pure.additionDelta(0.99 * addition)).isGreaterThan(1e-4 * epsilon);
    }
  }
}

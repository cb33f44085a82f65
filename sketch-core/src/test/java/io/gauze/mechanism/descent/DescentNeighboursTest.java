package io.gauze.mechanism.descent;

import static io.gauze.mechanism.descent.DescentFixture.NONE;
import static io.gauze.mechanism.descent.DescentFixture.counts;
import static io.gauze.mechanism.descent.DescentFixture.gradients;
import static io.gauze.mechanism.descent.DescentFixture.planned;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TwoStagePlan;
import io.gauze.model.ModelRows;
import io.gauze.row.RowSchema;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Searches for neighbours, transforms, models and units whose sums differ by more than is charged:
 * gradients that are tiny, long, infinite or no numbers, of rows that are there or not, or in place
 * of each other, in one cell or in two.
 */
final class DescentNeighboursTest {
  private static final int COLUMNS = 4;
  private static final int SIZE = COLUMNS + 1;
  private static final int TRIALS = 6_000;
  private static final double[] SIZES = {1e-300, 1e-6, 0.3, 1.0, 30.0, 1e9, 1e160, 1e308};

  static Stream<RowSchema> schemas() {
    return Stream.of(
        Fixtures.numbers(COLUMNS, 0.5, 1.5),
        Fixtures.numbers(COLUMNS, 0.49, 0.6),
        Fixtures.numbers(COLUMNS, 1.0, 2.2));
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void noNeighboursDifferByMoreThanIsCharged(RowSchema schema) {
    check(DescentModel.NAME, schema);
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void noneUnderBoundedSlopesDifferByMore(RowSchema schema) {
    check(DescentModel.QUANTILE, schema);
  }

  private static void check(String mechanism, RowSchema schema) {
    Map<String, String> options = Map.of("response", "x3");
    DescentModel removed =
        planned(mechanism, schema, new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE), options);
    DescentModel replaced =
        planned(mechanism, schema, new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE), options);
    SplittableRandom random = new SplittableRandom(schema.hashCode());
    double most = 0.0;
    double mostReplaced = 0.0;
    for (int trial = 0; trial < TRIALS; trial++) {
      ModelRows empty = removed.rows();
      double[] wish = random.doubles(SIZE, -1.0, 1.0).toArray();
      ModelRows a = rows(removed, schema, wish);
      ModelRows b = rows(removed, schema, random.nextBoolean() ? opposite(wish) : ends(random));
      RowGradient gradient = gradient(removed, random);
      Change none = Change.of(removed, gradient, a, empty);
      Change other = Change.of(replaced, gradient, a, b);
      none.assertWithin(removed.plan());
      other.assertWithin(replaced.plan());
      most = Math.max(most, none.gradient());
      mostReplaced = Math.max(mostReplaced, other.gradient());
      // the same two rows in two cells, under gradients of their own
      Change leaves = Change.of(replaced, gradient, a, empty);
      Change enters = Change.of(replaced, gradient(removed, random), empty, b);
      for (int rounds = 1; rounds <= 2; rounds++) {
        assertThat(
                Math.hypot(leaves.mu(replaced.plan(), rounds), enters.mu(replaced.plan(), rounds)))
            .isLessThanOrEqualTo(replaced.plan().mu());
      }
    }
    // the search has eyes
    assertThat(most).isGreaterThan(0.999);
    assertThat(mostReplaced).isGreaterThan(1.99);
  }

  /** How much the sums change: moments in Frobenius norm, the others in l2 norm. */
  private record Change(double encoded, double moments, double cells, double gradient) {
    static Change of(DescentModel planned, RowGradient gradient, ModelRows a, ModelRows b) {
      DescentSums one = planned.sums(a, NONE);
      DescentSums two = planned.sums(b, NONE);
      RowTransform transform = gradient.transform();
      return new Change(
          frobenius(one.first().encoded(), two.first().encoded()),
          frobenius(
              matrix(one.first().moments(transform, 1, false)),
              matrix(two.first().moments(transform, 1, false))),
          Math.max(
              norm(
                  counts(one.first().norms(transform, 1)), counts(two.first().norms(transform, 1))),
              Math.max(
                  norm(counts(one.sizes(gradient)), counts(two.sizes(gradient))),
                  norm(counts(one.residuals(transform)), counts(two.residuals(transform))))),
          norm(gradients(one.gradient(gradient, 1)), gradients(two.gradient(gradient, 1))));
    }

    private static SymmetricMatrix matrix(long... upper) {
      return SymmetricMatrix.ofUpperTriangle(SIZE, counts(upper));
    }

    private static double frobenius(SymmetricMatrix first, SymmetricMatrix second) {
      double square = 0.0;
      for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
          square += Math.pow(first.get(i, j) - second.get(i, j), 2);
        }
      }
      return Math.sqrt(square);
    }

    private static double norm(double[] first, double[] second) {
      double square = 0.0;
      for (int k = 0; k < first.length; k++) {
        square += Math.pow(first[k] - second[k], 2);
      }
      return Math.sqrt(square);
    }

    void assertWithin(DescentPlan plan) {
      assertThat(encoded).isLessThanOrEqualTo(plan.first().sensitivity());
      assertThat(moments).isLessThanOrEqualTo(plan.second().sensitivity());
      assertThat(cells).isLessThanOrEqualTo(plan.rowSensitivity());
      assertThat(gradient).isLessThanOrEqualTo(plan.gradientSensitivity());
      assertThat(mu(plan, 1)).isLessThanOrEqualTo(plan.mu());
      assertThat(mu(plan, 2)).isLessThanOrEqualTo(plan.mu());
    }

    /** What a release of so many rounds spends if every part changes by as much. */
    double mu(DescentPlan plan, int rounds) {
      double square = ofPart(encoded, plan.first());
      square += (rounds + plan.countings() - 1) * Math.pow(cells / plan.countDeviation(), 2);
      square += rounds == 2 ? ofPart(moments, plan.second()) : 0.0;
      square += Tuning.STEPS * Math.pow(gradient / plan.stepDeviation(rounds), 2);
      return Math.sqrt(square);
    }

    private static double ofPart(double change, TwoStagePlan.Part part) {
      return Math.pow(change / part.deviation(), 2);
    }
  }

  private static RowGradient gradient(DescentModel planned, SplittableRandom random) {
    double size = SIZES[random.nextInt(SIZES.length)];
    double[] lower = new double[SymmetricMatrix.length(SIZE)];
    int next = 0;
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j <= i; j++) {
        double factor = i == j ? random.nextDouble(0.1, 1.0) : random.nextDouble(-1.0, 1.0);
        lower[next++] = factor * (random.nextInt(8) == 0 ? 1e308 : size);
      }
    }
    double ofModel = SIZES[random.nextInt(SIZES.length)];
    double[] model = random.doubles(COLUMNS, -1.0, 1.0).map(each -> ofModel * each).toArray();
    return new RowGradient(
        RowTransform.of(SIZE, COLUMNS, lower),
        DoubleVector.of(random.nextInt(4) == 0 ? new double[COLUMNS] : model),
        weight(planned, random));
  }

  private static RowWeight weight(DescentModel planned, SplittableRandom random) {
    double unit = SIZES[random.nextInt(SIZES.length)];
    if (planned.loss().isSquared()) {
      return new RowWeight.OfSquares(unit);
    }
    double quantile = random.nextBoolean() ? 0.5 : random.nextDouble(0.01, 0.99);
    return random.nextInt(8) == 0
        ? new RowWeight.OfNothing(unit)
        : new RowWeight.OfQuantile(quantile, unit, SIZES[random.nextInt(SIZES.length)]);
  }

  private static double[] ends(SplittableRandom random) {
    double[] ends = random.doubles(SIZE, -1.0, 1.0).toArray();
    for (int k = 0; k < ends.length; k++) {
      ends[k] = random.nextBoolean() ? Math.signum(ends[k]) : ends[k];
    }
    return ends;
  }

  private static double[] opposite(double... wish) {
    double[] opposite = wish.clone();
    for (int k = 0; k < opposite.length; k++) {
      opposite[k] = -opposite[k];
    }
    return opposite;
  }

  private static ModelRows rows(DescentModel planned, RowSchema schema, double... wish) {
    double[] row = wish.clone();
    row[0] = schema.intercept();
    ModelRows rows = planned.rows();
    planned.add(rows, row);
    return rows;
  }
}

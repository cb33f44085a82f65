package io.gauze.mechanism.twostage;

import static io.gauze.mechanism.twostage.TwoStageFixture.NONE;
import static io.gauze.mechanism.twostage.TwoStageFixture.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.model.ModelRows;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Searches for neighbours, transforms and models under which strata differ by more than is charged:
 * rows alone or in place of each other, under transforms that stretch, shrink or overflow, and
 * weights of any size. {@link TwoStageNeighboursTest} attacks the moments of all rows.
 */
final class StrataNeighboursTest {
  private static final int SIZE = 5;
  private static final int STRATA = 4;
  private static final int TRIALS = 6_000;
  private static final RowSchema SCHEMA = Fixtures.numbers(SIZE - 1, 0.5, 1.5);

  private static TwoStageStrata planned(Neighbours neighbours) {
    return (TwoStageStrata)
        StreamPlan.of(
                Fixtures.request(
                    SCHEMA,
                    new Budget(1.0, 1e-6, neighbours),
                    new SketchRequest(
                        "s", TwoStageStrata.NAME, 1.0, Map.of("strata", "" + STRATA))))
            .sketch("s")
            .mechanism();
  }

  @Test
  void noNeighboursDifferByMoreThanIsCharged() {
    TwoStageStrata removed = planned(Neighbours.ADD_REMOVE);
    TwoStageStrata replaced = planned(Neighbours.REPLACE_ONE);
    SplittableRandom random = new SplittableRandom(11);
    double most = 0.0;
    double mostReplaced = 0.0;
    double mostMoved = 0.0;
    for (int trial = 0; trial < TRIALS; trial++) {
      ModelRows one = row(removed, random);
      ModelRows other = row(removed, random);
      RowTransform transform = transform(random);
      ResidualWeights weights = weights(random);
      double[] first = sums(removed, one, transform, weights);
      double[] second = sums(removed, other, transform, weights);
      double[] none = new double[first.length];
      most = Math.max(most, frobenius(first, none));
      double changed = frobenius(first, second);
      mostReplaced = Math.max(mostReplaced, changed);
      if (isMoved(first, second)) {
        mostMoved = Math.max(mostMoved, changed);
      }
    }
    assertThat(most).isBetween(0.999, removed.plan().strata().sensitivity());
    assertThat(mostReplaced).isBetween(1.4, replaced.plan().strata().sensitivity());
    assertThat(mostMoved).as("the search has rows that move").isBetween(1.4, Math.sqrt(2.0));
    // the same two rows in two cells: half of mu^2 each
    double twoCells = 2.0 * Math.pow(most / replaced.plan().strata().deviation(), 2);
    assertThat(twoCells).isLessThanOrEqualTo(replaced.plan().strata().spent());
  }

  private static boolean isMoved(double[] first, double... second) {
    int length = SymmetricMatrix.length(SIZE);
    for (int k = 0; k < first.length; k += length) {
      if (first[k] > 0.0 && second[k] == 0.0) {
        return true;
      }
    }
    return false;
  }

  private static double[] sums(
      TwoStageStrata planned, ModelRows rows, RowTransform transform, ResidualWeights weights) {
    return values(planned.sums(rows, NONE).strata(transform, weights));
  }

  private static double frobenius(double[] first, double... second) {
    double square = 0.0;
    int next = 0;
    for (int stratum = 0; stratum < STRATA; stratum++) {
      for (int i = 0; i < SIZE; i++) {
        for (int j = i; j < SIZE; j++) {
          double change = first[next] - second[next++];
          square += (i == j ? 1.0 : 2.0) * change * change;
        }
      }
    }
    return Math.sqrt(square);
  }

  private static ModelRows row(TwoStageStrata planned, SplittableRandom random) {
    double[] row = random.doubles(SIZE, -1.0, 1.0).toArray();
    for (int k = 1; k < SIZE; k++) {
      row[k] = random.nextBoolean() ? Math.signum(row[k]) : row[k];
    }
    row[0] = 0.5;
    ModelRows rows = planned.rows();
    planned.add(rows, row);
    return rows;
  }

  /** Of any size, so that z is tiny, long, infinite or no number. */
  private static RowTransform transform(SplittableRandom random) {
    double[] sizes = {1e-300, 1e-6, 0.3, 1.0, 30.0, 1e9, 1e160, 1e308};
    double size = sizes[random.nextInt(sizes.length)];
    double[] lower = new double[RowTransform.length(SIZE)];
    int next = 0;
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j <= i; j++) {
        lower[next++] =
            size * (i == j ? random.nextDouble(0.1, 1.0) : random.nextDouble(-1.0, 1.0));
      }
    }
    return RowTransform.of(SIZE, 1 + random.nextInt(SIZE - 1), lower);
  }

  private static ResidualWeights weights(SplittableRandom random) {
    double[] sizes = {0.0, 1e-3, 1.0, 3.0, TransformedStrata.MOST_WEIGHT};
    double size = sizes[random.nextInt(sizes.length)];
    long[] numbers = new long[SIZE];
    for (int k = 0; k < SIZE; k++) {
      numbers[k] = (long) (size * random.nextDouble(-1.0, 1.0) / TwoStageRelease.UNIT);
    }
    return ResidualWeights.of(STRATA, numbers);
  }
}

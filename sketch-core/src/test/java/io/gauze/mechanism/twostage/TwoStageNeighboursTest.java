package io.gauze.mechanism.twostage;

import static io.gauze.mechanism.twostage.TwoStageFixture.NONE;
import static io.gauze.mechanism.twostage.TwoStageFixture.planned;
import static io.gauze.mechanism.twostage.TwoStageFixture.upper;
import static io.gauze.mechanism.twostage.TwoStageFixture.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Fixtures;
import io.gauze.model.ModelRows;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Searches for neighbours, and for transforms, whose sums differ by more than is charged: rows at
 * the ends of their ranges and beyond them, alone or in place of each other, in one cell or in two,
 * under transforms that stretch, shrink, overflow or make no numbers of them.
 */
final class TwoStageNeighboursTest {
  private static final int COLUMNS = 4;
  private static final int SIZE = COLUMNS + 1;
  private static final int TRIALS = 6_000;

  /** Bounds that shorten all rows, many or none, and a response that is clipped apart. */
  static Stream<RowSchema> schemas() {
    RowSchema numbers = Fixtures.numbers(COLUMNS, 0.5, 1.5);
    return Stream.of(
        numbers,
        Fixtures.numbers(COLUMNS, 0.49, 0.6),
        Fixtures.numbers(COLUMNS, 1.0, 2.2),
        numbers.withResponses(new ResponseBound(List.of("x3"), 0.45)),
        Fixtures.numbers(COLUMNS, 0.5, 1.2).withFactors(List.of(1.0, 0.5, 0.25, 0.03)));
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void noNeighboursDifferByMoreThanIsCharged(RowSchema schema) throws Exception {
    TwoStageMoments removed =
        planned(schema, new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE), Map.of());
    TwoStageMoments replaced =
        planned(schema, new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE), Map.of());
    SplittableRandom random = new SplittableRandom(schema.dimension());
    RowEncoder encoder = new RowEncoder(schema);
    Change most = Change.NOTHING;
    Change mostReplaced = Change.NOTHING;
    for (int trial = 0; trial < TRIALS; trial++) {
      double[] wish = random.doubles(COLUMNS, -1.2, 1.2).toArray();
      double[] a = row(encoder, schema, ends(random, wish));
      double[] b = row(encoder, schema, random.nextBoolean() ? opposite(wish) : ends(random, wish));
      RowTransform transform = transform(random);
      Change none = Change.of(removed, transform, rows(removed, a), removed.rows());
      Change other = Change.of(replaced, transform, rows(replaced, a), rows(replaced, b));
      none.assertWithin(removed.plan());
      other.assertWithin(replaced.plan());
      most = most.larger(none);
      mostReplaced = mostReplaced.larger(other);
      // the same two rows in two cells, under transforms of their own
      Change leaves = Change.of(replaced, transform, rows(replaced, a), replaced.rows());
      Change enters = Change.of(replaced, transform(random), replaced.rows(), rows(replaced, b));
      for (int rounds = 0; rounds <= 2; rounds++) {
        assertThat(
                Math.hypot(leaves.mu(replaced.plan(), rounds), enters.mu(replaced.plan(), rounds)))
            .isLessThanOrEqualTo(replaced.plan().mu());
      }
    }
    // the search has eyes: a long row takes all that the moments of transformed rows allow
    double longest = removed.plan().first().sensitivity();
    assertThat(most.encoded() / longest).isGreaterThan(schema.rowBound() > 2.0 ? 0.4 : 0.95);
    assertThat(most.counts()).isEqualTo(1.0);
    assertThat(most.moments()).isGreaterThan(0.999);
    assertThat(mostReplaced.counts()).isEqualTo(Math.sqrt(2.0));
    assertThat(mostReplaced.moments()).isGreaterThan(1.3);
  }

  /** How much the sums change: in Frobenius norm, and of counts in l2 norm. */
  private record Change(double encoded, double counts, double moments) {
    static final Change NOTHING = new Change(0.0, 0.0, 0.0);

    static Change of(
        TwoStageMoments planned, RowTransform transform, ModelRows first, ModelRows second) {
      RowSums one = planned.sums(first, NONE);
      RowSums two = planned.sums(second, NONE);
      double[] counts = values(one.norms(transform, 1));
      double[] others = values(two.norms(transform, 1));
      double square = 0.0;
      for (int k = 0; k < counts.length; k++) {
        square += (counts[k] - others[k]) * (counts[k] - others[k]);
      }
      return new Change(
          frobenius(upper(one.encoded()), upper(two.encoded())),
          Math.sqrt(square),
          frobenius(
              values(one.moments(transform, 1, true)), values(two.moments(transform, 1, true))));
    }

    private static double frobenius(double[] first, double[] second) {
      double square = 0.0;
      int next = 0;
      for (int i = 0; i < SIZE; i++) {
        for (int j = i; j < SIZE; j++) {
          double change = first[next] - second[next++];
          square += (i == j ? 1.0 : 2.0) * change * change;
        }
      }
      return Math.sqrt(square);
    }

    void assertWithin(TwoStagePlan plan) {
      assertThat(encoded).isLessThanOrEqualTo(plan.first().sensitivity());
      assertThat(counts).isLessThanOrEqualTo(plan.rowSensitivity());
      assertThat(moments).isLessThanOrEqualTo(plan.last().get(0).sensitivity());
      for (int rounds = 0; rounds <= 2; rounds++) {
        assertThat(mu(plan, rounds)).isLessThanOrEqualTo(plan.mu());
      }
    }

    /** What a release of so many rounds spends on this change. */
    double mu(TwoStagePlan plan, int rounds) {
      if (rounds == 0) { // an earlier release took their place
        return Math.hypot(counts / plan.countDeviation(), moments / plan.part(0, true).deviation());
      }
      double square = squared(encoded / plan.first().deviation());
      for (int round = 1; round <= rounds; round++) {
        square += squared(counts / plan.countDeviation());
        square += squared(moments / plan.part(round, round == rounds).deviation());
      }
      return Math.sqrt(square);
    }

    private static double squared(double value) {
      return value * value;
    }

    Change larger(Change other) {
      return new Change(
          Math.max(encoded, other.encoded),
          Math.max(counts, other.counts),
          Math.max(moments, other.moments));
    }
  }

  /** Of any size, so that z is tiny, long, infinite or no number. */
  private static RowTransform transform(SplittableRandom random) {
    double[] sizes = {1e-300, 1e-6, 0.3, 1.0, 30.0, 1e9, 1e160, 1e308};
    double size = sizes[random.nextInt(sizes.length)];
    double[] lower = new double[RowTransform.length(SIZE)];
    int next = 0;
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j <= i; j++) {
        double entry = random.nextInt(4) == 0 ? 1e308 : size;
        boolean isSame = size < 1e100 || i == j;
        lower[next++] =
            (isSame ? size : entry)
                * (i == j ? random.nextDouble(0.1, 1.0) : random.nextDouble(-1.0, 1.0));
      }
    }
    return RowTransform.of(SIZE, 1 + random.nextInt(COLUMNS), lower);
  }

  private static double[] ends(SplittableRandom random, double... wish) {
    double[] ends = wish.clone();
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

  private static ModelRows rows(TwoStageMoments planned, double... row) {
    ModelRows rows = planned.rows();
    planned.add(rows, row);
    return rows;
  }

  private static double[] row(RowEncoder encoder, RowSchema schema, double... values)
      throws RowRejectedException {
    encoder.begin();
    for (int k = 0; k < COLUMNS; k++) {
      encoder.number(schema.fieldIndex("x" + k), values[k]);
    }
    double[] scaled = new double[SIZE];
    encoder.scale(scaled);
    return scaled;
  }
}

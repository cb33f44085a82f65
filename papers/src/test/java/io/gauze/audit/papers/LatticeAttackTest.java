package io.gauze.audit.papers;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.audit.Trial;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.papers.AdaptiveRidgeProjection;
import io.gauze.mechanism.papers.InverseWishartMoments;
import io.gauze.mechanism.papers.MomentProjection;
import io.gauze.mechanism.papers.WishartMoments;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.Column;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import io.gauze.testing.Effort;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The lattice attack on 200 releases, each of data with a row or without it: right guesses are
 * between 80 and 120 for a sound mechanism (2.8 standard errors), and nearly 200 for its twin.
 */
final class LatticeAttackTest {
  private static final int PAIRS = 200;
  private static final int BOUND = 1 << 15;

  /** The mechanism, its twin, and the attack that takes moments for right. */
  private record Target(
      Function<long[], LatticeAttack.Releaser> sound,
      Function<long[], LatticeAttack.Releaser> twin,
      Function<long[], LatticeAttack> guess) {}

  @ParameterizedTest
  @CsvSource({
    // the least degrees, which take the widest noise, and the default ones of wishart
    "wishart, 2, 4, 1, 1000",
    "wishart, 4, 6, 1, 1000",
    "wishart, 11, 13, 1, 1000",
    "wishart, 31, 33, 1, 1000",
    "wishart, 11, 4107, 0.001, 1000",
    "inverse-wishart, 2, 6, 1, 100000000",
    "inverse-wishart, 5, 9, 1, 100000000",
    "inverse-wishart, 5, 9, 10, 1000000000",
    "inverse-wishart, 11, 15, 1, 1000000000",
    "jl, 4, 16, 1, 1000000000",
    "jl, 11, 16, 10, 1000000000",
    "jl-unregularised, 4, 16, 1, 1000000000"
  })
  void guessesRightHalfOfTheTime(String name, int columns, int size, double epsilon, long rows) {
    Effort.skipIfLong(columns > 5);
    Target target = target(name, columns, size, epsilon);
    SplittableRandom random = new SplittableRandom(71);
    long[] first = moments(columns, rows, random);
    long[] second = first.clone();
    addRow(second, row(columns, BOUND, random), 1L);
    assertThat(rightGuesses(target.sound(), target.guess(), first, second)).isBetween(80, 120);
    assertThat(rightGuesses(target.twin(), target.guess(), first, second)).isGreaterThan(180);
  }

  private static int rightGuesses(
      Function<long[], LatticeAttack.Releaser> releaser,
      Function<long[], LatticeAttack> guess,
      long[] first,
      long[] second) {
    Trial trial =
        LatticeAttack.trial(
            releaser.apply(first), releaser.apply(second), guess.apply(first), guess.apply(second));
    Entropy entropy = Randomness.insecureForTests(72).entropy("lattice");
    int right = 0;
    for (int i = 0; i < PAIRS; i++) {
      boolean inSecond = entropy.nextLong() < 0L;
      right += trial.run(inSecond, entropy) > 0.0 == inSecond ? 1 : 0;
    }
    return right;
  }

  private static Target target(String name, int columns, int size, double epsilon) {
    String option = name.contains("wishart") ? "degreesOfFreedom" : "rows";
    Mechanism planned = plan(name, columns, epsilon, Map.of(option, Integer.toString(size)));
    double unit = planned.stepSize();
    if (planned instanceof WishartMoments mechanism) {
      double scale = mechanism.scale();
      return new Target(
          moments ->
              entropy -> {
                long[] state = moments.clone();
                mechanism.addNoise(state, 0, entropy);
                return state;
              },
          moments -> LeakySampler.wishart(columns, size, scale, moments),
          moments -> LatticeAttack.wishart(columns, size, scale, moments));
    }
    if (planned instanceof InverseWishartMoments mechanism) {
      Function<long[], BigDecimal[][]> matrix = covariance(columns, mechanism.ridge(), planned);
      return new Target(
          moments -> entropy -> mechanism.release(moments.clone(), entropy),
          moments -> LeakySampler.inverse(columns, size, unit, matrix.apply(moments)),
          moments -> LatticeAttack.inverse(columns, size, unit, matrix.apply(moments)));
    }
    boolean gated = planned instanceof AdaptiveRidgeProjection; // which opens for so many rows
    double ridge = gated ? 0.0 : ((MomentProjection) planned).ridge();
    Function<long[], BigDecimal[][]> matrix = covariance(columns, ridge, planned);
    return new Target(
        moments ->
            entropy -> {
              long[] payload = planned.release(moments.clone(), entropy);
              return Arrays.copyOfRange(payload, gated ? 1 : 0, payload.length);
            },
        moments -> LeakySampler.rows(columns, size, unit, matrix.apply(moments)),
        moments -> LatticeAttack.rows(columns, size, unit, matrix.apply(moments)));
  }

  private static Function<long[], BigDecimal[][]> covariance(
      int columns, double ridge, Mechanism mechanism) {
    double momentUnit = 1.0 / BOUND / BOUND;
    assertThat(mechanism.spec().stateLength()).isEqualTo(columns * (columns + 1) / 2);
    return moments -> ExactTriangles.ridged(columns, moments, momentUnit, ridge);
  }

  private static Mechanism plan(
      String name, int columns, double epsilon, Map<String, String> options) {
    List<Column> list = new ArrayList<>();
    for (int i = 1; i < columns; i++) {
      list.add(new NumericColumn("x" + i, "x" + i, -1, 1));
    }
    RowSchema schema = RowSchema.of(list, 0.5, 1.0, MissingValues.MIDPOINT);
    Budget budget = new Budget(epsilon, 1e-6, Neighbours.ADD_REMOVE);
    SketchRequest sketch = new SketchRequest("s", name, 1.0, options);
    return StreamPlan.of(
            new StreamRequest(
                "lattice", schema, budget, StreamRequest.ROW, 1_000, List.of(), List.of(sketch)))
        .sketch("s")
        .mechanism();
  }

  /** Fifty different rows, so often that they are about as many as asked for. */
  private static long[] moments(int columns, long rows, SplittableRandom random) {
    long[] moments = new long[columns * (columns + 1) / 2];
    for (int k = 0; k < 50; k++) {
      addRow(moments, row(columns, BOUND, random), rows / 50);
    }
    return moments;
  }

  private static void addRow(long[] moments, int[] row, long times) {
    int at = 0;
    for (int i = 0; i < row.length; i++) {
      for (int j = i; j < row.length; j++) {
        moments[at++] += times * row[i] * row[j];
      }
    }
  }

  private static int[] row(int columns, double norm, SplittableRandom random) {
    double[] row = new double[columns];
    row[0] = 0.5;
    double squares = 0.25;
    for (int i = 1; i < columns; i++) {
      row[i] = random.nextDouble(-1.0, 1.0);
      squares += row[i] * row[i];
    }
    double scale = norm / Math.sqrt(squares);
    return Arrays.stream(row).mapToInt(entry -> (int) (scale * entry)).toArray();
  }
}

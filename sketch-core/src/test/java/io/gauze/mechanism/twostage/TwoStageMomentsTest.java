package io.gauze.mechanism.twostage;

import static io.gauze.mechanism.twostage.TwoStageFixture.NONE;
import static io.gauze.mechanism.twostage.TwoStageFixture.SCHEMA;
import static io.gauze.mechanism.twostage.TwoStageFixture.corner;
import static io.gauze.mechanism.twostage.TwoStageFixture.planned;
import static io.gauze.mechanism.twostage.TwoStageFixture.upper;
import static io.gauze.mechanism.twostage.TwoStageFixture.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import io.gauze.testing.Alpha;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Releases of rows; {@link TwoStageNeighboursTest} attacks them. */
final class TwoStageMomentsTest {
  private static final int ROWS = 40_000;

  private static TwoStageMoments rich(double epsilon) {
    return planned(SCHEMA, new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE), Map.of());
  }

  /**
   * Where noise hides where rows lie there is a second round, which the release says. The questions
   * are those of the rounds and no others, so that their number is public.
   */
  @ParameterizedTest
  @CsvSource({"8.0, 1", "0.2, 2"})
  void noisySumsDecideTheNumberOfRounds(double epsilon, int rounds) {
    TwoStageMoments planned = rich(epsilon);
    Entropy entropy = Randomness.insecureForTests(4).entropy("rounds");
    TwoStageFixture.Tape tape =
        new TwoStageFixture.Tape(planned.sums(corner(planned, ROWS), entropy));
    long[] numbers = planned.numbers(tape);
    assertThat(numbers).hasSize(planned.payloadLength());
    assertThat(numbers[0] * planned.stepSize()).isEqualTo(rounds);
    List<String> one = List.of("encoded", "norms 1", "moments 1 last");
    List<String> two = List.of("encoded", "norms 1", "moments 1", "norms 2", "moments 2 last");
    assertThat(tape.questions).isEqualTo(rounds == 1 ? one : two);
  }

  /** Nothing but the answers of sums reaches a release: they give it without any rows. */
  @ParameterizedTest
  @CsvSource({"8.0", "0.2"})
  void theReleaseIsAFunctionOfNoisySumsAlone(double epsilon) {
    TwoStageMoments planned = rich(epsilon);
    RowSums noisy =
        planned.sums(
            corner(planned, ROWS), Randomness.insecureForTests(5).entropy("first and only"));
    List<Object> answers = new ArrayList<>();
    RowSums kept =
        new RowSums() {
          @Override
          public SymmetricMatrix encoded() {
            answers.add(noisy.encoded());
            return (SymmetricMatrix) answers.get(answers.size() - 1);
          }

          @Override
          public long[] norms(RowTransform transform, int round) {
            answers.add(noisy.norms(transform, round));
            return ((long[]) answers.get(answers.size() - 1)).clone();
          }

          @Override
          public long[] moments(RowTransform transform, int round, boolean isLast) {
            answers.add(noisy.moments(transform, round, isLast));
            return ((long[]) answers.get(answers.size() - 1)).clone();
          }
        };
    long[] numbers = planned.numbers(kept);
    RowSums replayed =
        new RowSums() {
          private int next;

          @Override
          public SymmetricMatrix encoded() {
            return (SymmetricMatrix) answers.get(next++);
          }

          @Override
          public long[] norms(RowTransform transform, int round) {
            return (long[]) answers.get(next++);
          }

          @Override
          public long[] moments(RowTransform transform, int round, boolean isLast) {
            return (long[]) answers.get(next++);
          }
        };
    assertThat(planned.numbers(replayed)).containsExactly(numbers);
  }

  /** The payload has the transform, the counts and the moments that the last questions had. */
  @Test
  void thePayloadIsWhatWasAsked() {
    TwoStageMoments planned = rich(8.0);
    ModelRows rows = corner(planned, ROWS);
    long[] numbers = planned.fit(rows, NONE);
    int size = SCHEMA.dimension();
    TransformedMoments payload =
        new TransformedMoments(size, size - 1, List.of(1.0, 1.0), 1.0, List.of(1.0, 1.0, 1.0));
    assertThat(numbers).hasSize(payload.length());
    double[] values = values(numbers);
    double[] entries = Arrays.copyOfRange(values, payload.transformAt(), payload.countsAt());
    RowTransform transform = RowTransform.of(size, size - 1, entries);
    RowSums exact = planned.sums(rows, NONE);
    assertThat(Arrays.copyOfRange(numbers, payload.momentsAt(), numbers.length))
        .containsExactly(exact.moments(transform, 1, true));
    double all = 0.0;
    for (int cell = 0; cell < NormCells.COUNT; cell++) {
      all += values[payload.countsAt() + cell];
    }
    assertThat(all).isEqualTo(ROWS);
    RowTransform wide = transform.times(Math.sqrt(values[payload.boundAt()]));
    double[] counts = values(exact.norms(wide, 1));
    for (int cell = 0; cell < NormCells.COUNT; cell++) { // the transform is rounded to units
      assertThat(counts[cell]).isCloseTo(values[payload.countsAt() + cell], within(3.0));
    }
  }

  /** Without noise, transformed rows are centred and nearly white. */
  @Test
  void transformedRowsAreCentredAndWhite() {
    TwoStageMoments planned = rich(8.0);
    long[] numbers = planned.fit(corner(planned, ROWS), NONE);
    double[] moments = values(Arrays.copyOfRange(numbers, numbers.length - 10, numbers.length));
    double mean = (moments[4] + moments[7] + moments[9]) / 3.0;
    for (int k : new int[] {4, 7, 9}) {
      assertThat(moments[k] / mean).isBetween(0.3, 3.0);
    }
    for (int k : new int[] {1, 2, 3, 5, 6, 8}) {
      assertThat(Math.abs(moments[k]) / mean).isLessThan(0.3);
    }
  }

  /** Rows that do not fit into memory are read again for each sum: the same release. */
  @ParameterizedTest
  @CsvSource({"8.0", "0.2"})
  void rowsThatAreNotKeptGiveTheSameRelease(double epsilon) {
    TwoStageMoments planned = rich(epsilon);
    ModelRows again = planned.rows();
    again.letGo(pass -> corner(9_000, row -> planned.add(pass, row)));
    corner(9_000, row -> planned.add(again, row));
    Randomness seeded = Randomness.insecureForTests(7);
    assertThat(planned.fit(again, seeded.entropy("fit")))
        .containsExactly(planned.fit(corner(planned, 9_000), seeded.entropy("fit")));
    assertThat(again.isHeld()).isFalse();
  }

  /** Of no rows, of one, of rows that are all alike, and with any noise there is a release. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void fewRowsHaveARelease(Neighbours neighbours) {
    Entropy entropy = Randomness.insecureForTests(6).entropy("few");
    for (int columns : new int[] {1, 2, 9}) {
      RowSchema schema = Fixtures.numbers(columns, 0.5, 1.0);
      for (double epsilon : new double[] {0.05, 1.0, 20.0}) {
        TwoStageMoments planned =
            planned(schema, new Budget(epsilon, 1e-6, neighbours), Map.of("response", "x0"));
        for (int rows : new int[] {0, 1, 100}) {
          ModelRows list = planned.rows();
          for (int i = 0; i < rows; i++) {
            planned.add(list, new double[columns + 1]);
          }
          assertThat(planned.fit(list, entropy)).hasSize(planned.payloadLength());
          assertThat(planned.fit(list, NONE)).hasSize(planned.payloadLength());
        }
      }
    }
  }

  /**
   * Each sum less what it is without noise, over the planned deviation, is normal: its mean and the
   * sum of its squares (chi-square, here near enough to normal), by part, on the diagonal and off
   * it, in 4,000 draws of rows that are there: 16,000 numbers and more each. A twin with 7 % less
   * noise has an expected z of 12.
   */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void noiseHasTheLawThatIsPlanned(Neighbours neighbours) {
    TwoStageMoments planned = planned(neighbours);
    ModelRows rows = corner(planned, 3);
    RowTransform transform =
        RowTransform.identity(4, 3).times(3.0); // two rows and more are shortened
    RowSums exact = planned.sums(rows, NONE);
    RowSums noisy = planned.sums(rows, Randomness.insecureForTests(8).entropy("laws"));
    TwoStagePlan plan = planned.plan();
    double counts = plan.countDeviation();
    List<Law> laws = new ArrayList<>();
    laws.addAll(Law.both(plan.first(), upper(exact.encoded()), () -> upper(noisy.encoded())));
    laws.add(
        new Law(
            "counts",
            values(exact.norms(transform, 1)),
            () -> values(noisy.norms(transform, 1)),
            k -> counts));
    for (int round = 1; round <= 2; round++) {
      for (boolean isLast : new boolean[] {false, true}) {
        int asked = round;
        double[] sums = values(exact.moments(transform, round, isLast));
        laws.addAll(
            Law.both(
                plan.part(round, isLast),
                sums,
                () -> values(noisy.moments(transform, asked, isLast))));
      }
    }
    double critical = Alpha.z(2 * laws.size());
    for (Law law : laws) {
      law.draw(4_000);
      assertThat(Math.abs(law.mean())).as(law.name()).isLessThan(critical);
      assertThat(Math.abs(law.squares(1.0))).as(law.name()).isLessThan(critical);
      assertThat(Math.abs(law.squares(0.93))).as(law.name()).isGreaterThan(critical);
    }
  }

  @Test
  void sizesOfNoiseAreInTheRelease() {
    TwoStageMoments planned = planned(Neighbours.REPLACE_ONE);
    TwoStagePlan plan = planned.plan();
    assertThat(planned.parameters())
        .containsEntry("mu", plan.mu())
        .containsEntry("firstSigma", plan.first().deviation())
        .containsEntry("secondSigma", plan.second().deviation())
        .containsEntry("countSigma", plan.countDeviation())
        .containsEntry("sigmaAfterOneRound", plan.part(1, true).deviation())
        .containsEntry("sigmaAfterTwoRounds", plan.part(2, true).deviation());
    assertThat(planned.sigma() * planned.stepSize()).isEqualTo(plan.part(2, true).deviation());
    assertThat(planned.noiseLaw()).contains(Double.toString(plan.countDeviation()));
  }

  @Test
  void itIsForRows() {
    SketchRequest sketch = new SketchRequest("s", TwoStageMoments.NAME, 1.0, Map.of());
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                StreamPlan.of(
                    Fixtures.request(SCHEMA, Fixtures.BUDGET, sketch)
                        .withScope(BudgetScope.users("customer", 4))))
        .withMessageContaining("row");
  }
}

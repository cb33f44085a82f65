package io.gauze.mechanism.twostage;

import static io.gauze.mechanism.twostage.TwoStageFixture.NONE;
import static io.gauze.mechanism.twostage.TwoStageFixture.SCHEMA;
import static io.gauze.mechanism.twostage.TwoStageFixture.corner;
import static io.gauze.mechanism.twostage.TwoStageFixture.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.PreviousRelease;
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
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Releases of strata; {@link StrataNeighboursTest} attacks them. */
final class TwoStageStrataTest {
  private static final int ROWS = 40_000;
  private static final int TRIANGLE = SymmetricMatrix.length(SCHEMA.dimension());
  private static final Set<Integer> DIAGONAL = Set.of(0, 4, 7, 9);

  private static TwoStageStrata planned(
      RowSchema schema, Budget budget, Map<String, String> options) {
    return (TwoStageStrata)
        StreamPlan.of(
                Fixtures.request(
                    schema, budget, new SketchRequest("s", TwoStageStrata.NAME, 1.0, options)))
            .sketch("s")
            .mechanism();
  }

  private static TwoStageStrata rich(double epsilon) {
    return planned(
        SCHEMA, new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE), Map.of("strata", "4"));
  }

  private static ModelRows rows(TwoStageStrata planned, int rows) {
    ModelRows list = planned.rows();
    corner(rows, row -> planned.add(list, row));
    return list;
  }

  private static TransformedStrata payload(TwoStageStrata planned) {
    return new TransformedStrata(
        planned.plan().moments().payload(planned.response()),
        planned.strata(),
        planned.plan().strata().deviation());
  }

  /** Nothing but the answers of sums reaches a release: they give it without any rows. */
  @ParameterizedTest
  @CsvSource({"8.0", "0.2"})
  void theReleaseIsAFunctionOfNoisySumsAlone(double epsilon) {
    TwoStageStrata planned = rich(epsilon);
    StrataSums noisy =
        planned.sums(rows(planned, ROWS), Randomness.insecureForTests(5).entropy("first"));
    List<Object> answers = new ArrayList<>();
    long[] numbers = planned.numbers(new Kept(noisy, answers), Optional.empty());
    assertThat(numbers).hasSize(planned.payloadLength());
    assertThat(planned.numbers(new Replayed(answers), Optional.empty())).containsExactly(numbers);
    assertThat(answers).as("each is asked for once").hasSize(numbers[0] > 1L << 30 ? 6 : 4);
  }

  /** Writes down what other sums answer. */
  private record Kept(StrataSums of, List<Object> answers) implements StrataSums, RowSums {
    @Override
    public RowSums moments() {
      return this;
    }

    @Override
    public long[] strata(RowTransform transform, ResidualWeights weights) {
      return kept(of.strata(transform, weights));
    }

    @Override
    public SymmetricMatrix encoded() {
      SymmetricMatrix sums = of.moments().encoded();
      answers.add(sums);
      return sums;
    }

    @Override
    public long[] norms(RowTransform transform, int round) {
      return kept(of.moments().norms(transform, round));
    }

    @Override
    public long[] moments(RowTransform transform, int round, boolean isLast) {
      return kept(of.moments().moments(transform, round, isLast));
    }

    private long[] kept(long... sums) {
      answers.add(sums);
      return sums.clone();
    }
  }

  /** Answers what was written down. */
  private static final class Replayed implements StrataSums, RowSums {
    private final List<Object> answers;
    private int next;

    Replayed(List<Object> answers) {
      this.answers = answers;
    }

    @Override
    public RowSums moments() {
      return this;
    }

    @Override
    public long[] strata(RowTransform transform, ResidualWeights weights) {
      return (long[]) answers.get(next++);
    }

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
  }

  /** Without noise the strata are those of the published model, and add up to all rows. */
  @Test
  void thePayloadIsWhatWasAsked() {
    TwoStageStrata planned = rich(8.0);
    ModelRows rows = rows(planned, ROWS);
    long[] numbers = planned.fit(rows, NONE);
    TransformedStrata payload = payload(planned);
    assertThat(numbers).hasSize(payload.length());
    double[] entries =
        Arrays.copyOfRange(
            values(numbers), payload.moments().transformAt(), payload.moments().countsAt());
    RowTransform transform = RowTransform.of(SCHEMA.dimension(), planned.response(), entries);
    long[] weights = Arrays.copyOfRange(numbers, payload.weightsAt(), payload.strataAt());
    long[] strata = Arrays.copyOfRange(numbers, payload.strataAt(), numbers.length);
    assertThat(strata)
        .containsExactly(
            planned.sums(rows, NONE).strata(transform, ResidualWeights.of(4, weights)));
    for (int k = 0; k < TRIANGLE; k++) {
      long sum = strata[k] + strata[TRIANGLE + k] + strata[2 * TRIANGLE + k];
      assertThat(sum + strata[3 * TRIANGLE + k])
          .isEqualTo(numbers[payload.moments().momentsAt() + k]);
    }
    // the residuals are normal: 4 strata of [-2.5, 2.5] standard deviations
    double all = numbers[payload.moments().momentsAt()];
    double[] shares = {0.1056, 0.3944, 0.3944, 0.1056};
    for (int k = 0; k < 4; k++) {
      assertThat(strata[k * TRIANGLE] / all).isCloseTo(shares[k], within(0.01));
    }
  }

  /** An earlier release takes the place of the rounds, and says how long ago they were made. */
  @Test
  void anEarlierReleaseTakesThePlaceOfRounds() {
    TwoStageStrata planned = rich(8.0);
    Entropy entropy = Randomness.insecureForTests(9).entropy("series");
    long[] first = planned.fit(rows(planned, ROWS), entropy);
    Optional<PreviousRelease> before = Optional.of(PreviousRelease.of(first, 1));
    List<Object> answers = new ArrayList<>();
    StrataSums sums = new Kept(planned.sums(rows(planned, ROWS + 1), entropy), answers);
    long[] second = planned.numbers(sums, before);
    assertThat(second[0] * TwoStageRelease.UNIT).isEqualTo(-1.0);
    assertThat(answers).as("counts, moments, strata").hasSize(3);
    assertThat(planned.begin(before, entropy).held()).isPresent();
  }

  /** Rows that do not fit into memory are read again for each sum: the same release. */
  @Test
  void rowsThatAreNotKeptGiveTheSameRelease() {
    TwoStageStrata planned = rich(8.0);
    ModelRows again = planned.rows();
    again.letGo(pass -> corner(9_000, row -> planned.add(pass, row)));
    corner(9_000, row -> planned.add(again, row));
    Randomness seeded = Randomness.insecureForTests(7);
    assertThat(planned.fit(again, seeded.entropy("fit")))
        .containsExactly(planned.fit(rows(planned, 9_000), seeded.entropy("fit")));
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
        TwoStageStrata planned =
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
   * Each number of each stratum less what it is without noise, over the planned deviation, is
   * normal: its mean and the sum of its squares, on the diagonal and off it, in 1,000 draws of 4
   * strata: 16,000 numbers and more each. A twin with 7 % less noise has an expected z of 12.
   */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void everyStratumHasTheNoiseThatIsPlanned(Neighbours neighbours) {
    TwoStageStrata planned =
        planned(SCHEMA, new Budget(1.0, 1e-6, neighbours), Map.of("strata", "4"));
    ModelRows rows = rows(planned, 3);
    RowTransform transform = RowTransform.identity(4, 3).times(3.0);
    ResidualWeights weights = ResidualWeights.of(4, 0, 0, 0, 1L << 31);
    double[] exact = values(planned.sums(rows, NONE).strata(transform, weights));
    StrataSums noisy = planned.sums(rows, Randomness.insecureForTests(8).entropy("laws"));
    double deviation = planned.plan().strata().deviation();
    List<Law> laws = new ArrayList<>();
    for (boolean isDiagonal : new boolean[] {true, false}) {
      int[] places =
          IntStream.range(0, exact.length)
              .filter(k -> DIAGONAL.contains(k % TRIANGLE) == isDiagonal)
              .toArray();
      laws.add(
          new Law(
              isDiagonal ? "diagonal" : "beside it",
              at(places, exact),
              () -> at(places, values(noisy.strata(transform, weights))),
              k -> isDiagonal ? deviation : deviation / Math.sqrt(2.0)));
    }
    double critical = Alpha.z(2 * laws.size());
    for (Law law : laws) {
      law.draw(1_000);
      assertThat(Math.abs(law.mean())).as(law.name()).isLessThan(critical);
      assertThat(Math.abs(law.squares(1.0))).as(law.name()).isLessThan(critical);
      assertThat(Math.abs(law.squares(0.93))).as(law.name()).isGreaterThan(critical);
    }
  }

  private static double[] at(int[] places, double... values) {
    return IntStream.of(places).mapToDouble(k -> values[k]).toArray();
  }

  @Test
  void sizesOfNoiseAreInTheRelease() {
    TwoStageStrata planned = rich(1.0);
    StrataPlan plan = planned.plan();
    assertThat(planned.parameters())
        .containsEntry("mu", plan.mu())
        .containsEntry("strata", 4.0)
        .containsEntry("expectedRows", (double) planned.expectedRows())
        .containsEntry("firstSigma", plan.moments().first().deviation())
        .containsEntry("sigmaAfterTwoRounds", plan.moments().part(2, true).deviation())
        .containsEntry("sigmaOfStrata", plan.strata().deviation());
    assertThat(planned.sigma() * planned.stepSize()).isEqualTo(plan.strata().deviation());
    assertThat(planned.noiseLaw()).contains("in every stratum", plan.strata().law());
  }

  /** The stratum follows from the row and the weights, at the edges, too. */
  @Test
  void strataAreEqualPartsOfTheWeightedSum() {
    TwoStageStrata planned = rich(1.0);
    double[] values = {-0.9, -0.5, -0.26, -0.25, 0.0, 0.24, 0.25, 0.9};
    int[] strata = {0, 0, 0, 1, 2, 2, 3, 3}; // of [-0.5, 0.5]
    for (int i = 0; i < values.length; i++) {
      ModelRows rows = planned.rows();
      planned.add(rows, 0.5, 0.0, 0.0, values[i]);
      double[] sums =
          values(
              planned
                  .sums(rows, NONE)
                  .strata(
                      RowTransform.identity(4, 3).times(0.5),
                      ResidualWeights.of(4, 0, 0, 0, 4L << 30)));
      for (int k = 0; k < 4; k++) {
        assertThat(sums[k * TRIANGLE] > 0.0).as(values[i] + " " + k).isEqualTo(k == strata[i]);
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResidualWeights.of(4, 1L << 47))
        .withMessageContaining("weight");
  }

  @Test
  void aReleaseThatIsTooLargeIsRefused() {
    RowSchema wide = Fixtures.numbers(600, 0.5, 1.5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> planned(wide, Fixtures.BUDGET, Map.of("strata", "1024")))
        .withMessageContaining("strata for 601 columns with the intercept must be in [1, 741]");
  }

  @Test
  void itIsForRows() {
    SketchRequest sketch = new SketchRequest("s", TwoStageStrata.NAME, 1.0, Map.of());
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                StreamPlan.of(
                    Fixtures.request(SCHEMA, Fixtures.BUDGET, sketch)
                        .withScope(BudgetScope.users("customer", 4))))
        .withMessageContaining("row");
  }
}

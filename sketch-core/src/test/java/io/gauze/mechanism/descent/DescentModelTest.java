package io.gauze.mechanism.descent;

import static io.gauze.mechanism.descent.DescentFixture.NONE;
import static io.gauze.mechanism.descent.DescentFixture.SCHEMA;
import static io.gauze.mechanism.descent.DescentFixture.TRUE;
import static io.gauze.mechanism.descent.DescentFixture.corner;
import static io.gauze.mechanism.descent.DescentFixture.counts;
import static io.gauze.mechanism.descent.DescentFixture.gradients;
import static io.gauze.mechanism.descent.DescentFixture.plain;
import static io.gauze.mechanism.descent.DescentFixture.planned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.twostage.Law;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.payload.PayloadParameters;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import io.gauze.testing.Alpha;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Releases of rows; {@link DescentNeighboursTest} attacks them. */
final class DescentModelTest {
  private static final int ROWS = 40_000;

  private static DescentModel rich(double epsilon) {
    return rich(DescentModel.NAME, epsilon, Map.of());
  }

  private static DescentModel rich(String mechanism, double epsilon, Map<String, String> options) {
    Map<String, String> all = new HashMap<>(options);
    all.put("response", "x2");
    return planned(mechanism, SCHEMA, new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE), all);
  }

  /** The questions are those of the rounds and no others, so that their number is public. */
  @ParameterizedTest
  @CsvSource({"descent, 20.0, 1", "descent, 0.2, 2", "huber, 20.0, 1", "quantile, 0.2, 2"})
  void noisySumsDecideTheNumberOfRounds(String mechanism, double epsilon, int rounds) {
    DescentModel planned = rich(mechanism, epsilon, Map.of());
    Entropy entropy = Randomness.insecureForTests(4).entropy("rounds");
    DescentFixture.Tape tape =
        new DescentFixture.Tape(planned.sums(corner(planned, ROWS), entropy));
    assertThat(planned.numbers(tape)).hasSize(planned.payloadLength());
    List<String> asked = new ArrayList<>(List.of("encoded"));
    if (rounds == 2) {
      asked.addAll(List.of("norms 1", "moments 1"));
    }
    asked.add("sizes");
    if (!mechanism.equals(DescentModel.NAME)) {
      asked.addAll(List.of("residuals", "residuals")); // of the first model, and of a constant
    }
    asked.addAll(Collections.nCopies(8, "gradient " + rounds));
    assertThat(tape.questions).isEqualTo(asked);
  }

  /** Nothing but the answers of sums reaches a release: they give it without any rows. */
  @ParameterizedTest
  @CsvSource({"descent, 20.0", "descent, 0.2", "huber, 20.0", "quantile, 0.2"})
  void theReleaseIsAFunctionOfNoisySumsAlone(String mechanism, double epsilon) {
    DescentModel planned = rich(mechanism, epsilon, Map.of());
    Entropy entropy = Randomness.insecureForTests(5).entropy("first and only");
    DescentFixture.Tape tape =
        new DescentFixture.Tape(planned.sums(corner(planned, ROWS), entropy));
    long[] numbers = planned.numbers(tape);
    DescentSums replayed = new DescentFixture.Replay(tape.answered);
    assertThat(planned.numbers(replayed)).containsExactly(numbers);
  }

  /** Without noise, the model is that of least squares. */
  @Test
  void withoutNoiseItIsLeastSquares() {
    DescentModel planned = rich(20.0);
    long[] numbers = planned.fit(corner(planned, ROWS), NONE);
    double[] model =
        Arrays.stream(numbers).mapToDouble(each -> each * planned.stepSize()).toArray();
    double[] errors = {0.01, 0.006, 0.008}; // three standard errors of the rows' own sample
    for (int k = 0; k < TRUE.length; k++) {
      assertThat(model[k]).isCloseTo(TRUE[k], within(errors[k]));
    }
    double explained = 0.04 * 0.0225 + 0.25 * 0.01;
    assertThat(model[5]).isCloseTo(1.0 + explained / 0.0064, within(0.03));
  }

  /** A tenth of the responses is far too large, which moves a mean, and a median hardly. */
  @Test
  void withoutNoiseTheMedianIsThatOfRowsWithOutliers() {
    DescentModel planned = rich(DescentModel.HUBER, 20.0, Map.of());
    double[] model = model(planned, planned.fit(outliers(planned), NONE));
    double[] errors = {0.02, 0.01, 0.02};
    for (int k = 0; k < TRUE.length; k++) {
      assertThat(model[k]).isCloseTo(TRUE[k], within(errors[k]));
    }
    DescentModel squares = rich(20.0);
    double[] mean = model(squares, squares.fit(outliers(squares), NONE));
    assertThat(Math.abs(mean[0] - TRUE[0])).isGreaterThan(3 * errors[0]);
  }

  private static double[] model(DescentModel planned, long... numbers) {
    return Arrays.stream(numbers).mapToDouble(each -> each * planned.stepSize()).toArray();
  }

  private static ModelRows outliers(DescentModel planned) {
    ModelRows list = planned.rows();
    SplittableRandom random = new SplittableRandom(17);
    for (int i = 0; i < ROWS; i++) {
      double x = 0.4 + 0.15 * random.nextGaussian();
      double z = -0.3 + 0.1 * random.nextGaussian();
      double y = TRUE[0] * 0.5 + TRUE[1] * x + TRUE[2] * z + 0.02 * random.nextGaussian();
      planned.add(list, 0.5, x, z, i % 20 == 0 ? 1.0 : y);
    }
    return list;
  }

  /** Of normal residuals, 1.28 deviations of 0.08 above the mean, and as much below it. */
  @ParameterizedTest
  @CsvSource({"0.9, 1.2816", "0.1, -1.2816", "0.99, 2.3263"})
  void withoutNoiseAQuantileIsAboveTheMean(double quantile, double deviations) {
    DescentModel planned =
        rich(DescentModel.QUANTILE, 20.0, Map.of("quantile", Double.toString(quantile)));
    double[] model = model(planned, planned.fit(corner(planned, ROWS), NONE));
    double above =
        0.5 * (model[0] - TRUE[0]) + 0.4 * (model[1] - TRUE[1]) - 0.3 * (model[2] - TRUE[2]);
    assertThat(above).isCloseTo(0.08 * deviations, within(0.01));
    assertThat(model[2]).isCloseTo(TRUE[2], within(0.05));
  }

  /** By the second counting of residuals, one half of normal responses is below their mean. */
  @Test
  void responsesAreCountedFromTheirMeanInTheirDeviation() {
    DescentModel planned = rich(DescentModel.HUBER, 20.0, Map.of());
    DescentFixture.Tape tape = new DescentFixture.Tape(planned.sums(corner(planned, ROWS), NONE));
    planned.numbers(tape);
    int last = tape.questions.lastIndexOf("residuals");
    double[] responses = counts((long[]) tape.answered.get(last));
    double below = 0.0;
    double within = 0.0;
    for (int cell = 0; cell < responses.length; cell++) {
      below += cell < responses.length / 2 ? responses[cell] : 0.0;
      double end = Math.max(-ResidualCells.lower(cell), ResidualCells.upper(cell));
      within += end <= 1.0 ? responses[cell] : 0.0;
    }
    assertThat(below / ROWS).isCloseTo(0.5, within(0.015));
    assertThat(within / ROWS).isCloseTo(0.6827, within(0.015));
  }

  /** It is said in the encoded scale; one that is smaller than what counts allow is widened. */
  @Test
  void theThresholdIsThatOfTheConfig() {
    DescentModel wide = rich(DescentModel.HUBER, 20.0, Map.of("threshold", "0.3"));
    assertThat(wide.parameters()).containsEntry("threshold", 0.3).containsEntry("quantile", 0.5);
    double[] told = model(wide, wide.fit(corner(wide, ROWS), NONE));
    assertThat(told[6]).isCloseTo(0.3, within(1e-6));
    DescentModel none = rich(DescentModel.HUBER, 20.0, Map.of());
    double[] widened = model(none, none.fit(corner(none, ROWS), NONE));
    assertThat(widened[6]).isCloseTo(0.35 * 0.6745 * 0.08, within(0.004));
    assertThat(wide.shape()).isNotEqualTo(none.shape());
  }

  /**
   * The expected excess by noise is what noise does: 200 releases, of one epsilon that is clear.
   */
  @Test
  void itTellsWhatNoiseDoes() {
    DescentModel planned = rich(2.0);
    ModelRows rows = corner(planned, ROWS);
    Entropy entropy = Randomness.insecureForTests(11).entropy("error");
    long[] exact = planned.fit(rows, NONE);
    double told = 0.0;
    double excess = 0.0;
    for (int k = 0; k < 200; k++) {
      long[] numbers = planned.fit(rows, entropy);
      double x = (numbers[1] - exact[1]) * planned.stepSize();
      double z = (numbers[2] - exact[2]) * planned.stepSize();
      double mean = (numbers[0] - exact[0]) * planned.stepSize() * 0.5 + 0.4 * x - 0.3 * z;
      excess += 0.5 * (mean * mean + 0.0225 * x * x + 0.01 * z * z) / 0.0064;
      told += numbers[3] * planned.stepSize();
    }
    assertThat(told / excess).isBetween(0.6, 1.8);
  }

  /** Rows that do not fit into memory are read again for each sum: the same release. */
  @ParameterizedTest
  @CsvSource({"descent, 20.0", "descent, 0.2", "huber, 20.0", "quantile, 0.2"})
  void rowsThatAreNotKeptGiveTheSameRelease(String mechanism, double epsilon) {
    DescentModel planned = rich(mechanism, epsilon, Map.of());
    ModelRows kept = corner(planned, 9_000);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < 9_000; i++) {
      rows.add(new double[] {0.5, 0.1 + i % 7 * 0.1, -0.4 + i % 11 * 0.05, i % 13 * 0.07});
    }
    ModelRows held = planned.rows();
    rows.forEach(row -> planned.add(held, row));
    ModelRows again = planned.rows();
    again.letGo(pass -> rows.forEach(row -> planned.add(pass, row)));
    rows.forEach(row -> planned.add(again, row));
    Randomness seeded = Randomness.insecureForTests(7);
    assertThat(planned.fit(again, seeded.entropy("fit")))
        .containsExactly(planned.fit(held, seeded.entropy("fit")))
        .isNotEqualTo(planned.fit(kept, seeded.entropy("fit")));
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
        String mechanism = columns == 9 ? DescentModel.NAME : DescentModel.QUANTILE;
        DescentModel planned =
            planned(
                mechanism, schema, new Budget(epsilon, 1e-6, neighbours), Map.of("response", "x0"));
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
   * sum of its squares, by part, in 4,000 draws. A twin with 7 % less noise has an expected z of 12
   * and more.
   */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void noiseHasTheLawThatIsPlanned(Neighbours neighbours) {
    DescentModel planned = planned(neighbours);
    DescentPlan plan = planned.plan();
    ModelRows rows = corner(planned, 3);
    RowGradient gradient = plain(4, 0.01, 0.3, -0.2);
    RowTransform transform = gradient.transform();
    DescentSums exact = planned.sums(rows, NONE);
    DescentSums noisy = planned.sums(rows, Randomness.insecureForTests(8).entropy("laws"));
    List<Law> laws = new ArrayList<>();
    laws.add(
        new Law(
            "sizes",
            counts(exact.sizes(gradient)),
            () -> counts(noisy.sizes(gradient)),
            k -> plan.countDeviation()));
    laws.add(
        new Law(
            "residuals",
            counts(exact.residuals(transform)),
            () -> counts(noisy.residuals(transform)),
            k -> plan.countDeviation()));
    laws.addAll(
        Law.both(
            plan.second(),
            counts(exact.first().moments(transform, 1, false)),
            () -> counts(noisy.first().moments(transform, 1, false))));
    for (int rounds = 1; rounds <= 2; rounds++) {
      int made = rounds;
      laws.add(
          new Law(
              "steps after " + rounds,
              gradients(exact.gradient(gradient, rounds)),
              () -> gradients(noisy.gradient(gradient, made)),
              k -> plan.stepDeviation(made)));
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
    DescentModel planned = planned(Neighbours.REPLACE_ONE);
    DescentPlan plan = planned.plan();
    assertThat(planned.parameters())
        .containsEntry("mu", plan.mu())
        .containsEntry("firstSigma", plan.first().deviation())
        .containsEntry("secondSigma", plan.second().deviation())
        .containsEntry("countSigma", plan.countDeviation())
        .containsEntry("stepSigmaAfterOneRound", plan.stepDeviation(1))
        .containsEntry("stepSigmaAfterTwoRounds", plan.stepDeviation(2));
    assertThat(planned.noiseLaw()).contains(Double.toString(plan.countDeviation()));
  }

  /** A model of some columns has the bound of these columns. */
  @Test
  void theBoundIsThatOfItsColumns() {
    DescentModel few = planned(SCHEMA, Fixtures.BUDGET, Map.of("response", "x2", "features", "x0"));
    assertThat(few.rowBound()).isEqualTo(Math.sqrt(0.25 + 1.0 + 1.0));
    assertThat(few.payloadLength()).isEqualTo(2 + 3);
    assertThat(planned(Neighbours.ADD_REMOVE).rowBound()).isEqualTo(1.5);
  }

  /** A forged release may not overflow what reads it. */
  @Test
  void deviationsThatNoPlanHasAreRefused() {
    DescentModel planned = planned(Neighbours.ADD_REMOVE);
    for (String name : List.of("firstSigma", "countSigma", "stepSigmaAfterTwoRounds")) {
      for (double forged : new double[] {1e160, 1e-160}) {
        Map<String, Double> parameters = new HashMap<>(planned.parameters());
        parameters.put(name, forged);
        PayloadParameters header =
            new PayloadParameters(
                SCHEMA,
                parameters,
                planned.settings(),
                planned.stepSize(),
                planned.sigma(),
                Neighbours.ADD_REMOVE);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> DescentModel.KIND.payload().apply(header))
            .withMessageContaining(name);
      }
    }
  }

  @Test
  void itIsForRows() {
    SketchRequest model = new SketchRequest("m", DescentModel.NAME, 1.0, Map.of("response", "x2"));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                StreamPlan.of(
                    Fixtures.request(SCHEMA, Fixtures.BUDGET, model)
                        .withScope(BudgetScope.users("customer", 4))))
        .withMessageContaining("row");
  }
}

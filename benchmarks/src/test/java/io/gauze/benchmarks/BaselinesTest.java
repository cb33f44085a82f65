package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.mechanism.twostage.TwoStageMoments;
import io.gauze.payload.Payload;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.release.Release;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What others have published, beside which releases are measured. */
final class BaselinesTest {
  private static final AccuracyQuestion RIDGE =
      new AccuracyQuestion("ridge", Loss.SQUARED, 1.0, "ada-ssp");

  private static AccuracySample sample(String epsilon) throws Exception {
    AccuracyData data = AccuracyData.collinear(2_000, 3);
    return RIDGE.sample(data.with(data.config() + "rowBound: 1.5\n"), epsilon);
  }

  private static KnownRows known(AccuracySample sample) {
    return new KnownRows(sample.rows(), RIDGE.of(sample.problem()));
  }

  /** Replacing a row moves each sum by at most twice the clip; all steps spend the budget. */
  @Test
  void descentSpendsItsBudget() {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    double mu = GaussianDp.mu(budget.epsilon(), budget.delta());
    TunedDescent.Choice choice = new TunedDescent.Choice(0.1, 0.25, 30);
    double[] each = new double[choice.steps()];
    Arrays.fill(each, 2.0 * choice.clip() / choice.deviation(mu));
    double epsilon = GaussianDp.epsilon(budget.delta(), GaussianDp.compose(each));
    assertThat(epsilon).isCloseTo(budget.epsilon(), within(1e-6));
  }

  @Test
  void noRowMovesASumByMoreThanTheClip() throws Exception {
    AccuracySample sample = sample("1.0");
    KnownRows all = known(sample);
    double[] model = new double[all.features()];
    Arrays.fill(model, 3.0);
    double clip = 0.1 * all.gradientLength(model);
    double[] sum = all.descent(clip, model);
    double square = Arrays.stream(sum).map(value -> value * value).sum();
    assertThat(Math.sqrt(square)).isBetween(0.1 * clip * all.rows(), clip * all.rows());
    double[] whole = all.descent(1e9, model);
    double[] twice = all.descent(2e9, model);
    assertThat(whole).as("what is shorter than the clip stays").isEqualTo(twice);
  }

  @Test
  void withoutPrivacyBothReachTheBestFit() throws Exception {
    AccuracySample sample = sample("50.0");
    KnownRows rows = known(sample);
    double ssp = rows.excess(PublishedAdaSsp.coefficients(sample.nextRelease()));
    assertThat(ssp).isBetween(0.0, 0.02);
    Budget budget = sample.nextRelease().guarantee().budget();
    TunedDescent descent = new TunedDescent(sample.rows(), rows, budget, new SplittableRandom(1));
    assertThat(descent.excess(3)).isBetween(0.0, 0.02);
    assertThat(rows.excess(new double[rows.features()])).isGreaterThan(0.02);
  }

  /** The release says the bound that its rows were shortened to, whatever counts say. */
  @Test
  void aGivenBoundTakesThePlaceOfTheChosenOne() throws Exception {
    AccuracyQuestion question =
        new AccuracyQuestion("ridge", Loss.SQUARED, 1.0, TwoStageMoments.NAME);
    AccuracySample sample = question.sample(AccuracyData.collinear(2_000, 3), "5.0");
    sample.releases().within(64.0);
    Release wide = sample.nextRelease();
    assertThat(wide.value(1)).isEqualTo(64.0);
    sample.releases().within(0.5);
    Release narrow = sample.nextRelease();
    assertThat(narrow.value(1)).isEqualTo(0.5);
    TransformedMoments payload = (TransformedMoments) narrow.payload();
    int last = payload.countsAt() - 1; // the weight of the response
    assertThat(narrow.value(last) / wide.value(last)).isBetween(9.0, 13.0); // sqrt 128, and noise
    RegressionProblem problem = question.of(sample.problem());
    assertThat(Regression.fit(FitInput.of(wide), problem)).isInstanceOf(FitOutcome.Fitted.class);
  }

  /** sigma sqrt(d ln(2 d^2 / rho)) less what the least eigenvalue is for sure. */
  @Test
  void theRidgeIsThatOfThePaper() {
    Payload.SufficientStatistics payload =
        new Payload.SufficientStatistics(6, 5, Math.sqrt(2.0), 1.0, 0.5);
    double reach = Math.sqrt(5 * Math.log(2 * 25 / 0.05));
    double margin = 0.5 * Math.sqrt(Math.log(6e6));
    assertThat(PublishedAdaSsp.ridge(payload, -3.0, 1e-6)).isCloseTo(reach, within(1e-12));
    assertThat(PublishedAdaSsp.ridge(payload, margin + 2.0, 1e-6))
        .isCloseTo(reach - 2.0, within(1e-12));
    assertThat(PublishedAdaSsp.ridge(payload, 1e3, 1e-6)).isZero();
  }

  @Test
  void eachIsALineOfTheTable() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    AccuracyData data = AccuracyData.collinear(500, 3);
    new PoolTable(Path.of("nowhere"), List.of(data), 2, out)
        .print(
            List.of(data.name()),
            List.of(PoolTable.TYPICAL),
            List.of("5.0"),
            PoolTable.BASELINES,
            List.of(AccuracyQuestion.RIDGE));
    List<String> lines = bytes.toString(StandardCharsets.UTF_8).strip().lines().toList();
    List<String> ofSquares =
        PoolTable.BASELINES.stream().filter(name -> !name.endsWith("-model")).toList();
    assertThat(lines).hasSize(2 + ofSquares.size());
    assertThat(lines.stream().map(line -> line.chars().filter(c -> c == '|').count()).distinct())
        .hasSize(1);
    for (int k = 0; k < ofSquares.size(); k++) {
      String[] cells = lines.get(2 + k).split(" \\| ", -1);
      assertThat(cells[3]).isEqualTo(ofSquares.get(k));
      assertThat(Double.parseDouble(cells[4])).isGreaterThan(-0.1);
    }
  }
}

package io.gauze.mechanism.select;

import static io.gauze.mechanism.select.SelectFitFixture.COLUMNS;
import static io.gauze.mechanism.select.SelectFitFixture.NONE;
import static io.gauze.mechanism.select.SelectFitFixture.SCHEMA;
import static io.gauze.mechanism.select.SelectFitFixture.assertSpent;
import static io.gauze.mechanism.select.SelectFitFixture.columns;
import static io.gauze.mechanism.select.SelectFitFixture.planned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.BoundedRange;
import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.StreamRequest;
import io.gauze.plan.StreamPlan;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Columns and moments of one reading; {@link SelectFitRowsTest} has those of two. */
final class SelectFitTest {
  private static StreamRequest request(Budget budget, Map<String, String> options) {
    Map<String, String> all = new TreeMap<>(options);
    all.put("readings", "1");
    return SelectFitFixture.request(budget, all);
  }

  private static SelectFit mechanism(Neighbours neighbours, Map<String, String> options) {
    return mechanism(request(new Budget(1.0, 1e-6, neighbours), options));
  }

  private static SelectFit mechanism(StreamRequest request) {
    return (SelectFit) planned(request);
  }

  /** Draws and noise together spend the budget, and no more. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void drawsAndNoiseSpendTheBudget(Neighbours neighbours) {
    for (int rounds : new int[] {1, 2, 3, 8}) {
      SelectFit planned =
          mechanism(neighbours, Map.of("selected", "9", "rounds", Integer.toString(rounds)));
      assertSpent(
          planned.plan(),
          rounds,
          noise -> {
            double bound = Math.min(2.0, Math.sqrt(0.25 + 1.0 + noise.dimension() - 2));
            double sensitivity = new SecondMomentsSpec(1).sensitivity(bound, neighbours);
            return sensitivity / (noise.diagonal().sigma() * planned.stepSize());
          });
    }
  }

  /** Up to four rows of a user in some of three cells, in place of none or of as many others. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void aUserSpendsNoMoreThanTheBudget(Neighbours neighbours) {
    int rows = 4;
    StreamRequest request =
        request(
            new Budget(1.0, 1e-6, neighbours),
            Map.of("selected", "3", "rounds", "1", "response", "x0"));
    SelectFit planned = mechanism(request.withScope(BudgetScope.users("customer", rows)));
    SelectFit row = mechanism(request);
    assertThat(planned.sigma() / row.sigma()).isCloseTo(rows, within(1e-9));
    assertThat(row.rate() / planned.rate()).isCloseTo(rows, within(1e-9));
    SplittableRandom random = new SplittableRandom(9);
    double largest = 0.0;
    for (int trial = 0; trial < 2_000; trial++) {
      boolean same = trial % 2 == 0; // all rows alike, so that the bounds are nearly attained
      List<LinearSketch<?>> before = cells(planned);
      List<LinearSketch<?>> after = cells(planned);
      for (int k = 0; k < rows; k++) {
        after.get(same ? 0 : random.nextInt(3)).add(new RowTag(), atTheBound(random, same, 1), 1);
        if (neighbours == Neighbours.REPLACE_ONE) {
          before
              .get(same ? 0 : random.nextInt(3))
              .add(new RowTag(), atTheBound(random, same, -1), 1);
        }
      }
      double spent = 0.0;
      for (int c = 0; c < 3; c++) {
        spent += spent(planned, before.get(c).state(), after.get(c).state());
      }
      assertThat(Math.sqrt(spent)).isLessThanOrEqualTo(planned.plan().mu());
      largest = Math.max(largest, Math.sqrt(spent));
    }
    assertThat(largest).isGreaterThan(0.5 * planned.plan().mu());
  }

  private static List<LinearSketch<?>> cells(SelectFit planned) {
    return List.of(planned.spec().zero(), planned.spec().zero(), planned.spec().zero());
  }

  /** A row of norm 2: in the response x0 and x1 to x3 alike, or in random columns. */
  private static EncodedRow atTheBound(SplittableRandom random, boolean same, int sign) {
    double[] x = new double[COLUMNS + 1];
    for (int k = 1; k < 5; k++) {
      x[same ? k : random.nextInt(1, COLUMNS + 1)] = same || random.nextBoolean() ? 0.999 : -0.999;
    }
    x[1] *= sign;
    EncodedRow row = new EncodedRow(COLUMNS + 1);
    for (int k = 0; k < x.length; k++) {
      row.values()[k] = (int) (x[k] / SCHEMA.grid().step());
    }
    return row;
  }

  /** The squared mu of the draws, and of the moments of the response and x1 to x3, in one cell. */
  private static double spent(SelectFit planned, long[] first, long[] second) {
    SecondMomentsSpec spec = planned.spec();
    double score = 0.0;
    for (int k = 2; k <= COLUMNS; k++) {
      score =
          Math.max(score, Math.abs((double) (first[spec.index(1, k)] - second[spec.index(1, k)])));
    }
    double mu = BoundedRange.mu(2.0 * Math.max(score, 1.0) * planned.rate());
    double moments = 0.0;
    for (int i : new int[] {0, 1, 2, 3, 4}) {
      for (int j : new int[] {0, 1, 2, 3, 4}) {
        moments += Math.pow((double) (first[spec.index(i, j)] - second[spec.index(i, j)]), 2);
      }
    }
    return 3 * mu * mu + moments / Math.pow(planned.sigma(), 2);
  }

  /** Random rows at the bound, and those that attain it, against random models. */
  @Test
  void noRowChangesAScoreByMoreThanItsBound() {
    SplittableRandom random = new SplittableRandom(3);
    for (int trial = 0; trial < 20_000; trial++) {
      double rowBound = random.nextDouble(0.6, 4.0);
      List<Double> ends = new ArrayList<>(List.of(0.5));
      IntStream.range(0, 5).forEach(k -> ends.add(random.nextDouble(0.05, 1.0)));
      SelectionBounds bounds = new SelectionBounds(rowBound, ends, 5, Neighbours.ADD_REMOVE, 1);
      Map<Integer, Double> theta = new TreeMap<>();
      for (int k : new int[] {0, 2, 3}) {
        theta.put(k, random.nextDouble(-2.0, 2.0));
      }
      double[] row = row(random, theta, trial % 3, ends);
      double norm = Math.sqrt(IntStream.range(0, 6).mapToDouble(k -> row[k] * row[k]).sum());
      double factor = Math.min(1.0, rowBound / norm);
      double residual = row[5];
      for (Map.Entry<Integer, Double> each : theta.entrySet()) {
        residual -= each.getValue() * row[each.getKey()];
      }
      double score = Math.abs(row[1] * residual) * factor * factor;
      double bound = bounds.score(theta);
      assertThat(score).isLessThanOrEqualTo(bound);
      SelectionBounds three = new SelectionBounds(rowBound, ends, 5, Neighbours.REPLACE_ONE, 3);
      assertThat(three.score(theta)).isCloseTo(6.0 * bound, within(1e-12));
    }
  }

  /** A random row, one whose entries are at their ends, or one along the worst direction. */
  private static double[] row(
      SplittableRandom random, Map<Integer, Double> theta, int kind, List<Double> ends) {
    double[] row = new double[6];
    for (int k = 0; k < 6; k++) {
      double sign = k == 5 ? 1.0 : -Math.signum(theta.getOrDefault(k, -1.0));
      row[k] = ends.get(k) * (kind == 0 ? random.nextDouble(-1.0, 1.0) : sign);
    }
    if (kind == 2) {
      double[] weights = new double[6];
      theta.forEach((k, value) -> weights[k] = -value);
      weights[5] = 1.0;
      double norm =
          Math.sqrt(IntStream.range(0, 6).mapToDouble(k -> weights[k] * weights[k]).sum());
      double scale = 0.3 * ends.get(1);
      for (int k = 0; k < 6; k++) {
        double entry = k == 1 ? scale : scale * weights[k] / norm;
        row[k] = Math.max(-ends.get(k), Math.min(ends.get(k), entry));
      }
    }
    return row;
  }

  @Test
  void roundsFindWhatCorrelationsHide() {
    assertThat(selected(Map.of("selected", "2", "rounds", "2"))).containsExactly(0, 1, 2, COLUMNS);
    assertThat(selected(Map.of("selected", "2", "rounds", "1"))).containsExactly(0, 1, 3, COLUMNS);
  }

  private static int[] selected(Map<String, String> options) {
    StreamRequest request =
        request(new Budget(5.0, 1e-6, Neighbours.ADD_REMOVE), options).withExpectedRows(50_000);
    SelectFit planned = mechanism(request);
    long[] payload = planned.release(correlated(planned), NONE);
    return columns(2, planned.stepSize(), payload);
  }

  private static long[] correlated(SelectFit planned) {
    LinearSketch<?> sketch = planned.spec().zero();
    EncodedRow row = new EncodedRow(COLUMNS + 1);
    double steps = 1.0 / SCHEMA.grid().step();
    SelectFitFixture.correlated(
        50_000,
        x -> {
          for (int k = 0; k < x.length; k++) {
            row.values()[k] = (int) (x[k] * steps);
          }
          sketch.add(new RowTag(), row, 1);
        });
    return sketch.state();
  }

  /** The payload holds the columns, and the exact moments of these where there is no noise. */
  @Test
  void thePayloadIsOfTheSelectedColumns() {
    SelectFit planned = mechanism(Neighbours.REPLACE_ONE, Map.of("selected", "3", "rounds", "1"));
    long[] state = correlated(planned);
    long[] payload = planned.release(state.clone(), NONE);
    int[] columns = columns(3, planned.stepSize(), payload);
    int next = 3;
    for (int i = 0; i < 5; i++) {
      for (int j = i; j < 5; j++) {
        assertThat(payload[next++]).isEqualTo(state[planned.spec().index(columns[i], columns[j])]);
      }
    }
  }

  @Test
  void roundsAreForClearSignals() {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE);
    assertThat(mechanism(request(budget, Map.of()).withExpectedRows(1_000)).plan().fits())
        .isEmpty();
    assertThat(mechanism(request(budget, Map.of())).plan().fits()).hasSize(2);
  }

  @Test
  void sizesAreChecked() {
    refuses(Map.of("selected", "30"), "selected must be at most 29, the encoded columns beside");
    refuses(Map.of("selected", "2", "rounds", "3"), "rounds must be at most selected, 2.");
    refuses(Map.of("response", "(intercept)"), "response must not be the intercept.");
    refuses(Map.of("selected", "0"), "selected must be a whole number in [1, 256]");
    assertThat(
            StreamPlan.of(
                    request(new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE), Map.of("selected", "29")))
                .warnings())
        .anyMatch(
            warning ->
                warning.line().startsWith("GZ-ALLCHOSEN: Sketch ")
                    && warning.text().contains("all 29 columns beside the response are selected"));
  }

  private static void refuses(Map<String, String> options, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism(Neighbours.ADD_REMOVE, options))
        .withMessageContaining(message);
  }
}

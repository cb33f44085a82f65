package io.gauze.mechanism.select;

import static io.gauze.mechanism.select.SelectFitFixture.COLUMNS;
import static io.gauze.mechanism.select.SelectFitFixture.NONE;
import static io.gauze.mechanism.select.SelectFitFixture.assertSpent;
import static io.gauze.mechanism.select.SelectFitFixture.columns;
import static io.gauze.mechanism.select.SelectFitFixture.planned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.StreamRequest;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.testing.Alpha;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Columns and moments of rows that are read again; {@link SelectFitNeighboursTest} attacks them.
 */
final class SelectFitRowsTest {
  /** The expected mean square of a column: 30 share the room of a row bound of 2. */
  private static final double SQUARE = (4.0 - 0.25) / 1.3 / COLUMNS;

  private static StreamRequest request(Neighbours neighbours, Map<String, String> options) {
    return SelectFitFixture.request(new Budget(1.0, 1e-6, neighbours), options);
  }

  private static SelectFitRows mechanism(Neighbours neighbours, Map<String, String> options) {
    return (SelectFitRows) planned(request(neighbours, options));
  }

  /** Draws and noise together spend the budget, and no more. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void drawsAndNoiseSpendTheBudget(Neighbours neighbours) {
    double factor = neighbours == Neighbours.ADD_REMOVE ? 1.0 : Math.sqrt(2.0);
    for (int rounds : new int[] {1, 2, 3, 8}) {
      SelectFitRows planned =
          mechanism(neighbours, Map.of("selected", "9", "rounds", Integer.toString(rounds)));
      assertSpent(
          planned.plan(),
          rounds,
          noise -> {
            int size = noise.dimension() - 2;
            double unit = planned.bounds().clipper(size).grid().momentUnit();
            double row = 0.25 + size * SQUARE + 1.0; // intercept, columns, response
            return factor * row / (noise.diagonal().sigma() * unit);
          });
      double scores = factor * factor; // of columns and residuals in [-1, 1]
      assertThat(planned.rate() * 2.0 * scores).isCloseTo(planned.plan().range(), within(1e-6));
    }
  }

  /** The bound of whole rows is the largest: both parts shrink where it is small. */
  @Test
  void theBoundOfWholeRowsIsTheLargest() {
    for (double whole : new double[] {0.6, 0.9, 1.5, 3.0}) {
      SelectedBounds bounds = bounds(whole);
      double square = Math.pow(bounds.features(12), 2) + Math.pow(bounds.response(12), 2);
      double most = 0.25 + 12 * Math.min(1 / 9.0, (whole * whole - 0.25) / 1.3 / COLUMNS) + 1.0;
      assertThat(square).isLessThanOrEqualTo(Math.min(whole * whole, most) + 1e-9);
      assertThat(square).isGreaterThan(0.75 * Math.min(whole * whole, most));
    }
  }

  /** As in one reading, where one row of norm B changes a score by half of its square at most. */
  @Test
  void scoresLeaveNoMoreThanTheBoundOfWholeRows() {
    for (double whole : new double[] {0.1, 0.6, 1.2, 1.4}) {
      SelectedBounds bounds = bounds(whole);
      assertThat(bounds.score()).isLessThanOrEqualTo(0.5 * whole * whole * (1.0 + 1e-12));
      assertThat(bounds.column() * bounds.residual()).isGreaterThan(0.49 * whole * whole);
    }
    SelectedBounds bounds = bounds(1.5);
    assertThat(bounds.column()).isEqualTo(1.0);
    assertThat(bounds.residual()).isEqualTo(1.0);
  }

  private static SelectedBounds bounds(double whole) {
    StreamRequest request =
        request(Neighbours.ADD_REMOVE, Map.of())
            .withSchema(Fixtures.numbers(COLUMNS, Math.min(0.5, whole / 2.0), whole));
    return ((SelectFitRows) planned(request)).bounds();
  }

  @Test
  void roundsFindWhatCorrelationsHide() {
    assertThat(selected(Map.of("selected", "2", "rounds", "2"))).containsExactly(0, 1, 2, COLUMNS);
    assertThat(selected(Map.of("selected", "2", "rounds", "1"))).containsExactly(0, 1, 3, COLUMNS);
  }

  private static int[] selected(Map<String, String> options) {
    SelectFitRows planned = mechanism(Neighbours.ADD_REMOVE, options);
    long[] payload = planned.fit(correlated(planned), NONE);
    return columns(2, planned.stepSize(), payload);
  }

  private static ModelRows correlated(SelectFitRows planned) {
    ModelRows rows = planned.rows();
    addCorrelated(planned, rows);
    return rows;
  }

  private static void addCorrelated(SelectFitRows planned, ModelRows rows) {
    SelectFitFixture.correlated(20_000, x -> planned.add(rows, x));
  }

  /** The payload holds the columns, and the exact moments of these where there is no noise. */
  @Test
  void thePayloadIsOfTheSelectedColumns() {
    SelectFitRows planned =
        mechanism(Neighbours.REPLACE_ONE, Map.of("selected", "3", "rounds", "1"));
    ModelRows rows = correlated(planned);
    long[] payload = planned.fit(rows, NONE);
    assertThat(payload).hasSize(planned.payloadLength());
    int[] columns = columns(3, planned.stepSize(), payload);
    long[] exact = planned.moments(rows, columns);
    for (int k = 0; k < exact.length; k++) {
      assertThat(payload[3 + k]).isEqualTo(exact[k]);
    }
    // no row is shortened: the mean square of the response
    double mean = exact[exact.length - 1] * planned.stepSize() / 20_000;
    assertThat(mean).isBetween(0.005, 0.05);
  }

  /** The response may be any column: the rows keep their order around it. */
  @Test
  void theResponseMayBeAnyColumn() {
    SelectFitRows planned =
        mechanism(Neighbours.ADD_REMOVE, Map.of("selected", "1", "rounds", "1", "response", "x1"));
    ModelRows rows = planned.rows();
    for (int i = 0; i < 100; i++) {
      double[] row = new double[COLUMNS + 1];
      row[0] = 0.5;
      row[2] = i % 2 == 0 ? 0.25 : -0.25; // the response
      row[29] = -row[2];
      planned.add(rows, row);
    }
    long[] payload = planned.fit(rows, NONE);
    assertThat(payload[0] * planned.stepSize()).isEqualTo(29.0);
    double[] expected = {25.0, 0.0, 0.0, 6.25, -6.25, 6.25};
    for (int k = 0; k < 6; k++) {
      assertThat(payload[1 + k] * planned.stepSize()).isCloseTo(expected[k], within(0.05));
    }
  }

  /** Rows that do not fit into memory are read again for each pass: the same release. */
  @Test
  void rowsThatAreNotKeptGiveTheSameRelease() {
    SelectFitRows planned =
        mechanism(Neighbours.REPLACE_ONE, Map.of("selected", "4", "rounds", "2"));
    ModelRows again = planned.rows();
    again.letGo(pass -> addCorrelated(planned, pass));
    addCorrelated(planned, again);
    Randomness seeded = Randomness.insecureForTests(7);
    assertThat(planned.fit(again, seeded.entropy("fit")))
        .containsExactly(planned.fit(correlated(planned), seeded.entropy("fit")));
    assertThat(again.isHeld()).isFalse();
  }

  /**
   * Of no rows, columns are drawn alike and moments are the noise. Normal and chi-square laws by
   * their moments, 15,000 numbers; noise that is off by 5 % and a column that is left out show.
   */
  @Test
  void drawsAndNoiseHaveTheLawsThatArePlanned() {
    SelectFitRows planned =
        (SelectFitRows)
            planned(
                request(Neighbours.ADD_REMOVE, Map.of("selected", "1", "rounds", "1"))
                    .withSchema(Fixtures.numbers(4, 0.5, 1.5)));
    Entropy entropy = Randomness.insecureForTests(3).entropy("laws");
    int draws = 2_500;
    int[] drawn = new int[4];
    double squares = 0.0;
    double sum = 0.0;
    for (int d = 0; d < draws; d++) {
      long[] payload = planned.fit(planned.rows(), entropy);
      drawn[(int) Math.rint(payload[0] * planned.stepSize())]++;
      for (int k = 0; k < 6; k++) {
        double z = payload[1 + k] / planned.plan().noise().scale(k, 6);
        squares += z * z;
        sum += z;
      }
    }
    double n = 6.0 * draws;
    double critical = Alpha.z(5);
    assertThat(Math.abs(sum) / Math.sqrt(n)).isLessThan(critical);
    assertThat(Math.abs(squares - n) / Math.sqrt(2.0 * n)).isLessThan(critical);
    assertThat(Math.abs(1.1 * squares - n) / Math.sqrt(2.0 * n)).isGreaterThan(critical);
    for (int column = 1; column <= 3; column++) {
      double z = (drawn[column] - draws / 3.0) / Math.sqrt(draws * 2.0 / 9.0);
      assertThat(Math.abs(z)).isLessThan(critical);
    }
    assertThat(drawn[0]).isZero();
  }

  /** Rows are read twice wherever that can be; a user has several rows, which are read once. */
  @Test
  void readingsAreTwoForRows() {
    StreamRequest rows = request(Neighbours.ADD_REMOVE, Map.of());
    assertThat(planned(rows)).isInstanceOf(SelectFitRows.class);
    assertThat(planned(rows.withScope(BudgetScope.users("customer", 4))))
        .isInstanceOf(SelectFit.class);
    assertThat(planned(request(Neighbours.ADD_REMOVE, Map.of("readings", "1"))))
        .isInstanceOf(SelectFit.class);
    StreamRequest twice = request(Neighbours.ADD_REMOVE, Map.of("readings", "2"));
    assertThat(StreamPlan.of(twice).series("PT1H")).isEqualTo(StreamPlan.of(rows).series("PT1H"));
    assertThat(StreamPlan.of(twice).series("PT1H"))
        .isNotEqualTo(
            StreamPlan.of(request(Neighbours.ADD_REMOVE, Map.of("readings", "1"))).series("PT1H"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> planned(twice.withScope(BudgetScope.users("customer", 4))))
        .withMessageStartingWith(
            "sketch s: readings must be 1 unless privacy.unit is row. Provided value: 2 with ");
    long many = (1L << 29) + 1;
    assertThat(planned(rows.withExpectedRows(many))).isInstanceOf(SelectFit.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> planned(twice.withExpectedRows(many)))
        .withMessage(
            "sketch s: readings must be 1 if expectedRows is above 536,870,912; or make epochs"
                + " shorter. Provided value: 2 with expectedRows 536,870,913");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request(Neighbours.ADD_REMOVE, Map.of("readings", "3")))
        .withMessageContaining("readings must be a whole number in [1, 2]. Provided value: 3");
  }

  @Test
  void aCheckpointHoldsNoSums() {
    assertThat(
            StreamPlan.of(request(Neighbours.ADD_REMOVE, Map.of()))
                .guarantee(Randomness.SYSTEM)
                .checkpoint())
        .startsWith("A stolen checkpoint holds no row and no sum of rows.");
  }
}

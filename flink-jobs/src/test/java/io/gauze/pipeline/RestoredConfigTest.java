package io.gauze.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.kafka.RowRecords;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.read.FoldOperator;
import io.gauze.plan.StreamPlan;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import io.gauze.stream.CellMessage;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Noise and sums of one config are not what another promises: each change of it is refused. */
final class RestoredConfigTest {
  private static final StreamRequest ASKED = OperatorFixture.request(1, 512, BudgetScope.ROWS);
  private static final NumericColumn A = new NumericColumn("a", "a", -1, 1);
  private static final NumericColumn B = new NumericColumn("b", "b", 0, 10);
  private static final NumericColumn Y = new NumericColumn("y", "y", -5, 5);
  private static final SketchRequest MOMENTS = moments("moments");

  static Stream<Arguments> changes() {
    return Stream.of(
        columns("one less", A, Y),
        columns("one more", A, B, Y, new NumericColumn("c", "c", 0, 1)),
        columns("another order", B, A, Y),
        columns("another name", new NumericColumn("renamed", "a", -1, 1), B, Y),
        columns("another field", new NumericColumn("a", "other", -1, 1), B, Y),
        columns("another typical value", new NumericColumn("a", "a", -1, 1, 0.5), B, Y),
        columns("another lower bound", new NumericColumn("a", "a", -2, 1), B, Y),
        columns("another upper bound", A, new NumericColumn("b", "b", 0, 11), Y),
        schema("another row bound", 1.0, 1.9, MissingValues.REJECT),
        schema("another intercept", 1.5, 2.0, MissingValues.REJECT),
        schema("missing values that count", 1.0, 2.0, MissingValues.MIDPOINT),
        request("a response", with(withResponse("y"), ASKED.budget())),
        budget("another epsilon", new Budget(2, 1e-6, Neighbours.REPLACE_ONE)),
        budget("another delta", new Budget(1, 1e-7, Neighbours.REPLACE_ONE)),
        budget("other neighbours", new Budget(1, 1e-6, Neighbours.ADD_REMOVE)),
        request("unit user", ASKED.withScope(BudgetScope.users("who", 1))),
        request("unit key", ASKED.withScope(BudgetScope.keys(3))),
        request("cumulative", ASKED.withScope(BudgetScope.cumulative(3))),
        request("checkpointLeaks", ASKED.withCheckpointLeaks(1)),
        sketches("other buckets", buckets("buckets", 1, 256), MOMENTS),
        sketches("another weight", buckets("buckets", 2, 512), MOMENTS),
        sketches("another name", buckets("cells", 1, 512), MOMENTS),
        sketches("one less", buckets("buckets", 1, 512)),
        sketches("one more", buckets("buckets", 1, 512), MOMENTS, moments("again")),
        sketches("another mechanism", moments("buckets"), MOMENTS),
        arguments("groups", settings(ASKED).withInput(grouped("region", "n", "s"))))
        .toList()
        .stream();
  }

  private static SketchRequest moments(String name) {
    return new SketchRequest(name, "noisy-moments", 1, Map.of());
  }

  private static SketchRequest buckets(String name, double weight, int buckets) {
    Map<String, String> settings = Map.of("buckets", Integer.toString(buckets));
    return new SketchRequest(name, "count-sketch", weight, settings);
  }

  private static Arguments columns(String what, NumericColumn... columns) {
    double bound = Math.min(2.0, RowSchema.largestNorm(List.of(columns), 1.0));
    RowSchema schema = RowSchema.of(List.of(columns), 1.0, bound, MissingValues.REJECT);
    return request("columns: " + what, with(schema, ASKED.budget()));
  }

  private static Arguments schema(
      String what, double intercept, double rowBound, MissingValues missing) {
    RowSchema schema = RowSchema.of(List.of(A, B, Y), intercept, rowBound, missing);
    return request(what, with(schema, ASKED.budget()));
  }

  private static RowSchema withResponse(String column) {
    return RowSchema.of(List.of(A, B, Y), 1.0, 2.0, MissingValues.REJECT)
        .withResponses(new ResponseBound(List.of(column), 1.0));
  }

  private static Arguments budget(String what, Budget budget) {
    return request(what, with(ASKED.schema(), budget));
  }

  private static StreamRequest with(RowSchema schema, Budget budget) {
    return new StreamRequest(
        ASKED.stream(), schema, budget, ASKED.scope(), 1000, List.of(), ASKED.sketches());
  }

  private static Arguments sketches(String what, SketchRequest... sketches) {
    return request("sketches: " + what, ASKED.withSketches(List.of(sketches)));
  }

  private static Arguments request(String what, StreamRequest request) {
    return arguments(what, settings(request));
  }

  private static RowInput grouped(String field, String... groups) {
    return RowInput.JSON.groupedBy(field, List.of(groups));
  }

  private static SketchJobSettings settings(StreamRequest request) {
    return OperatorFixture.settings(StreamPlan.of(request), OperatorFixture.SECONDS)
        .withRandomness(Randomness.noiseFreeForTests(1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void refusesTheStateOfAnotherConfig(String what, SketchJobSettings another) throws Exception {
    OperatorSubtaskState state = snapshot(settings(ASKED));
    assertRefused(another, state);
    assertRefused(settings(ASKED), snapshot(another)); // and the other way round
    snapshot(settings(ASKED), state); // its own
    snapshot(another, snapshot(another));
  }

  @Test
  void refusesTheStateOfOtherGroups() throws Exception {
    OperatorSubtaskState state =
        snapshot(settings(ASKED).withInput(grouped("region", "north", "south")));
    List<RowInput> others = new ArrayList<>();
    others.add(grouped("place", "north", "south"));
    others.add(grouped("region", "north"));
    others.add(grouped("region", "north", "east"));
    others.add(grouped("region", "north", "south", "east"));
    for (RowInput other : others) {
      assertRefused(settings(ASKED).withInput(other), state);
    }
    snapshot(settings(ASKED).withInput(grouped("region", "south", "north")), state); // as a set
  }

  @Test
  void refusesTheStateOfAnotherNumberOfRowsOrReleasesOfAUnit() throws Exception {
    for (BudgetScope[] two :
        new BudgetScope[][] {
          {BudgetScope.users("who", 1), BudgetScope.users("who", 2)},
          {BudgetScope.users("who", 1), BudgetScope.users("whom", 1)},
          {BudgetScope.keys(3), BudgetScope.keys(4)},
          {BudgetScope.cumulative(3), BudgetScope.cumulative(4)}
        }) {
      OperatorSubtaskState state = snapshot(settings(ASKED.withScope(two[0])));
      assertRefused(settings(ASKED.withScope(two[1])), state);
    }
  }

  /** Another version of the program may plan another noise for the same config. */
  @Test
  void refusesNoiseOfAnotherWidth() throws Exception {
    SketchJobSettings job = settings(ASKED);
    Map<String, Double> widths = job.noiseInState();
    assertThat(widths).containsOnlyKeys("buckets", "moments");
    for (String sketch : widths.keySet()) {
      double sigma = widths.get(sketch);
      snapshot(job, noise(sketch, sigma * (1 + 1e-12)));
      for (double other : new double[] {sigma * (1 - 1e-6), sigma * 1.1, Double.NaN}) {
        assertThatThrownBy(() -> snapshot(job, noise(sketch, other)))
            .isInstanceOf(PrivacyConflictException.class)
            .hasMessageContaining("of stream seconds has noise of another distribution or size");
      }
    }
    assertThat(settings(ASKED.withScope(BudgetScope.keys(3))).noiseInState()).isEmpty();
    assertThat(settings(ASKED.withScope(BudgetScope.cumulative(3))).noiseInState()).isEmpty();
  }

  /** A state that says which noise a sketch has, and nothing else. */
  private static OperatorSubtaskState noise(String sketch, double sigma) throws Exception {
    return snapshot(new Says(sketch + " " + sigma));
  }

  /** Writes one text into its state. */
  private static final class Says extends AbstractStreamOperator<CellMessage>
      implements OneInputStreamOperator<RowRecords, CellMessage> {
    private static final long serialVersionUID = 1L;
    private final String text;

    Says(String text) {
      this.text = text;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
      super.initializeState(context);
      context.getOperatorStateStore().getUnionListState(SeriesState.NOISE).add(text);
    }

    @Override
    public void processElement(StreamRecord<RowRecords> element) {}
  }

  private static void assertRefused(SketchJobSettings settings, OperatorSubtaskState state) {
    assertThatThrownBy(() -> snapshot(settings, state))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining(
            "GZ-OTHERSTATE: The restored state of stream seconds was made under another config")
        .hasMessageContaining("Restore it with the config, topics and version that made it");
  }

  /** Starts with a state, if there is one, and makes the next. */
  private static OperatorSubtaskState snapshot(
      SketchJobSettings settings, OperatorSubtaskState... state) throws Exception {
    return snapshot(new FoldOperator(settings), state);
  }

  private static OperatorSubtaskState snapshot(
      OneInputStreamOperator<RowRecords, CellMessage> operator, OperatorSubtaskState... state)
      throws Exception {
    try (OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness =
        new OneInputStreamOperatorTestHarness<>(
            operator,
            OperatorFixture.serializer(RowRecords.TYPE),
            new OperatorFixture().environment())) {
      harness.setup(OperatorFixture.serializer(CellMessage.TYPE));
      for (OperatorSubtaskState each : state) {
        harness.initializeState(each);
      }
      harness.open();
      return harness.snapshot(1, 1);
    }
  }
}

package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.ranges.ColumnRanges;
import io.gauze.mechanism.ranges.EstimatedRanges;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.plan.StreamPlan;
import io.gauze.row.Column;
import io.gauze.row.EstimatedColumn;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import io.gauze.stream.JobMessage;
import io.gauze.stream.StreamSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RangeEstimatesTest {
  private static final String CONFIG =
      """
      stream: s
      columns:
        - {name: a, range: estimate}
        - {name: b, source: c, range: estimate}
        - {name: d, lower: 0, upper: 10}
      privacy: {epsilon: 1, delta: 1e-6, neighbours: replace-one}
      expectedRows: 10000
      epochs: {length: all}
      sketches:
        - {name: moments, mechanism: noisy-moments}
      """;

  private static StreamConfig parse(String old, String now) throws ConfigException {
    assertThat(CONFIG).contains(old);
    return StreamConfig.parse("s.yaml", CONFIG.replace(old, now));
  }

  private static void refused(String old, String now, String message) {
    assertThatThrownBy(() -> parse(old, now))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void countsComeBeforeTheSketches() throws ConfigException {
    StreamConfig config = parse("", "");
    RangeEstimates estimates = config.estimates().orElseThrow();
    assertThat(estimates.share()).isEqualTo(0.1);
    assertThat(estimates.columns())
        .containsExactly(new EstimatedColumn("a", "a"), new EstimatedColumn("b", "c"));
    assertThat(estimates.sentence(StreamPlan.of(config.request(List.of()))))
        .contains("a, b", "0.1");
    StreamPlan counts = StreamPlan.of(estimates.request(config.request(List.of())));
    assertThat(counts.sketches()).extracting("name").containsExactly("ranges");
    assertThat(counts.request().rangeShare()).isEqualTo(0.1);
    assertThat(parse("one}", "one, rangeShare: 0.3}").request(List.of()).rangeShare())
        .isEqualTo(0.3);
    assertThatThrownBy(() -> config.requireKnownRanges("gauze run"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("columns a, b have range: estimate, and gauze run needs");
  }

  @Test
  void chosenRangesMakeTheSchema() throws ConfigException {
    RangeEstimates estimates = parse("", "").estimates().orElseThrow();
    RowSchema schema =
        estimates.schema(
            Map.of(
                "a", new EstimatedRanges.Range(1, 100, 7.8, 5),
                "b", new EstimatedRanges.Range(-10, 10, 0, 2)),
            true);
    List<Column> columns = List.copyOf(schema.columns());
    assertThat(columns.get(0)).isEqualTo(new NumericColumn("a", "a", 1, 100, 7.8));
    assertThat(columns.get(1)).isEqualTo(new NumericColumn("b", "c", -10, 10, 0));
    assertThat(schema.isScaled()).isTrue();
  }

  /** Bounds are written before anyone knows how far the chosen spreads scale the columns down. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rowBound: 1.75",
        "rowBound: 1.75\nresponse: d",
        "rowBound: 1.75\nresponse: d\nresponseBound: 1.6",
        "rowBound: 1.75\nintercept: 0.4\nresponse: d\nresponseBound: 1.2"
      })
  void aBoundAboveTheLargestNormOfChosenRangesIsThatNorm(String bounds) throws ConfigException {
    RangeEstimates estimates = parse("epochs:", bounds + "\nepochs:").estimates().orElseThrow();
    for (double spread : new double[] {0.01, 1, 100}) {
      EstimatedRanges.Range range = new EstimatedRanges.Range(-100, 100, 0, spread);
      RowSchema schema = estimates.schema(Map.of("a", range, "b", range), true);
      assertThat(schema.rowBound()).isEqualTo(Math.min(1.75, schema.largestNorm()));
    }
    assertThat(
            estimates
                .schema(
                    Map.of(
                        "a", new EstimatedRanges.Range(-100, 100, 0, 0.01),
                        "b", new EstimatedRanges.Range(-100, 100, 0, 100)),
                    true)
                .rowBound())
        .isLessThan(1.75);
  }

  @Test
  void aStreamMayCountRangesAlone() throws ConfigException {
    StreamConfig config = parse("mechanism: noisy-moments", "mechanism: ranges");
    assertThat(config.estimates()).isEmpty();
    assertThat(config.sketches())
        .containsExactly(new SketchRequest("moments", ColumnRanges.NAME, 1.0, Map.of()));
    assertThat(config.schema().columns().get(0)).isEqualTo(new EstimatedColumn("a", "a"));
    assertThat(StreamPlan.of(config.request(List.of())).sketches()).hasSize(1);
    config.requireKnownRanges("gauze run");
  }

  /** Beside Gaussian sums a stream has the whole budget for its counts, and no use for a share. */
  @Test
  void anUnusedShareIsWarnedOf() throws ConfigException {
    String hours = "length: PT1H";
    String share = "one, rangeShare: 0.3}";
    assertThat(warnings(CONFIG.replace("one}", share).replace("length: all", hours)))
        .anyMatch(warning -> warning.is(JobMessage.SHARE));
    assertThat(warnings(CONFIG.replace("length: all", hours)))
        .noneMatch(warning -> warning.text().contains("rangeShare"));
    assertThat(
            warnings(
                CONFIG
                    .replace("one}", share)
                    .replace("length: all", hours)
                    .replace("noisy-moments", "functional")))
        .noneMatch(warning -> warning.is(JobMessage.SHARE));
  }

  /** The remedies against noise are those that the stream has. */
  @Test
  void weakCountsAreWarnedOf() throws ConfigException {
    String few = CONFIG.replace("expectedRows: 10000", "expectedRows: 200");
    assertThat(warnings(few))
        .anyMatch(
            warning ->
                warning.is(PlanMessage.RARE)
                    && warning.action().contains("a larger epsilon or rangeShare"));
    assertThat(warnings(few.replace("length: all", "length: PT1H")))
        .anyMatch(
            warning ->
                warning.is(PlanMessage.RARE) && warning.action().contains("a larger epsilon, or"));
  }

  private static List<Message> warnings(String text) throws ConfigException {
    StreamConfig config = StreamConfig.parse("s.yaml", text);
    return StreamSettings.warnings(config, StreamSettings.plan(config));
  }

  @Test
  void whatCannotBeEstimatedIsRefused() {
    refused("range: estimate}", "range: guess}", "range must be estimate; a known range is given");
    refused("a, range: estimate}", "a, range: estimate, lower: 0}", "means nothing beside range");
    refused("a, range: estimate}", "a, range: estimate, typical: 0}", "means nothing beside range");
    refused("a, range: estimate}", "a, range: estimate, spread: 2}", "means nothing beside range");
    refused("a, range: estimate}", "a, range: estimate, equals: x}", "means nothing beside range");
    refused("a, range: estimate}", "a, range: estimate, map: {x: 1}}", "means nothing beside");
    refused("one}", "one, rangeShare: 0.95}", "rangeShare must be a number in [0.001, 0.9]");
    refused("one}", "one, unit: key}\nsnapshots: 1", "takes a stream of unit row");
    refused("{name: moments", "{name: ranges", "no sketch may have that name");
    refused(
        "noisy-moments}",
        "noisy-moments}\n  - {name: r, mechanism: ranges}",
        "ranges must be the only sketch");
    String known = CONFIG.replace("range: estimate", "lower: 0, upper: 1");
    assertThatThrownBy(() -> StreamConfig.parse("s", known.replace("noisy-moments", "ranges")))
        .hasMessageContaining("ranges needs a column with range: estimate");
    assertThatThrownBy(
            () -> StreamConfig.parse("s", known.replace("one}", "one, rangeShare: 0.1}")))
        .hasMessageContaining("means nothing without a column with range: estimate");
  }
}

package io.gauze.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.ConfigText;
import io.gauze.config.RowTime;
import io.gauze.config.StreamConfig;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class StreamSettingsTest {
  /** The draws of 365 releases of 1024 buckets take 40 MB or so in a group. */
  @Test
  void theStateOfAllGroupsIsWarnedOf() throws Exception {
    String series = "intercept: 1.0\ncumulative: 365\n";
    assertThat(warnings(series)).isEmpty();
    assertThat(warnings(series + "groups: {field: c, values: [a, b]}\n")).isEmpty();
    assertThat(warnings(series + "groups: {field: c, values: [a, b, c, d, e, f, g, h, i]}\n"))
        .singleElement()
        .asString()
        .containsPattern("The noise of cumulative releases grows to 3\\d\\d MB of state");
  }

  @Test
  void groupsThatDoNotFitIntoMemoryTogetherAreWarnedOf() throws Exception {
    int buckets = 1 << 16;
    StreamPlan plan = StreamSettings.plan(grouped(1, buckets));
    long each = PartialEpoch.bytes(plan, PartialEpoch.batchRows(plan));
    int most = Math.toIntExact(Partials.MEMORY_LIMIT / PartialEpoch.bytes(plan, 8));
    int whole = Math.toIntExact(Partials.MEMORY_LIMIT / each);
    assertThat(whole).isLessThan(most);
    assertThat(turns(grouped(most, buckets))).isEmpty();
    assertThat(turns(grouped(most + 1, buckets)))
        .containsExactly(JobMessage.MANYGROUPS.of(whole, most + 1, each >> 10, 64));
    assertThat(turns(grouped(2, 1 << 20)))
        .singleElement()
        .asString()
        .contains("sketches of 1 of 2 groups");
    assertThat(turns(grouped(1, 1 << 20))).as("nothing to take turns with").isEmpty();
  }

  private static StreamConfig grouped(int groups, int buckets) throws Exception {
    String values =
        IntStream.range(0, groups).mapToObj(group -> "g" + group).collect(Collectors.joining(", "));
    String text =
        ConfigText.with(
                "intercept: 1.0\n",
                "intercept: 1.0\ngroups: {field: c, values: [" + values + "]}\n")
            .replace("buckets: 1024", "buckets: " + buckets);
    return StreamConfig.parse("wine.yaml", text);
  }

  private static List<Message> turns(StreamConfig config) {
    return StreamSettings.warnings(config, StreamSettings.plan(config)).stream()
        .filter(warning -> warning.is(JobMessage.MANYGROUPS))
        .toList();
  }

  /** A weaker guarantee, which says so itself, and a warning of it. */
  @Test
  void producersTimestampsAreWarnedOfAndAssumedToBePublic() throws Exception {
    String words =
        "the timestamps of rows, and that there is a row under each, are public: the promise is"
            + " about the values";
    StreamConfig append = StreamConfig.parse("wine.yaml", ConfigText.GOOD);
    assertThat(StreamSettings.warnings(append, StreamSettings.plan(append))).isEmpty();
    assertThat(assumptions(append))
        .doesNotContain(words)
        .contains(
            "the broker sets the time of every record when it appends it",
            "the log keeps every row of an epoch that is released until the job has read it")
        .noneMatch(assumption -> assumption.contains("still count"));

    StreamConfig producer =
        StreamConfig.parse(
            "wine.yaml", ConfigText.with("{length: PT1H,", "{timestamps: producer, length: PT1H,"));
    assertThat(StreamSettings.warnings(producer, StreamSettings.plan(producer)))
        .containsExactly(JobMessage.PRODUCERTIME.of());
    assertThat(assumptions(producer))
        .contains(
            words,
            "which of the rows that are appended after their epoch's end and epochs.sealDelay still"
                + " count depends on no row's values")
        .noneMatch(assumption -> assumption.contains("the broker sets the time"));
    assertThat(StreamSettings.job(producer, StreamSettings.plan(producer), Instant.EPOCH))
        .extracting(job -> job.schedule().time())
        .isEqualTo(RowTime.PRODUCER);
  }

  /** A record has the id of a schema, and the schema says where the record's time and group are. */
  @Test
  void theSchemasOfARegistryAreAssumedToStay() throws Exception {
    String words = "the schema registry gives one schema of an id, whenever it is asked";
    assertThat(assumptions(StreamConfig.parse("wine.yaml", ConfigText.GOOD))).doesNotContain(words);
    String registry =
        ConfigText.with(
            "format: json,", "format: avro-confluent, registry: {url: 'http://localhost:1'},");
    assertThat(assumptions(StreamConfig.parse("wine.yaml", registry))).contains(words);
  }

  @Test
  void aColumnWithALongTailIsNamedBeforeARowIsRead() throws Exception {
    String even = "{name: alcohol, lower: 8, upper: 15, typical: 11, spread: 1}";
    assertThat(skewed(even)).isEmpty();
    String tail = "{name: alcohol, lower: 8, upper: 15, typical: 8.5, spread: 0.5}";
    assertThat(skewed(tail)).containsExactly(PlanMessage.SKEWED.of("alcohol"));
  }

  private static List<Message> skewed(String column) throws Exception {
    String text =
        ConfigText.with("{name: alcohol, lower: 8, upper: 15}", column)
            .replace("rowBound: 2.0\n", "");
    StreamConfig config = StreamConfig.parse("wine.yaml", text);
    return StreamSettings.warnings(config, StreamSettings.plan(config)).stream()
        .filter(warning -> warning.is(PlanMessage.SKEWED))
        .toList();
  }

  private static List<String> assumptions(StreamConfig config) {
    return StreamSettings.plan(config).guarantee(Randomness.SYSTEM).assumptions();
  }

  private static List<Message> warnings(String intercept) throws Exception {
    String text =
        ConfigText.with("intercept: 1.0\n", intercept)
            .replace("unit: row}", "unit: row, totalBudget: {epsilon: 8, delta: 1e-6}}");
    StreamConfig config = StreamConfig.parse("wine.yaml", text);
    return StreamSettings.warnings(config, StreamSettings.plan(config)).stream()
        .filter(warning -> warning.is(PlanMessage.STATE))
        .toList();
  }
}

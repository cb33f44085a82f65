package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.SketchRequest;
import io.gauze.plan.StreamFingerprints;
import io.gauze.row.CategoryColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.RowSchema;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamConfigTest {
  @Test
  void readsTheStream() throws Exception {
    StreamConfig config = parse(ConfigText.GOOD);

    assertThat(config.stream()).isEqualTo("wine");
    assertThat(config.budget()).isEqualTo(new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE));
    assertThat(config.expectedRows()).isEqualTo(OptionalLong.of(1_000_000));
    assertThat(config.sketches())
        .containsExactly(
            new SketchRequest("moments", "noisy-moments", 1.0, Map.of()),
            new SketchRequest("buckets", "count-sketch", 2.0, Map.of("buckets", "1024")));
    assertThat(config.epochs())
        .isEqualTo(
            EpochSchedule.of(
                Duration.ofHours(1),
                Instant.parse("2026-01-01T00:00:00Z"),
                true,
                Duration.ofSeconds(20)));
    assertThat(config.backfill()).isEqualTo(48);
    assertThat(config.groups()).isEmpty();
  }

  @Test
  void readsEventTimeAndGroups() throws Exception {
    String text =
        ConfigText.with(
            "sealDelay: PT20S}",
            "time: ts, allowedLateness: PT7M}\ngroups: {field: country, values: [de, \"fr\", south sudan]}");
    StreamConfig config = parse(text);
    assertThat(config.epochs().time())
        .isEqualTo(RowTime.event("ts", Duration.ofMinutes(7), Duration.ofMinutes(1)));
    String seconds = text.replace("time: ts,", "time: {field: ts, unit: seconds},");
    assertThat(parse(seconds).epochs().time())
        .isEqualTo(config.epochs().time().in(EventUnit.SECONDS));
    assertThat(parse(text.replace("time: ts,", "time: {field: ts},")).epochs())
        .isEqualTo(config.epochs());
    assertThat(parse(seconds).epochs().fingerprint()).isNotEqualTo(config.epochs().fingerprint());
    assertThat(config.groups())
        .contains(new GroupSettings("country", List.of("de", "fr", "south sudan")));
    assertThat(parse(ConfigText.with("sealDelay: PT20S}", "timestamps: producer}")).epochs().time())
        .isEqualTo(RowTime.PRODUCER);
  }

  @Test
  void readsTheColumns() throws Exception {
    RowSchema schema = parse(ConfigText.GOOD).schema();

    assertThat(schema.encodedNames())
        .containsExactly(
            RowSchema.INTERCEPT, "alcohol", "cut", "female", "region=south", "region=east");
    assertThat(schema.fields()).containsExactly("alcohol", "cut", "sex", "region");
    assertThat(schema.rowBound()).isEqualTo(2.0);
    assertThat(schema.intercept()).isEqualTo(1.0);
    assertThat(schema.missing()).isEqualTo(MissingValues.REJECT);
  }

  @Test
  void otherIsACategoryOfAllTextsThatAreNotListed() throws Exception {
    String open = "categories: [north, south], other: rest}";
    RowSchema schema = parse(ConfigText.with("categories: [north, south, east]}", open)).schema();
    assertThat(schema.columns().get(3))
        .isEqualTo(new CategoryColumn("region", "region", List.of("north", "south", "rest"), true));
    RowSchema closed =
        parse(ConfigText.with("[north, south, east]", "[north, south, rest]")).schema();
    assertThat(StreamFingerprints.encoding(schema))
        .isNotEqualTo(StreamFingerprints.encoding(closed));
    assertThatThrownBy(
            () -> parse(ConfigText.with("[north, south, east]", "[north, south], other: south")))
        .hasMessageContaining("categories must be at least 2 and distinct");
    assertThatThrownBy(
            () -> parse(ConfigText.with("equals: Female", "equals: Female, other: Male")))
        .hasMessageContaining("other needs categories beside it");
  }

  /** The square root of 5, as a person may round it. */
  @ParameterizedTest
  @ValueSource(strings = {"2.23607", "2.2361", "2.237", "2.24", "2.25"})
  void aRowBoundRoundedUpIsTheLargestNorm(String bound) throws Exception {
    RowSchema schema = parse(ConfigText.with("rowBound: 2.0", "rowBound: " + bound)).schema();

    assertThat(schema).isEqualTo(parse(ConfigText.with("rowBound: 2.0\n", "\n")).schema());
    assertThat(schema.rowBound()).isEqualTo(RowSchema.largestNorm(schema.columns(), 1.0));
  }

  @Test
  void readsKafkaAndFlink() throws Exception {
    StreamConfig config = parse(ConfigText.GOOD);

    KafkaSettings kafka = config.kafka();
    assertThat(kafka.requireBootstrap()).isEqualTo("localhost:9092");
    assertThat(kafka.properties())
        .isEqualTo(Map.of("security.protocol", "PLAINTEXT", "client.id", "7"));
    assertThat(kafka.topics())
        .isEqualTo(
            new Topics(
                "rows", "published", "ledger", "requests", "answers", "dead-letters", "late"));
    assertThat(kafka.bounded()).isFalse();
    assertThat(kafka.create()).contains(new TopicAdmin.Creation(4, (short) 1));
    assertThat(config.flink())
        .isEqualTo(Map.of("parallelism.default", "2", "execution.checkpointing.interval", "10 s"));
  }

  /** Cells do not get better by clipping, so that nothing is clipped. */
  @Test
  void aHistogramHasTheLargestNorm() throws Exception {
    String text =
        """
        stream: s
        columns:
          - {name: x, lower: 0, upper: 10, typical: 1, spread: 1}
          - {name: y, lower: 0, upper: 10, typical: 1, spread: 1}
        response: y
        privacy: {epsilon: 1, delta: 1e-6, neighbours: add-remove}
        epochs: {length: all}
        expectedRows: 1000
        sketches: [{name: m, mechanism: MECHANISM}]
        """;
    StreamConfig moments = parse(text.replace("MECHANISM", "noisy-moments"));
    StreamConfig cells = parse(text.replace("MECHANISM", "histogram"));
    double intercept = moments.schema().intercept();
    assertThat(moments.schema().rowBound()).isLessThan(1.0);
    assertThat(moments.schema().responses().columns()).containsExactly("y");
    assertThat(moments.schema().mid(1)).isEqualTo(1.0);
    assertThat(moments.schema().half(1)).isEqualTo(9.0);
    assertThat(cells.schema().rowBound())
        .isEqualTo(RowSchema.largestNorm(cells.schema().columns(), intercept));
  }

  @Test
  void fillsInWhatMayBeLeftOut() throws Exception {
    StreamConfig config =
        parse(
            """
            stream: s
            columns:
            - name: x
              lower: -1
              upper: 1
            - {name: grade, map: {low: 1, high: 5}}
            privacy: {epsilon: .5, delta: 1e-6, neighbours: add-remove}
            epochs: {length: all}
            sketches: [{name: m, mechanism: noisy-moments}]
            """);

    // spreads of a quarter of the range are 1/2 in the encoded scale; here kappa is 3
    assertThat(config.schema().intercept()).isEqualTo(0.5);
    assertThat(config.schema().rowBound()).isEqualTo(Math.sqrt(3 * 3 * 0.25));
    assertThat(config.schema().responses().isEmpty()).isTrue();
    assertThat(config.schema().upper(2)).isEqualTo(5.0);
    assertThat(config.epochs().isAll()).isTrue();
    assertThat(config.kafka().bounded()).isTrue();
    assertThat(config.kafka().create()).isEmpty();
    assertThat(config.expectedRows()).isEmpty();
    assertThat(config.flink()).isEqualTo(Map.of("execution.checkpointing.interval", "10 s"));
    assertThatThrownBy(() -> config.kafka().requireBootstrap())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("kafka.bootstrap")
        .hasMessageContaining("host:port");
    assertThat(config.withBootstrap("h:1").kafka().requireBootstrap()).isEqualTo("h:1");
  }

  @Test
  void readsTheOptionsOfAMechanism() throws Exception {
    StreamConfig config =
        parse(
            ConfigText.with(
                "count-sketch, buckets: 1024",
                "stratified-moments, stratifyBy: region=east, strata: 4"));

    assertThat(config.sketches().get(1))
        .isEqualTo(
            new SketchRequest(
                "buckets",
                "stratified-moments",
                2.0,
                Map.of("stratifyBy", "region=east", "strata", "4")));
  }

  @Test
  void onlyTheBudgetChangesWithTheBudget() throws Exception {
    StreamConfig config = parse(ConfigText.GOOD);
    Budget other = new Budget(2.0, 1e-7, Neighbours.ADD_REMOVE);

    StreamConfig changed = config.withBudget(other);

    assertThat(changed.budget()).isEqualTo(other);
    assertThat(changed.withBudget(config.budget())).isEqualTo(config);
  }

  /** The budget of one epoch, unless the config gives another for all streams over the rows. */
  @Test
  void readsTheTotalBudget() throws Exception {
    String text = ConfigText.with("unit: row", "totalBudget: {epsilon: 2.5, delta: 1e-5}");
    StreamConfig config = parse(text);

    assertThat(config.totalBudget()).isEqualTo(new Budget(2.5, 1e-5, Neighbours.REPLACE_ONE));
    assertThat(config.withBootstrap("h:1").totalBudget()).isEqualTo(config.totalBudget());
    assertThat(config.withEpochs(EpochSchedule.all()).totalBudget())
        .isEqualTo(config.totalBudget());
    assertThat(parse(ConfigText.GOOD).totalBudget()).isEqualTo(config.budget());
    Budget other = new Budget(9.0, 1e-4, Neighbours.ADD_REMOVE);
    assertThat(config.withBudget(other).totalBudget()).isEqualTo(other);
  }

  @Test
  void doesNotShowClientProperties() throws Exception {
    String secret = ConfigText.with("client.id: 7", "sasl.jaas.config: hunter2");

    assertThat(parse(secret).toString()).contains("sasl.jaas.config").doesNotContain("hunter2");
  }

  @Test
  void takesSecretsByReference() throws Exception {
    String text = ConfigText.with("client.id: 7", "ssl.key.password: '${env:KEY_PASSWORD}'");

    assertThat(parse(text).kafka().properties())
        .containsEntry("ssl.key.password", "${env:KEY_PASSWORD}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "L required username=\"u\" password=\"${env:P}\";",
        "L required password = ${file:/run/p} username=\"${env:U}\";",
        "L required clientId=\"me\" clientSecret=\"${env:S}\" scope=\"a\" tokenauth=\"true\";",
        "${file:/run/login}"
      })
  void takesLoginsWhoseSecretsAreReferences(String login) throws Exception {
    String text = ConfigText.with("client.id: 7", "sasl.jaas.config: '" + login + "'");

    assertThat(parse(text).kafka().properties()).containsEntry("sasl.jaas.config", login);
  }

  @Test
  void aCheckpointIsTakenEveryTenSecondsUnlessGiven() throws Exception {
    String text = ConfigText.with("    execution.checkpointing.interval: 10 s\n", "");

    assertThat(parse(text).flink()).isEqualTo(parse(ConfigText.GOOD).flink());
  }

  @Test
  void readsAFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("wine.yaml"), ConfigText.GOOD);

    assertThat(StreamConfig.read(file))
        .isEqualTo(StreamConfig.parse(file.toString(), ConfigText.GOOD));
  }

  @Test
  void saysThatThereIsNoFile(@TempDir Path folder) {
    Path file = folder.resolve("none.yaml");

    assertThatThrownBy(() -> StreamConfig.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessage(file + ": there is no such file; give the path of a config");
  }

  @Test
  void saysThatAFileIsNotText(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("latin.yaml");
    Files.write(file, "stream: Gew\u00fcrz".getBytes(StandardCharsets.ISO_8859_1));

    assertThatThrownBy(() -> StreamConfig.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is not UTF-8 text");
    assertThatThrownBy(() -> StreamConfig.read(folder))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cannot be read");
  }

  private static StreamConfig parse(String text) throws ConfigException {
    return StreamConfig.parse(ConfigText.FILE, text);
  }

  @Test
  void modelsStandBesideSketchesOrAlone() throws ConfigException {
    String models =
        """
        models:
          - {name: usage, mechanism: huber, response: b, features: [a], threshold: 0.5, weight: 2}
          - {name: upper, mechanism: quantile, quantile: 0.9}
        """;
    String alone =
        """
        stream: s
        columns: [{name: a, lower: 0, upper: 1}, {name: b, lower: 0, upper: 1}]
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: PT1H}
        """
            + models;
    StreamConfig config = StreamConfig.parse("s.yaml", alone);
    assertThat(config.sketches())
        .containsExactly(
            new SketchRequest(
                "usage",
                "huber",
                2.0,
                Map.of("response", "b", "features", "a", "threshold", "0.5")),
            new SketchRequest("upper", "quantile", 1.0, Map.of("quantile", "0.9")));
    String both = alone + "sketches: [{name: usage, mechanism: noisy-moments}]\n";
    assertThatThrownBy(() -> StreamConfig.parse("s.yaml", both))
        .hasMessageContaining(
            "models[0].name must be unique among sketches and models. Provided value: usage");
    assertThatThrownBy(() -> StreamConfig.parse("s.yaml", alone.replace("huber", "jl")))
        .hasMessageContaining("jl makes sketches, which have a section of that name");
    assertThatThrownBy(() -> StreamConfig.parse("s.yaml", alone.replace("[a]", "[c]")))
        .hasMessageContaining("models[0].features[0]: column must be one of ");
    String comma = alone.replace("name: a", "name: 'a,b'").replace("[a]", "['a,b']");
    assertThatThrownBy(() -> StreamConfig.parse("s.yaml", comma))
        .hasMessageContaining("models[0].features[0] must be a name without commas");
    assertThatThrownBy(() -> StreamConfig.parse("s.yaml", alone.replace("0.5", "-1")))
        .hasMessageContaining("models[0].threshold must be a positive number");
  }

  @Test
  void theModelOfTheLeastErrorIsTaken() throws ConfigException {
    String auto =
        """
        stream: s
        columns: [{name: a, lower: 0, upper: 1}, {name: b, lower: 0, upper: 1}]
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: PT1H}
        expectedRows: 100000
        models: [{name: usage, mechanism: auto, loss: lad, response: b, features: [a], weight: 2}]
        """;
    Map<String, String> columns = Map.of("response", "b", "features", "a");
    assertThat(StreamConfig.parse("s.yaml", auto).sketches())
        .containsExactly(new SketchRequest("usage", "huber", 2.0, columns));
    assertThat(StreamConfig.parse("s.yaml", auto.replace("lad", "logistic")).sketches())
        .containsExactly(new SketchRequest("usage", "logistic", 2.0, columns));
    assertThat(StreamConfig.parse("s.yaml", auto.replace("lad", "ridge")).sketches())
        .containsExactly(new SketchRequest("usage", "descent", 2.0, columns));

    assertThatThrownBy(() -> StreamConfig.parse("s.yaml", auto.replace("lad", "lasso")))
        .hasMessageContaining(
            "models[0].loss must be lad, ridge or logistic. Provided value: lasso");
    assertThatThrownBy(() -> StreamConfig.parse("s.yaml", auto.replace("loss: lad, ", "")))
        .hasMessageContaining("models[0] lacks the key loss");
    assertThatThrownBy(() -> StreamConfig.parse("s.yaml", auto.replace("[a]", "[b]")))
        .hasMessageContaining("models[0].features: features ");
    assertThatThrownBy(() -> StreamConfig.parse("s.yaml", auto.replace("100000", "2")))
        .hasMessageContaining("models[0] finds no mechanism whose fit would be clearly better");
    assertThatThrownBy(
            () -> StreamConfig.parse("s.yaml", auto.replace("expectedRows: 100000\n", "")))
        .hasMessageContaining("models[0].mechanism auto needs expectedRows");
  }
}

package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.config.EpochSchedule;
import io.gauze.config.RowTime;
import io.gauze.local.JobHandle;
import io.gauze.mechanism.BudgetScope;
import io.gauze.noise.Randomness;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.WallClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Epochs of event time and groups, through a real broker and Flink. */
@ExtendWith(SharedCluster.class)
final class EpochRulesIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Randomness NO_NOISE = Randomness.noiseFreeForTests(8);
  private static final long YEAR = 365L * 24 * 3600 * 1000;
  private static final int EPOCHS = 6;
  private static final long LENGTH = 1000;

  @Test
  void everyGroupIsReleasedWithOrWithoutRows() throws Exception {
    List<String> groups = List.of("de", "no rows", "fr");
    StreamFixture stream =
        new StreamFixture(
            EpochSchedule.all(),
            NO_NOISE,
            BudgetScope.ROWS,
            RowInput.JSON.groupedBy("land", groups));
    SplittableRandom random = new SplittableRandom(2);
    List<StreamFixture.Keyed> rows = new ArrayList<>();
    String[] lands = {"de", "fr", "it", "de"};
    for (int i = 0; i < 800; i++) {
      rows.add(row(random, "\"land\":\"" + lands[i % lands.length] + "\""));
    }
    stream.send(rows);
    Map<String, List<Long>> expected =
        stream.expected(
            log -> {
              Map<StreamFixture.Slot, List<ConsumerRecord<byte[], byte[]>>> byGroup =
                  new LinkedHashMap<>();
              groups.forEach(
                  group -> byGroup.put(new StreamFixture.Slot(group, 0), new ArrayList<>()));
              for (ConsumerRecord<byte[], byte[]> record : log) {
                String land = json(record).path("land").asText();
                byGroup
                    .getOrDefault(new StreamFixture.Slot(land, 0), new ArrayList<>())
                    .add(record);
              }
              return byGroup;
            });
    assertThat(expected).hasSize(6);
    for (int parallelism : new int[] {1, 3}) {
      StreamFixture.Output output = stream.newOutput();
      stream.run(stream.prepare(output, true).settings(), parallelism);
      assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
      assertThat(TopicReader.all(output.topics().deadLetters())).hasSize(200);
    }
  }

  /**
   * Rows of several seconds in any order, some a year late and some a year ahead, while the job
   * runs, as the letter of a first late row shows; a partition is added on the way. Afterwards the
   * same log is read again, at once, with another parallelism.
   */
  @Test
  void anEventTimeDecidesAndNoOtherRowDoes() throws Exception {
    SharedCluster.cluster();
    EpochSchedule schedule =
        EpochSchedule.of(Duration.ofMillis(LENGTH), Instant.now(), true, Duration.ofMillis(500))
            .by(RowTime.event("ts", Duration.ofMillis(1500), Duration.ofMillis(800)));
    StreamFixture stream = StreamFixture.readTwice(schedule, NO_NOISE, RowInput.JSON);
    StreamFixture.Output live = stream.newOutput();
    SketchPreflight.Prepared prepared = stream.prepare(live, false);
    JobHandle job =
        StreamFixture.submit(SharedCluster.cluster(), prepared.settings(), 2, new Configuration());
    long first;
    try {
      stream.send(List.of(row(new SplittableRandom(5), "\"ts\":0")));
      TestTopics.read(live.topics().late(), 1); // so it runs
      first = schedule.epochOf(System.currentTimeMillis()) + 1;
      sendSeconds(stream, first);
      long last = Math.max(first + EPOCHS - 1, schedule.epochOf(System.currentTimeMillis()));
      StreamFixture.awaitReleases(
          prepared.settings().kafka(),
          live.topics().releases(),
          prepared.settings().releaseIds(schedule.firstEpoch(), last));
    } finally {
      job.cancel().get();
    }
    Map<String, List<Long>> expected = stream.expected(log -> byRule(log, first));
    assertThat(expected.values().stream().filter(sum -> sum.stream().anyMatch(x -> x != 0)))
        .hasSizeGreaterThan(6);
    assertThat(live.bodies()).containsAllEntriesOf(StreamFixture.once(expected));
    assertThat(letters(live.topics().late())).isNotEmpty();
    assertThat(letters(live.topics().deadLetters())).isNotEmpty();

    StreamFixture.Output again = stream.newOutput();
    stream.run(stream.prepare(again, true).settings(), 3);
    assertThat(again.bodies()).containsAllEntriesOf(StreamFixture.once(expected));
    assertThat(letters(again.topics().late())).isEqualTo(letters(live.topics().late()));
    assertThat(letters(again.topics().deadLetters()))
        .isEqualTo(letters(live.topics().deadLetters()));
  }

  /** Rows of all epochs are appended at once, in any order: when, decides nothing. */
  @Test
  void aProducersTimestampDecidesIfTheConfigSaysSo() throws Exception {
    long now = System.currentTimeMillis();
    EpochSchedule schedule =
        EpochSchedule.of(
                Duration.ofMillis(LENGTH),
                Instant.ofEpochMilli(now - 60 * LENGTH),
                true,
                Duration.ZERO)
            .by(RowTime.PRODUCER);
    StreamFixture stream = new StreamFixture(schedule, NO_NOISE, BudgetScope.ROWS, RowInput.JSON);
    long first = schedule.firstEpoch();
    SplittableRandom random = new SplittableRandom(14);
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of("linger.ms", 0))) {
      for (int i = 0; i < 300; i++) {
        long time = first * LENGTH + random.nextLong(EPOCHS * LENGTH);
        byte[] value = StreamFixture.row(random).getBytes(UTF_8);
        int partition = random.nextInt(StreamFixture.PARTITIONS);
        producer
            .send(new ProducerRecord<>(stream.topics().rows(), partition, time, null, value))
            .get();
      }
    }
    List<Long> epochs = LongStream.range(first, first + EPOCHS).boxed().toList();
    Map<String, List<Long>> expected = stream.expected(epochs);
    assertThat(expected.values())
        .hasSize(2 * EPOCHS)
        .allSatisfy(sum -> assertThat(sum).anyMatch(x -> x != 0));
    StreamFixture.Output output = stream.newOutput();
    stream.run(stream.prepare(output, true).settings(), 2);
    Map<String, Set<List<Long>>> bodies = output.bodies();
    assertThat(bodies).containsAllEntriesOf(StreamFixture.once(expected));
    assertThat(bodies.values().stream().filter(EpochRulesIT::hasRows)).hasSize(2 * EPOCHS);
    assertThat(letters(output.topics().late())).isEmpty();
  }

  private static boolean hasRows(Set<List<Long>> bodies) {
    return bodies.stream().flatMap(List::stream).anyMatch(x -> x != 0);
  }

  private static void sendSeconds(StreamFixture stream, long first) throws Exception {
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 2 * EPOCHS; i++) {
      WallClock.awaitMillis(first * LENGTH + i * LENGTH / 2);
      if (i == EPOCHS) {
        TestTopics.grow(stream.topics().rows(), StreamFixture.PARTITIONS + 1);
      }
      List<StreamFixture.Keyed> rows = new ArrayList<>();
      long now = System.currentTimeMillis();
      for (int k = 0; k < 40; k++) {
        long time = now + random.nextLong(-4000, 1500);
        rows.add(row(random, "\"ts\":" + (k == 0 ? now - YEAR : k == 1 ? now + YEAR : time)));
      }
      stream.send(rows);
    }
  }

  /** The rule of a record's own two times, once more. */
  private static Map<StreamFixture.Slot, List<ConsumerRecord<byte[], byte[]>>> byRule(
      List<ConsumerRecord<byte[], byte[]>> log, long first) {
    Map<StreamFixture.Slot, List<ConsumerRecord<byte[], byte[]>>> rows = new LinkedHashMap<>();
    for (long epoch = first; epoch < first + EPOCHS; epoch++) {
      rows.put(new StreamFixture.Slot(SketchJobSettings.NO_GROUP, epoch), new ArrayList<>());
    }
    for (ConsumerRecord<byte[], byte[]> record : log) {
      long event = json(record).path("ts").asLong();
      long epoch = Math.floorDiv(event, LENGTH);
      long append = record.timestamp();
      boolean inTime = append < (epoch + 1) * LENGTH + 1500 && event <= append + 800;
      if (inTime) {
        rows.getOrDefault(
                new StreamFixture.Slot(SketchJobSettings.NO_GROUP, epoch), new ArrayList<>())
            .add(record);
      }
    }
    return rows;
  }

  /** Where in the log the letters come from, as their headers say; each once. */
  private static Set<String> letters(String topic) {
    Set<String> places = new java.util.TreeSet<>();
    for (ConsumerRecord<byte[], byte[]> letter : TopicReader.all(topic)) {
      places.add(
          new String(letter.headers().lastHeader("partition").value(), UTF_8)
              + "/"
              + new String(letter.headers().lastHeader("offset").value(), UTF_8));
    }
    return places;
  }

  private static JsonNode json(ConsumerRecord<byte[], byte[]> record) {
    try {
      return JSON.readTree(record.value());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StreamFixture.Keyed row(SplittableRandom random, String more) {
    String row = StreamFixture.row(random);
    return new StreamFixture.Keyed(
        random.nextInt(StreamFixture.PARTITIONS),
        "",
        Optional.of(row.substring(0, row.length() - 1) + "," + more + "}"));
  }
}

package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.EpochSchedule;
import io.gauze.local.JobHandle;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.RequiredState;
import io.gauze.stream.JobMessage;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StartBlocker;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Starts without state, of streams whose config names no first epoch. */
@ExtendWith(SharedCluster.class)
final class FirstEpochIT {
  private static final Randomness NO_NOISE = Randomness.noiseFreeForTests(31);

  /**
   * The first start ends before it has released anything; a later one, whose config names a first
   * epoch, leaves some out; the next one makes what is missing, and that alone.
   */
  @Test
  void everyEpochSinceTheFirstStartIsReleasedOnce() throws Exception {
    StreamFixture stream = new StreamFixture(seconds(Instant.now(), false), NO_NOISE);
    stream.sendRows(40, 1); // before the first start, most of them
    StreamFixture.Output output = stream.newOutput();
    long first = first(stream.by(seconds(Instant.now(), false)).prepare(output, false));
    WallClock.awaitMillis(first * 1000 + 300);
    stream.sendRows(50, 2);
    long middle = System.currentTimeMillis() / 1000 + 1;
    for (int i = 0; i < 2; i++) {
      WallClock.awaitMillis((middle + i) * 1000 + 300);
      stream.sendRows(50, 3 + i);
    }
    long last = System.currentTimeMillis() / 1000;
    WallClock.awaitMillis((last + 1) * 1000 + 300);

    SketchPreflight.Prepared later =
        stream.by(seconds(Instant.ofEpochMilli(middle * 1000), true)).prepare(output, true);
    assertThat(later.warnings()).anyMatch(message -> message.is(JobMessage.LATERFROM));
    stream.run(later.settings(), 1);
    SketchPreflight.Prepared rest = stream.by(seconds(Instant.now(), false)).prepare(output, true);
    assertThat(first(rest)).isEqualTo(first);
    assertThat(rest.skipped()).containsAll(rest.settings().releaseIds(middle, last));
    stream.run(rest.settings(), 2);

    List<Long> epochs = LongStream.rangeClosed(first, last).boxed().toList();
    Map<String, List<Long>> expected = stream.expected(epochs);
    assertThat(rowsIn(stream, first, middle - 1)).isTrue();
    assertThat(rowsIn(stream, middle, last)).isTrue();
    assertThat(output.bodies()).containsAllEntriesOf(StreamFixture.once(expected));
    assertThat(
            TopicReader.all(output.topics().releases()).stream()
                .map(record -> new String(record.key(), UTF_8)))
        .doesNotHaveDuplicates();
    assertThat(TopicReader.all(output.topics().late())).isEmpty();
  }

  @Test
  void epochsThatTheLogHasLostAreNotLeftOutSilently() throws Exception {
    Duration hour = Duration.ofHours(1);
    Instant now = Instant.now();
    StreamFixture stream = new StreamFixture(seconds(now, false), NO_NOISE);
    stream.sendRows(40, 1);
    StreamFixture.Output output = stream.newOutput();
    StreamFixture hours = stream.by(EpochSchedule.of(hour, now, false, Duration.ZERO));
    StreamFixture before =
        stream.by(EpochSchedule.of(hour, now.minus(hour.multipliedBy(3)), false, Duration.ZERO));
    long first = first(before.prepare(output, false));
    SketchPreflight.Prepared whole = hours.prepare(output, false);
    assertThat(first(whole)).isEqualTo(first);
    assertThat(whole.settings().found().reason(StartBlocker.Kind.LOST_ROWS)).isEmpty();

    try (Admin admin = TestTopics.admin()) {
      TopicPartition partition = new TopicPartition(stream.topics().rows(), 1);
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1))).all().get();
    }
    SketchJobSettings cut = hours.prepare(output, false).settings();
    assertThatExceptionOfType(PrivacyConflictException.class)
        .isThrownBy(() -> RequiredState.check(cut, false))
        .withMessageStartingWith("GZ-LOSTROWS: Rows of epoch " + cut.schedule().label(first))
        .withMessageContaining("set a later epochs.from");
    RequiredState.check(cut, true);
    int entries = TopicReader.all(output.topics().ledger()).size();
    assertThat(
            SketchPreflight.check(cut.from(first + 3), false, 1000, Optional.empty(), hour)
                .warnings())
        .anyMatch(message -> message.is(JobMessage.LOSTROWS));
    assertThat(TopicReader.all(output.topics().ledger())).hasSize(entries);
  }

  /** What a restored job has read is of the epochs of its state, whatever the config says now. */
  @Test
  void aRestoredJobKeepsItsFirstEpoch() throws Exception {
    StreamFixture stream = new StreamFixture(seconds(Instant.now(), false), NO_NOISE);
    StreamFixture.Output output = stream.newOutput();
    SketchJobSettings settings = stream.prepare(output, false).settings();
    long first = settings.schedule().firstEpoch();
    WallClock.awaitMillis(first * 1000 + 300);
    stream.sendRows(50, 1);
    JobHandle job = StreamFixture.submit(SharedCluster.cluster(), settings, 1, new Configuration());
    StreamFixture.awaitReleases(
        settings.kafka(), output.topics().releases(), settings.releaseIds(first, first));
    Configuration restore = new Configuration();
    restore.set(StateRecoveryOptions.SAVEPOINT_PATH, SharedCluster.stopWithSavepoint(job));
    long stopped = settings.schedule().epochOf(System.currentTimeMillis());
    for (int i = 0; i < 3; i++) {
      WallClock.awaitMillis((stopped + i) * 1000 + 300);
      stream.sendRows(50, 2 + i);
    }

    long later = stopped + 3;
    SketchJobSettings other =
        stream
            .by(seconds(Instant.ofEpochMilli(later * 1000), true))
            .prepare(output, false)
            .settings();
    JobHandle again = StreamFixture.submit(SharedCluster.cluster(), other, 1, restore);
    try {
      StreamFixture.awaitReleases(
          settings.kafka(), output.topics().releases(), settings.releaseIds(later, later));
    } finally {
      again.cancel().get();
    }
    List<Long> epochs = LongStream.range(first, later).boxed().toList();
    assertThat(output.bodies()).containsAllEntriesOf(StreamFixture.once(stream.expected(epochs)));
    assertThat(TopicReader.all(output.topics().late())).isEmpty();
  }

  @Test
  void moreEpochsThanTheConfigLetsAreRefused() throws Exception {
    Instant now = Instant.now();
    StreamFixture stream = new StreamFixture(seconds(now.minusSeconds(5000), false), NO_NOISE);
    StreamFixture.Output output = stream.newOutput();
    SketchPreflight.Prepared prepared =
        SketchPreflight.prepare(stream.job(output), false, 1000, Optional.empty());
    assertThatThrownBy(() -> RequiredState.check(prepared.settings(), false))
        .hasMessageStartingWith("GZ-BACKLOG: epochs.backfill is 1000, and up to ");
    RequiredState.check(prepared.settings(), true);
    assertThat(TopicReader.all(output.topics().ledger())).as("it was not started").isEmpty();
  }

  private static EpochSchedule seconds(Instant from, boolean named) {
    return EpochSchedule.of(Duration.ofSeconds(1), from, named, Duration.ZERO);
  }

  private static boolean rowsIn(StreamFixture stream, long from, long to) throws Exception {
    return stream.expected(LongStream.rangeClosed(from, to).boxed().toList()).values().stream()
        .flatMap(List::stream)
        .anyMatch(sum -> sum != 0);
  }

  private static long first(SketchPreflight.Prepared prepared) {
    return prepared.settings().schedule().firstEpoch();
  }
}

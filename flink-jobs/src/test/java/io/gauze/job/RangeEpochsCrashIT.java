package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.StreamConfig;
import io.gauze.ledger.LedgerEntry;
import io.gauze.local.JobHandle;
import io.gauze.mechanism.ReleaseId;
import io.gauze.plan.CalibrationEpochs;
import io.gauze.plan.StreamPlan;
import io.gauze.publish.CountedRanges;
import io.gauze.publish.Ledger;
import io.gauze.release.Release;
import io.gauze.report.ChosenRanges;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.JobMessage;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StreamSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.UnknownRanges;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A calibration job that ends between the charge of its counts and their release. */
@ExtendWith(SharedCluster.class)
final class RangeEpochsCrashIT {
  private static final long LENGTH = 2000;

  @TempDir private Path folder;

  private StreamConfig config;
  private StreamPlan sketches;
  private long first;
  private String rows;

  @BeforeEach
  void sendTwoEpochs() throws Exception {
    rows = TestTopics.create("counted", 1, Map.of("message.timestamp.type", "LogAppendTime"));
    first = UnknownRanges.sendEpochs(rows, 1000, 2, LENGTH);
    Path file = folder.resolve("stream.yaml");
    String epochs =
        "length: PT2S, sealDelay: PT0.2S, from: " + Instant.ofEpochMilli(first * LENGTH);
    config =
        StreamConfig.read(
            Files.writeString(file, UnknownRanges.config(rows, 1, epochs, true, "noisy-moments")));
    sketches = StreamSettings.plan(config);
    TestTopics.make(rows + "-releases", 1, Map.of());
    TestTopics.make(rows + "-ledger", 1, Map.of("cleanup.policy", "compact"));
    TestTopics.make(rows + "-dead", 1, Map.of());
    TestTopics.make(rows + "-late", 1, Map.of());
  }

  /** Nobody counts these rows again; the counts that were charged can still be sent. */
  @Test
  void chargedCountsAreSentOrLeftOut() throws Exception {
    Path checkpoint = crash();
    LedgerEntry spent = entry(first).orElseThrow();
    assertThat(spent.state()).isEqualTo(LedgerEntry.State.SPENT);
    assertThat(CountedRanges.read(counts(false).settings()).latestFirst()).isEmpty();

    SketchPreflight.Prepared without = counts(false);
    assertThat(without.settings().schedule().firstEpoch()).isEqualTo(first + 1);
    assertThat(without.unsent()).containsExactly(spent.id().toString());
    assertThat(without.lostCounts())
        .containsExactly(JobMessage.LOSTCOUNTS.of().with("They are " + spent.id() + "."));
    assertThatThrownBy(() -> run(without.settings(), from(checkpoint)))
        .hasStackTraceContaining("The restored state of stream " + rows + " was made under");

    SketchPreflight.Prepared with = counts(true);
    assertThat(with.settings().schedule().firstEpoch()).isEqualTo(first);
    run(with.settings(), from(checkpoint));
    assertThat(entry(first).orElseThrow()).isEqualTo(spent.withState(LedgerEntry.State.PUBLISHED));
    assertThat(bodies()).hasSize(1);
    assertThat(LedgerEntry.sha256(bodies().get(0).value())).isEqualTo(spent.sha256());
  }

  /** The next epoch is counted; its ranges stay, and an old state of the counts does not fit. */
  @Test
  void anotherEpochIsCountedInstead() throws Exception {
    Path checkpoint = crash();
    run(counts(false).settings(), new Configuration());
    Release counted = CountedRanges.read(counts(true).settings()).latestFirst().get(0);
    assertThat(counted.id()).isEqualTo(id(first + 1));

    run(counts(true).settings().from(first), from(checkpoint)); // sends the others late
    assertThat(CountedRanges.read(counts(true).settings()).latestFirst())
        .as("the latest epoch counts")
        .extracting(Release::id)
        .containsExactly(id(first + 1), id(first));

    SketchJobSettings later = chosen(counted, first + 1);
    assertThatThrownBy(() -> run(later, from(checkpoint)))
        .hasStackTraceContaining("The restored state of stream " + rows + " was made under");
    SketchJobSettings ready =
        SketchPreflight.prepare(later, true, 1000, Optional.empty()).settings();
    assertThat(ready.schedule().firstEpoch()).isEqualTo(first + 2);
    assertThat(ready.series()).isEqualTo(entry(first).orElseThrow().series());
    assertThat(bodies())
        .extracting(record -> new String(record.key(), UTF_8))
        .containsExactly(id(first + 1).toString(), id(first).toString());
  }

  /** The first job is started again, as it was planned, when the second one runs already. */
  @Test
  void countsOfAnEpochWithSketchesAreNotSent() throws Exception {
    run(counts(false).settings(), new Configuration());
    SketchJobSettings stale = counts(false).settings();
    assertThat(stale.schedule().firstEpoch()).isEqualTo(first + 1);
    CountedRanges counted = CountedRanges.read(stale);
    assertThat(counted.lastEpoch()).hasValue(first);

    run(sketches(counted.latestFirst().get(0), first), new Configuration());

    assertThatThrownBy(() -> run(stale, new Configuration()))
        .hasStackTraceContaining("Not sent: " + id(first + 1));
    assertThat(entry(first + 1)).isEmpty();
  }

  /** The second job is planned when a later epoch is counted, too. */
  @Test
  void sketchesOfAnEpochWithCountsAreNotSent() throws Exception {
    run(counts(false).settings(), new Configuration());
    Release counted = CountedRanges.read(counts(false).settings()).latestFirst().get(0);
    SketchJobSettings stale = sketches(counted, first);
    run(counts(false).settings(), new Configuration());
    assertThat(CountedRanges.read(counts(false).settings()).lastEpoch()).hasValue(first + 1);

    assertThatThrownBy(() -> run(stale, new Configuration()))
        .hasStackTraceContaining("GZ-COUNTED")
        .hasStackTraceContaining("In the ledger: " + id(first + 1));
    assertThat(bodies()).extracting(record -> new String(record.key(), UTF_8)).hasSize(2);
  }

  private SketchJobSettings sketches(Release counted, long last) throws Exception {
    return SketchPreflight.prepare(chosen(counted, last), true, 1000, Optional.empty()).settings();
  }

  /** Fails when the budget of the counts is in the ledger. Returns the last checkpoint. */
  private Path crash() throws Exception {
    SketchJobSettings job =
        counts(false)
            .settings()
            .withProbe(new CrashPlan(rows).at(FaultInjection.Step.AFTER_SPENT, 1));
    assertThatThrownBy(() -> run(job, LeftCheckpoints.of(folder)))
        .hasStackTraceContaining("crash on purpose");
    return LeftCheckpoints.latest(folder).orElseThrow();
  }

  private SketchPreflight.Prepared counts(boolean restored) throws Exception {
    SketchJobSettings job = StreamSettings.counts(config, sketches, Instant.now(), restored);
    return SketchPreflight.prepare(job, true, 1000, Optional.empty());
  }

  private SketchJobSettings chosen(Release counted, long last) throws Exception {
    ChosenRanges ranges = ChosenRanges.of(counted).orElseThrow();
    StreamPlan plan =
        CalibrationEpochs.withRanges(
                sketches,
                config.estimates().orElseThrow().schema(ranges.chosen(), true),
                counted.id())
            .orElseThrow();
    return StreamSettings.chosen(config, sketches, plan, last);
  }

  private static Configuration from(Path checkpoint) {
    Configuration restored = LeftCheckpoints.restore(checkpoint);
    restored.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
    return restored;
  }

  private static void run(SketchJobSettings job, Configuration flink) throws Exception {
    JobHandle running = StreamFixture.submit(SharedCluster.cluster(), job, 1, flink);
    running.result().get();
  }

  private ReleaseId id(long epoch) {
    String label = Instant.ofEpochMilli(epoch * LENGTH).toString();
    return new ReleaseId(rows, ReleaseId.ALL, label, "ranges");
  }

  private Optional<LedgerEntry> entry(long epoch) throws Exception {
    SketchJobSettings job = StreamSettings.counts(config, sketches, Instant.now(), false);
    return Ledger.read(job.kafka(), job.topics().ledger()).entry(id(epoch));
  }

  private List<ConsumerRecord<byte[], byte[]>> bodies() {
    return TestTopics.read(rows + "-releases", 1);
  }
}

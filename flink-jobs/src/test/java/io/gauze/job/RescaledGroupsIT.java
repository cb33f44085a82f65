package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.local.JobHandle;
import io.gauze.mechanism.BudgetScope;
import io.gauze.noise.Randomness;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.FaultInjection.Step;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Many groups through savepoints and crashes, on 1, 6, 2 and 3 subtasks: each release comes once
 * and has the rows of its group and epoch. Partition 3 never has a row, and partition 2 none after
 * the first stop.
 */
@ExtendWith(SharedCluster.class)
final class RescaledGroupsIT {
  private static final List<String> GROUPS = IntStream.range(0, 9).mapToObj(i -> "g" + i).toList();
  private static final Pattern GROUP = Pattern.compile("\"g\":\"(g\\d)\"");
  private static final int EPOCH_MILLIS = 1500;
  private static final int[] PARALLELISMS = {1, 6, 2, 3};

  @Test
  void eachReleaseHasTheRowsOfItsGroupAndEpochOnce() throws Exception {
    SharedCluster.cluster();
    Instant from = Instant.now().plusSeconds(4);
    EpochSchedule schedule =
        EpochSchedule.of(Duration.ofMillis(EPOCH_MILLIS), from, true, Duration.ofMillis(300));
    RowInput input = new RowInput(new RecordFormat.Json(), false, "", "g", GROUPS);
    StreamFixture stream =
        new StreamFixture(schedule, Randomness.noiseFreeForTests(7), BudgetScope.ROWS, input);
    StreamFixture.Output output = stream.newOutput();
    SketchJobSettings settings = stream.prepare(output, false).settings();
    long first = schedule.firstEpoch();
    int before = CrashPlan.crashes();
    Configuration restored = new Configuration();
    long tick = first * EPOCH_MILLIS;
    for (int run = 0; run < PARALLELISMS.length; run++) {
      CrashPlan crashes = new CrashPlan("rescaled" + run);
      if (run > 0) {
        crashes.at(Step.SEAL, 5).at(Step.ACCUMULATE, 90).at(Step.FOLD_FLUSH, 3);
      }
      JobHandle job =
          StreamFixture.submit(
              SharedCluster.cluster(), settings.withProbe(crashes), PARALLELISMS[run], restored);
      for (int i = 0; i < 5; i++) {
        tick += EPOCH_MILLIS / 2;
        WallClock.awaitMillis(tick);
        stream.send(rows(run, 10 * run + i));
      }
      if (run < PARALLELISMS.length - 1) { // in the middle of an epoch
        restored.set(StateRecoveryOptions.SAVEPOINT_PATH, SharedCluster.stopWithSavepoint(job));
      } else {
        finish(stream, output, settings, job);
      }
    }
    assertThat(CrashPlan.crashes() - before).as("crashes").isGreaterThanOrEqualTo(6);
  }

  private static void finish(
      StreamFixture stream, StreamFixture.Output output, SketchJobSettings settings, JobHandle job)
      throws Exception {
    EpochSchedule schedule = settings.schedule();
    long first = schedule.firstEpoch();
    long last = schedule.epochOf(System.currentTimeMillis());
    List<String> ids = settings.releaseIds(first, last);
    try {
      StreamFixture.awaitReleases(settings.kafka(), output.topics().releases(), ids);
    } finally {
      job.cancel().get();
    }
    Map<String, List<Long>> expected =
        stream.expected(
            log -> {
              Map<StreamFixture.Slot, List<ConsumerRecord<byte[], byte[]>>> rows =
                  new LinkedHashMap<>();
              for (long epoch = first; epoch <= last; epoch++) {
                for (String group : GROUPS) {
                  rows.put(new StreamFixture.Slot(group, epoch), new ArrayList<>());
                }
              }
              log.forEach(row -> rows.get(slot(schedule, row)).add(row));
              return rows;
            });
    assertThat(expected.keySet()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(expected.values().stream().filter(sum -> sum.stream().anyMatch(x -> x != 0)))
        .as("releases with rows")
        .hasSizeGreaterThan(2 * GROUPS.size());
    assertThat(output.bodies()).containsAllEntriesOf(StreamFixture.once(expected));
    assertThat(output.committed()).doesNotHaveDuplicates();
  }

  private static StreamFixture.Slot slot(
      EpochSchedule schedule, ConsumerRecord<byte[], byte[]> row) {
    Matcher group = GROUP.matcher(new String(row.value(), UTF_8));
    assertThat(group.find()).isTrue();
    return new StreamFixture.Slot(group.group(1), schedule.epochOf(row.timestamp()));
  }

  private static List<StreamFixture.Keyed> rows(int run, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<StreamFixture.Keyed> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String row = StreamFixture.row(random);
      String group = GROUPS.get(random.nextInt(GROUPS.size()));
      rows.add(
          new StreamFixture.Keyed(
              random.nextInt(run == 0 ? 3 : 2),
              "any",
              Optional.of(row.substring(0, row.length() - 1) + ",\"g\":\"" + group + "\"}")));
    }
    return rows;
  }
}

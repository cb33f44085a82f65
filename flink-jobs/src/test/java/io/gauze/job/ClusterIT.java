package io.gauze.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.stream.FaultInjection;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.ProcessCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sketch job on a real cluster, every part a process of its own, whose workers are killed.
 *
 * <p>With {@code -Dgauze.cluster.long} the long form runs: 12 kills, one at each of the steps
 * between the seal and the last entry of the ledger, the others at random times; about 6 minutes.
 */
final class ClusterIT {
  private static final Path TEST_CLASSES = Path.of("target", "test-classes").toAbsolutePath();
  private static final boolean LONG = System.getProperty("gauze.cluster.long") != null;
  private static final Duration CHECKPOINTS = Duration.ofSeconds(LONG ? 10 : 1);
  private static final String STREAM = "faulty";

  @TempDir private Path folder;

  private final SplittableRandom random = new SplittableRandom(2026);
  private final List<String> told = new ArrayList<>();
  private final long begin = System.nanoTime();
  private ProcessCluster cluster;
  private SketchJobSettings settings;
  private Instant from;

  /** The epoch in which the last fault, or the last start of the job, was over. */
  private long afterFaults;

  /**
   * Workers are killed at random times and between the seal and the publication, both job managers
   * one after the other, the broker is restarted, the job is rescaled from 2 to 3 by a savepoint;
   * rows come all the while.
   */
  @Test
  @Timeout(value = 45, unit = TimeUnit.MINUTES)
  void faultsChangeNoRelease() throws Exception {
    try (ProcessCluster started =
        ProcessCluster.start(folder.resolve("cluster"), 3, Map.of(), "--ha")) {
      cluster = started;
      from = Instant.now();
      settings = NoiseFreeJob.settings(cluster.bootstrap(), STREAM, from.toString());
      try (RowFeeder feeder = RowFeeder.start(settings)) {
        tell("the cluster is up");
        String job = submit(2);
        awaitNewRelease();
        tell("the first release is there");
        int kills = killAll(job, half(true));
        kills += killJobManagers();
        restartTheBroker();
        String savepoint = stop(job);
        cluster.must("add-taskmanager");
        job = submit(3, "-s", savepoint);
        awaitNewRelease();
        tell("the job runs on, with parallelism 3");
        kills += killAll(job, half(false));
        long restored =
            cluster.get("/jobs/" + job + "/checkpoints").at("/counts/restored").asLong();
        assertThat(restored).as("starts from a checkpoint").isPositive();
        feeder.close();
        check(feeder, kills);
        cluster.flink("cancel", job);
      } finally {
        told.forEach(System.out::println);
      }
    }
  }

  /** Where workers are killed before (first) and after the rescaling; empty: at a random time. */
  private static List<Fault> half(boolean first) {
    if (!LONG) {
      return first
          ? List.of(
              Fault.at(FaultInjection.Step.SECOND_READ), Fault.at(FaultInjection.Step.AFTER_SPENT))
          : List.of(Fault.anyTime());
    }
    List<Fault> all = new ArrayList<>();
    for (FaultInjection.Step step : FaultInjection.Step.values()) {
      if (step.compareTo(FaultInjection.Step.SEAL) >= 0
          && step.compareTo(FaultInjection.Step.BEFORE_COMPLETE) < 0) {
        all.add(Fault.at(step));
      }
    }
    while (all.size() < 12) {
      all.add(all.size() / 2, Fault.anyTime());
    }
    return first ? all.subList(0, 6) : all.subList(6, 12);
  }

  /** What the log of the test says in the end. */
  private void tell(String what) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    told.add("after " + seconds + " s: " + what);
  }

  /** At a step of the job, or at any time. */
  private record Fault(List<FaultInjection.Step> step) {
    static Fault at(FaultInjection.Step step) {
      return new Fault(List.of(step));
    }

    static Fault anyTime() {
      return new Fault(List.of());
    }
  }

  private int killAll(String job, List<Fault> faults) throws Exception {
    for (Fault fault : faults) {
      Set<Long> before = new TreeSet<>(cluster.taskManagers().values());
      long killed = fault.step().isEmpty() ? killAnyTime(job) : killAt(fault.step().get(0), before);
      long seen = System.nanoTime();
      cluster.must("add-taskmanager");
      awaitNewRelease();
      tell(
          "killed "
              + killed
              + (fault.step().isEmpty() ? " at a random time" : " at " + fault.step().get(0))
              + ": new release after "
              + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - seen)
              + " s");
    }
    return faults.size();
  }

  /** One of the workers that the job runs on, not the spare one. */
  private long killAnyTime(String job) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(4000)));
    List<Long> workers =
        cluster.taskManagers().entrySet().stream()
            .filter(worker -> cluster.runsOn(job, worker.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    long chosen = workers.get(random.nextInt(workers.size()));
    ProcessCluster.kill(chosen);
    return chosen;
  }

  private long killAt(FaultInjection.Step step, Set<Long> before) throws Exception {
    Files.createFile(NoiseFreeJob.Trap.file(folder, step));
    ProcessCluster.await(
        "a kill at " + step, () -> !cluster.taskManagers().values().containsAll(before));
    Set<Long> dead = new TreeSet<>(before);
    dead.removeAll(cluster.taskManagers().values());
    return dead.iterator().next();
  }

  /** One of them leads: the other goes on with the job, from its last checkpoint. */
  private int killJobManagers() {
    List<String> both = List.of("jobmanager", "jobmanager-2");
    for (String each : both) {
      ProcessCluster.kill(cluster.pid(each));
      long seen = System.nanoTime();
      awaitNewRelease();
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - seen);
      tell("killed " + each + ": new release after " + seconds + " s");
      cluster.startAgain();
    }
    return both.size();
  }

  private void restartTheBroker() {
    cluster.must("stop-kafka");
    cluster.must("start-kafka");
    awaitNewRelease();
    tell("restarted the broker");
  }

  private String submit(int parallelism, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("run", "-d", "-p", Integer.toString(parallelism)));
    arguments.addAll(List.of(more));
    arguments.addAll(
        List.of(
            "-C",
            TEST_CLASSES.toUri().toString(),
            "-c",
            NoiseFreeJob.class.getName(),
            ProcessCluster.JAR.toString(),
            cluster.bootstrap(),
            STREAM,
            from.toString(),
            folder.toString(),
            CHECKPOINTS.toString()));
    ProcessCluster.Outcome outcome = cluster.flink(arguments.toArray(new String[0]));
    assertThat(outcome.status()).as(outcome.toString()).isZero();
    ProcessCluster.await("the job", () -> cluster.runningJob(NoiseFreeJob.NAME).isPresent());
    String job = cluster.runningJob(NoiseFreeJob.NAME).orElseThrow();
    assertThat(cluster.parallelism(job))
        .as("that of the clock and the publication, and what -p says")
        .isEqualTo(Set.of(1, parallelism));
    return job;
  }

  private String stop(String job) {
    ProcessCluster.Outcome outcome = cluster.flink("stop", job);
    assertThat(outcome.status()).as(outcome.toString()).isZero();
    tell("stopped with a savepoint, to rescale");
    return outcome.out().replaceAll("(?s).*Savepoint completed. Path: (\\S+).*", "$1");
  }

  /** Until the release of an epoch that is not over yet, after what was done to the cluster. */
  private void awaitNewRelease() {
    afterFaults = settings.schedule().epochOf(System.currentTimeMillis());
    awaitRelease(afterFaults);
  }

  private void awaitRelease(long epoch) {
    StreamFixture.awaitReleases(
        settings.kafka(), settings.topics().releases(), settings.releaseIds(epoch, epoch));
  }

  private List<ConsumerRecord<byte[], byte[]>> records(String topic, String isolation) {
    return TopicReader.all(cluster.bootstrap(), topic, isolation);
  }

  private void check(RowFeeder feeder, int kills) throws Exception {
    long last = settings.schedule().epochOf(System.currentTimeMillis());
    awaitRelease(last);
    long first = settings.schedule().firstEpoch();
    List<Long> epochs = LongStream.rangeClosed(first, last).boxed().toList();
    List<ConsumerRecord<byte[], byte[]>> rows = records(settings.topics().rows(), "read_committed");
    long newest = rows.stream().mapToLong(ConsumerRecord::timestamp).max().orElseThrow();
    assertThat(settings.schedule().epochOf(newest))
        .as("the epoch of the last row: they came until the last fault was over")
        .isGreaterThanOrEqualTo(afterFaults);
    Map<String, List<Long>> expected = StreamFixture.expected(settings, rows, epochs);
    List<ConsumerRecord<byte[], byte[]>> releases =
        records(settings.topics().releases(), "read_uncommitted");
    assertThat(StreamFixture.bodies(releases))
        .containsAllEntriesOf(StreamFixture.once(expected))
        .allSatisfy((id, bodies) -> assertThat(bodies).as(id).hasSize(1));
    assertThat(TopicReader.committedKeys(cluster.bootstrap(), settings.topics().releases()))
        .as("records that a reader of committed ones sees")
        .doesNotHaveDuplicates();
    assertThat(records(settings.topics().deadLetters(), "read_uncommitted")).isEmpty();
    assertThat(records(settings.topics().late(), "read_uncommitted")).isEmpty();
    int aborted = records(settings.topics().rows(), "read_uncommitted").size() - rows.size();
    assertThat(aborted).as("rows of aborted transactions, which no sum may hold").isPositive();
    tell(
        kills
            + " kills, "
            + rows.size()
            + " rows ("
            + aborted
            + " more aborted, "
            + feeder.failures()
            + " sends failed), "
            + epochs.size()
            + " epochs, "
            + expected.size()
            + " releases, one body each ("
            + releases.size()
            + " records), all as computed in one process");
  }
}

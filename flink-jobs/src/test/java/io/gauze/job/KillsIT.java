package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.StreamConfig;
import io.gauze.ledger.LedgerBook;
import io.gauze.mechanism.model.IrlsTrack;
import io.gauze.mechanism.twostage.NormCells;
import io.gauze.mechanism.twostage.TransformedStrata;
import io.gauze.model.track.ResidualTrack;
import io.gauze.model.track.TrackedModel;
import io.gauze.payload.Payload;
import io.gauze.publish.Ledger;
import io.gauze.release.Release;
import io.gauze.stream.Cell;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StreamSettings;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.RunProcess;
import io.gauze.testing.Thorough;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two streams of the same rows, without {@code epochs.from}: one without noise on a cluster of
 * processes, one with noise in a {@code gauze run}. Each has a sketch that reads the rows of an
 * epoch twice. All parts are killed, the broker too; what does not come back by itself is started
 * with its newest checkpoint, or without state.
 *
 * <p>With {@code -Dgauze.cluster.long} the long form runs: 30 kills, each at a random time; some 15
 * minutes.
 */
@Thorough
final class KillsIT {
  private static final Path TEST_CLASSES = Path.of("target", "test-classes").toAbsolutePath();
  private static final boolean LONG = System.getProperty("gauze.cluster.long") != null;
  private static final String STREAM = "killed";

  /** Noise beyond 7 sigma has probability 3e-12; there are fewer than 1,000 epochs. */
  private static final double SIGMAS = 7;

  private enum Victim {
    JOB_MANAGER,
    TASK_MANAGER,
    BROKER,
    RUN
  }

  /** One kill; whether what does not come back by itself is given its newest checkpoint. */
  private record Kill(Victim victim, boolean state) {}

  @TempDir private Path folder;

  private final Random random = new Random(2026);
  private final List<String> told = new ArrayList<>();
  private final long begin = System.nanoTime();
  private ProcessCluster cluster;
  private Path config;
  private RunProcess run;
  private int kills;

  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void everyEpochSinceTheFirstStartIsReleasedOnce() throws Exception {
    try (ProcessCluster started = ProcessCluster.start(folder.resolve("cluster"), 2, Map.of())) {
      cluster = started;
      config = Files.writeString(folder.resolve("noisy.yaml"), noisy());
      SketchJobSettings exact = exact();
      try (RowFeeder feeder = RowFeeder.start(exact)) {
        tell("the cluster is up");
        long before = exact.schedule().epochOf(System.currentTimeMillis());
        startRun(Optional.empty());
        submit(Optional.empty());
        run.awaitRunning();
        long after = exact.schedule().epochOf(System.currentTimeMillis());
        for (List<Kill> each : plan()) {
          kill(each);
        }
        feeder.close();
        long last = exact.schedule().epochOf(System.currentTimeMillis());
        List<ConsumerRecord<byte[], byte[]>> rows = all(exact.topics().rows(), "read_committed");
        int aborted = all(exact.topics().rows(), "read_uncommitted").size() - rows.size();
        assertThat(aborted).as("rows of aborted transactions").isPositive();
        tell(rows.size() + " rows, " + aborted + " more aborted, kills: " + kills);
        for (SketchJobSettings stream : List.of(exact, real())) {
          long first = firstEpoch(stream);
          assertThat(first).isBetween(before, after);
          check(stream, rows, first, last);
        }
      } finally {
        if (run != null) {
          run.close();
        }
        told.forEach(System.out::println);
      }
    }
  }

  /** Rounds of kills at once. The first comes before there is any release. */
  private static List<List<Kill>> plan() {
    Kill jobManager = new Kill(Victim.JOB_MANAGER, false);
    Kill runAfresh = new Kill(Victim.RUN, false);
    if (!LONG) {
      return List.of(
          List.of(jobManager, runAfresh),
          List.of(new Kill(Victim.BROKER, true), new Kill(Victim.RUN, true)));
    }
    List<List<Kill>> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      for (Victim victim : Victim.values()) {
        all.add(List.of(new Kill(victim, i % 2 == 0)));
      }
    }
    Collections.shuffle(all, new Random(15));
    all.add(0, List.of(jobManager, runAfresh));
    return all;
  }

  private void kill(List<Kill> together) throws Exception {
    if (LONG && kills > 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(4000)));
    }
    for (Kill kill : together) {
      switch (kill.victim()) {
        case JOB_MANAGER -> ProcessCluster.kill(cluster.pid("jobmanager"));
        case BROKER -> ProcessCluster.kill(cluster.pid("kafka"));
        case RUN -> run.close();
        case TASK_MANAGER -> ProcessCluster.kill(worker());
      }
      kills++;
    }
    long killed = System.nanoTime();
    cluster.startAgain();
    for (Kill kill : together) {
      if (kill.victim() == Victim.RUN) {
        startRun(newest(folder.resolve("checkpoints")).filter(path -> kill.state()));
      }
    }
    for (Kill kill : together) {
      if (kill.victim() == Victim.JOB_MANAGER) {
        submit(newest(cluster.folder().resolve("checkpoints")).filter(path -> kill.state()));
      }
    }
    awaitNewReleases();
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - killed);
    tell(together + ": new releases after " + seconds + " s");
  }

  /** One that the job runs on, if it runs. */
  private long worker() {
    Map<String, Long> all = cluster.taskManagers();
    Optional<String> job = cluster.runningJob(NoiseFreeJob.NAME);
    return all.entrySet().stream()
        .filter(worker -> job.isPresent() && cluster.runsOn(job.get(), worker.getKey()))
        .findFirst()
        .orElseGet(() -> all.entrySet().iterator().next())
        .getValue();
  }

  /** Until there are releases of an epoch that is not over yet. */
  private void awaitNewReleases() throws Exception {
    for (SketchJobSettings stream : List.of(exact(), real())) {
      awaitReleases(stream, stream.schedule().epochOf(System.currentTimeMillis()));
    }
  }

  private void awaitReleases(SketchJobSettings stream, long epoch) {
    run.said(); // fails if it has ended
    StreamFixture.awaitReleases(
        stream.kafka(), stream.topics().releases(), stream.releaseIds(epoch, epoch));
  }

  private void submit(Optional<Path> state) {
    List<String> arguments = new ArrayList<>(List.of("run", "-d", "-p", "1"));
    state.ifPresent(path -> arguments.addAll(List.of("-s", path.toUri().toString())));
    arguments.addAll(
        List.of(
            "-C",
            TEST_CLASSES.toUri().toString(),
            "-c",
            NoiseFreeJob.class.getName(),
            ProcessCluster.JAR.toString(),
            cluster.bootstrap(),
            STREAM,
            NoiseFreeJob.NO_FROM,
            folder.toString(),
            "PT1S"));
    ProcessCluster.Outcome outcome = cluster.flink(arguments.toArray(new String[0]));
    assertThat(outcome.status()).as(outcome.toString()).isZero();
  }

  private void startRun(Optional<Path> state) throws IOException {
    run = RunProcess.start(folder, config, state);
  }

  /** The newest complete checkpoint below a folder. */
  private static Optional<Path> newest(Path checkpoints) {
    if (!Files.isDirectory(checkpoints)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.find(checkpoints, 3, (file, is) -> is.isRegularFile())) {
      return files
          .filter(file -> file.endsWith("_metadata"))
          .max(Comparator.comparing(KillsIT::modified))
          .map(Path::getParent);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Instant modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The stream without noise. */
  private SketchJobSettings exact() {
    return NoiseFreeJob.settings(cluster.bootstrap(), STREAM, NoiseFreeJob.NO_FROM);
  }

  /** The stream with noise. */
  private SketchJobSettings real() throws Exception {
    StreamConfig stream = StreamConfig.read(config);
    return StreamSettings.job(stream, StreamSettings.plan(stream), Instant.now());
  }

  private String noisy() {
    return String.format(
        Locale.ROOT,
        """
        stream: noisy
        columns:
          - {name: a, lower: -1, upper: 1}
          - {name: y, lower: -5, upper: 5}
        intercept: 1
        privacy: {epsilon: 4, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: PT2S, sealDelay: PT1S}
        sketches:
          - {name: moments, mechanism: noisy-moments}
          - {name: second, mechanism: residual-strata, strata: 4}
          - {name: chosen, mechanism: select-fit, rounds: 1, weight: 0.05}
        models:
          - {name: model, mechanism: huber}
          - {name: label, mechanism: logistic, response: a, weight: 0.05}
          - {name: rounds, mechanism: private-irls, weight: 0.05}
          - {name: few, mechanism: peeling, steps: 4, weight: 0.05}
          - {name: ball, mechanism: objective-perturbation, weight: 0.05}
          - {name: middle, mechanism: quantile, weight: 0.05}
          - {name: vertices, mechanism: frank-wolfe, steps: 5, weight: 0.05}
          - {name: thresholds, mechanism: iht, steps: 2, weight: 0.05}
          - {name: kept, mechanism: huber-track, weight: 0.05}
          - {name: track, mechanism: irls-track, weight: 0.05}
        kafka:
          bootstrap: %s
          rows: {topic: %s}
          releases: {topic: noisy-releases}
          ledger: {topic: noisy-ledger}
          late: {topic: noisy-late}
          deadLetters: {topic: noisy-dead}
          create: {partitions: 1, replicas: 1}
        flink:
          properties:
            parallelism.default: 1
            execution.checkpointing.interval: 1 s
            execution.checkpointing.dir: %s
            execution.checkpointing.externalized-checkpoint-retention: RETAIN_ON_CANCELLATION
        """,
        cluster.bootstrap(),
        STREAM + "-rows",
        folder.resolve("checkpoints").toUri());
  }

  /** As the ledger says. */
  private static long firstEpoch(SketchJobSettings stream) throws IOException {
    LedgerBook book = Ledger.read(stream.kafka(), stream.topics().ledger());
    List<String> begins = book.begins(stream.plan().stream(), stream.series());
    assertThat(begins).hasSize(1);
    return stream.schedule().epochOf(begins.get(0)).orElseThrow();
  }

  private List<ConsumerRecord<byte[], byte[]>> all(String topic, String isolation) {
    return TopicReader.all(cluster.bootstrap(), topic, isolation);
  }

  private void check(
      SketchJobSettings stream, List<ConsumerRecord<byte[], byte[]>> rows, long first, long last) {
    awaitReleases(stream, last);
    List<ConsumerRecord<byte[], byte[]>> releases =
        all(stream.topics().releases(), "read_committed");
    List<String> ids = releases.stream().map(record -> new String(record.key(), UTF_8)).toList();
    assertThat(ids)
        .doesNotHaveDuplicates()
        .containsAll(stream.releaseIds(first, last))
        .doesNotContainAnyElementsOf(stream.releaseIds(first - 2, first - 1));
    assertThat(all(stream.topics().late(), "read_uncommitted")).isEmpty();
    assertThat(all(stream.topics().deadLetters(), "read_uncommitted")).isEmpty();
    if (stream.randomness().isPrivate()) {
      checkNoisy(stream, rows, releases, first, last);
      checkTracks(stream, releases, first, last);
    } else {
      List<Long> epochs = LongStream.rangeClosed(first, last).boxed().toList();
      Map<String, List<Long>> expected = StreamFixture.expected(stream, rows, epochs);
      assertThat(StreamFixture.bodies(releases)).containsAllEntriesOf(StreamFixture.once(expected));
    }
    tell(stream.plan().stream() + ": " + (last - first + 1) + " epochs, each release once");
  }

  /**
   * The intercept is 1, and the first moment that of the intercept: the number of rows. Of rows
   * that are read again there are counts, cell by cell.
   */
  private void checkNoisy(
      SketchJobSettings stream,
      List<ConsumerRecord<byte[], byte[]>> rows,
      List<ConsumerRecord<byte[], byte[]>> releases,
      long first,
      long last) {
    Map<Long, Long> counts =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row -> stream.schedule().epochOf(row.timestamp()), Collectors.counting()));
    double worst = 0;
    Map<String, Double> off = new TreeMap<>();
    double sigma = 0;
    for (ConsumerRecord<byte[], byte[]> record : releases) {
      Release release = Release.fromBytes(record.value());
      long epoch = stream.schedule().epochOf(release.id().epoch()).orElseThrow();
      boolean isModel = // says nothing of a number, or has too much noise to
          release.payload() instanceof Payload.Model
              || release.payload() instanceof Payload.SelectedMoments;
      if (epoch >= first && epoch <= last && !isModel) {
        sigma = release.id().sketch().equals("moments") ? release.sigma() : sigma;
        double error = (rows(release) - counts.getOrDefault(epoch, 0L)) / sigma(release);
        worst = Math.max(worst, Math.abs(error));
        off.merge(release.id().sketch(), error, Double::sum);
      }
    }
    tell(
        String.format(
            Locale.ROOT, "sigma %.1f rows, worst %.2f sigma, sums %s sigma", sigma, worst, off));
    assertThat(off).containsOnlyKeys("moments", "second");
    assertThat(sigma).as("less than a batch of the feeder").isBetween(1.0, 30.0);
    assertThat(worst).isLessThan(SIGMAS);
    double widest = SIGMAS * Math.sqrt(last - first + 1.0);
    assertThat(off.values()).allSatisfy(sum -> assertThat(Math.abs(sum)).isLessThan(widest));
  }

  /** Each model that is kept up to date follows from the published one of the epoch before. */
  private static void checkTracks(
      SketchJobSettings stream,
      List<ConsumerRecord<byte[], byte[]>> releases,
      long first,
      long last) {
    Map<String, Release> byId = new TreeMap<>();
    releases.forEach(
        record -> byId.put(new String(record.key(), UTF_8), Release.fromBytes(record.value())));
    IrlsTrack irls = (IrlsTrack) stream.plan().sketch("track").mechanism();
    Optional<ResidualTrack> before = Optional.empty();
    for (long epoch = first; epoch <= last; epoch++) {
      TrackedModel kept = TrackedModel.of(byId.get(id(stream, "kept", epoch)).numbers());
      assertThat(kept.epochsBefore()).isEqualTo(epoch == first ? 0 : 1);
      ResidualTrack track =
          ResidualTrack.of(
              irls.statistics().features(), byId.get(id(stream, "track", epoch)).numbers());
      assertThat(track).isEqualTo(TrackedModelsIT.following(irls.statistics(), before, track));
      before = Optional.of(track);
    }
  }

  private static String id(SketchJobSettings stream, String sketch, long epoch) {
    return stream.releaseId(new Cell(SketchJobSettings.NO_GROUP, sketch, 0), epoch).toString();
  }

  /** The number of rows that a release says. */
  private static double rows(Release release) {
    return release.payload() instanceof TransformedStrata strata
        ? IntStream.range(strata.moments().countsAt(), strata.moments().momentsAt())
            .mapToDouble(release::value)
            .sum()
        : release.value(0);
  }

  /** The standard deviation of its noise. */
  private static double sigma(Release release) {
    return release.payload() instanceof TransformedStrata strata
        ? strata.moments().counts() * Math.sqrt(NormCells.COUNT)
        : release.sigma();
  }

  private void tell(String what) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    told.add("after " + seconds + " s: " + what);
  }
}

package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gauze.release.Release;
import io.gauze.testing.OwnHome;
import io.gauze.testing.OwnersFiles;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.TwoColumns;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A run in this process is stopped and goes on. */
@ExtendWith(SharedCluster.class)
final class StopCommandIT extends OwnHome {
  @Test
  void aStoppedRunGoesOn() throws Exception {
    String rows = TestTopics.createRows("stop", 2);
    Path config = config(rows, rows + "-ledger");
    assertThat(DemoIT.run("stop", "--config", config.toString()).err())
        .contains("no gauze run of stream " + rows + " is on this machine", "rest.address");

    CompletableFuture<DemoIT.Outcome> first = run(config);
    awaitRun(first); // which has made its topics by then
    String savepoint;
    long sent;
    CompletableFuture<DemoIT.Outcome> second;
    try (Feeder feeder = new Feeder(rows)) { // before, while and after the job is stopped
      TestTopics.read(rows + "-releases", 2);
      aSecondRunIsRefused(config, rows);
      assertThat(DemoIT.run("stop", "--config", config.toString()).err())
          .contains("give --savepoints DIR");
      savepoint = stopped(config, first);
      int before = TestTopics.read(rows + "-releases", 2).size();
      second = run(config, "--restore", savepoint);
      TestTopics.read(rows + "-releases", before + 2);
      sent = feeder.end();
    }
    Instant end = Instant.now().plusSeconds(1);
    ProcessCluster.await(
        "the last epoch with rows",
        () -> starts(releases(rows)).stream().anyMatch(start -> start.isAfter(end)));
    stopped(config, second);
    assertThat(second.get().err())
        .containsOnlyOnce("going on from savepoint or checkpoint " + savepoint);
    assertAllRowsCountOnce(releases(rows), sent);

    Path other = config(rows, rows + "-another-ledger");
    Files.writeString(other, Files.readString(other).replace(rows + "-releases", rows + "-others"));
    DemoIT.Outcome refused =
        DemoIT.run("run", "--config", other.toString(), "--restore", savepoint);
    assertThat(refused.status()).as(refused.err()).isEqualTo(3);
    assertThat(refused.err()).contains("The restored state of stream " + rows + " was made under");
  }

  /** The first one goes on, as all of its releases show. */
  private static void aSecondRunIsRefused(Path config, String rows) {
    String name = "GZ-SECONDJOB: A job of stream " + rows + " runs already.";
    String process = "process " + ProcessHandle.current().pid() + ", Flink's job ";
    DemoIT.Outcome checked = DemoIT.run("check", "--config", config.toString());
    assertThat(checked.status()).isZero();
    assertThat(checked.err()).contains("warning: " + name, process);
    DemoIT.Outcome second = DemoIT.run("run", "--config", config.toString());
    assertThat(second.status()).as(second.err()).isEqualTo(1);
    assertThat(second.err())
        .contains("waiting up to 15 s for it to end: " + name)
        .contains("gauze: " + name, process, "Stop it first, with gauze stop");
  }

  private static List<Release> releases(String rows) {
    return TestTopics.read(rows + "-releases", 1).stream()
        .map(record -> Release.fromBytes(record.value()))
        .toList();
  }

  private static List<Instant> starts(List<Release> releases) {
    return releases.stream().map(release -> Instant.parse(release.id().epoch())).sorted().toList();
  }

  /**
   * One release an epoch, without a gap; and their entries of the intercept, which is 1, add up to
   * the number of rows. The sum's noise is Gaussian, of sigma times the root of the releases'
   * number; beyond 7 of that in one of 4e11 runs, and well below the rows between two checkpoints.
   */
  private static void assertAllRowsCountOnce(List<Release> releases, long rows) {
    List<Instant> starts = starts(releases);
    for (int i = 1; i < starts.size(); i++) {
      assertThat(starts.get(i)).isEqualTo(starts.get(i - 1).plusSeconds(1));
    }
    double sum = 0;
    for (Release release : releases) {
      sum += release.value(0);
    }
    double bound = 7 * releases.get(0).sigma() * Math.sqrt(releases.size());
    assertThat(bound).as("less than the rows of 0.3 s").isLessThan(Feeder.ROWS_A_SECOND * 0.3);
    assertThat(sum).isCloseTo((double) rows, within(bound));
  }

  /** Sends rows all the time. */
  private static final class Feeder implements AutoCloseable {
    static final int ROWS_A_SECOND = 400;

    private final String topic;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Void> done;

    Feeder(String topic) {
      this.topic = topic;
      done = CompletableFuture.runAsync(this::feed);
    }

    private void feed() {
      try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of("linger.ms", 0))) {
        byte[] row = "{\"x\":0.5,\"y\":0.25}".getBytes(UTF_8);
        List<Future<RecordMetadata>> all = new ArrayList<>();
        while (!ended.get()) {
          all.add(producer.send(new ProducerRecord<>(topic, all.size() % 2, null, row)));
          LockSupport.parkNanos(1_000_000_000 / ROWS_A_SECOND);
        }
        for (Future<RecordMetadata> each : all) {
          each.get();
        }
        sent.set(all.size());
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }

    /** How many rows there are. */
    long end() {
      ended.set(true);
      done.join();
      return sent.get();
    }

    /** Returns when nothing is sent any more; what went wrong, {@link #end} says. */
    @Override
    public void close() {
      ended.set(true);
      done.handle((nothing, failure) -> failure).join();
    }
  }

  /** The savepoint of the run, which is over: nobody is at its address any more. */
  private String stopped(Path config, CompletableFuture<DemoIT.Outcome> run) throws Exception {
    awaitRun(run);
    URI address = URI.create("http://" + Files.readAllLines(files(running()).get(0)).get(0));
    String savepoint = stop(config);
    assertThat(run.get().status()).as(run.get().err()).isZero();
    assertThat(Path.of(URI.create(savepoint)).resolve("_metadata")).isNotEmptyFile();
    assertThat(OwnersFiles.isOpen(folder.resolve("s"))).as("a folder for all to read").isFalse();
    assertThatThrownBy(() -> new Socket(address.getHost(), address.getPort()).close())
        .isInstanceOf(ConnectException.class);
    return savepoint;
  }

  private static CompletableFuture<DemoIT.Outcome> run(Path config, String... more) {
    String[] arguments = new String[3 + more.length];
    arguments[0] = "run";
    arguments[1] = "--config";
    arguments[2] = config.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return CompletableFuture.supplyAsync(() -> DemoIT.run(arguments));
  }

  /** Until the run says where it is. */
  private void awaitRun(CompletableFuture<DemoIT.Outcome> run) {
    ProcessCluster.await("the run", () -> run.isDone() || !files(running()).isEmpty());
    assertThat(run).as("%s", run.getNow(null)).isNotDone();
  }

  private String stop(Path config) {
    DemoIT.Outcome outcome =
        DemoIT.run(
            "stop", "--config", config.toString(), "--savepoints", folder.resolve("s").toString());
    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.err()).contains("--restore " + outcome.out().strip());
    ProcessCluster.await("the end of the run", () -> files(running()).isEmpty());
    return outcome.out().strip();
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".rest")).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private Path config(String rows, String ledger) throws Exception {
    String privacy = "epsilon: 20, delta: 1.0e-6, neighbours: replace-one";
    TwoColumns config = new TwoColumns(rows, privacy, "{length: PT1S, sealDelay: PT0.5S}");
    return Files.writeString(
        folder.resolve(ledger + ".yaml"), config.onSharedBroker(rows, rows + "-releases", ledger));
  }
}

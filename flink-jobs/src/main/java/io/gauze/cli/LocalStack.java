package io.gauze.cli;

import io.gauze.cli.flink.LocalExecution;
import io.gauze.cli.flink.SketchJobName;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import io.gauze.config.KafkaSettings;
import io.gauze.config.StreamConfig;
import io.gauze.local.CloseAtExit;
import io.gauze.local.EmbeddedBroker;
import io.gauze.local.JobHandle;
import io.gauze.local.JobMetrics;
import io.gauze.local.LocalCluster;
import io.gauze.solver.SolverSettings;
import io.gauze.topic.TopicAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A Kafka broker and a Flink cluster in this process, for the sketch job of some streams and a
 * solver for each of them.
 */
public final class LocalStack implements AutoCloseable {
  private static final TopicAdmin.Creation USUAL = new TopicAdmin.Creation(4, (short) 1);

  private final Map<String, String> flink;
  private final PrintWriter err;
  private final EmbeddedBroker broker;
  private final CompletableFuture<LocalCluster> starting;

  /**
   * The jobs that were submitted.
   *
   * @param plan the streams with their topics
   * @param startNanos {@link System#nanoTime} when the sketch job was submitted
   */
  public record Running(
      SketchJobPlan plan, JobHandle sketches, List<JobHandle> solvers, long startNanos) {}

  private LocalStack(
      Map<String, String> flink,
      PrintWriter err,
      EmbeddedBroker broker,
      CompletableFuture<LocalCluster> starting) {
    this.flink = flink;
    this.err = err;
    this.broker = broker;
    this.starting = starting;
  }

  /**
   * Starts the broker, and the cluster in the background while the caller goes on.
   *
   * @param flink Flink's settings of the cluster and the jobs
   * @param port the port of the broker; 0 for a free one
   */
  public static LocalStack start(
      JobStreams job, Map<String, String> flink, int port, PrintWriter err)
      throws IOException, ConfigException {
    int parallelism = RunCommand.environment(job, flink, Optional.empty()).getParallelism();
    int slots = parallelism * (1 + job.configs().size());
    Configuration settings = JobMetrics.settings(LocalExecution.settings(flink, err));
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    EmbeddedBroker broker = EmbeddedBroker.start(folder, port);
    return new LocalStack(
        flink, err, broker, CompletableFuture.supplyAsync(() -> cluster(slots, settings)));
  }

  private static LocalCluster cluster(int slots, Configuration settings) {
    try {
      return LocalCluster.start(1, slots, settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The broker's address. */
  public String bootstrap() {
    return broker.bootstrapServers();
  }

  /**
   * Returns how a stream's missing topics are created; with one replica, since there is one broker.
   */
  public static TopicAdmin.Creation creation(KafkaSettings kafka) {
    return kafka
        .create()
        .map(create -> new TopicAdmin.Creation(create.partitions(), (short) 1))
        .orElse(USUAL);
  }

  private static Optional<TopicAdmin.Creation> creations(StreamConfig stream) {
    return Optional.of(creation(stream.kafka()));
  }

  /** Creates the topics of the sketch job that are missing. */
  void createTopics(SketchJobPlan planned)
      throws IOException, ConfigException, PrivacyRefusalException {
    planned.prepare(LocalStack::creations);
  }

  /** Returns what has ranges chosen by jobs on this cluster, before the jobs that need them. */
  RangeEpochs ranges() {
    RangeEpochs.Runner runner =
        new RangeEpochs.Runner() {
          @Override
          public void begin(SketchJobPlan counts) throws IOException {
            counts.writeBegins();
            CloseAtExit.endNormallyBySignal(true);
          }

          @Override
          public void run(SketchJobPlan counts) throws Exception {
            count(counts);
          }
        };
    return new RangeEpochs(LocalStack::creations, runner, Optional.empty(), err);
  }

  private void count(SketchJobPlan counts) throws Exception {
    counts.requireState(Set.of());
    counts.writeBegins();
    StreamExecutionEnvironment env = RunCommand.environment(counts.job(), flink, Optional.empty());
    counts.build(env);
    try {
      started().submit(env, SketchJobName.of(counts.job().names())).result().get();
    } catch (ExecutionException e) {
      if (!CloseAtExit.ending()) {
        throw LocalExecution.reason(e);
      }
    }
  }

  /** Creates missing topics, and submits the sketch job and the solvers. */
  public Running submit(SketchJobPlan planned)
      throws IOException, ConfigException, PrivacyRefusalException {
    JobStreams job = planned.job();
    SketchJobPlan ready = planned.prepare(LocalStack::creations);
    ready.warn(err);
    ready.requireState(Set.of());
    ready.writeBegins();
    StreamExecutionEnvironment sketch = RunCommand.environment(job, flink, Optional.empty());
    ready.build(sketch);
    Map<String, StreamExecutionEnvironment> solvers = new LinkedHashMap<>();
    for (StreamConfig stream : job.configs()) {
      SolverSettings settings =
          SolverCommand.prepare(stream, Optional.of(creation(stream.kafka())), err);
      solvers.put(
          SolverCommand.jobName(stream.stream()),
          SolverCommand.environment(stream, flink, settings));
    }
    LocalCluster cluster = started();
    long start = System.nanoTime();
    JobHandle sketches = cluster.submit(sketch, SketchJobName.of(job.names()));
    List<JobHandle> handles = new ArrayList<>();
    for (Map.Entry<String, StreamExecutionEnvironment> solver : solvers.entrySet()) {
      handles.add(cluster.submit(solver.getValue(), solver.getKey()));
    }
    return new Running(ready, sketches, handles, start);
  }

  private LocalCluster started() throws IOException {
    try {
      return starting.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof UncheckedIOException known
          ? known.getCause()
          : new IOException(e.getCause());
    }
  }

  /** Completes with the reason if the broker fails. */
  CompletableFuture<String> failure() {
    return broker.failure();
  }

  /**
   * Checks that the broker still runs. If it has ended, for example on a full disk, its clients
   * would only wait.
   *
   * @throws IOException if the broker has ended
   */
  public void checkBroker() throws IOException {
    if (failure().isDone()) {
      throw new IOException("the Kafka broker in this process ended: " + failure().join());
    }
  }

  /** Cancels what still runs, stops the cluster and the broker, and deletes their files. */
  @Override
  public void close() throws IOException {
    try (EmbeddedBroker last = broker) {
      if (starting.handle((cluster, problem) -> problem == null).join()) {
        starting.join().close();
      }
    }
  }
}

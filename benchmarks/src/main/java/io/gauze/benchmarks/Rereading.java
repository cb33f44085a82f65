package io.gauze.benchmarks;

import io.gauze.config.StreamConfig;
import io.gauze.job.SketchJob;
import io.gauze.job.SketchPreflight;
import io.gauze.local.LocalCluster;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.StreamSettings;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * How fast a job reads the rows of an epoch again: by mechanism and by number of partitions, at
 * parallelism 2. The broker is a process of its own.
 */
public final class Rereading {
  private static final int RUNS = 3;
  private static final int FEW_ROWS = 200_000;
  private static final List<String> MECHANISMS =
      List.of(
          "sketches: [{name: released, mechanism: two-stage-moments}]",
          "sketches: [{name: released, mechanism: residual-strata}]",
          "models: [{name: released, mechanism: irls-track}]",
          "models: [{name: released, mechanism: huber}]");

  private Rereading() {}

  /**
   * Runs.
   *
   * @param args rows of the epoch (3,000,000), their format (avro), and numbers of partitions
   *     (1,2,4,8)
   */
  public static void main(String[] args) throws Exception {
    int rows = args.length > 0 ? Integer.parseInt(args[0]) : 3_000_000;
    String format = args.length > 1 ? args[1] : "avro";
    String partitions = args.length > 2 ? args[2] : "1,2,4,8";
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.printf(
        Locale.ROOT,
        "%,d rows of %s; thousand rows a second (CPU of the process, us a row)%n%n",
        rows,
        format);
    out.println("| mechanism | partitions | runs |\n|---|---|---|");
    try (TemporaryFolder made = TemporaryFolder.create("gauze-rereading-");
        ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of());
        LocalCluster cluster = LocalCluster.start(2)) {
      Path folder = made.path();
      String bootstrap = broker.line();
      Files.writeString(folder.resolve("rows.avsc"), Throughput.avroSchema());
      for (String number : partitions.split(",", -1)) {
        Topic few = new Topic(folder, format, bootstrap, "few", Integer.parseInt(number));
        Topic all = new Topic(folder, format, bootstrap, "all", Integer.parseInt(number));
        few.send(FEW_ROWS);
        all.send(rows);
        for (String mechanism : MECHANISMS) {
          String unused = run(cluster, few.config(mechanism, "warm"), FEW_ROWS);
          out.print("| " + mechanism.replaceAll(".*mechanism: |[}].*", "") + " | " + number + " |");
          for (int run = 0; run < RUNS; run++) {
            out.print(run(cluster, all.config(mechanism, "run" + run), rows));
          }
          out.println(" |");
        }
      }
    }
  }

  /** When rows were read again in the job of this process, and the CPU by then. */
  private static final class Times implements FaultInjection {
    private static final long serialVersionUID = 1L;
    private static final AtomicReference<Moment> FIRST = new AtomicReference<>();
    private static final AtomicReference<Moment> LAST = new AtomicReference<>();

    @Override
    public void reached(Step step) {
      if (step == Step.SECOND_READ || step == Step.FIT) {
        Moment now = new Moment(System.nanoTime(), RowMeter.cpuMicros());
        FIRST.compareAndSet(null, now);
        LAST.set(now);
      }
    }
  }

  private record Moment(long nanos, long cpuMicros) {}

  /** Returns how fast the rows were read again. */
  private static String run(LocalCluster cluster, Path file, int rows) throws Exception {
    StreamConfig config = StreamConfig.read(file);
    SketchPreflight.Prepared prepared =
        SketchPreflight.prepare(
            StreamSettings.job(config, StreamSettings.plan(config), Instant.now()),
            true,
            1000,
            config.kafka().create());
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(
            SketchJob.configuration(Configuration.fromMap(config.flink())));
    SketchJob.build(env, prepared.settings().withProbe(new Times()));
    Times.FIRST.set(null);
    cluster.submit(env, file.getFileName().toString()).result().get();
    double seconds = 1e-9 * (Times.LAST.get().nanos() - Times.FIRST.get().nanos());
    long cpu = Times.LAST.get().cpuMicros() - Times.FIRST.get().cpuMicros();
    return String.format(Locale.ROOT, " %,.0f (%.2f)", 1e-3 * rows / seconds, 1.0 * cpu / rows);
  }

  /** A topic of rows, and the configs of jobs that read it. */
  private record Topic(Path folder, String format, String bootstrap, String name, int partitions) {
    private void send(int rows) throws Exception {
      Throughput.send(config("models: [{name: m, mechanism: huber}]", "send"), rows, partitions);
    }

    private Path config(String mechanism, String run) throws Exception {
      String kind = mechanism.replaceAll(".*mechanism: |[}].*", "");
      String id = String.join("-", name, Integer.toString(partitions), kind, run);
      StringBuilder text = new StringBuilder("stream: ").append(id).append("\ncolumns:\n");
      for (int i = 0; i < Throughput.COLUMNS; i++) {
        text.append("  - {name: c").append(i).append(", lower: -1, upper: 1}\n");
      }
      String schema = format.equals("avro") ? ", schema: rows.avsc" : "";
      List<String> rest =
          Arrays.asList(
              "privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}",
              "epochs: {length: all}",
              "expectedRows: 1000000",
              mechanism,
              "kafka:",
              "  bootstrap: " + bootstrap,
              "  rows: {topic: rows-"
                  + name
                  + partitions
                  + ", format: "
                  + format
                  + schema
                  + ", bounded: true}",
              "  releases: {topic: releases-" + id + "}",
              "  ledger: {topic: ledger-" + id + "}",
              "  create: {partitions: " + partitions + ", replicas: 1}",
              "flink:",
              "  properties:",
              "    parallelism.default: 2",
              "    execution.checkpointing.interval: 10 s",
              "    gauze.models.memory: 2 gb",
              "");
      return Files.writeString(folder.resolve(id + ".yaml"), text + String.join("\n", rest));
    }
  }
}

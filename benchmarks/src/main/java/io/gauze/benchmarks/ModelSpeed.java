package io.gauze.benchmarks;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.config.StreamConfig;
import io.gauze.job.SketchJob;
import io.gauze.job.SketchPreflight;
import io.gauze.local.LocalCluster;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.select.SelectFit;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.FaultInjection.Step;
import io.gauze.stream.StreamSettings;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * How long models take after an epoch is sealed: the second reading and the fit of a Huber model in
 * a job with a broker, and its publishing; and the columns and moments of {@code select-fit} at D =
 * 1,001, in this process.
 */
public final class ModelSpeed {
  private static final int RUNS = 3;
  private static final int FEW_ROWS = 300_000;
  private static final int MANY_COLUMNS = 1000; // 1,001 with the intercept
  private static final int MOMENT_ROWS = 100_000;

  private ModelSpeed() {}

  /**
   * Runs.
   *
   * @param args rows of the epoch (10,000,000), and the memory for them (2 gb)
   */
  public static void main(String[] args) throws Exception {
    int rows = args.length > 0 ? Integer.parseInt(args[0]) : 10_000_000;
    String memory = args.length > 1 ? args[1] : "2 gb";
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    selectFit(out);
    try (TemporaryFolder temporary = TemporaryFolder.create("gauze-models-");
        ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of());
        LocalCluster cluster = LocalCluster.start(2)) {
      Path folder = temporary.path();
      String bootstrap = broker.line();
      Files.writeString(folder.resolve("rows.avsc"), Throughput.avroSchema());
      Path few = config(folder, "few", bootstrap, memory);
      Path all = config(folder, "all", bootstrap, memory);
      Throughput.send(few, FEW_ROWS);
      Throughput.send(all, rows);
      run(cluster, few, "warm");
      out.printf(
          Locale.ROOT,
          "%n| `huber`, %,d rows | first reading, s | second reading, s | fit, s | after the seal, s |%n",
          rows);
      out.println("|---|---|---|---|---|");
      for (int run = 1; run <= RUNS; run++) {
        run(cluster, all, "run" + run);
        out.printf(
            Locale.ROOT,
            "| run %d | %.1f | %.1f | %.1f | %.1f |%n",
            run,
            Times.between(Step.FOLD_ROW, Step.SEAL),
            Times.between(Step.SEAL, Step.FIT),
            Times.between(Step.FIT, Step.BEFORE_SPENT),
            Times.between(Step.SEAL, Step.AFTER_PUBLISHED));
      }
    }
  }

  /** When a job of this process came to a step for the first time. */
  private static final class Times implements FaultInjection {
    private static final long serialVersionUID = 1L;
    private static final Map<Step, Long> FIRST = new ConcurrentHashMap<>();

    @Override
    public void reached(Step step) {
      FIRST.putIfAbsent(step, System.nanoTime());
    }

    static double between(Step from, Step to) {
      return 1e-9 * (FIRST.get(to) - FIRST.get(from));
    }
  }

  private static void run(LocalCluster cluster, Path file, String run) throws Exception {
    Path named = file.resolveSibling(run + "-" + file.getFileName());
    Files.writeString(named, Files.readString(file).replace("-turn", "-" + run));
    StreamConfig config = StreamConfig.read(named);
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
    Times.FIRST.clear();
    cluster.submit(env, run).result().get();
  }

  private static Path config(Path folder, String rows, String bootstrap, String memory)
      throws Exception {
    StringBuilder text = new StringBuilder("stream: speed-" + rows + "-turn\ncolumns:\n");
    for (int i = 0; i < Throughput.COLUMNS; i++) {
      text.append("  - {name: c").append(i).append(", lower: -1, upper: 1}\n");
    }
    text.append(
        """
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: all}
        models:
          - {name: released, mechanism: huber}
        kafka:
          bootstrap: BOOTSTRAP
          rows: {topic: rows-WHICH, format: avro, schema: rows.avsc, bounded: true}
          releases: {topic: releases-WHICH-turn}
          ledger: {topic: ledger-WHICH-turn}
          create: {partitions: 4, replicas: 1}
        flink:
          properties:
            parallelism.default: 2
            execution.checkpointing.interval: 10 s
            gauze.models.memory: MEMORY
        """
            .replace("BOOTSTRAP", bootstrap)
            .replace("MEMORY", memory)
            .replace("WHICH", rows));
    return Files.writeString(folder.resolve(rows + ".yaml"), text.toString());
  }

  private static void selectFit(PrintStream out) {
    List<NumericColumn> columns =
        IntStream.range(0, MANY_COLUMNS)
            .mapToObj(j -> new NumericColumn("x" + j, "x" + j, -1, 1))
            .toList();
    double bound = RowSchema.largestNorm(columns, 0.5);
    RowSchema schema = RowSchema.of(columns, 0.5, bound, MissingValues.MIDPOINT);
    Mechanism mechanism =
        StreamPlan.of(
                new StreamRequest(
                    "wide",
                    schema,
                    new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE),
                    StreamRequest.ROW,
                    MOMENT_ROWS,
                    List.of(),
                    List.of(
                        new SketchRequest("few", SelectFit.NAME, 1.0, Map.of("readings", "1")))))
            .sketch("few")
            .mechanism();
    SplittableRandom random = new SplittableRandom(1);
    double moment = Math.sqrt(MOMENT_ROWS) / schema.grid().momentUnit(); // of independent columns
    long[] state = new long[mechanism.spec().stateLength()];
    for (int i = 0; i < state.length; i++) {
      state[i] = Math.round(moment * random.nextGaussian());
    }
    out.println("| `select-fit`, D = 1,001 | seconds |");
    out.println("|---|---|");
    for (int run = 1; run <= RUNS; run++) {
      long start = System.nanoTime();
      mechanism.release(state.clone(), Randomness.SYSTEM.entropy("speed-" + run));
      double seconds = 1e-9 * (System.nanoTime() - start);
      out.printf(Locale.ROOT, "| run %d | %.2f |%n", run, seconds);
    }
  }
}

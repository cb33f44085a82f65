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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * How fast a job reads the rows of an epoch again, and how fast the whole job is beside one whose
 * only sketch reads rows once: by mechanism and by number of partitions, at parallelism 2. The
 * broker is a process of its own. In each round all mechanisms take their turn, so that what else
 * the machine does changes all of them.
 */
public final class Rereading {
  private static final int FEW_ROWS = 200_000;
  private static final int WARM_UPS = 3;
  private static final String ONCE = "sketches: [{name: released, mechanism: noisy-moments}]";
  private static final List<String> TWICE =
      List.of(
          "sketches: [{name: released, mechanism: two-stage-moments}]",
          "sketches: [{name: released, mechanism: residual-strata}]",
          "models: [{name: released, mechanism: irls-track}]",
          "models: [{name: released, mechanism: huber}]");

  private Rereading() {}

  /**
   * Runs.
   *
   * @param args rows of the epoch (3,000,000), their format (avro), numbers of partitions
   *     (1,2,4,8), rounds (3), and a part of the names of mechanisms (all)
   */
  public static void main(String[] args) throws Exception {
    int rows = args.length > 0 ? Integer.parseInt(args[0]) : 3_000_000;
    String format = args.length > 1 ? args[1] : "avro";
    String partitions = args.length > 2 ? args[2] : "1,2,4,8";
    int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 3;
    String part = args.length > 4 ? args[4] : "";
    List<String> mechanisms = new ArrayList<>(List.of(ONCE));
    TWICE.stream().filter(each -> kind(each).contains(part)).forEach(mechanisms::add);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.printf(
        Locale.ROOT,
        "%,d rows of %s; medians of %d rounds; rates in thousand rows a second, CPU of the process"
            + " in us a row; ratios to noisy-moments. Each row, CPU: without what %,d rows take.%n%n",
        rows,
        format,
        rounds,
        FEW_ROWS);
    out.println(
        "| mechanism | partitions | whole job | ratio | each row | ratio | CPU | ratio | read again |"
            + " CPU | each round's ratio |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|");
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
        Map<String, List<Measured>> measured = new LinkedHashMap<>();
        for (int round = -WARM_UPS; round < rounds; round++) {
          for (String mechanism : mechanisms) {
            Times less = run(cluster, few.config(mechanism, "round" + round));
            if (round >= -1) {
              Measured each =
                  new Measured(run(cluster, all.config(mechanism, "round" + round)), less, rows);
              measured.computeIfAbsent(mechanism, any -> new ArrayList<>()).add(each);
            }
          }
        }
        measured.values().forEach(each -> each.remove(0)); // to warm up
        for (String mechanism : mechanisms) {
          String what = kind(mechanism) + " | " + number;
          out.println(line(what, measured.get(mechanism), measured.get(ONCE)));
        }
      }
    }
  }

  private static String kind(String mechanism) {
    return mechanism.replaceAll(".*mechanism: |[}].*", "");
  }

  private static String line(String what, List<Measured> runs, List<Measured> once) {
    List<String> ratios = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      ratios.add(String.format(Locale.ROOT, "%.2f", runs.get(i).eachRow() / once.get(i).eachRow()));
    }
    double whole = median(runs, Measured::whole);
    double eachRow = median(runs, Measured::eachRow);
    double micros = median(runs, Measured::micros);
    return String.format(
        Locale.ROOT,
        "| %s | %,.0f | %.2f | %,.0f | %.2f | %.2f | %.2f | %,.0f | %.2f | %s |",
        what,
        whole,
        whole / median(once, Measured::whole),
        eachRow,
        eachRow / median(once, Measured::eachRow),
        micros,
        median(once, Measured::micros) / micros,
        median(runs, Measured::again),
        median(runs, Measured::againMicros),
        String.join(" ", ratios));
  }

  private static double median(List<Measured> runs, ToDoubleFunction<Measured> of) {
    return runs.stream().mapToDouble(of).sorted().toArray()[runs.size() / 2];
  }

  /** A job of all rows, and one of few of them. */
  private record Measured(Times all, Times few, int rows) {
    private double whole() {
      return 1e6 * rows / all.whole().nanos();
    }

    private double eachRow() {
      return 1e6 * (rows - FEW_ROWS) / (all.whole().nanos() - few.whole().nanos());
    }

    private double micros() {
      return 1.0 * (all.whole().cpuMicros() - few.whole().cpuMicros()) / (rows - FEW_ROWS);
    }

    private double again() {
      return all.again().nanos() == 0 ? 0.0 : 1e6 * rows / all.again().nanos();
    }

    private double againMicros() {
      return 1.0 * all.again().cpuMicros() / rows;
    }
  }

  private record Times(Moment whole, Moment again) {}

  /** Sees when rows were read again in the job of this process. */
  private static final class Watch implements FaultInjection {
    private static final long serialVersionUID = 1L;
    private static final AtomicReference<Moment> FIRST = new AtomicReference<>();
    private static final AtomicReference<Moment> LAST = new AtomicReference<>();

    @Override
    public void reached(Step step) {
      if (step == Step.SECOND_READ || step == Step.FIT) {
        Moment now = Moment.now();
        FIRST.compareAndSet(null, now);
        LAST.set(now);
      }
    }

    static void clear() {
      FIRST.set(null);
      LAST.set(null);
    }

    /** How long rows were read again; no time if they were not. */
    static Moment again() {
      return FIRST.get() == null ? new Moment(0, 0) : LAST.get().since(FIRST.get());
    }
  }

  private record Moment(long nanos, long cpuMicros) {
    static Moment now() {
      return new Moment(System.nanoTime(), RowMeter.cpuMicros());
    }

    Moment since(Moment before) {
      return new Moment(nanos - before.nanos, cpuMicros - before.cpuMicros);
    }
  }

  private static Times run(LocalCluster cluster, Path file) throws Exception {
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
    SketchJob.build(env, prepared.settings().withProbe(new Watch()));
    Watch.clear();
    Moment start = Moment.now();
    cluster.submit(env, file.getFileName().toString()).result().get();
    return new Times(Moment.now().since(start), Watch.again());
  }

  /** A topic of rows, and the configs of jobs that read it. */
  private record Topic(Path folder, String format, String bootstrap, String name, int partitions) {
    private void send(int rows) throws Exception {
      Throughput.send(config("models: [{name: m, mechanism: huber}]", "send"), rows, partitions);
    }

    private Path config(String mechanism, String run) throws Exception {
      String id = String.join("-", name, Integer.toString(partitions), kind(mechanism), run);
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

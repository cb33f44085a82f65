package io.gauze.benchmarks;

import io.gauze.config.StreamConfig;
import io.gauze.local.LocalCluster;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * Where the sketch job of {@link Throughput} spends its CPU: the samples of JDK Flight Recorder by
 * kind of code. Only threads that run Java code are sampled, so what the collector and the compiler
 * of the JVM take is not in the shares.
 */
public final class RowProfile {
  /** The prefixes of classes of each kind. The innermost frame of one of them decides. */
  private static final Map<String, List<String>> KINDS = new LinkedHashMap<>();

  static {
    KINDS.put("decode", List.of("io.gauze.source.", "com.fasterxml.jackson.", "org.apache.avro."));
    KINDS.put("accept, encode, tag", List.of("io.gauze.row."));
    KINDS.put("sketches", List.of("io.gauze.sketch."));
    KINDS.put("operators", List.of("io.gauze.pipeline.", "io.gauze.stream.", "io.gauze.config."));
    KINDS.put(
        "consumer", List.of("org.apache.kafka.", "org.apache.flink.connector.", "io.gauze.kafka."));
    KINDS.put("Flink", List.of("org.apache.flink."));
  }

  private static final String SAMPLE = "jdk.ExecutionSample";
  private static final String OTHER = "other";
  private static final int FEW_ROWS = 300_000;
  private static final int WARM_UPS = 6;
  private static final Duration PERIOD = Duration.ofMillis(10);

  private RowProfile() {}

  /**
   * Runs.
   *
   * @param args rows of JSON (8,000,000) and of Avro (24,000,000); 0 leaves one out
   */
  public static void main(String[] args) throws Exception {
    Map<String, Integer> rows = new LinkedHashMap<>();
    rows.put("json", args.length > 0 ? Integer.parseInt(args[0]) : 8_000_000);
    rows.put("avro", args.length > 1 ? Integer.parseInt(args[1]) : 24_000_000);
    rows.values().removeIf(count -> count == 0);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println("| format | part | share of samples |\n|---|---|---|");
    try (TemporaryFolder temporary = TemporaryFolder.create("gauze-profile-");
        ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of());
        LocalCluster cluster = LocalCluster.start(2)) {
      String bootstrap = broker.line();
      for (Map.Entry<String, Integer> each : rows.entrySet()) {
        String format = each.getKey();
        Path folder = temporary.path();
        Path few = Throughput.prepare(folder, format, "few-" + format, bootstrap, FEW_ROWS);
        Path all = Throughput.prepare(folder, format, format, bootstrap, each.getValue());
        Path recording = folder.resolve(format + ".jfr");
        record(cluster, few, all, recording);
        print(out, format, shares(recording));
      }
    }
  }

  private static void record(LocalCluster cluster, Path few, Path all, Path to) throws Exception {
    StreamConfig small = StreamConfig.read(few);
    for (int i = 0; i < WARM_UPS; i++) {
      new ThroughputWorker(small, "sketch-" + small.stream() + "-" + i).run(cluster);
    }
    StreamConfig large = StreamConfig.read(all);
    new ThroughputWorker(large, "sketch-" + large.stream() + "-first").run(cluster);
    ThroughputWorker job = new ThroughputWorker(large, "sketch-" + large.stream() + "-second");
    try (Recording recording = new Recording()) {
      recording.enable(SAMPLE).withPeriod(PERIOD);
      recording.start();
      job.run(cluster);
      recording.stop();
      recording.dump(to);
    }
  }

  private static Map<String, Integer> shares(Path recording) throws IOException {
    Map<String, Integer> samples = new LinkedHashMap<>();
    Stream.concat(KINDS.keySet().stream(), Stream.of(OTHER)).forEach(kind -> samples.put(kind, 0));
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        boolean isSample = event.getEventType().getName().equals(SAMPLE);
        if (isSample && event.getStackTrace() != null) {
          samples.merge(kind(event.getStackTrace().getFrames()), 1, Integer::sum);
        }
      }
    }
    return samples;
  }

  /** Returns the kind of a stack, whose innermost frame comes first. */
  private static String kind(List<RecordedFrame> frames) {
    return frames.stream()
        .map(RecordedFrame::getMethod)
        .flatMap(RowProfile::kinds)
        .findFirst()
        .orElse(OTHER);
  }

  private static Stream<String> kinds(RecordedMethod method) {
    String type = method.getType().getName();
    return KINDS.entrySet().stream()
        .filter(kind -> kind.getValue().stream().anyMatch(type::startsWith))
        .map(Map.Entry::getKey);
  }

  private static void print(PrintStream out, String format, Map<String, Integer> samples) {
    double all = samples.values().stream().mapToInt(Integer::intValue).sum();
    samples.forEach(
        (kind, count) ->
            out.println(
                String.format(
                    Locale.ROOT, "| %s | %s | %.1f %% |", format, kind, 100 * count / all)));
  }
}

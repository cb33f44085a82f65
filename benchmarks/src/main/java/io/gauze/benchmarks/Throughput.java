package io.gauze.benchmarks;

import io.gauze.config.StreamConfig;
import io.gauze.source.Change;
import io.gauze.source.RowFields;
import io.gauze.source.file.CsvOptions;
import io.gauze.source.file.CsvRows;
import io.gauze.source.format.RecordWriter;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What a row costs in the sketch job, with noisy moments and 1,024 buckets of 12 columns, against
 * the same source and decoder whose rows are dropped before they are encoded. The broker is a
 * process of its own. Every run is a new process, in which the two kinds of job take turns, two
 * jobs of each after one to warm up: what the compiler makes of a decoder differs from process to
 * process, but both kinds have the same.
 */
public final class Throughput {
  static final int COLUMNS = 11; // 12 with the intercept
  private static final int FEW_ROWS = 300_000; // of jobs that warm up

  private Throughput() {}

  /**
   * Runs.
   *
   * @param args rows of JSON (16,000,000) and of Avro (48,000,000), 0 leaves one out; and runs of
   *     each kind (5)
   */
  public static void main(String[] args) throws Exception {
    Map<String, Integer> rows = new LinkedHashMap<>();
    rows.put("json", args.length > 0 ? Integer.parseInt(args[0]) : 16_000_000);
    rows.put("avro", args.length > 1 ? Integer.parseInt(args[1]) : 48_000_000);
    rows.values().removeIf(count -> count == 0);
    int runs = args.length > 2 ? Integer.parseInt(args[2]) : 5;
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (TemporaryFolder temporary = TemporaryFolder.create("gauze-throughput-");
        ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of())) {
      Path folder = temporary.path();
      String bootstrap = broker.line();
      out.println(
          "| format | rows | measured | decoder alone, us a row | sketch job, us a row | ratio |"
              + " rows/s |");
      out.println("|---|---|---|---|---|---|---|");
      for (String format : rows.keySet()) {
        Path few = prepare(folder, format, "few-" + format, bootstrap, FEW_ROWS);
        Path all = prepare(folder, format, format, bootstrap, rows.get(format));
        out.println(compare(format, List.of(few, all), rows.get(format), runs));
      }
    }
  }

  /**
   * Sends rows to a topic of their own.
   *
   * @return the config of a stream that reads them
   */
  static Path prepare(Path folder, String format, String name, String bootstrap, int rows)
      throws Exception {
    Files.writeString(folder.resolve("rows.avsc"), avroSchema());
    Path config = folder.resolve(name + ".yaml");
    Files.writeString(config, config(format, "rows-" + name, bootstrap));
    send(config, rows);
    return config;
  }

  private static String compare(String format, List<Path> configs, int rows, int runs)
      throws Exception {
    List<Measured> dropped = new ArrayList<>();
    List<Measured> sketched = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      try (ChildProcess worker = worker(configs, rows)) {
        measure(worker, "drop-warm-" + run, rows);
        measure(worker, "sketch-warm-" + run, rows);
        Measured drop = measure(worker, "drop-first-" + run, rows);
        Measured sketch = measure(worker, "sketch-first-" + run, rows);
        sketched.add(sketch.mean(measure(worker, "sketch-second-" + run, rows)));
        dropped.add(drop.mean(measure(worker, "drop-second-" + run, rows)));
      }
      System.err.println(
          format + ", run " + run + ": " + dropped.get(run) + ", " + sketched.get(run));
    }
    double speed = median(sketched, Measured::rowsPerSecond);
    String what = String.format(Locale.ROOT, "%s | %,d", format, rows);
    return line(what + " | while rows come", dropped, sketched, Measured::flowing, speed)
        + "\n"
        + line(what + " | the whole job", dropped, sketched, Measured::microseconds, speed);
  }

  private static String line(
      String what,
      List<Measured> dropped,
      List<Measured> sketched,
      ToDoubleFunction<Measured> micros,
      double speed) {
    double alone = median(dropped, micros);
    double full = median(sketched, micros);
    return String.format(
        Locale.ROOT, "| %s | %.3f | %.3f | %.3f | %,.0f |", what, alone, full, alone / full, speed);
  }

  /** Microseconds a row of the whole job, and while rows came. */
  private record Measured(double microseconds, double flowing, double rowsPerSecond) {
    Measured mean(Measured other) {
      return new Measured(
          (microseconds + other.microseconds) / 2,
          (flowing + other.flowing) / 2,
          (rowsPerSecond + other.rowsPerSecond) / 2);
    }
  }

  /** One that is warm. */
  private static ChildProcess worker(List<Path> configs, int rows) throws IOException {
    List<String> arguments = new ArrayList<>();
    configs.forEach(config -> arguments.add(config.toString()));
    arguments.add(Integer.toString(rows));
    arguments.add("drop,sketch");
    ChildProcess worker = ChildProcess.start(ThroughputWorker.class, arguments);
    worker.line();
    return worker;
  }

  private static Measured measure(ChildProcess worker, String job, int rows) throws IOException {
    String[] parts = worker.ask(job).split(" ", -1);
    return new Measured(
        Double.parseDouble(parts[0]) / rows,
        Double.parseDouble(parts[2]),
        rows / (1e-6 * Double.parseDouble(parts[1])));
  }

  private static double median(List<Measured> runs, ToDoubleFunction<Measured> of) {
    return runs.stream().mapToDouble(of).sorted().toArray()[runs.size() / 2];
  }

  static String config(String format, String topic, String bootstrap) {
    StringBuilder text = new StringBuilder("stream: speed-" + format + "\ncolumns:\n");
    for (int i = 0; i < COLUMNS; i++) {
      text.append("  - {name: c").append(i).append(", lower: -1, upper: 1}\n");
    }
    String schema = format.equals("avro") ? ", schema: rows.avsc" : "";
    return text
        + """
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: all}
        sketches:
          - {name: moments, mechanism: noisy-moments}
          - {name: buckets, mechanism: count-sketch, buckets: 1024}
        kafka:
          bootstrap: BOOTSTRAP
          rows: {topic: TOPIC, format: FORMATSCHEMA}
          create: {partitions: 4, replicas: 1}
        flink:
          properties: {parallelism.default: 2, execution.checkpointing.interval: 10 s}
        """
            .replace("BOOTSTRAP", bootstrap)
            .replace("TOPIC", topic)
            .replace("SCHEMA", schema)
            .replace("FORMAT", format);
  }

  static String avroSchema() {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      fields.add("{\"name\": \"c" + i + "\", \"type\": \"double\"}");
    }
    return "{\"type\": \"record\", \"name\": \"Row\", \"fields\": ["
        + String.join(", ", fields)
        + "]}";
  }

  /** Rows of six digits, as meters and forms give them. */
  static void send(Path file, int rows) throws Exception {
    send(file, rows, 4);
  }

  static void send(Path file, int rows, int partitions) throws Exception {
    StreamConfig config = StreamConfig.read(file);
    KafkaAccess kafka = new KafkaAccess(config.kafka().requireBootstrap(), Map.of());
    Optional<TopicAdmin.Creation> creation =
        Optional.of(new TopicAdmin.Creation(partitions, (short) 1));
    String topic = config.kafka().topics().rows();
    try (TopicAdmin admin = new TopicAdmin(kafka, creation)) {
      admin.rows(topic, false, false);
    }
    List<byte[]> values = values(file, rows);
    try (KafkaProducer<byte[], byte[]> producer = kafka.producer(Map.of("linger.ms", "20"))) {
      for (int i = 0; i < rows; i++) {
        byte[] value = values.get(i % values.size());
        var unused = producer.send(new ProducerRecord<>(topic, i % partitions, null, value));
      }
      producer.flush();
    }
  }

  /**
   * Makes rows of six digits, in the format of a config.
   *
   * @param rows how many are needed; there are at most 100,000 different ones
   */
  static List<byte[]> values(Path file, int rows) throws Exception {
    StreamConfig config = StreamConfig.read(file);
    Path csv = file.resolveSibling("rows.csv");
    writeCsv(csv, Math.min(rows, 100_000));
    RecordWriter writer =
        config
            .kafka()
            .rows()
            .format()
            .writer(RowFields.of(config.schema(), List.of()), Change.INSERT)
            .orElseThrow();
    List<byte[]> values = new ArrayList<>();
    try (CsvRows source =
        CsvRows.open(csv.toString(), CsvOptions.DEFAULT, CsvRows.Reader.of(config.schema()))) {
      while (source.hasNext()) {
        values.add(writer.write(source.nextRow()));
      }
    }
    return values;
  }

  private static void writeCsv(Path file, int rows) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < COLUMNS; i++) {
      text.append(i == 0 ? "c" : ",c").append(i);
    }
    for (int k = 0; k < rows; k++) {
      text.append('\n');
      for (int i = 0; i < COLUMNS; i++) {
        text.append(i == 0 ? "" : ",")
            .append(String.format(Locale.ROOT, "%.6f", random.nextDouble(-1, 1)));
      }
    }
    Files.writeString(file, text);
  }
}

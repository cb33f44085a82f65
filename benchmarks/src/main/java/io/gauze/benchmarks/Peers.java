package io.gauze.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.gauze.config.StreamConfig;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The CPU that the sketch job of {@link Throughput} takes a row, beside what others do with the
 * same records: consumers that drop them, a Java program with the same sums and no Flink, and a
 * Flink job that drops each row once it is decoded. Records are compressed, have keys, come in
 * transactions, or carry the id of a schema.
 *
 * <p>Each kind of records has a process of its own, in which the four programs take turns, each
 * with few rows and with all. A figure is the difference of the two over the rows between them, so
 * that what starts and ends a program is not in it.
 *
 * <p>A second table has the rows a second of the sketch job on one core of the machine, by Linux's
 * {@code taskset}, and on all. The broker has all cores in both cases.
 */
public final class Peers {
  private static final int FEW_ROWS = 300_000;
  private static final int PARTITIONS = 4;
  private static final int TRANSACTION = 1_000; // records
  private static final int KEY_BYTES = 16;
  private static final int SCHEMA_ID = 7;
  private static final List<String> ONE_CORE = List.of("taskset", "-c", "0");
  private static final List<String> SCALED = List.of("json", "avro"); // of the second table
  private static final List<String> KINDS = List.of("bare", "plain", "drop", "sketch");

  private final Path folder;
  private final String bootstrap;
  private final String registry;
  private final List<String> scaling = new ArrayList<>();

  private Peers(Path folder, String bootstrap, String registry) {
    this.folder = folder;
    this.bootstrap = bootstrap;
    this.registry = registry;
  }

  /** Records of a topic. */
  private record Records(
      String name, String format, String compression, boolean keys, boolean transactions) {
    static Records of(String name, String format) {
      return new Records(name, format, "none", false, false);
    }

    static Records compressed(String format, String with) {
      return new Records(format + ", " + with, format, with, false, false);
    }

    String topic() {
      return name.replaceAll("[^a-z0-9]+", "-");
    }
  }

  private static final String TWO_STAGES = "avro, two-stage-moments";

  private static List<Records> all() {
    return List.of(
        Records.of("json", "json"),
        Records.compressed("json", "lz4"),
        Records.compressed("json", "zstd"),
        Records.of("avro", "avro"),
        Records.compressed("avro", "lz4"),
        Records.compressed("avro", "zstd"),
        new Records("avro, keys", "avro", "none", true, false),
        new Records("avro, transactions", "avro", "none", false, true),
        Records.of("avro-confluent", "avro-confluent"),
        Records.of(TWO_STAGES, "avro"));
  }

  /**
   * Runs.
   *
   * @param args rows of JSON (3,000,000), rows of Avro (9,000,000), turns (5), and a part of the
   *     names of records (all)
   */
  public static void main(String[] args) throws Exception {
    int json = args.length > 0 ? Integer.parseInt(args[0]) : 3_000_000;
    int avro = args.length > 1 ? Integer.parseInt(args[1]) : 9_000_000;
    int turns = args.length > 2 ? Integer.parseInt(args[2]) : 5;
    String part = args.length > 3 ? args[3] : "";
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    out.println(
        "| records | bare consumer | plain job | decoder alone | sketch job | sketch job / bare"
            + " | decoder / sketch job | rows a second |");
    out.println("|---|---|---|---|---|---|---|---|");
    HttpServer registry = registry();
    try (TemporaryFolder temporary = TemporaryFolder.create("gauze-peers-");
        ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of())) {
      String url = "http://127.0.0.1:" + registry.getAddress().getPort();
      Files.writeString(temporary.path().resolve("rows.avsc"), Throughput.avroSchema());
      Peers peers = new Peers(temporary.path(), broker.line(), url);
      for (Records each : all()) {
        if (each.name().contains(part)) {
          out.println(peers.line(each, each.format().equals("json") ? json : avro, turns));
        }
      }
      out.println("\n| records | rows a second on one core | on all cores | ratio |");
      out.println("|---|---|---|---|");
      peers.scaling.forEach(out::println);
    } finally {
      registry.stop(0);
    }
  }

  /** A registry that has one schema. */
  private static HttpServer registry() throws IOException {
    String quoted = Throughput.avroSchema().replace("\"", "\\\"");
    byte[] answer = ("{\"schema\": \"" + quoted + "\"}").getBytes(UTF_8);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/schemas/ids/" + SCHEMA_ID,
        exchange -> {
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    return server;
  }

  private String line(Records records, int rows, int turns) throws Exception {
    Path few = prepare(records, "few", FEW_ROWS);
    Path all = prepare(records, "all", rows);
    List<String> arguments =
        List.of(few.toString(), all.toString(), Integer.toString(rows), String.join(",", KINDS));
    Map<String, List<Double>> micros = new LinkedHashMap<>();
    List<Double> speeds = new ArrayList<>();
    try (ChildProcess worker = ChildProcess.start(ThroughputWorker.class, arguments)) {
      worker.line();
      for (int turn = -1; turn < turns; turn++) {
        for (String kind : KINDS) {
          double[] each = measure(worker, kind + "-" + records.topic() + "-" + (turn + 1), rows);
          if (turn >= 0) { // the first one warms up
            micros.computeIfAbsent(kind, any -> new ArrayList<>()).add(each[0]);
          }
          if (turn >= 0 && kind.equals("sketch")) {
            speeds.add(each[1]);
          }
        }
      }
    }
    if (SCALED.contains(records.name())) {
      scaling.add(scaling(records, List.of(few.toString(), all.toString()), rows, turns));
    }
    try (Admin admin = new KafkaAccess(bootstrap, Map.of()).admin()) { // for the sake of the disk
      admin.deleteTopics(List.of(topic(records, "few"), topic(records, "all"))).all().get();
    }
    StringBuilder line = new StringBuilder("| ").append(records.name());
    micros.values().forEach(each -> line.append(" | ").append(cell(each)));
    double sketch = median(micros.get("sketch"));
    return line.append(
            String.format(
                Locale.ROOT,
                " | %.2f | %.2f | %,.0f |",
                sketch / median(micros.get("bare")),
                median(micros.get("drop")) / sketch,
                median(speeds)))
        .toString();
  }

  private static String scaling(Records records, List<String> configs, int rows, int turns)
      throws IOException {
    List<String> arguments = new ArrayList<>(configs);
    arguments.addAll(List.of(Integer.toString(rows), "sketch"));
    List<List<Double>> speeds = List.of(new ArrayList<>(), new ArrayList<>());
    try (ChildProcess one = ChildProcess.start(ONE_CORE, ThroughputWorker.class, arguments);
        ChildProcess all = ChildProcess.start(ThroughputWorker.class, arguments)) {
      List<ChildProcess> workers = List.of(one, all);
      one.line();
      all.line();
      for (int turn = -1; turn < turns; turn++) {
        for (int i = 0; i < workers.size(); i++) {
          String job = "sketch-cores" + i + "-" + records.topic() + "-" + (turn + 1);
          double speed = measure(workers.get(i), job, rows)[1];
          if (turn >= 0) {
            speeds.get(i).add(speed);
          }
        }
      }
    }
    double slow = median(speeds.get(0));
    double fast = median(speeds.get(1));
    return String.format(
        Locale.ROOT, "| %s | %,.0f | %,.0f | %.2f |", records.name(), slow, fast, fast / slow);
  }

  /** Returns the CPU of a row in microseconds, and rows a second. */
  private static double[] measure(ChildProcess worker, String job, int rows) throws IOException {
    double[] less = ask(worker, "few " + job + "-few");
    double[] more = ask(worker, "all " + job);
    double counted = rows - FEW_ROWS;
    return new double[] {(more[0] - less[0]) / counted, 1e6 * counted / (more[1] - less[1])};
  }

  /** Returns CPU and time of a job, in microseconds. */
  private static double[] ask(ChildProcess worker, String job) throws IOException {
    String[] parts = worker.ask(job).split(" ", -1);
    return new double[] {Double.parseDouble(parts[0]), Double.parseDouble(parts[1])};
  }

  private static String cell(List<Double> micros) {
    List<Double> sorted = micros.stream().sorted().toList();
    return String.format(
        Locale.ROOT,
        "%.3f (%.3f to %.3f)",
        median(micros),
        sorted.get(0),
        sorted.get(sorted.size() - 1));
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static String topic(Records records, String size) {
    return "rows-" + records.topic() + "-" + size;
  }

  private Path prepare(Records records, String size, int rows) throws Exception {
    String topic = topic(records, size);
    boolean framed = records.format().equals("avro-confluent");
    String format = framed ? "avro" : records.format();
    String text = Throughput.config(format, topic, bootstrap);
    Path written = folder.resolve(topic + "-written.yaml");
    Files.writeString(written, text);
    List<byte[]> values = Throughput.values(written, rows);
    if (framed) {
      values.replaceAll(Peers::framed);
      String url = "avro-confluent, registry: {url: \"" + registry + "\"}";
      text = text.replace("avro, schema: rows.avsc", url);
    }
    if (records.name().equals(TWO_STAGES)) {
      text = text.replace("noisy-moments", "two-stage-moments");
    }
    Path config = folder.resolve(topic + ".yaml");
    Files.writeString(config, text);
    send(records, StreamConfig.read(config), values, rows);
    return config;
  }

  private static byte[] framed(byte[] value) {
    return ByteBuffer.allocate(5 + value.length).put((byte) 0).putInt(SCHEMA_ID).put(value).array();
  }

  private void send(Records records, StreamConfig config, List<byte[]> values, int rows)
      throws Exception {
    KafkaAccess kafka = new KafkaAccess(bootstrap, Map.of());
    String topic = config.kafka().topics().rows();
    Optional<TopicAdmin.Creation> creation =
        Optional.of(new TopicAdmin.Creation(PARTITIONS, (short) 1));
    try (TopicAdmin admin = new TopicAdmin(kafka, creation)) {
      admin.rows(topic, false, false);
    }
    Map<String, String> settings = new HashMap<>(Map.of("linger.ms", "20"));
    settings.put("compression.type", records.compression());
    if (records.transactions()) {
      settings.putAll(KafkaAccess.transactional("peers-" + topic));
    }
    try (KafkaProducer<byte[], byte[]> producer = kafka.producer(settings)) {
      if (records.transactions()) {
        producer.initTransactions();
      }
      for (int i = 0; i < rows; i++) {
        if (records.transactions() && i % TRANSACTION == 0) {
          if (i > 0) {
            producer.commitTransaction();
          }
          producer.beginTransaction();
        }
        byte[] key = records.keys() ? key(i) : null;
        var unused =
            producer.send(
                new ProducerRecord<>(topic, i % PARTITIONS, key, values.get(i % values.size())));
      }
      if (records.transactions()) {
        producer.commitTransaction();
      }
      producer.flush();
    }
  }

  private static byte[] key(int row) {
    return ByteBuffer.allocate(KEY_BYTES).putLong(row).putLong(row).array();
  }
}

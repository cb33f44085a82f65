package io.gauze.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.config.StreamConfig;
import io.gauze.job.SketchJob;
import io.gauze.job.SketchPreflight;
import io.gauze.kafka.LogSource;
import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecordSchema;
import io.gauze.kafka.RowRecords;
import io.gauze.local.LocalCluster;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StreamSettings;
import io.gauze.topic.Topics;
import io.gauze.topic.VisibleEnds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads a topic of few rows to its end again and again, and then one of many whenever it is asked
 * to, and prints what that took.
 */
final class ThroughputWorker {
  /**
   * Jobs run for months: the compiler should be done with what starts and ends one before the job
   * that counts.
   */
  private static final int WARM_UPS = 6;

  private static final String FEW = "few ";
  private static final String ALL = "all ";

  private final StreamConfig config;
  private final SketchJobSettings settings;
  private final String kind;

  /**
   * @param run the kind, {@code bare}, {@code plain}, {@code drop} or {@code sketch}, a hyphen, and
   *     what else names its topics
   */
  ThroughputWorker(StreamConfig config, String run) throws Exception {
    this.config = config;
    this.kind = run.substring(0, run.indexOf('-'));
    SketchJobSettings job = StreamSettings.job(config, StreamSettings.plan(config), Instant.now());
    Topics topics =
        new Topics(
            job.topics().rows(),
            "releases-" + run,
            "ledger-" + run,
            "requests",
            "answers",
            "dead-" + run,
            "late-" + run);
    this.settings =
        SketchJobSettings.of(job.plan(), job.schedule(), job.kafka(), topics)
            .withInput(job.input());
  }

  /**
   * A line when it is warm. Then for each line that it is given, which begins with a kind and a
   * hyphen, such a job, whose topics are named after that line; prints process CPU and time, both
   * in microseconds, and the CPU a row from the middle of the topic to shortly before its end: what
   * starting and ending a job takes is not in that. A line that begins with {@code few} or {@code
   * all} and a blank asks for a job of few or of all rows, without the third figure.
   *
   * @param args the config of few rows, that of many, how many these are, and the kinds
   */
  public static void main(String[] args) throws Exception {
    StreamConfig few = StreamConfig.read(Path.of(args[0]));
    StreamConfig config = StreamConfig.read(Path.of(args[1]));
    long rows = Long.parseLong(args[2]);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    try (LocalCluster cluster = LocalCluster.start(2)) {
      for (int i = 0; i < WARM_UPS; i++) {
        String name = "warm-" + ProcessHandle.current().pid() + "-" + i;
        for (String kind : args[3].split(",", -1)) {
          new ThroughputWorker(few, kind + "-" + name).run(cluster);
        }
      }
      System.out.println("warm");
      for (String job = in.readLine(); job != null; job = in.readLine()) {
        if (job.startsWith(FEW) || job.startsWith(ALL)) {
          StreamConfig asked = job.startsWith(FEW) ? few : config;
          String name = job.substring(FEW.length());
          System.out.println(new ThroughputWorker(asked, name).measured(cluster));
        } else {
          System.out.println(new ThroughputWorker(config, job).measured(cluster, rows));
        }
      }
    }
  }

  private String measured(LocalCluster cluster, long rows) throws Exception {
    RowMeter meter = RowMeter.start(rows);
    return measured(cluster) + " " + meter.microsARow();
  }

  private String measured(LocalCluster cluster) throws Exception {
    long cpu = RowMeter.cpuMicros();
    long start = System.nanoTime();
    run(cluster);
    long end = System.nanoTime();
    return (RowMeter.cpuMicros() - cpu) + " " + (end - start) / 1000;
  }

  /** Runs the job to its end. */
  void run(LocalCluster cluster) throws Exception {
    if (kind.equals("bare") || kind.equals("plain")) {
      new PlainJob(config, settings, kind.equals("plain")).run();
      return;
    }
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(
            SketchJob.configuration(Configuration.fromMap(config.flink())));
    if (kind.equals("drop")) {
      decodeOnly(env);
    } else {
      SketchJob.build(
          env, SketchPreflight.prepare(settings, true, 1000, config.kafka().create()).settings());
    }
    cluster.submit(env, "throughput").result().get();
  }

  private void decodeOnly(StreamExecutionEnvironment env) throws IOException {
    String topic = settings.topics().rows();
    Map<TopicPartition, Long> stops = new HashMap<>();
    VisibleEnds.now(settings.kafka(), topic)
        .forEach((partition, end) -> stops.put(new TopicPartition(topic, partition), end));
    Properties properties = settings.kafka().properties();
    properties.setProperty("isolation.level", "read_committed");
    properties.setProperty("commit.offsets.on.checkpoint", "false");
    KafkaSource<RowRecord> source =
        KafkaSource.<RowRecord>builder()
            .setBootstrapServers(settings.kafka().bootstrap())
            .setTopics(topic)
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setBounded(OffsetsInitializer.offsets(stops))
            .setDeserializer(new RowRecordSchema())
            .setProperties(properties)
            .build();
    env.fromSource(new LogSource(source), WatermarkStrategy.noWatermarks(), "rows", RowRecords.TYPE)
        .filter(new Decode(config.kafka().rows().format(), config.schema()))
        .sinkTo(new DiscardingSink<>());
  }

  /** Decodes and drops. */
  private static final class Decode extends RichFilterFunction<RowRecords> {
    private static final long serialVersionUID = 1L;
    private final RecordFormat format;
    private final RowSchema schema;
    private transient RecordDecoder decoder;
    private transient RowImage before;
    private transient RowImage after;

    Decode(RecordFormat format, RowSchema schema) {
      this.format = format;
      this.schema = schema;
    }

    @Override
    public void open(OpenContext context) {
      RowFields fields = RowFields.of(schema, List.of());
      decoder = format.decoder(fields);
      before = new RowImage(fields);
      after = new RowImage(fields);
    }

    @Override
    public boolean filter(RowRecords records) throws RowRejectedException {
      for (int i = 0; i < records.size(); i++) {
        Optional<byte[]> value = records.get(i).value();
        decoder.decode(value.orElseThrow(), before, after);
      }
      return false;
    }
  }
}

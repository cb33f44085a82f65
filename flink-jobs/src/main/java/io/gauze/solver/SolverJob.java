package io.gauze.solver;

import io.gauze.answer.ReleaseTopic;
import io.gauze.topic.KafkaAccess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Builds the graph of the job that answers the requests of one topic from the releases of another.
 */
public final class SolverJob {
  private static final int MAX_PARALLELISM = 128;
  private static final Duration BUFFER_TIMEOUT = Duration.ofMillis(5);

  private SolverJob() {}

  /** Returns the Flink settings of the job: those of {@code user}, and defaults for all others. */
  public static Configuration configuration(Configuration user) {
    Configuration config = new Configuration();
    config.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
    config.set(ExecutionOptions.BUFFER_TIMEOUT, BUFFER_TIMEOUT);
    config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(10));
    config.set(PipelineOptions.OBJECT_REUSE, true);
    config.set(PipelineOptions.GENERIC_TYPES, false);
    config.set(PipelineOptions.MAX_PARALLELISM, MAX_PARALLELISM);
    config.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    config.addAll(user);
    return config;
  }

  /** Adds the job to {@code env}, whose configuration must be that of {@link #configuration}. */
  public static void build(StreamExecutionEnvironment env, SolverSettings settings) {
    KafkaAccess kafka = settings.kafka();
    String releases = settings.topics().releases();
    env.fromSource(
            requests(settings),
            WatermarkStrategy.noWatermarks(),
            name("requests", settings),
            RequestRecord.TYPE)
        .uid(SolverUids.REQUESTS)
        .transform(
            name("solve", settings),
            Answer.TYPE,
            new SolveOperator(
                settings.stream(),
                settings.topics().requests(),
                () -> new ReleaseTopic(kafka, releases)))
        .uid(SolverUids.SOLVE)
        .sinkTo(answers(settings))
        .name(name("answers", settings))
        .uid(SolverUids.ANSWERS);
  }

  /**
   * Returns an operator's name, which contains the stream, since metrics identify operators by
   * name.
   */
  private static String name(String operator, SolverSettings settings) {
    return settings.stream() + ": " + operator;
  }

  private static KafkaSource<RequestRecord> requests(SolverSettings settings) {
    Properties properties = settings.kafka().properties();
    properties.setProperty("isolation.level", "read_committed");
    properties.setProperty("partition.discovery.interval.ms", "10000");
    properties.setProperty("commit.offsets.on.checkpoint", "true");
    return KafkaSource.<RequestRecord>builder()
        .setBootstrapServers(settings.kafka().bootstrap())
        .setTopics(settings.topics().requests())
        .setGroupId(settings.group())
        .setClientIdPrefix(settings.group())
        .setStartingOffsets(starts(settings))
        .setDeserializer(new Records())
        .setProperties(properties)
        .build();
  }

  private static OffsetsInitializer starts(SolverSettings settings) {
    if (settings.starts().isEmpty()) {
      return OffsetsInitializer.earliest();
    }
    Map<TopicPartition, Long> offsets = new HashMap<>();
    settings
        .starts()
        .forEach(
            (partition, offset) ->
                offsets.put(new TopicPartition(settings.topics().requests(), partition), offset));
    return OffsetsInitializer.offsets(offsets);
  }

  private static KafkaSink<Answer> answers(SolverSettings settings) {
    Properties properties = settings.kafka().properties();
    properties.setProperty("linger.ms", "1"); // sends the answers of one moment together
    return KafkaSink.<Answer>builder()
        .setBootstrapServers(settings.kafka().bootstrap())
        .setKafkaProducerConfig(properties)
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .setRecordSerializer(new Keyed(settings.topics().answers()))
        .build();
  }

  /** Copies requests without decoding them, so that none can stop the source. */
  private static final class Records implements KafkaRecordDeserializationSchema<RequestRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RequestRecord> out) {
      out.collect(
          RequestRecord.of(
              record.partition(),
              record.offset(),
              Optional.ofNullable(record.key()),
              Optional.ofNullable(record.value())));
    }

    @Override
    public TypeInformation<RequestRecord> getProducedType() {
      return RequestRecord.TYPE;
    }
  }

  /** Serializes an answer's JSON under the id of its request. */
  private static final class Keyed implements KafkaRecordSerializationSchema<Answer> {
    private static final long serialVersionUID = 1L;
    private final String topic;

    Keyed(String topic) {
      this.topic = topic;
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
        Answer answer, KafkaSinkContext context, Long timestamp) {
      return new ProducerRecord<>(
          topic, answer.id().getBytes(StandardCharsets.UTF_8), answer.json());
    }
  }
}

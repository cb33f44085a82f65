package io.gauze.solver;

import io.gauze.source.KafkaAccess;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
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

/**
 * Builds the job that reads releases, fits the response on each, and writes the answers, keyed by
 * release id. At least once.
 */
public final class SolverJob {
  private static final String RELEASES_UID = "releases-source-v1";
  private static final String SOLVE_UID = "solve-v1";
  private static final String ANSWERS_UID = "answers-sink-v1";

  private SolverJob() {}

  /**
   * Adds the job to {@code env}.
   *
   * @param response the column to explain by all others
   */
  public static void build(
      StreamExecutionEnvironment env,
      KafkaAccess kafka,
      String releases,
      String answers,
      String response) {
    Properties committed = kafka.properties();
    committed.setProperty("isolation.level", "read_committed");
    KafkaSource<byte[]> source =
        KafkaSource.<byte[]>builder()
            .setBootstrapServers(kafka.bootstrap())
            .setTopics(releases)
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setDeserializer(new Body())
            .setProperties(committed)
            .build();
    env.fromSource(
            source,
            WatermarkStrategy.noWatermarks(),
            "releases",
            PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)
        .uid(RELEASES_UID)
        .flatMap(new SolveFunction(response))
        .returns(Answer.TYPE)
        .name("solve")
        .uid(SOLVE_UID)
        .sinkTo(
            KafkaSink.<Answer>builder()
                .setBootstrapServers(kafka.bootstrap())
                .setKafkaProducerConfig(kafka.properties())
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setRecordSerializer(new Keyed(answers))
                .build())
        .name("answers")
        .uid(ANSWERS_UID);
  }

  /** A release's bytes. */
  private static final class Body implements KafkaRecordDeserializationSchema<byte[]> {
    private static final long serialVersionUID = 1L;

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<byte[]> out) {
      out.collect(record.value() == null ? new byte[0] : record.value());
    }

    @Override
    public TypeInformation<byte[]> getProducedType() {
      return PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
    }
  }

  /** An answer's JSON under the id of its release. */
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
          topic, answer.release().getBytes(StandardCharsets.UTF_8), answer.toJson());
    }
  }
}

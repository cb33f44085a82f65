package io.gauze.kafka;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Copies a record's bytes, place and time without decoding them, so that no value can stop the
 * source. The operator that folds the rows decodes them.
 */
public final class RowRecordSchema implements KafkaRecordDeserializationSchema<RowRecord> {
  private static final long serialVersionUID = 1L;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RowRecord> out) {
    out.collect(RowRecord.of(record));
  }

  @Override
  public TypeInformation<RowRecord> getProducedType() {
    return RowRecord.TYPE;
  }
}

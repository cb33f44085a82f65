package io.gauze.sql;

import java.io.IOException;
import java.util.Set;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;

/** The format {@code gauze-release} of records, such as those of Kafka. */
public final class ReleaseFormatFactory implements DeserializationFormatFactory {
  @Override
  public String factoryIdentifier() {
    return ReleaseDecoder.FORMAT;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(ReleaseDecoder.IGNORE_PARSE_ERRORS);
  }

  @Override
  public DecodingFormat<DeserializationSchema<RowData>> createDecodingFormat(
      DynamicTableFactory.Context context, ReadableConfig options) {
    FactoryUtil.validateFactoryOptions(this, options);
    return new Format(ReleaseDecoder.check(context, options));
  }

  private record Format(ReleaseDecoder.Damaged damaged)
      implements DecodingFormat<DeserializationSchema<RowData>> {
    @Override
    public DeserializationSchema<RowData> createRuntimeDecoder(
        DynamicTableSource.Context context, DataType table) {
      return new Schema(ReleaseDecoder.of(table, damaged), context.createTypeInformation(table));
    }

    @Override
    public ChangelogMode getChangelogMode() {
      return ChangelogMode.insertOnly();
    }
  }

  private record Schema(ReleaseDecoder decoder, TypeInformation<RowData> type)
      implements DeserializationSchema<RowData> {
    // A record without a value takes a release out of the topic; Flink skips a row that is null.
    @Override
    public RowData deserialize(byte[] record) throws IOException {
      return record == null ? null : decoder.row(record).orElse(null);
    }

    @Override
    public boolean isEndOfStream(RowData row) {
      return false;
    }

    @Override
    public TypeInformation<RowData> getProducedType() {
      return type;
    }
  }
}

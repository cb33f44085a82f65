package io.gauze.sql;

import java.io.IOException;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.impl.StreamFormatAdapter;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.reader.SimpleStreamFormat;
import org.apache.flink.connector.file.src.reader.StreamFormat;
import org.apache.flink.connector.file.table.factories.BulkReaderFormatFactory;
import org.apache.flink.connector.file.table.format.BulkDecodingFormat;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;

/** The format {@code gauze-release} of files: each {@code .avro} file is one release. */
public final class ReleaseFileFormatFactory implements BulkReaderFormatFactory {
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
  public BulkDecodingFormat<RowData> createDecodingFormat(
      DynamicTableFactory.Context context, ReadableConfig options) {
    FactoryUtil.validateFactoryOptions(this, options);
    return new Format(ReleaseDecoder.check(context, options));
  }

  private record Format(ReleaseDecoder.Damaged damaged) implements BulkDecodingFormat<RowData> {
    @Override
    public BulkFormat<RowData, FileSourceSplit> createRuntimeDecoder(
        DynamicTableSource.Context context, DataType table) {
      return new StreamFormatAdapter<>(
          new WholeFile(ReleaseDecoder.of(table, damaged), context.createTypeInformation(table)));
    }

    @Override
    public ChangelogMode getChangelogMode() {
      return ChangelogMode.insertOnly();
    }
  }

  /** Reads a file as one release. */
  private static final class WholeFile extends SimpleStreamFormat<RowData> {
    private static final long serialVersionUID = 1L;

    private final ReleaseDecoder decoder;
    private final TypeInformation<RowData> type;

    WholeFile(ReleaseDecoder decoder, TypeInformation<RowData> type) {
      this.decoder = decoder;
      this.type = type;
    }

    @Override
    public StreamFormat.Reader<RowData> createReader(
        Configuration config, FSDataInputStream stream) {
      return new FileReader(decoder, stream);
    }

    @Override
    public TypeInformation<RowData> getProducedType() {
      return type;
    }
  }

  /** Gives the row of a file once. */
  private static final class FileReader implements StreamFormat.Reader<RowData> {
    private final ReleaseDecoder decoder;
    private final FSDataInputStream stream;
    private boolean isRead;

    FileReader(ReleaseDecoder decoder, FSDataInputStream stream) {
      this.decoder = decoder;
      this.stream = stream;
    }

    @Override
    public RowData read() throws IOException {
      if (isRead) {
        return null; // the end of the file
      }
      isRead = true;
      return decoder.row(stream.readAllBytes()).orElse(null);
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}

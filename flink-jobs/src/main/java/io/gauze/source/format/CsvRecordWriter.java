package io.gauze.source.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.source.file.CsvRow;
import java.util.List;

/** Writes rows as lines of separated values (RFC 4180), which {@link CsvRowDecoder} reads. */
final class CsvRecordWriter implements RecordWriter {
  private final List<String> columns;
  private final char separator;
  private final StringBuilder line = new StringBuilder();

  CsvRecordWriter(List<String> columns, char separator) {
    this.columns = columns;
    this.separator = separator;
  }

  @Override
  public byte[] write(CsvRow row) {
    line.setLength(0);
    for (int i = 0; i < columns.size(); i++) {
      if (i > 0) {
        line.append(separator);
      }
      row.value(columns.get(i)).ifPresent(this::append);
    }
    return line.toString().getBytes(UTF_8);
  }

  private void append(String value) {
    boolean plain =
        value.strip().equals(value)
            && value.chars().noneMatch(c -> c == separator || c == '"' || c == '\n' || c == '\r');
    if (plain) {
      line.append(value);
    } else {
      line.append('"').append(value.replace("\"", "\"\"")).append('"');
    }
  }
}

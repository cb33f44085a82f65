package io.gauze.source.format;

import io.gauze.source.Change;
import io.gauze.source.RowFields;
import io.gauze.source.file.CsvRow;
import io.gauze.source.file.RowWriter;
import java.util.Optional;

/** Writes JSON objects, or Debezium's change events around them, with all columns of a file. */
final class JsonRecordWriter implements RecordWriter {
  private final RowFields fields;
  private final Optional<Change> event;
  private final RowWriter writer = new RowWriter();

  /**
   * Creates a writer.
   *
   * @param event the change that Debezium's events make, an insertion or a deletion; empty for
   *     plain objects
   */
  JsonRecordWriter(RowFields fields, Optional<Change> event) {
    this.fields = fields;
    this.event = event;
  }

  @Override
  public byte[] write(CsvRow row) {
    writer.begin();
    if (event.isEmpty()) {
      members(row);
      return writer.end();
    }
    boolean insertion = event.get() == Change.INSERT;
    writer.none(insertion ? "before" : "after").object(insertion ? "after" : "before");
    members(row);
    return writer.endObject().text("op", insertion ? "c" : "d").end();
  }

  private void members(CsvRow row) {
    for (String name : row.fields()) {
      Optional<String> value = row.value(name);
      if (value.isPresent()) {
        member(name, value.get());
      } else if (event.isPresent()) {
        writer.none(name); // a row before a change must have all columns
      }
    }
  }

  private void member(String name, String value) {
    int field = fields.index(name);
    boolean column = field >= 0 && fields.isColumn(field);
    if (column) {
      writer.cell(name, value, fields.wantsNumber(field));
    } else {
      writer.literal(name, value);
    }
  }
}

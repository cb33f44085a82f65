package io.gauze.source;

import java.util.List;
import java.util.Optional;
import org.apache.commons.csv.CSVRecord;

/** A row of a file with a header line. Immutable. */
public final class CsvRow {
  private final List<String> fields;
  private final CSVRecord record;

  CsvRow(List<String> fields, CSVRecord record) {
    this.fields = fields;
    this.record = record;
  }

  /** The names of the file's columns, without duplicates, in the file's order. */
  public List<String> fields() {
    return fields;
  }

  /** A value; empty if it is missing or the file has no such column. */
  public Optional<String> value(String field) {
    String value = record.isSet(field) ? record.get(field) : null;
    return value == null || value.isEmpty() ? Optional.empty() : Optional.of(value);
  }

  /** The number of the row in its file, from 1. */
  public long number() {
    return record.getRecordNumber();
  }
}

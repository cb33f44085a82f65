package io.gauze.source.file;

import java.util.List;
import java.util.Optional;

/** A row of a file with a header line. Immutable. */
public final class CsvRow {
  private final CsvColumns columns;
  private final String[] values; // by column of the file, empty if missing
  private final long line;

  CsvRow(CsvColumns columns, String[] values, long line) {
    this.columns = columns;
    this.values = values;
    this.line = line;
  }

  /** The names of the file's columns, without duplicates, in the file's order. */
  public List<String> fields() {
    return columns.names();
  }

  /** A value; empty if it is missing or the file has no such column. */
  public Optional<String> value(String field) {
    int column = columns.index(field);
    return column < 0 || values[column].isEmpty() ? Optional.empty() : Optional.of(values[column]);
  }

  /** The number of the line with which the row begins in its file, from 1. */
  public long line() {
    return line;
  }
}

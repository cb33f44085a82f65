package io.gauze.demo;

import io.gauze.row.RowSchema;
import io.gauze.source.file.CsvOptions;
import io.gauze.source.file.CsvRows;
import java.io.IOException;

/**
 * A CSV file of rows.
 *
 * @param file its name, - for standard input
 * @param options how it is written
 */
record CsvInput(String file, CsvOptions options) {
  /**
   * Opens the file.
   *
   * @throws IOException if it cannot be read, or its header lacks a field of {@code schema}
   */
  CsvRows open(RowSchema schema) throws IOException {
    return CsvRows.open(file, options, CsvRows.Reader.of(schema));
  }
}

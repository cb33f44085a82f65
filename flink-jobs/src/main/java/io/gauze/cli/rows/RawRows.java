package io.gauze.cli.rows;

import io.gauze.regression.rows.ExactRows;
import io.gauze.row.RowCounts;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.file.CsvRows;
import io.gauze.source.json.JsonRowDecoder;
import java.io.IOException;
import java.util.List;

/**
 * Raw rows of a file: clamped and scaled, neither clipped nor rounded. NOT private.
 *
 * @param rows the rows that could be scaled
 * @param leftOut the rows that could not
 * @param counts the values outside of the ranges
 */
public record RawRows(ExactRows rows, LeftOutRows leftOut, RowCounts counts) {
  /**
   * Reads all of {@code records}.
   *
   * @throws IOException if the file cannot be read
   */
  public static RawRows read(CsvRows records, RowSchema schema) throws IOException {
    ExactRows rows = ExactRows.create(schema.dimension(), 1.0 / schema.half(0));
    RowFields fields = RowFields.of(schema, List.of());
    RowEncoder encoder = new RowEncoder(schema);
    RowImage image = new RowImage(fields, encoder);
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    double[] row = new double[schema.dimension()];
    LeftOutRows leftOut = new LeftOutRows();
    while (records.hasNext()) {
      try {
        decoder.decode(records.next(), image);
        image.scale(row);
        rows.add(row);
      } catch (RowRejectedException e) {
        leftOut.add(e.getMessage(), records.line());
      }
    }
    return new RawRows(rows, leftOut, encoder.counts());
  }
}

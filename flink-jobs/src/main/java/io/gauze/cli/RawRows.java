package io.gauze.cli;

import io.gauze.regression.ExactRows;
import io.gauze.row.RowCounts;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.JsonRowDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Raw rows of a file: clamped and scaled, neither clipped nor rounded. NOT private.
 *
 * @param rows the rows that could be scaled
 * @param rejected how many rows could not
 * @param reason why the first of them could not; contains no value
 * @param counts the values outside of the ranges
 */
record RawRows(ExactRows rows, long rejected, Optional<String> reason, RowCounts counts) {
  /** Reads all of {@code records}. */
  static RawRows read(Iterator<byte[]> records, RowSchema schema) {
    ExactRows rows = ExactRows.create(schema.dimension(), 1.0 / schema.half(0));
    RowFields fields = RowFields.of(schema, List.of());
    RowEncoder encoder = new RowEncoder(schema);
    RowImage image = new RowImage(fields, encoder);
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    double[] row = new double[schema.dimension()];
    long rejected = 0;
    Optional<String> reason = Optional.empty();
    while (records.hasNext()) {
      try {
        decoder.decode(records.next(), image);
        image.scale(row);
        rows.add(row);
      } catch (RowRejectedException e) {
        rejected++;
        reason = reason.isPresent() ? reason : Optional.of(e.getMessage());
      }
    }
    return new RawRows(rows, rejected, reason, encoder.counts());
  }
}

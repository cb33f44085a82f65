package io.gauze.cli;

import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.solve.ExactRows;
import io.gauze.source.JsonRowDecoder;
import java.util.Iterator;
import java.util.Optional;

/**
 * Rows as they are: clamped and scaled, neither clipped nor rounded. NOT private.
 *
 * @param rows that could be encoded
 * @param rejected how many could not
 * @param reason why the first of them could not; holds no value
 */
record RawRows(ExactRows rows, long rejected, Optional<String> reason) {
  /** Reads all of {@code records}. */
  static RawRows read(Iterator<byte[]> records, RowSchema schema) {
    ExactRows rows = ExactRows.create(schema.dimension(), 1.0 / schema.half(0));
    RowEncoder encoder = new RowEncoder(schema);
    JsonRowDecoder decoder = new JsonRowDecoder(schema);
    double[] row = new double[schema.dimension()];
    long rejected = 0;
    Optional<String> reason = Optional.empty();
    while (records.hasNext()) {
      try {
        decoder.decode(records.next(), encoder);
        encoder.scale(row);
        rows.add(row);
      } catch (RowRejectedException e) {
        rejected++;
        reason = reason.isPresent() ? reason : Optional.of(e.getMessage());
      }
    }
    return new RawRows(rows, rejected, reason);
  }
}

package io.gauze.source;

import io.gauze.row.RowRejectedException;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * A decoder of rows in Avro's binary encoding, without header, written with one known schema.
 * Fields that nothing reads are skipped. Not thread-safe. Cost: one pass over the bytes.
 */
final class AvroRowDecoder implements RecordDecoder {
  private final AvroPlan plan;
  private final AvroInput in = new AvroInput();

  /**
   * Creates a decoder.
   *
   * @throws IllegalArgumentException if the schema is not that of a record
   */
  AvroRowDecoder(Schema schema, RowFields fields) {
    this.plan = AvroPlan.of(schema, Optional.empty(), fields);
  }

  @Override
  public Change decode(byte[] value, RowImage before, RowImage after) throws RowRejectedException {
    before.clear();
    after.clear();
    RecordSize.check(value, "one row");
    in.reset(value, 0);
    plan.read(in, after);
    return Change.INSERT;
  }
}

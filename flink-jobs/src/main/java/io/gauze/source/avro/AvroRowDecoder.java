package io.gauze.source.avro;

import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.source.JsonFault;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RecordSize;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * A decoder of rows in Avro's binary encoding, without header, written with one known schema.
 * Fields that nothing reads are skipped. Not thread-safe. Cost: one pass over the bytes.
 */
public final class AvroRowDecoder implements RecordDecoder {
  private static final int ID = RegistrySchemas.PREFIX;
  private static final int LONG_ID = 9; // as Apicurio's serializers may write it

  private final AvroPlan plan;
  private final AvroInput in = new AvroInput();

  /**
   * Creates a decoder.
   *
   * @throws IllegalArgumentException if the schema is not that of a record
   */
  public AvroRowDecoder(Schema schema, RowFields fields) {
    this.plan = AvroPlan.of(schema, Optional.empty(), fields);
  }

  @Override
  public Change decode(byte[] value, RowImage before, RowImage after) throws RowRejectedException {
    before.clear();
    after.clear();
    RecordSize.check(value, "one row");
    in.reset(value, 0);
    try {
      plan.read(in, after);
    } catch (RowRejectedException e) {
      AvroFrame.check(value);
      boolean hasId = follows(ID, value, after) || follows(LONG_ID, value, after);
      throw hasId ? JsonFault.framed("rows") : e;
    }
    return Change.INSERT;
  }

  /** Returns whether a row follows a zero byte and an id of a schema; leaves no image. */
  private boolean follows(int prefix, byte[] value, RowImage image) {
    if (value.length < prefix || value[0] != 0) {
      return false;
    }
    in.reset(value, prefix);
    try {
      plan.read(in, image);
      return true;
    } catch (RowRejectedException e) {
      return false;
    } finally {
      image.clear();
    }
  }
}

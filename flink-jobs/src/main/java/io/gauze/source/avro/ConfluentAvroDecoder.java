package io.gauze.source.avro;

import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * A decoder of rows as the serializers of schema registries write them, see {@link
 * RegistrySchemas}. Not thread-safe.
 */
public final class ConfluentAvroDecoder implements RecordDecoder {
  private final RegistrySchemas<AvroPlan> plans;
  private final AvroInput in = new AvroInput();

  /**
   * Creates a decoder.
   *
   * @param reader the schema whose names and defaults count; empty for that of each record
   */
  public ConfluentAvroDecoder(SchemaRegistry registry, Optional<Schema> reader, RowFields fields) {
    this.plans = new RegistrySchemas<>(registry, schema -> AvroPlan.of(schema, reader, fields));
  }

  @Override
  public Change decode(byte[] value, RowImage before, RowImage after) throws RowRejectedException {
    before.clear();
    after.clear();
    AvroPlan plan = plans.of(value);
    in.reset(value, RegistrySchemas.PREFIX);
    plan.read(in, after);
    return Change.INSERT;
  }
}

package io.gauze.source;

import io.gauze.row.RowRejectedException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A decoder of rows as the serializers of schema registries write them: a zero byte, the schema's
 * id in four bytes, the highest first, then Avro's binary encoding. Each schema is fetched once.
 * Not thread-safe.
 */
final class ConfluentAvroDecoder implements RecordDecoder {
  private static final int PREFIX = 5;

  private final SchemaRegistry registry;
  private final RowFields fields;
  private final Map<Integer, AvroPlan> plans = new HashMap<>();
  private final AvroInput in = new AvroInput();
  private Optional<AvroPlan> plan = Optional.empty(); // of the last id
  private int lastId;

  ConfluentAvroDecoder(SchemaRegistry registry, RowFields fields) {
    this.registry = registry;
    this.fields = fields;
  }

  @Override
  public Change decode(byte[] value, RowImage before, RowImage after) throws RowRejectedException {
    before.clear();
    after.clear();
    RecordSize.check(value, "one row");
    if (value.length < PREFIX || value[0] != 0) {
      throw new RowRejectedException(
          "no schema id: a record begins with a zero byte and four bytes of id; use format avro"
              + " for records without id");
    }
    int id =
        (value[1] & 0xff) << 24
            | (value[2] & 0xff) << 16
            | (value[3] & 0xff) << 8
            | (value[4] & 0xff);
    if (plan.isEmpty() || id != lastId) {
      plan = Optional.of(plan(id));
      lastId = id;
    }
    in.reset(value, PREFIX);
    plan.get().read(in, after);
    return Change.INSERT;
  }

  /**
   * Returns the plan of a schema id. A failed lookup is not remembered: the id may be registered
   * later, and one sender's record would then decide about the records of others.
   */
  private AvroPlan plan(int id) throws RowRejectedException {
    AvroPlan known = plans.get(id);
    if (known == null) {
      known = AvroPlan.of(registry.schema(id), fields);
      plans.put(id, known);
    }
    return known;
  }
}

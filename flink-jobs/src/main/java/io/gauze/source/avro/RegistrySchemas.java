package io.gauze.source.avro;

import io.gauze.row.RowRejectedException;
import io.gauze.source.RecordSize;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.Schema;

/**
 * What is made of the schemas that records name: a zero byte, the schema's id in four bytes, the
 * highest first, then Avro's binary encoding. Each schema is fetched once. Not thread-safe.
 *
 * @param <P> what is made of a schema, such as a plan to read its records
 */
final class RegistrySchemas<P> {
  /** The bytes before Avro's encoding. */
  static final int PREFIX = 5;

  private final SchemaRegistry registry;
  private final Function<Schema, P> plan;
  private final Map<Integer, P> plans = new HashMap<>();
  private Optional<P> last = Optional.empty();
  private int lastId;

  RegistrySchemas(SchemaRegistry registry, Function<Schema, P> plan) {
    this.registry = registry;
    this.plan = plan;
  }

  /**
   * Returns the plan of the schema that a record names. A failed lookup is not remembered: the id
   * may be registered later, and one sender's record would then decide about the records of others.
   *
   * @throws RowRejectedException if the record names no schema, or one that cannot be used
   */
  P of(byte[] value) throws RowRejectedException {
    RecordSize.check(value, "one row");
    if (value.length < PREFIX || value[0] != 0) {
      AvroFrame.check(value);
      throw new RowRejectedException(
          "no schema id: a record begins with a zero byte and four bytes of id; use format avro"
              + " for records without id");
    }
    int id = ByteBuffer.wrap(value).getInt(1);
    if (id == 0) { // registries count from 1
      throw new RowRejectedException(
          "an id of eight bytes, as Apicurio's serializers may write it; let them write four"
              + " (apicurio.registry.as-confluent=true)");
    }
    if (last.isEmpty() || id != lastId) {
      last = Optional.of(plan(id));
      lastId = id;
    }
    return last.get();
  }

  private P plan(int id) throws RowRejectedException {
    P known = plans.get(id);
    if (known == null) {
      known = plan.apply(registry.schema(id));
      plans.put(id, known);
    }
    return known;
  }
}

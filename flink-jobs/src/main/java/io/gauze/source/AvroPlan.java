package io.gauze.source;

import io.gauze.row.RowRejectedException;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * The plan to read the wanted fields of records of one writer's schema: each field is resolved to a
 * step once, see {@link AvroSteps}. Immutable.
 */
final class AvroPlan {
  private final List<String> names;
  private final List<AvroStep> steps;

  private AvroPlan(List<String> names, List<AvroStep> steps) {
    this.names = names;
    this.steps = steps;
  }

  /**
   * Returns the plan of a schema.
   *
   * @param reader the schema whose names and defaults count; empty for the writer's
   * @throws IllegalArgumentException if the schema is not that of a record
   */
  static AvroPlan of(Schema schema, Optional<Schema> reader, RowFields fields) {
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException(
          "schema must be an Avro record. Provided value: " + schema.getType().getName());
    }
    return new AvroPlan(
        schema.getFields().stream().map(Schema.Field::name).toList(),
        new AvroSteps(fields, false).ofRow(schema, reader));
  }

  /**
   * Reads one row.
   *
   * @throws RowRejectedException if the bytes do not match the schema
   */
  void read(AvroInput in, RowImage image) throws RowRejectedException {
    image.begin();
    int field = 0;
    try {
      for (; field < steps.size(); field++) {
        steps.get(field).read(in, image);
      }
    } catch (AvroInput.Malformed e) {
      image.clear();
      throw notOfTheSchema(in, names.get(field), e);
    }
    if (!in.atEnd()) {
      image.clear();
      throw bytesLeft(in);
    }
  }

  /** Returns the reason for a field that cannot be read. */
  static RowRejectedException notOfTheSchema(AvroInput in, String field, AvroInput.Malformed e) {
    return notOfTheSchema(
        "at byte " + in.position() + ", in field " + field + ": " + e.getMessage());
  }

  /** Returns the reason for bytes after the last field. */
  static RowRejectedException bytesLeft(AvroInput in) {
    return notOfTheSchema("at byte " + in.position() + ": bytes after the row");
  }

  private static RowRejectedException notOfTheSchema(String what) {
    return new RowRejectedException(
        "not Avro of the schema, " + what + "; send rows written with exactly this schema");
  }
}

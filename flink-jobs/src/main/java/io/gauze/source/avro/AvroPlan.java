package io.gauze.source.avro;

import io.gauze.row.RowRejectedException;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/**
 * The plan to read the wanted fields of records of one writer's schema: each field is resolved to a
 * step once, see {@link AvroSteps}. Immutable.
 */
final class AvroPlan {
  private final List<String> names;
  private final AvroStep[] steps;
  private final int[] doubles; // the field of a step that sets one to a double; -1 for others
  private final int[] nulls; // the branch of null if that double may be null; -1 for others
  private final boolean isEvent; // of Debezium, and no row

  private AvroPlan(List<String> names, List<AvroStep> steps, boolean isEvent) {
    this.names = names;
    this.steps = steps.toArray(new AvroStep[0]);
    this.nulls = steps.stream().mapToInt(AvroPlan::branchOfNull).toArray();
    this.doubles = steps.stream().mapToInt(AvroPlan::anyDouble).toArray();
    this.isEvent = isEvent;
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
        new AvroSteps(fields, false).ofRow(schema, reader),
        hasShapeOfEvent(schema) && !hasColumn(schema, reader, fields));
  }

  /** Returns the field of a step that reads a double, or a double or null; -1 for others. */
  private static int anyDouble(AvroStep step) {
    int branch = branchOfNull(step);
    return plainDouble(branch >= 0 ? ((AvroStep.Union) step).branches().get(1 - branch) : step);
  }

  private static int plainDouble(AvroStep step) {
    return step instanceof AvroStep.Real real && real.wide() && real.number() && !real.literal()
        ? real.field()
        : -1;
  }

  /** Returns the branch of null in a step that reads a double or null; -1 for others. */
  private static int branchOfNull(AvroStep step) {
    if (!(step instanceof AvroStep.Union union) || union.branches().size() != 2) {
      return -1;
    }
    int branch = union.branches().get(0) instanceof AvroStep.Null ? 0 : 1;
    boolean isOptional =
        union.branches().get(branch) instanceof AvroStep.Null
            && plainDouble(union.branches().get(1 - branch)) >= 0;
    return isOptional ? branch : -1;
  }

  private static boolean hasShapeOfEvent(Schema schema) {
    return schema.getField("op") != null
        && Stream.of("before", "after")
            .map(schema::getField)
            .filter(Objects::nonNull)
            .anyMatch(image -> AvroNames.record(image.schema()).isPresent());
  }

  private static boolean hasColumn(Schema schema, Optional<Schema> reader, RowFields fields) {
    return reader.isPresent()
        ? schema.getFields().stream()
            .anyMatch(field -> AvroNames.reader(field, schema, reader.get()).isPresent())
        : fields.schema().fields().stream().anyMatch(name -> AvroNames.has(schema, name));
  }

  /**
   * Reads one row.
   *
   * @throws RowRejectedException if the bytes do not match the schema, or the schema is that of a
   *     change event
   */
  void read(AvroInput in, RowImage image) throws RowRejectedException {
    if (isEvent) {
      throw new RowRejectedException(
          "a change event of Debezium; use format debezium-avro-confluent, or send rows that are"
              + " unwrapped");
    }
    image.begin();
    int field = 0;
    try {
      for (; field < steps.length; field++) {
        int number = doubles[field];
        if (number < 0) {
          steps[field].read(in, image);
        } else if (nulls[field] < 0 || in.readIndex(2) != nulls[field]) {
          image.number(number, in.readDouble());
        } else {
          image.missing(number);
        }
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

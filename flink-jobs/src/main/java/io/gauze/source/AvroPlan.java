package io.gauze.source;

import io.gauze.row.RowRejectedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * The plan to read the wanted fields of records of one writer's schema: each field is resolved to a
 * step once, and fields that are not wanted are skipped. A nested field is named by its path, such
 * as {@code address.city}. Immutable.
 */
final class AvroPlan {
  private final RowFields fields;
  private final List<String> names = new ArrayList<>();
  private final List<AvroStep> steps = new ArrayList<>();
  private final Map<String, AvroStep> skipped = new HashMap<>(); // by the name of the type

  private AvroPlan(Schema schema, RowFields fields) {
    this.fields = fields;
    for (Schema.Field field : schema.getFields()) {
      names.add(field.name());
      steps.add(step(field.schema(), field.name()));
    }
  }

  /**
   * Returns the plan of a schema.
   *
   * @throws IllegalArgumentException if the schema is not that of a record
   */
  static AvroPlan of(Schema schema, RowFields fields) {
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException(
          "schema must be an Avro record. Provided value: " + schema.getType().getName());
    }
    return new AvroPlan(schema, fields);
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
      throw notOfTheSchema(
          "at byte " + in.position() + ", in field " + names.get(field) + ": " + e.getMessage());
    }
    if (!in.atEnd()) {
      image.clear();
      throw notOfTheSchema("at byte " + in.position() + ": bytes after the row");
    }
  }

  private static RowRejectedException notOfTheSchema(String what) {
    return new RowRejectedException(
        "not Avro of the schema, " + what + "; send rows written with exactly this schema");
  }

  private AvroStep step(Schema schema, String path) {
    int field = fields.index(path);
    if (field >= 0) {
      return wanted(schema, field);
    }
    String inside = path + ".";
    boolean within = fields.names().stream().anyMatch(name -> name.startsWith(inside));
    return within ? within(schema, inside) : skip(schema);
  }

  private AvroStep within(Schema schema, String inside) {
    if (schema.getType() == Schema.Type.UNION) {
      return new AvroStep.Union(
          schema.getTypes().stream().map(branch -> within(branch, inside)).toList());
    }
    if (schema.getType() != Schema.Type.RECORD) {
      return skip(schema);
    }
    return new AvroStep.Fields(
        schema.getFields().stream()
            .map(field -> step(field.schema(), inside + field.name()))
            .toList());
  }

  private AvroStep wanted(Schema schema, int field) {
    boolean number = fields.wantsNumber(field);
    boolean literal = fields.wantsLiteral(field);
    return switch (schema.getType()) {
      case UNION ->
          new AvroStep.Union(
              schema.getTypes().stream().map(branch -> wanted(branch, field)).toList());
      case NULL -> new AvroStep.Null(field);
      case INT, LONG -> new AvroStep.Whole(field, number, literal);
      case FLOAT -> new AvroStep.Real(field, false, number, literal);
      case DOUBLE -> new AvroStep.Real(field, true, number, literal);
      case BOOLEAN -> new AvroStep.Truth(field);
      case STRING -> new AvroStep.Text(field);
      case ENUM -> new AvroStep.Symbol(field, schema.getEnumSymbols());
      default -> other(schema, field);
    };
  }

  private AvroStep other(Schema schema, int field) {
    if (!(schema.getLogicalType() instanceof LogicalTypes.Decimal decimal)) {
      return new AvroStep.Refused(
          field, skip(schema), "is bytes, a list, a map or a record; send a number or text");
    }
    if (decimal.getScale() > AvroStep.Decimal.MAX_SCALE) {
      return new AvroStep.Refused(
          field,
          skip(schema),
          "is a decimal whose schema has a scale above "
              + AvroStep.Decimal.MAX_SCALE
              + "; write it with a smaller one");
    }
    int size = schema.getType() == Schema.Type.FIXED ? schema.getFixedSize() : -1;
    return new AvroStep.Decimal(
        field, size, decimal.getScale(), fields.wantsNumber(field), fields.wantsLiteral(field));
  }

  private AvroStep skip(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> new AvroStep.SkipFixed(0);
      case BOOLEAN -> new AvroStep.SkipFixed(1);
      case FLOAT -> new AvroStep.SkipFixed(Float.BYTES);
      case DOUBLE -> new AvroStep.SkipFixed(Double.BYTES);
      case FIXED -> new AvroStep.SkipFixed(schema.getFixedSize());
      case INT, LONG, ENUM -> new AvroStep.SkipWhole();
      case BYTES, STRING -> new AvroStep.SkipBytes();
      case ARRAY -> new AvroStep.SkipBlocks(false, skip(schema.getElementType()));
      case MAP -> new AvroStep.SkipBlocks(true, skip(schema.getValueType()));
      case UNION -> new AvroStep.Union(schema.getTypes().stream().map(this::skip).toList());
      case RECORD -> skipRecord(schema);
    };
  }

  private AvroStep skipRecord(Schema schema) {
    AvroStep known = skipped.get(schema.getFullName());
    if (known != null) {
      return known;
    }
    List<AvroStep> parts = new ArrayList<>();
    AvroStep step = new AvroStep.Fields(parts);
    skipped.put(schema.getFullName(), step); // before its fields, which may have this same type
    schema.getFields().forEach(field -> parts.add(skip(field.schema())));
    return step;
  }
}

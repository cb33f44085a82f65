package io.gauze.source.avro;

import io.gauze.source.RowFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Makes the steps that read the wanted fields of one writer's schema, and skip the others. A nested
 * field is named by its path, such as {@code address.city}. A field goes by its name, or by an
 * alias that no other field of its record is named by. With a reader's schema it goes by the name
 * that it has there, and a field that the writer lacks has the reader's default.
 */
final class AvroSteps {
  private final RowFields fields;
  private final boolean debezium;
  private final Map<String, AvroStep> skipped = new HashMap<>(); // by the name of the type

  /**
   * Creates the maker of the steps.
   *
   * @param debezium whether to refuse Debezium's placeholder for values that it does not know
   */
  AvroSteps(RowFields fields, boolean debezium) {
    this.fields = fields;
    this.debezium = debezium;
  }

  /** Returns the steps of a record's fields, in their order, and then those of defaults. */
  List<AvroStep> ofRow(Schema writer, Optional<Schema> reader) {
    return record(writer, reader, "");
  }

  /** Returns the step that reads a row which may be null, and begins the image if it is not. */
  AvroStep image(Schema schema, Optional<Schema> reader) {
    return switch (schema.getType()) {
      case UNION ->
          new AvroStep.Union(
              schema.getTypes().stream().map(branch -> image(branch, reader)).toList());
      case RECORD -> new AvroStep.Row(new AvroStep.Fields(ofRow(schema, reader)));
      default -> skip(schema);
    };
  }

  private List<AvroStep> record(Schema writer, Optional<Schema> reader, String prefix) {
    List<AvroStep> steps = new ArrayList<>();
    List<Schema.Field> left = new ArrayList<>();
    reader.ifPresent(schema -> left.addAll(schema.getFields()));
    for (Schema.Field field : writer.getFields()) {
      if (reader.isEmpty()) {
        String name = AvroNames.wanted(writer, field, each -> reads(prefix + each));
        steps.add(step(field.schema(), Optional.empty(), prefix + name));
        continue;
      }
      Optional<Schema.Field> known = AvroNames.reader(field, writer, reader.get());
      known.ifPresent(left::remove);
      steps.add(
          known.isEmpty()
              ? skip(field.schema())
              : step(field.schema(), known.map(Schema.Field::schema), prefix + known.get().name()));
    }
    for (Schema.Field field : left) {
      if (field.hasDefaultValue()) {
        defaults(prefix + field.name(), field.defaultVal(), steps);
      }
    }
    return steps;
  }

  private void defaults(String path, Object value, List<AvroStep> steps) {
    int field = fields.index(path);
    if (value instanceof Map<?, ?> members) {
      members.forEach((name, member) -> defaults(path + "." + name, member, steps));
    } else if (field >= 0 && value != JsonProperties.NULL_VALUE) {
      steps.add(
          value instanceof Number number
              ? new AvroStep.DefaultNumber(field, number.toString(), fields.wantsNumber(field))
              : new AvroStep.DefaultText(field, String.valueOf(value)));
    }
  }

  private boolean reads(String path) {
    String inside = path + ".";
    return fields.index(path) >= 0
        || fields.names().stream().anyMatch(name -> name.startsWith(inside));
  }

  private AvroStep step(Schema schema, Optional<Schema> reader, String path) {
    int field = fields.index(path);
    if (field >= 0) {
      return wanted(schema, field);
    }
    return reads(path) ? within(schema, reader, path + ".") : skip(schema);
  }

  private AvroStep within(Schema schema, Optional<Schema> reader, String inside) {
    if (schema.getType() == Schema.Type.UNION) {
      return new AvroStep.Union(
          schema.getTypes().stream().map(branch -> within(branch, reader, inside)).toList());
    }
    if (schema.getType() == Schema.Type.RECORD) {
      return new AvroStep.Fields(record(schema, reader.flatMap(AvroNames::record), inside));
    }
    if (schema.getType() == Schema.Type.NULL) {
      return skip(schema);
    }
    List<String> names = fields.names();
    return new AvroStep.NoRecord(
        names.stream().filter(name -> name.startsWith(inside)).map(fields::index).toList(),
        skip(schema));
  }

  private AvroStep wanted(Schema schema, int field) {
    boolean number = fields.wantsNumber(field);
    boolean literal = fields.wantsLiteral(field);
    return switch (schema.getType()) {
      case UNION ->
          new AvroStep.Union(
              schema.getTypes().stream().map(branch -> wanted(branch, field)).toList());
      case NULL -> new AvroStep.Null(field);
      case INT, LONG -> whole(schema, new AvroStep.Whole(field, number, literal));
      case FLOAT -> new AvroStep.Real(field, false, number, literal);
      case DOUBLE -> new AvroStep.Real(field, true, number, literal);
      case BOOLEAN -> new AvroStep.Truth(field);
      case STRING -> new AvroStep.Text(field, debezium);
      case ENUM -> new AvroStep.Symbol(field, schema.getEnumSymbols());
      default -> other(schema, field);
    };
  }

  private AvroStep whole(Schema schema, AvroStep.Whole step) {
    Optional<Long> perSecond =
        fields.isTime(step.field()) ? AvroNames.perSecond(schema) : Optional.empty();
    return perSecond.isEmpty() ? step : new AvroStep.Time(step, perSecond.get());
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

  /** Returns the step that skips a value. */
  AvroStep skip(Schema schema) {
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

package io.gauze.source.avro;

import java.util.Optional;
import java.util.function.Predicate;
import org.apache.avro.LogicalType;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/** The schemas of writers and readers, and which fields of them are the same. */
public final class AvroNames {
  private AvroNames() {}

  /**
   * Parses the schema of a writer. Its rows are written already, so it is read as it is: with any
   * names, and with defaults of other types, which tell nothing about its bytes.
   *
   * @throws RuntimeException of many kinds, null pointers among them, if it is no schema
   */
  static Schema writer(String json) {
    return new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false).parse(json);
  }

  /**
   * Returns how many units of a whole number are a second, by its logical type or the name that
   * Kafka Connect gives it; 0 for days, empty if it is no time.
   */
  static Optional<Long> perSecond(Schema schema) {
    String type = schema.getProp(LogicalType.LOGICAL_TYPE_PROP);
    String name = type == null ? schema.getProp("connect.name") : type;
    return switch (name == null ? "" : name) {
      case "date", "io.debezium.time.Date", "org.apache.kafka.connect.data.Date" -> Optional.of(0L);
      case "timestamp-millis",
          "local-timestamp-millis",
          "io.debezium.time.Timestamp",
          "org.apache.kafka.connect.data.Timestamp" ->
          Optional.of(1000L);
      case "timestamp-micros", "local-timestamp-micros", "io.debezium.time.MicroTimestamp" ->
          Optional.of(1_000_000L);
      case "timestamp-nanos", "local-timestamp-nanos", "io.debezium.time.NanoTimestamp" ->
          Optional.of(1_000_000_000L);
      default -> Optional.empty();
    };
  }

  /** Returns the record that a schema is, or that is a branch of it. */
  static Optional<Schema> record(Schema schema) {
    if (schema.getType() == Schema.Type.UNION) {
      return schema.getTypes().stream()
          .filter(branch -> branch.getType() == Schema.Type.RECORD)
          .findFirst();
    }
    return Optional.of(schema).filter(each -> each.getType() == Schema.Type.RECORD);
  }

  /**
   * Returns whether a schema has a field of this name or path, such as {@code address.city}, by its
   * name or an alias.
   */
  public static boolean has(Schema schema, String path) {
    Optional<Schema> record = record(schema);
    if (record.isEmpty()) {
      return false;
    }
    int point = path.indexOf('.');
    String name = point < 0 ? path : path.substring(0, point);
    return record.get().getFields().stream()
        .filter(field -> wanted(record.get(), field, name::equals).equals(name))
        .anyMatch(field -> point < 0 || has(field.schema(), path.substring(point + 1)));
  }

  /**
   * Returns the name by which a field is read: its own, or an alias if that is wanted, its own is
   * not, and no other field has it.
   */
  static String wanted(Schema record, Schema.Field field, Predicate<String> isWanted) {
    if (isWanted.test(field.name())) {
      return field.name();
    }
    return field.aliases().stream()
        .filter(alias -> isWanted.test(alias) && record.getField(alias) == null)
        .findFirst()
        .orElse(field.name());
  }

  /**
   * Returns the reader's field that a writer's field is: the one of its name, else one that has
   * this name as an alias.
   */
  static Optional<Schema.Field> reader(Schema.Field field, Schema writer, Schema reader) {
    Schema.Field same = reader.getField(field.name());
    if (same != null) {
      return Optional.of(same);
    }
    return reader.getFields().stream()
        .filter(each -> writer.getField(each.name()) == null)
        .filter(each -> each.aliases().contains(field.name()))
        .findFirst();
  }
}

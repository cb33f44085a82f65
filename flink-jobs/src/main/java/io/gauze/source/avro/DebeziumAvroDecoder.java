package io.gauze.source.avro;

import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.source.DebeziumChange;
import io.gauze.source.RecordDecoder;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * A decoder of Debezium's change events in Avro by a schema registry: a record with the fields
 * {@code before}, {@code after} and {@code op}. Not thread-safe.
 */
public final class DebeziumAvroDecoder implements RecordDecoder {
  private final RegistrySchemas<Event> events;
  private final ReplicaIdentity identity;
  private final AvroInput in = new AvroInput();

  public DebeziumAvroDecoder(SchemaRegistry registry, RowFields fields, ReplicaIdentity identity) {
    this.events = new RegistrySchemas<>(registry, schema -> new Event(schema, fields));
    this.identity = identity;
  }

  @Override
  public Change decode(byte[] value, RowImage before, RowImage after) throws RowRejectedException {
    before.clear();
    after.clear();
    Event event = events.of(value);
    in.reset(value, RegistrySchemas.PREFIX);
    String op = event.read(in, before, after);
    boolean complete = event.beforeHasAll && before.isPresent() && before.hasColumnValue();
    return new DebeziumChange(before, after, complete, identity).of(op);
  }

  /** The plan to read events of one writer's schema. */
  private static final class Event {
    private final List<String> names = new ArrayList<>();
    private final List<AvroStep> steps = new ArrayList<>();
    private final boolean beforeHasAll;
    private String op = "";

    Event(Schema schema, RowFields fields) {
      AvroSteps make = new AvroSteps(fields, true);
      for (Schema.Field field : schema.getFields()) {
        names.add(field.name());
        steps.add(
            switch (field.name()) {
              case "before", "after" -> make.image(field.schema(), Optional.empty());
              case "op" -> op(field.schema(), make);
              default -> make.skip(field.schema());
            });
      }
      beforeHasAll =
          Optional.ofNullable(schema.getField("before")).stream()
              .anyMatch(
                  field ->
                      fields.schema().fields().stream()
                          .allMatch(name -> AvroNames.has(field.schema(), name)));
    }

    private AvroStep op(Schema schema, AvroSteps make) {
      return switch (schema.getType()) {
        case UNION ->
            new AvroStep.Union(schema.getTypes().stream().map(type -> op(type, make)).toList());
        case STRING -> (in, image) -> op = in.readText();
        default -> make.skip(schema);
      };
    }

    /** Reads an event into its images, and returns its {@code op}. */
    String read(AvroInput in, RowImage before, RowImage after) throws RowRejectedException {
      op = "";
      for (int i = 0; i < steps.size(); i++) {
        try {
          steps.get(i).read(in, names.get(i).equals("before") ? before : after);
        } catch (AvroInput.Malformed e) {
          throw AvroPlan.notOfTheSchema(in, names.get(i), e);
        }
      }
      if (!in.atEnd()) {
        throw AvroPlan.bytesLeft(in);
      }
      if (op.isEmpty()) {
        throw new RowRejectedException(
            "no op; send Debezium's change events whole, or use format avro-confluent for rows"
                + " that are unwrapped");
      }
      return op;
    }
  }
}

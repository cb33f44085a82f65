package io.gauze.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.source.DebeziumChange;
import io.gauze.source.RecordDecoder;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.io.IOException;

/**
 * A decoder of Debezium's change events in JSON, with or without the schema around them: {@code
 * {"before":..., "after":..., "op":"c"}}; see "Change events" in Debezium's documentation of its
 * connectors. The members may be in any order. Not thread-safe.
 */
public final class DebeziumDecoder implements RecordDecoder {
  private final JsonText json = new JsonText();
  private final JsonText.ObjectReader reader = this::event;
  private final JsonImage object;
  private final ReplicaIdentity identity;
  private RowImage before;
  private RowImage after;
  private boolean beforeComplete;
  private Kind kind;
  private String op;

  /** The presumable kind of a message without {@code op}. */
  private enum Kind {
    HEARTBEAT,
    TRANSACTION,
    SCHEMA_CHANGE,
    OTHER
  }

  public DebeziumDecoder(RowFields fields, ReplicaIdentity identity) {
    this.object = new JsonImage(fields, true);
    this.identity = identity;
    this.before = new RowImage(fields);
    this.after = before;
  }

  @Override
  public Change decode(byte[] value, RowImage beforeImage, RowImage afterImage)
      throws RowRejectedException {
    before = beforeImage;
    after = afterImage;
    before.clear();
    after.clear();
    beforeComplete = false;
    op = "";
    kind = Kind.HEARTBEAT;
    json.read(value, reader);
    return change();
  }

  private void event(JsonParser parser) throws IOException, RowRejectedException {
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      if (name.equals("payload") && token == JsonToken.START_OBJECT) {
        members(parser);
      } else {
        member(name, parser, token);
      }
    }
  }

  private void members(JsonParser parser) throws IOException, RowRejectedException {
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      member(name, parser, parser.nextToken());
    }
  }

  private void member(String name, JsonParser parser, JsonToken token)
      throws IOException, RowRejectedException {
    switch (name) {
      case "before" -> beforeComplete = image(parser, token, before, name) && object.complete();
      case "after" -> image(parser, token, after, name);
      case "op" -> op = token == JsonToken.VALUE_STRING ? parser.getText() : "";
      case "schema", "ts_ms", "ts_us", "ts_ns" -> {} // heartbeats have them, too
      default -> kind = kind(name);
    }
    parser.skipChildren();
  }

  private Kind kind(String name) {
    return switch (name) {
      case "ddl", "tableChanges" -> Kind.SCHEMA_CHANGE;
      case "status", "event_count" -> kind == Kind.SCHEMA_CHANGE ? kind : Kind.TRANSACTION;
      default -> kind == Kind.HEARTBEAT ? Kind.OTHER : kind;
    };
  }

  private boolean image(JsonParser parser, JsonToken token, RowImage image, String name)
      throws IOException, RowRejectedException {
    image.clear();
    if (token == JsonToken.START_OBJECT) {
      object.read(parser, image);
      return true;
    }
    if (token != JsonToken.VALUE_NULL) {
      throw new RowRejectedException(
          "member " + name + " of the change event is neither an object nor null; send it as one");
    }
    return false;
  }

  private Change change() throws RowRejectedException {
    return op.isEmpty()
        ? withoutOp()
        : new DebeziumChange(before, after, beforeComplete, identity).of(op);
  }

  private Change withoutOp() throws RowRejectedException {
    if (before.isPresent() || after.isPresent()) {
      throw new RowRejectedException("no op; send Debezium's change events whole");
    }
    return switch (kind) {
      case HEARTBEAT, TRANSACTION -> Change.NONE;
      case SCHEMA_CHANGE ->
          throw new RowRejectedException(
              "a schema change; read the topic of the table, not that of schema changes");
      case OTHER ->
          throw new RowRejectedException(
              "no op; send Debezium's change events whole, or use format json for rows that are"
                  + " unwrapped");
    };
  }
}

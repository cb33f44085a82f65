package io.gauze.source.json;

import com.fasterxml.jackson.core.JsonParser;
import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.io.IOException;

/**
 * A decoder of rows that are JSON objects (RFC 8259, UTF-8), alone or as the payload beside its
 * schema. Fields that nothing reads are skipped; of duplicate fields the last counts. Not
 * thread-safe. Cost: one pass over the bytes, and a part of another one if a record is not plain.
 */
public final class JsonRowDecoder implements RecordDecoder {
  private final PlainObject plain;
  private final JsonText json = new JsonText();
  private final JsonImage object;
  private final JsonText.ObjectReader reader = this::readObject;
  private final JsonText.ObjectReader inPayload = this::readPayload;
  private final RowFields fields;
  private final boolean mayUnwrap;
  private RowImage target; // of the record that is being read

  /** Creates a decoder of these fields. */
  public JsonRowDecoder(RowFields fields) {
    this.fields = fields;
    this.plain = new PlainObject(fields);
    this.object = new JsonImage(fields, false);
    this.mayUnwrap = fields.names().stream().noneMatch(JsonEnvelope::isPartOf);
  }

  @Override
  public Change decode(byte[] value, RowImage before, RowImage after) throws RowRejectedException {
    before.clear();
    decode(value, after);
    return Change.INSERT;
  }

  /**
   * Reads a row into {@code image}.
   *
   * @throws RowRejectedException if the value is not a JSON object, see {@link
   *     RecordDecoder#decode}
   */
  public void decode(byte[] value, RowImage image) throws RowRejectedException {
    if (!plain.read(value, image)) {
      parse(value, image);
    }
    checkIsRow(value, image);
  }

  /** Reads a row in the same way whether it is plain or not: the same answers in more time. */
  void decodeAny(byte[] value, RowImage image) throws RowRejectedException {
    parse(value, image);
    checkIsRow(value, image);
  }

  private void parse(byte[] value, RowImage image) throws RowRejectedException {
    image.clear();
    target = image;
    boolean wrapped = mayUnwrap && JsonEnvelope.isAround(value);
    json.read(value, wrapped ? inPayload : reader);
  }

  private void checkIsRow(byte[] value, RowImage image) throws RowRejectedException {
    if (!image.hasColumnValue()) {
      JsonShape.of(value).checkIsRow(fields);
    }
  }

  private void readObject(JsonParser parser) throws IOException {
    object.read(parser, target);
  }

  private void readPayload(JsonParser parser) throws IOException {
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      if (name.equals(JsonEnvelope.PAYLOAD)) {
        object.read(parser, target);
      } else {
        parser.skipChildren();
      }
    }
  }
}

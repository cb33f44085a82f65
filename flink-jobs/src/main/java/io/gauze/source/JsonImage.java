package io.gauze.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Reads the members of a JSON object into a {@link RowImage}. Members that nothing reads are
 * skipped; of a member that is there twice, the last counts.
 */
final class JsonImage {
  private final RowFields fields;

  JsonImage(RowFields fields) {
    this.fields = fields;
  }

  /** Reads on from the opening brace to the closing one; the image is begun. */
  void read(JsonParser parser, RowImage image) throws IOException {
    image.begin();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      member(parser, fields.index(name), image);
    }
  }

  private void member(JsonParser parser, int field, RowImage image) throws IOException {
    JsonToken token = parser.nextToken();
    if (field < 0) {
      parser.skipChildren();
    } else if (token == JsonToken.VALUE_NUMBER_FLOAT || token == JsonToken.VALUE_NUMBER_INT) {
      number(parser, field, image);
    } else if (token == JsonToken.VALUE_NULL) {
      image.missing(field);
    } else if (token.isScalarValue()) {
      image.text(field, parser.getText());
    } else {
      image.reject(field, "is an object or array; send a number or text");
      parser.skipChildren();
    }
  }

  private void number(JsonParser parser, int field, RowImage image) throws IOException {
    if (fields.wantsNumber(field)) {
      image.number(field, parser.getDoubleValue());
    }
    if (fields.wantsLiteral(field)) {
      image.literal(field, parser.getText());
    }
  }
}

package io.gauze.source.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.gauze.row.RowRejectedException;
import io.gauze.source.JsonFault;
import io.gauze.source.RecordSize;
import java.io.IOException;

/** A parser of records that are JSON (RFC 8259, UTF-8), with a limit on their length and depth. */
final class JsonText {
  static final int MAX_DEPTH = 64;

  /**
   * The parsers of rows and keys. Names and numbers may be as long as a record. All parsers share a
   * table of names: names of one hash in one record must not make another record unreadable.
   */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(RecordSize.MAX_BYTES)
                  .maxNameLength(RecordSize.MAX_BYTES)
                  .build())
          .build();

  /** Reads the members of a record's object; called after its opening brace. */
  interface ObjectReader {
    void read(JsonParser parser) throws IOException, RowRejectedException;
  }

  /**
   * Reads a record that is one object.
   *
   * @throws RowRejectedException if it is not one; the message never contains a value
   */
  void read(byte[] bytes, ObjectReader reader) throws RowRejectedException {
    checkBytes(bytes);
    try (JsonParser parser = FACTORY.createParser(bytes)) {
      JsonToken first = parser.nextToken();
      if (first == JsonToken.VALUE_STRING && parser.getText().stripLeading().startsWith("{")) {
        throw new RowRejectedException(
            "a JSON object inside of a text: it was serialized twice; send the object itself");
      }
      if (first != JsonToken.START_OBJECT) {
        throw JsonFault.noObject();
      }
      reader.read(parser);
      if (parser.nextToken() != null) {
        throw new RowRejectedException("text after the JSON object; send one object a record");
      }
    } catch (JsonParseException e) {
      throw JsonFault.of(bytes, e.getLocation().getByteOffset());
    } catch (StreamConstraintsException e) { // names and numbers may be as long as a record
      throw new RowRejectedException(
          "JSON that is nested deeper than " + MAX_DEPTH + "; send flat objects");
    } catch (IOException e) {
      throw JsonFault.of(bytes, 0);
    }
  }

  private static void checkBytes(byte[] bytes) throws RowRejectedException {
    RecordSize.check(bytes, "one JSON object");
    JsonFault.checkStart(bytes, "JSON");
  }
}

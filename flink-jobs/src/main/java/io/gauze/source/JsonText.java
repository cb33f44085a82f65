package io.gauze.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.gauze.row.RowRejectedException;
import java.io.IOException;

/** A parser of records that are JSON (RFC 8259, UTF-8), with a limit on their length and depth. */
final class JsonText {
  static final int MAX_DEPTH = 64;

  /** The parsers of rows and keys. Names and numbers may be as long as a record. */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
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
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new RowRejectedException("not a JSON object; send one object a record");
      }
      reader.read(parser);
      if (parser.nextToken() != null) {
        throw new RowRejectedException("text after the JSON object; send one object a record");
      }
    } catch (JsonParseException e) {
      throw new RowRejectedException(
          "not JSON (RFC 8259, UTF-8), at byte "
              + Math.max(0, e.getLocation().getByteOffset())
              + "; NaN and infinities are not JSON");
    } catch (StreamConstraintsException e) { // names and numbers may be as long as a record
      throw new RowRejectedException(
          "JSON that is nested deeper than " + MAX_DEPTH + "; send flat objects");
    } catch (IOException e) {
      throw new RowRejectedException("not UTF-8; send JSON encoded as UTF-8");
    }
  }

  private static void checkBytes(byte[] bytes) throws RowRejectedException {
    RecordSize.check(bytes, "one JSON object");
    // UTF-16 and UTF-32 begin with a byte order mark or have a zero byte. They are refused here,
    // since the parser would accept them.
    if (bytes[0] == 0
        || (bytes.length > 1 && bytes[1] == 0)
        || bytes[0] == (byte) 0xFE
        || bytes[0] == (byte) 0xFF) {
      throw new RowRejectedException("not UTF-8; send JSON encoded as UTF-8");
    }
  }
}

package io.gauze.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.fit.QuestionFields;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads records of the requests topic: finds the id of the answer, and parses the request.
 * Thread-safe.
 */
public final class RequestReader {
  /** The longest id, in characters. */
  static final int LONGEST_ID = 200;

  private static final int MAX_DEPTH = 16;

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  // Names of one hash in one request must not make another one unreadable.
                  .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final String topic;

  /** Creates a reader of requests of {@code topic}. */
  public RequestReader(String topic) {
    this.topic = topic;
  }

  /**
   * The result of reading a record.
   *
   * @param id the id of the answer
   * @param request empty if the record cannot be read
   * @param error the reason why it cannot be read
   */
  public record Parsed(
      String id, Optional<SolveRequest> request, Optional<RequestException> error) {}

  /** Reads a record; never throws. */
  public Parsed read(RequestBytes record) {
    String id = topic + "-" + record.partition() + "-" + record.offset();
    try {
      boolean keyed = record.keyLength() >= 0;
      if (keyed) {
        id = key(record);
      }
      JsonNode json = json(record);
      if (!keyed) {
        id = checkedId("id", RequestObject.id(json));
      }
      return new Parsed(
          id, Optional.of(new RequestFields(new RequestObject(json)).request()), Optional.empty());
    } catch (RequestException e) {
      return new Parsed(id, Optional.empty(), Optional.of(e));
    } catch (IllegalArgumentException e) {
      return new Parsed(id, Optional.empty(), Optional.of(bad(e.getMessage())));
    }
  }

  /**
   * Returns the object of a request that has no record.
   *
   * @throws RequestException if it is too long or no JSON object
   */
  public static ObjectNode object(byte[] value) throws RequestException {
    checkLength(value.length);
    if (parsed(value) instanceof ObjectNode object) {
      return object;
    }
    throw bad("not a JSON object; send one object");
  }

  /**
   * Returns the request of an object.
   *
   * @throws RequestException if a field is unknown, missing or wrong
   */
  public static SolveRequest request(JsonNode object) throws RequestException {
    try {
      return request(new RequestObject(object));
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  /**
   * Returns the request of fields that are known.
   *
   * @throws RequestException if a field is missing or wrong
   */
  public static SolveRequest request(QuestionFields fields) throws RequestException {
    try {
      return new RequestFields(fields).request();
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  private static RequestException bad(String message) {
    return new RequestException(ErrorCode.BAD_REQUEST, message);
  }

  private static String key(RequestBytes record) throws RequestException {
    try {
      if (record.keyLength() <= RequestBytes.MAX_BYTES) {
        return checkedId(
            "the record's key",
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(record.key())).toString());
      }
    } catch (CharacterCodingException e) {
      throw bad("the record's key, the request's id, must be text in UTF-8; send text as key");
    }
    throw badLength("the record's key", record.keyLength() + " bytes");
  }

  private static String checkedId(String what, String id) throws RequestException {
    if (id.isEmpty() || id.length() > LONGEST_ID) {
      throw badLength(what, id.length() + " characters");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(id)) {
      throw bad(what + ", the request's id, must be text without half characters; send other text");
    }
    return id;
  }

  private static RequestException badLength(String what, String length) {
    return bad(
        what
            + ", the request's id, must have 1 to "
            + LONGEST_ID
            + " characters. Provided value: "
            + length);
  }

  private static JsonNode json(RequestBytes record) throws RequestException {
    if (record.valueLength() <= 0) {
      throw bad("an empty record; send one JSON object a record");
    }
    checkLength(record.valueLength());
    JsonNode json = parsed(record.value());
    if (!json.isObject()) {
      throw bad("not a JSON object; send one object a record");
    }
    return json;
  }

  private static void checkLength(int length) throws RequestException {
    if (length > RequestBytes.MAX_BYTES) {
      throw bad(
          "a request must have at most "
              + RequestBytes.MAX_BYTES
              + " bytes. Provided value: "
              + length);
    }
  }

  private static JsonNode parsed(byte[] value) throws RequestException {
    try {
      JsonNode json = JSON.readTree(value);
      return json == null ? JsonNodeFactory.instance.missingNode() : json;
    } catch (JsonProcessingException e) {
      boolean twice = e.getMessage().startsWith("Duplicate field");
      throw bad(
          twice
              ? "a field is there twice; send each field once"
              : "not one JSON object (RFC 8259, UTF-8), at byte "
                  + Math.max(0, e.getLocation() == null ? 0 : e.getLocation().getByteOffset())
                  + "; names and texts need double quotes, NaN and infinities are not JSON");
    } catch (IOException e) {
      throw bad("not JSON that can be read: it must be in UTF-8");
    }
  }
}

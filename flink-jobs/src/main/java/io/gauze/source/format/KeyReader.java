package io.gauze.source.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.row.RowRejectedException;
import io.gauze.source.KeyValue;
import io.gauze.source.RecordSize;
import io.gauze.source.avro.AvroInput;
import io.gauze.source.avro.AvroKey;
import io.gauze.source.avro.SchemaRegistry;
import io.gauze.source.json.JsonKey;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Reads the keys of records as values, so that a key is one key however its serializer writes it: a
 * text, JSON with or without Kafka Connect's schema around it, or Avro by the id of its schema. Not
 * thread-safe.
 */
public final class KeyReader {
  /** What a serializer of a schema registry writes first: a zero byte and the schema's id. */
  private static final int PREFIX = 5;

  private static final String BYTE_ORDER_MARK = "\ufeff";

  private final Optional<SchemaRegistry> registry;
  private final Map<Integer, Schema> schemas = new HashMap<>();
  private final AvroInput in = new AvroInput();

  private KeyReader(Optional<SchemaRegistry> registry) {
    this.registry = registry;
  }

  /** Returns a reader of keys in text and JSON. */
  public static KeyReader ofTexts() {
    return new KeyReader(Optional.empty());
  }

  /** Returns a reader that reads keys in Avro, too. */
  static KeyReader of(SchemaRegistry registry) {
    return new KeyReader(Optional.of(registry));
  }

  /**
   * Returns the normal form of a record's key: two keys are one if it is the same.
   *
   * @throws RowRejectedException if the key is null, or cannot be read; the message holds no part
   *     of it
   */
  public String text(byte[] key) throws RowRejectedException {
    KeyValue value = read(key);
    if (!value.isPresent()) {
      throw new RowRejectedException("the record's key is null; send the key of the row or user");
    }
    return checked(text(value));
  }

  /** Returns the normal form, which may be longer than the key where numbers have exponents. */
  private static String text(KeyValue value) throws RowRejectedException {
    String text = value.text();
    if (text.length() > RecordSize.MAX_BYTES) {
      throw new RowRejectedException(
          "the record's key is longer than "
              + RecordSize.MAX_BYTES
              + " characters once its numbers are written out; send a shorter key");
    }
    return text;
  }

  /**
   * Returns the text of a field of the row, as the key of a record without value tells it: the
   * field itself, or an object with the field in it.
   *
   * @throws RowRejectedException if the key cannot be read, or lacks the field
   */
  public String fieldText(byte[] key, String field) throws RowRejectedException {
    KeyValue value = read(key);
    KeyValue found = value;
    if (value instanceof KeyValue.Members) {
      found =
          value
              .member(field)
              .orElseThrow(
                  () ->
                      new RowRejectedException(
                          "the record's key has no field "
                              + field
                              + ", which kafka.rows.key names; send the field or an object with"
                              + " it"));
    } else if (value instanceof KeyValue.Scalar scalar && isAsWritten(scalar, key)) {
      return new String(key, UTF_8);
    }
    if (!found.isPresent()) {
      throw new RowRejectedException("the record's key is null; send the key of the row");
    }
    return checked(text(found));
  }

  /** Returns whether a key is a bare text: only its row says whether 1.0 is a number or a text. */
  private static boolean isAsWritten(KeyValue.Scalar scalar, byte[] key) {
    int first = 0;
    while (first < key.length && key[first] > 0 && key[first] <= ' ') {
      first++;
    }
    boolean bare = first < key.length && key[first] != '{' && key[first] != 0;
    return scalar.kind() != KeyValue.Kind.TEXT && bare;
  }

  private static String checked(String text) throws RowRejectedException {
    if (!text.equals(new String(text.getBytes(UTF_8), UTF_8))) {
      throw new RowRejectedException("the record's key has half a character; send UTF-8");
    }
    return text;
  }

  private KeyValue read(byte[] key) throws RowRejectedException {
    if (key.length < PREFIX || key[0] != 0) {
      return ofText(key, 0);
    }
    if (registry.isPresent()) {
      return ofRegistry(key, registry.get());
    }
    if (key.length > PREFIX && key[PREFIX] == '{') {
      return ofText(key, PREFIX); // JSON with the id of its schema, which says nothing about it
    }
    throw binary();
  }

  private static KeyValue ofText(byte[] key, int from) throws RowRejectedException {
    if (key.length > from && key[from] == 0) {
      throw binary();
    }
    String text;
    try {
      text = UTF_8.newDecoder().decode(ByteBuffer.wrap(key, from, key.length - from)).toString();
    } catch (CharacterCodingException e) {
      throw binary();
    }
    String marked = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    return JsonKey.read(marked).orElseGet(() -> KeyValue.ofText(marked));
  }

  private static RowRejectedException binary() {
    return new RowRejectedException(
        "the record's key is neither text nor JSON, nor Avro by a registry that the config names;"
            + " send it as text or JSON, or compare bytes by kafka.rows.key: {record: bytes}");
  }

  private KeyValue ofRegistry(byte[] key, SchemaRegistry from) throws RowRejectedException {
    int id = ByteBuffer.wrap(key).getInt(1);
    if (id == 0) { // registries count from 1; a whole number of eight bytes, as Kafka writes it
      throw binary();
    }
    Schema schema = schemas.get(id);
    if (schema == null) {
      schema = from.keySchema(id);
      schemas.put(id, schema);
    }
    in.reset(key, PREFIX);
    try {
      KeyValue value = AvroKey.read(schema, in);
      if (in.atEnd()) {
        return value;
      }
    } catch (AvroInput.Malformed e) {
      throw notOfTheSchema(e.getMessage());
    }
    throw notOfTheSchema("bytes follow the value");
  }

  private static RowRejectedException notOfTheSchema(String what) {
    return new RowRejectedException(
        "the record's key is not Avro of the schema that it names: "
            + what
            + "; send keys written with exactly this schema");
  }
}

package io.gauze.source.avro;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.source.KeyValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Reads whole values in Avro's binary encoding as the values of keys. Numbers of all types are
 * compared by value, exactly; bytes are the text that they are in UTF-8, or texts with one
 * character a byte.
 */
public final class AvroKey {
  /** Begins the text of bytes that are not UTF-8, which no text begins with. */
  private static final String NO_TEXT = "\0";

  private AvroKey() {}

  /**
   * Reads a value of a writer's schema.
   *
   * @throws AvroInput.Malformed if the bytes do not match the schema
   */
  public static KeyValue read(Schema schema, AvroInput in) throws AvroInput.Malformed {
    return switch (schema.getType()) {
      case NULL -> KeyValue.none();
      case BOOLEAN -> KeyValue.of(in.readBoolean());
      case INT, LONG -> KeyValue.ofNumber(Long.toString(in.readLong()));
      case FLOAT -> number(in.readFloat());
      case DOUBLE -> number(in.readDouble());
      case STRING -> KeyValue.ofText(in.readText());
      case ENUM -> {
        List<String> symbols = schema.getEnumSymbols();
        yield KeyValue.ofText(symbols.get(in.readIndex(symbols.size())));
      }
      case BYTES -> bytes(schema, in.readBytes(in.readLength()));
      case FIXED -> bytes(schema, in.readBytes(schema.getFixedSize()));
      case UNION -> read(schema.getTypes().get(in.readIndex(schema.getTypes().size())), in);
      case ARRAY -> array(schema.getElementType(), in);
      case MAP -> map(schema.getValueType(), in);
      case RECORD -> record(schema, in);
    };
  }

  /** Returns the exact value, so that a type may become a wider one. */
  private static KeyValue number(double value) {
    return Double.isFinite(value)
        ? KeyValue.of(new BigDecimal(value))
        : KeyValue.ofNumber(Double.toString(value));
  }

  private static KeyValue bytes(Schema schema, byte[] bytes) throws AvroInput.Malformed {
    if (!(schema.getLogicalType() instanceof LogicalTypes.Decimal decimal)) {
      return KeyValue.ofText(text(bytes));
    }
    if (!AvroStep.Decimal.isShort(bytes.length, decimal.getScale())) {
      throw new AvroInput.Malformed("a decimal is too long");
    }
    return KeyValue.ofNumber(
        new BigDecimal(new BigInteger(bytes), decimal.getScale()).toPlainString());
  }

  /** Returns the text that bytes are in UTF-8; others have one character a byte. */
  private static String text(byte[] bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return NO_TEXT + new String(bytes, ISO_8859_1);
    }
  }

  private static KeyValue record(Schema schema, AvroInput in) throws AvroInput.Malformed {
    in.enter();
    Map<String, KeyValue> members = new HashMap<>();
    for (Schema.Field field : schema.getFields()) {
      members.put(field.name(), read(field.schema(), in));
    }
    in.leave();
    return KeyValue.of(members);
  }

  private static KeyValue array(Schema items, AvroInput in) throws AvroInput.Malformed {
    List<KeyValue> elements = new ArrayList<>();
    for (long count = count(in); count != 0; count = count(in)) {
      for (long i = 0; i < count; i++) {
        int begin = in.position();
        elements.add(read(items, in));
        if (in.position() == begin) { // nulls, of which there may be 2^63
          throw new AvroInput.Malformed("a list holds items without bytes");
        }
      }
    }
    return new KeyValue.Elements(List.copyOf(elements));
  }

  private static KeyValue map(Schema values, AvroInput in) throws AvroInput.Malformed {
    Map<String, KeyValue> members = new HashMap<>();
    for (long count = count(in); count != 0; count = count(in)) {
      for (long i = 0; i < count; i++) {
        members.put(in.readText(), read(values, in));
      }
    }
    return KeyValue.of(members);
  }

  /** Reads the number of items of a block; a negative one is followed by the block's bytes. */
  private static long count(AvroInput in) throws AvroInput.Malformed {
    long count = in.readLong();
    if (count >= 0) {
      return count;
    }
    in.readLong();
    if (count == Long.MIN_VALUE) {
      throw new AvroInput.Malformed("a block has no possible number of items");
    }
    return -count;
  }
}

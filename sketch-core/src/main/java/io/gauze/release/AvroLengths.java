package io.gauze.release;

import java.nio.ByteBuffer;
import org.apache.avro.Schema;

/**
 * Walks over Avro data and checks that all announced bytes are present, without reserving memory
 * for them. Supports the types that releases use.
 */
final class AvroLengths {
  private final ByteBuffer in;
  private final int total;

  private AvroLengths(ByteBuffer in) {
    this.in = in;
    this.total = in.remaining();
  }

  /**
   * Checks one datum that must fill the rest of the buffer.
   *
   * @throws IllegalArgumentException if it does not
   */
  static void check(Schema schema, ByteBuffer in) {
    AvroLengths walk = new AvroLengths(in);
    walk.datum(schema);
    if (in.hasRemaining()) {
      throw walk.damaged("whole, with nothing behind it");
    }
  }

  private void datum(Schema schema) {
    switch (schema.getType()) {
      case RECORD -> schema.getFields().forEach(field -> datum(field.schema()));
      case ARRAY -> items(schema.getElementType(), false);
      case MAP -> items(schema.getValueType(), true);
      case STRING -> skip(number());
      case DOUBLE -> skip(Double.BYTES);
      case BOOLEAN -> skip(1);
      case FIXED -> skip(schema.getFixedSize());
      case INT, LONG -> number();
      default -> throw new IllegalStateException("no rule for " + schema.getType());
    }
  }

  private void items(Schema item, boolean keys) {
    long all = 0;
    for (long count = number(); count != 0; count = number()) {
      if (count < 0 || count > in.remaining()) { // an item has at least one byte
        throw damaged("whole");
      }
      all += count;
      ReadingRoom.checkNumbers(all);
      for (long i = 0; i < count; i++) {
        if (keys) {
          skip(number());
        }
        datum(item);
      }
    }
  }

  /** Reads a number of 7 bits per byte, the lowest first, with the sign in the lowest bit. */
  private long number() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      skip(1);
      byte next = in.get(in.position() - 1);
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw damaged("made of numbers of at most 10 bytes");
  }

  private void skip(long bytes) {
    if (bytes < 0 || bytes > in.remaining()) {
      throw damaged("whole");
    }
    in.position(in.position() + (int) bytes);
  }

  private IllegalArgumentException damaged(String must) {
    return new IllegalArgumentException(
        "release must be "
            + must
            + ". Provided value: "
            + total
            + " bytes after its prefix, truncated or damaged at byte "
            + (total - in.remaining()));
  }
}

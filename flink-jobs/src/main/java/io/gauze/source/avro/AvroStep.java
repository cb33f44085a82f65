package io.gauze.source.avro;

import io.gauze.source.DebeziumChange;
import io.gauze.source.RowImage;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;

/** A step that reads or skips one value of a writer's schema. */
public interface AvroStep {
  /** Reads to the end of the value; what is wanted of it goes to {@code image}. */
  void read(AvroInput in, RowImage image) throws AvroInput.Malformed;

  /** Skips a value of a fixed size. */
  record SkipFixed(int bytes) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      in.skip(bytes);
    }
  }

  /** Skips an int, long or enum. */
  record SkipWhole() implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      in.readLong();
    }
  }

  /** Skips bytes or a text. */
  record SkipBytes() implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      in.skip(in.readLong());
    }
  }

  /** Skips the blocks of a list or, if {@code keyed}, of a map. */
  record SkipBlocks(boolean keyed, AvroStep item) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      for (long count = in.readLong(); count != 0; count = in.readLong()) {
        if (count < 0) {
          in.skip(in.readLong());
        } else {
          items(count, in, image);
        }
      }
    }

    private void items(long count, AvroInput in, RowImage image) throws AvroInput.Malformed {
      for (long i = 0; i < count; i++) {
        int begin = in.position();
        if (keyed) {
          in.skip(in.readLong());
        }
        item.read(in, image);
        if (in.position() == begin) {
          return; // items without bytes, such as nulls, whose count may be up to 2^63
        }
      }
    }
  }

  /** Reads a union by the step of the branch that is present. */
  record Union(List<AvroStep> branches) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      branches.get(in.readIndex(branches.size())).read(in, image);
    }
  }

  /**
   * Reads a record, by one step a field. The list may be filled later, since a schema may contain
   * itself.
   */
  record Fields(List<AvroStep> steps) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      in.enter();
      for (int i = 0; i < steps.size(); i++) {
        steps.get(i).read(in, image);
      }
      in.leave();
    }
  }

  /** Reads a null in a wanted field. */
  record Null(int field) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) {
      image.missing(field);
    }
  }

  /** Reads an int or long, whatever its logical type. */
  record Whole(int field, boolean number, boolean literal) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      set(in.readLong(), image);
    }

    private void set(long value, RowImage image) {
      if (number) {
        image.number(field, (double) value);
      }
      if (literal) {
        image.literal(field, Long.toString(value));
      }
    }
  }

  /**
   * Reads an int or long that is an event time by its logical type.
   *
   * @param column the step that reads it as a column, too
   * @param perSecond how many units a second has; 0 for days
   */
  record Time(Whole column, long perSecond) implements AvroStep {
    private static final long DAY = 86_400;
    private static final long NANOS = 1_000_000_000;

    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      long value = in.readLong();
      column.set(value, image);
      image.time(column.field(), instant(value));
    }

    private Instant instant(long value) {
      if (perSecond == 0) {
        return Instant.ofEpochSecond(Math.max(-MOST_DAYS, Math.min(MOST_DAYS, value)) * DAY);
      }
      long second = Math.floorDiv(value, perSecond);
      return Instant.ofEpochSecond(
          Math.max(-MOST_DAYS * DAY, Math.min(MOST_DAYS * DAY, second)),
          Math.floorMod(value, perSecond) * (NANOS / perSecond));
    }

    /** Days that an {@link Instant} can hold, a million years. */
    private static final long MOST_DAYS = 365_000_000;
  }

  /** Reads a float or, if {@code wide}, a double. */
  record Real(int field, boolean wide, boolean number, boolean literal) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      double value;
      if (wide) {
        value = in.readDouble();
        if (literal) {
          image.literal(field, Double.toString(value));
        }
      } else {
        float narrow = in.readFloat();
        value = narrow;
        if (literal) {
          image.literal(field, Float.toString(narrow));
        }
      }
      if (number) {
        image.number(field, value);
      }
    }
  }

  /** Reads a boolean, as the text true or false. */
  record Truth(int field) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      image.truth(field, in.readBoolean());
    }
  }

  /**
   * Reads a text.
   *
   * @param debezium whether it may be Debezium's placeholder, which is refused
   */
  record Text(int field, boolean debezium) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      String text = in.readText();
      if (debezium && text.equals(DebeziumChange.UNAVAILABLE)) {
        image.reject(field, DebeziumChange.NOT_TOLD);
      } else {
        image.text(field, text);
      }
    }
  }

  /** Begins the image of a row and reads it; where the row is null, nothing calls this. */
  record Row(AvroStep fields) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      image.begin();
      fields.read(in, image);
    }
  }

  /** Sets a number that the writer's schema lacks, and reads nothing. */
  record DefaultNumber(int field, String written, boolean number) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) {
      if (number) {
        image.number(field, Double.parseDouble(written));
      }
      image.literal(field, written);
    }
  }

  /** Sets a text or boolean that the writer's schema lacks, and reads nothing. */
  record DefaultText(int field, String text) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) {
      image.text(field, text);
    }
  }

  /** Reads an enum, as the text of its symbol. */
  record Symbol(int field, List<String> symbols) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      image.text(field, symbols.get(in.readIndex(symbols.size())));
    }
  }

  /**
   * Reads a decimal.
   *
   * @param size the bytes of a fixed decimal; negative if the decimal's length is written before it
   */
  record Decimal(int field, int size, int scale, boolean number, boolean literal)
      implements AvroStep {
    /**
     * The most bytes of a decimal: more than 300 digits. The time to convert grows faster than the
     * length.
     */
    private static final int MAX_BYTES = 128;

    /**
     * The largest scale, which is more places than any double needs. The schema's scale decides how
     * long the decimal is as text.
     */
    public static final int MAX_SCALE = 400;

    /** Returns whether a decimal of so many bytes is short enough to be converted. */
    static boolean isShort(int bytes, int scale) {
      return bytes > 0 && bytes <= MAX_BYTES && scale <= MAX_SCALE;
    }

    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      int length = size < 0 ? in.readLength() : size;
      if (length == 0 || length > MAX_BYTES) {
        in.skip(length);
        image.reject(field, "is a decimal of no or more than 128 bytes; send a shorter one");
        return;
      }
      BigDecimal value = new BigDecimal(new BigInteger(in.readBytes(length)), scale);
      if (number) {
        image.number(field, value.doubleValue());
      }
      if (literal) {
        image.literal(field, value.toPlainString());
      }
    }
  }

  /** Refuses a value in which there should be fields. */
  record NoRecord(List<Integer> fields, AvroStep skip) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      skip.read(in, image);
      fields.forEach(field -> image.reject(field, RowImage.NO_OBJECT));
    }
  }

  /**
   * Refuses a value that no field can have.
   *
   * @param reason what is wrong and what to do
   */
  record Refused(int field, AvroStep skip, String reason) implements AvroStep {
    @Override
    public void read(AvroInput in, RowImage image) throws AvroInput.Malformed {
      skip.read(in, image);
      image.reject(field, reason);
    }
  }
}

package io.gauze.source.format;

import io.gauze.row.RowRejectedException;
import io.gauze.source.avro.AvroStep;
import io.gauze.source.file.CsvRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Writes rows in Avro's binary encoding. A field takes the value of the column with its name; a
 * nested field that of the column with its path, such as {@code address.city}. A missing value is
 * null or the field's default. Not thread-safe.
 */
final class AvroRecordWriter implements RecordWriter {
  private final Schema schema;
  private final GenericDatumWriter<Object> writer;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
  private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);

  AvroRecordWriter(Schema schema) {
    this.schema = schema;
    this.writer = new GenericDatumWriter<>(schema);
  }

  @Override
  public byte[] write(CsvRow row) throws RowRejectedException {
    GenericData.Record record = record(schema, "", row);
    bytes.reset();
    try {
      writer.write(record, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private GenericData.Record record(Schema type, String prefix, CsvRow row)
      throws RowRejectedException {
    GenericData.Record record = new GenericData.Record(type);
    for (Schema.Field field : type.getFields()) {
      String path = prefix + field.name();
      if (field.hasDefaultValue() && !isThere(path, row)) {
        record.put(field.pos(), GenericData.get().getDefaultValue(field));
      } else {
        record.put(field.pos(), value(field.schema(), path, row).orElse(null));
      }
    }
    return record;
  }

  private static boolean isThere(String path, CsvRow row) {
    return row.value(path).isPresent()
        || row.fields().stream()
            .anyMatch(name -> name.startsWith(path + ".") && row.value(name).isPresent());
  }

  /** Returns the value of a field; empty for null. */
  private Optional<Object> value(Schema type, String path, CsvRow row) throws RowRejectedException {
    if (type.getType() == Schema.Type.RECORD) {
      return Optional.of(record(type, path + ".", row));
    }
    if (type.getType() == Schema.Type.UNION) {
      return branch(type, path, row);
    }
    if (type.getType() == Schema.Type.NULL) {
      return Optional.empty();
    }
    String text =
        row.value(path)
            .orElseThrow(
                () ->
                    new RowRejectedException(
                        "field "
                            + path
                            + " is missing, and its schema allows neither null nor a default"));
    try {
      return Optional.of(parse(type, text));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new RowRejectedException(
          "field " + path + " has a value that is no " + name(type) + " of the schema");
    }
  }

  private static String name(Schema type) {
    return type.getLogicalType() == null
        ? type.getType().getName()
        : type.getLogicalType().getName();
  }

  /** Returns the value by the first branch that takes it. */
  private Optional<Object> branch(Schema union, String path, CsvRow row)
      throws RowRejectedException {
    boolean there = isThere(path, row);
    RowRejectedException last = new RowRejectedException("field " + path + " is missing");
    for (Schema type : union.getTypes()) {
      if ((type.getType() == Schema.Type.NULL) != there) {
        try {
          return value(type, path, row);
        } catch (RowRejectedException e) {
          last = e;
        }
      }
    }
    throw last;
  }

  private static Object parse(Schema type, String text) {
    if (type.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      return decimal(type, decimal.getScale(), text);
    }
    return switch (type.getType()) {
      case INT -> new BigDecimal(text).intValueExact();
      case LONG -> new BigDecimal(text).longValueExact();
      case FLOAT -> Float.parseFloat(text);
      case DOUBLE -> Double.parseDouble(text);
      case BOOLEAN -> truth(text);
      case STRING -> text;
      case ENUM -> symbol(type, text);
      default -> throw new IllegalArgumentException("no text");
    };
  }

  private static boolean truth(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("neither true nor false");
    }
    return text.equals("true");
  }

  private static GenericData.EnumSymbol symbol(Schema type, String text) {
    if (!type.hasEnumSymbol(text)) {
      throw new IllegalArgumentException("no symbol");
    }
    return new GenericData.EnumSymbol(type, text);
  }

  private static Object decimal(Schema type, int scale, String text) {
    BigDecimal given = new BigDecimal(text);
    if (Math.max(scale, (long) given.precision() - given.scale()) > AvroStep.Decimal.MAX_SCALE) {
      throw new ArithmeticException("too many digits"); // all digits would be written out
    }
    BigDecimal value = given.setScale(scale, RoundingMode.UNNECESSARY);
    byte[] unscaled = value.unscaledValue().toByteArray();
    if (type.getType() == Schema.Type.BYTES) {
      return ByteBuffer.wrap(unscaled);
    }
    byte[] fixed = new byte[type.getFixedSize()];
    int pad = fixed.length - unscaled.length;
    if (pad < 0) {
      throw new ArithmeticException("too many digits");
    }
    Arrays.fill(fixed, (byte) (value.signum() < 0 ? -1 : 0));
    System.arraycopy(unscaled, 0, fixed, pad, unscaled.length);
    return new GenericData.Fixed(type, fixed);
  }
}

package io.gauze.release;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.gauze.sketch.SketchSpec;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/**
 * Reads and writes releases as JSON objects: the fields of their {@link ReleaseSchema} under their
 * names and in their order, numbers as JSON numbers (NaN and the infinities as texts), the checksum
 * in hexadecimal digits. Follows the schema, so that fields outside of it are refused.
 */
final class ReleaseJson {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .build()
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

  private static final List<String> NOT_FINITE = List.of("NaN", "Infinity", "-Infinity");
  private static final String COLUMNS = "columns";
  private static final String GUARANTEE = "guarantee";
  private static final String PAYLOAD = "payload";
  private static final String VERSION = "formatVersion";
  private static final int SHOWN = 40;

  /** The parts of the parser's messages that refer to its own settings. */
  private static final Pattern PARSER_METHOD =
      Pattern.compile(", from `[^`]*`| \\(start marker at .*");

  private ReleaseJson() {}

  /** Writes a complete record, in UTF-8. */
  static void write(GenericRecord record, OutputStream out) throws IOException {
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
    try (JsonGenerator json = FACTORY.createGenerator(out).setPrettyPrinter(printer)) {
      value(record.getSchema(), record, json);
      json.writeRaw('\n');
    }
  }

  /** Writes all but the payload. */
  static void writeHeader(GenericRecord record, OutputStream out) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      for (Schema.Field field : record.getSchema().getFields()) {
        if (!field.name().equals(PAYLOAD)) {
          json.writeFieldName(field.name());
          value(field.schema(), record.get(field.pos()), json);
        }
      }
      json.writeEndObject();
    }
  }

  private static void value(Schema schema, Object value, JsonGenerator json) throws IOException {
    switch (schema.getType()) {
      case RECORD -> {
        json.writeStartObject();
        for (Schema.Field field : schema.getFields()) {
          json.writeFieldName(field.name());
          value(field.schema(), ((GenericRecord) value).get(field.pos()), json);
        }
        json.writeEndObject();
      }
      case ARRAY -> {
        json.writeStartArray();
        for (Object item : (Collection<?>) value) {
          value(schema.getElementType(), item, json);
        }
        json.writeEndArray();
      }
      case MAP -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
          json.writeFieldName(entry.getKey().toString());
          value(schema.getValueType(), entry.getValue(), json);
        }
        json.writeEndObject();
      }
      case STRING -> json.writeString(value.toString());
      case DOUBLE -> json.writeNumber((Double) value);
      case BOOLEAN -> json.writeBoolean((Boolean) value);
      case INT, LONG -> json.writeNumber(((Number) value).longValue());
      case FIXED -> json.writeString(HexFormat.of().formatHex(((GenericData.Fixed) value).bytes()));
      default -> throw new IllegalStateException("no rule for " + schema.getType());
    }
  }

  /**
   * Parses the object that {@link #write} writes, with the fields in any order.
   *
   * @throws IllegalArgumentException if it is not JSON, or does not follow the schema
   * @throws IOException if the stream cannot be read
   */
  static GenericRecord read(InputStream in) throws IOException {
    return complete(document(in), "the release");
  }

  /** Parses the object that {@link #writeHeader} writes, with an empty payload. */
  static GenericRecord readHeader(InputStream in) throws IOException {
    GenericRecord record = document(in);
    if (record.get(PAYLOAD) != null) {
      throw new IllegalArgumentException("header must have no payload. Provided value: one");
    }
    record.put(PAYLOAD, List.of());
    return complete(record, "the header");
  }

  private static GenericRecord document(InputStream in) throws IOException {
    try (JsonParser json = FACTORY.createParser(in)) {
      try {
        return document(json);
      } catch (JsonProcessingException e) {
        throw notJson(e, json.currentLocation());
      }
    } catch (CharConversionException e) {
      throw new IllegalArgumentException("release must be UTF-8: " + e.getMessage(), e);
    }
  }

  private static GenericRecord document(JsonParser json) throws IOException {
    json.nextToken();
    GenericRecord record = record(ReleaseSchema.LATEST.avro(), json, "the release");
    if (json.nextToken() != null) {
      throw new IllegalArgumentException(
          "file must end with the release. Provided value: " + shown(json) + " behind it");
    }
    return record;
  }

  /**
   * @param reached the position of the parser, since not every exception contains its position
   */
  private static IllegalArgumentException notJson(JsonProcessingException e, JsonLocation reached) {
    JsonLocation place = e.getLocation() == null ? reached : e.getLocation();
    String problem = PARSER_METHOD.matcher(e.getOriginalMessage()).replaceAll("");
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "line %d, column %d: release must be JSON: %s",
            place.getLineNr(),
            place.getColumnNr(),
            problem),
        e);
  }

  private static GenericRecord record(Schema schema, JsonParser json, String name)
      throws IOException {
    expect(json.hasToken(JsonToken.START_OBJECT), json, name, "an object");
    GenericRecord record = new GenericData.Record(schema);
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      Schema.Field field = schema.getField(json.currentName());
      if (field == null) {
        throw new IllegalArgumentException(
            name + " must have the fields of a release only. Provided value: " + shown(json));
      }
      json.nextToken();
      record.put(field.pos(), value(field.schema(), json, field.name()));
      if (field.name().equals(VERSION)) {
        checkVersion((Integer) record.get(field.pos()));
      }
    }
    return record;
  }

  /** Checks the version as soon as it is read, since other versions have other fields. */
  private static void checkVersion(int version) {
    if (ReleaseSchema.all().stream().noneMatch(schema -> schema.version() == version)) {
      throw new IllegalArgumentException(
          "formatVersion must be 1, 2 or 3 in this kind of file. Provided value: "
              + version
              + "; upgrade Gauze if it was made by a newer one");
    }
  }

  /** The record under the schema of its version, all of whose fields it must have. */
  private static GenericRecord complete(GenericRecord record, String name) {
    Object version = record.get(VERSION);
    ReleaseSchema schema =
        ReleaseSchema.all().stream()
            .filter(each -> Objects.equals(version, each.version()))
            .findFirst()
            .orElse(ReleaseSchema.LATEST);
    GenericRecord same = under(schema.avro(), record, name);
    List<GenericRecord> columns = new ArrayList<>();
    ((Collection<?>) record.get(COLUMNS))
        .forEach(column -> columns.add(under(schema.column(), (GenericRecord) column, COLUMNS)));
    same.put(COLUMNS, columns);
    GenericRecord guarantee = (GenericRecord) record.get(GUARANTEE);
    same.put(GUARANTEE, under(schema.avro().getField(GUARANTEE).schema(), guarantee, GUARANTEE));
    return same;
  }

  /** Copies the fields into a record of another schema. */
  private static GenericRecord under(Schema schema, GenericRecord record, String name) {
    GenericRecord copy = new GenericData.Record(schema);
    for (Schema.Field field : record.getSchema().getFields()) {
      Object value = record.get(field.pos());
      boolean wanted = schema.getField(field.name()) != null;
      if (wanted == (value == null)) {
        throw new IllegalArgumentException(
            wanted
                ? name + " must have the field " + field.name() + ". Provided value: none"
                : name
                    + " must have the fields of its formatVersion only. Provided value: "
                    + field.name());
      }
      if (wanted) {
        copy.put(field.name(), value);
      }
    }
    return copy;
  }

  private static Object value(Schema schema, JsonParser json, String name) throws IOException {
    return switch (schema.getType()) {
      case RECORD -> {
        yield record(schema, json, name);
      }
      case ARRAY -> items(schema.getElementType(), json, name);
      case MAP -> {
        expect(json.hasToken(JsonToken.START_OBJECT), json, name, "an object");
        Map<String, Object> values = new TreeMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String key = json.currentName();
          json.nextToken();
          values.put(key, value(schema.getValueType(), json, name));
        }
        yield values;
      }
      case STRING -> text(json, name);
      case DOUBLE -> real(json, name);
      case BOOLEAN -> {
        boolean isTrue = json.hasToken(JsonToken.VALUE_TRUE);
        expect(isTrue || json.hasToken(JsonToken.VALUE_FALSE), json, name, "true or false");
        yield isTrue;
      }
      case INT -> (int) whole(json, name, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case FIXED -> new GenericData.Fixed(schema, bytes(text(json, name), schema, name));
      default -> throw new IllegalStateException("no rule for " + schema.getType());
    };
  }

  private static Object items(Schema item, JsonParser json, String name) throws IOException {
    expect(json.hasToken(JsonToken.START_ARRAY), json, name, "a list");
    if (item.getType() == Schema.Type.LONG) {
      NumberList numbers = new NumberList((int) SketchSpec.MAX_STATE_LENGTH);
      while (json.nextToken() != JsonToken.END_ARRAY) {
        numbers.add(whole(json, name, Long.MIN_VALUE, Long.MAX_VALUE));
      }
      return ReleaseRecord.view(numbers.toArray());
    }
    List<Object> items = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      items.add(value(item, json, name));
    }
    return items;
  }

  private static String text(JsonParser json, String name) throws IOException {
    expect(json.hasToken(JsonToken.VALUE_STRING), json, name, "a text");
    return json.getText();
  }

  private static double real(JsonParser json, String name) throws IOException {
    if (json.hasToken(JsonToken.VALUE_STRING) && NOT_FINITE.contains(json.getText())) {
      return Double.parseDouble(json.getText());
    }
    boolean number =
        json.hasToken(JsonToken.VALUE_NUMBER_FLOAT) || json.hasToken(JsonToken.VALUE_NUMBER_INT);
    expect(number, json, name, "a number");
    return json.getDoubleValue();
  }

  private static long whole(JsonParser json, String name, long least, long most)
      throws IOException {
    boolean fits =
        json.hasToken(JsonToken.VALUE_NUMBER_INT)
            && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER
            && json.getLongValue() >= least
            && json.getLongValue() <= most;
    expect(fits, json, name, "whole, in [" + least + ", " + most + "]");
    return json.getLongValue();
  }

  private static byte[] bytes(String text, Schema schema, String name) {
    if (!text.matches("[0-9a-f]{" + 2 * schema.getFixedSize() + "}")) {
      throw new IllegalArgumentException(
          name
              + " must be "
              + 2 * schema.getFixedSize()
              + " hexadecimal digits. Provided value: "
              + shown(text));
    }
    return HexFormat.of().parseHex(text);
  }

  private static void expect(boolean good, JsonParser json, String name, String type)
      throws IOException {
    if (!good) {
      throw new IllegalArgumentException(
          name + " must be " + type + ". Provided value: " + shown(json));
    }
  }

  private static String shown(JsonParser json) throws IOException {
    return json.currentToken() == null ? "none" : shown(json.getText());
  }

  private static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }
}

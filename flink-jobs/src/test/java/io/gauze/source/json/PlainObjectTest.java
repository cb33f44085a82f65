package io.gauze.source.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.CategoryColumn;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.OrdinalColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.testing.Effort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plain rows, and rows that only look so, are read to the same images and refused with the same
 * messages as by a parser of all of JSON.
 */
final class PlainObjectTest {
  private static final int MANY = Effort.of(5_000, 200_000);

  private static final RowSchema FLAT =
      RowSchema.of(
          List.of(
              new NumericColumn("a", "a", -1, 1),
              new NumericColumn("long", "a_name_of_20_letters", -1, 1),
              new OrdinalColumn("rank", "r", Map.of("low", 0.0, "high", 1.0), 0, 1),
              new IndicatorColumn("yes", "i", "true"),
              new CategoryColumn("kind", "k", List.of("1", "2.50", "x", "\u00e9"))),
          1.0,
          4.0,
          MissingValues.REJECT);

  private static final RowSchema NESTED =
      RowSchema.of(
          List.of(
              new NumericColumn("a", "a", -1, 1),
              new NumericColumn("b", "in.b", -1, 1),
              new NumericColumn("p", "payload.p", -1, 1),
              new CategoryColumn("kind", "k", List.of("x", "y"))),
          1.0,
          4.0,
          MissingValues.MIDPOINT);

  private static final RowFields FLAT_FIELDS =
      RowFields.of(FLAT, List.of("id", "k", "t", "a")).withTime("t");

  /** Fields of a stream. */
  private record Shape(String name, long seed, RowFields fields) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Shape FLAT_SHAPE = new Shape("flat, with texts", 0, FLAT_FIELDS);

  static List<Shape> shapes() {
    return List.of(
        FLAT_SHAPE,
        new Shape("flat, numbers alone", 1, RowFields.of(FLAT, List.of())),
        new Shape("nested", 2, RowFields.of(NESTED, List.of("in.id", "id", "s.t.u"))));
  }

  private static final List<String> NAMES =
      List.of(
          "a",
          "a",
          "a",
          "a_name_of_20_letters",
          "a_name_of_20_letterS",
          "r",
          "i",
          "k",
          "id",
          "t",
          "in",
          "in.b",
          "in.id",
          "s",
          "s.t.u",
          "payload",
          "schema",
          "b",
          "A",
          "other",
          "\u00e9",
          "\ud83d\ude00",
          "",
          "x".repeat(300),
          "\\u0061",
          "a\\\"",
          "a\\n",
          "op",
          "before",
          "after");

  private static final List<String> VALUES =
      List.of(
          "0.5",
          "-0.123456",
          "0",
          "-0",
          "-0.0",
          "1e400",
          "-1e400",
          "1e-400",
          "0.1e1",
          "1E+0",
          "1",
          "12",
          "0.30000000000000004",
          "0.12345678901234567",
          "9007199254740993",
          "1e23",
          "123456789012345678901234567890",
          "0." + "3".repeat(2000),
          "NaN",
          "Infinity",
          "-Infinity",
          "null",
          "true",
          "false",
          "nul",
          "trueX",
          "True",
          "\"low\"",
          "\"high\"",
          "\"x\"",
          "\"1\"",
          "\"2.50\"",
          "1.0",
          "2.5",
          "2.50",
          "\"true\"",
          "\"\"",
          "\"\u00e9\"",
          "\"e\u0301\"",
          "\"\ufffd\"",
          "\"\ud83d\ude00\"",
          "\"\\u0078\"",
          "\"a\\\"b\"",
          "\"tab\there\"",
          "\"\u007f\"",
          "\"\u0000\"",
          "\"0.5\"",
          "\"2026-01-01T00:00:00Z\"",
          "[2026,1,1]",
          "[]",
          "[1,[2]]",
          "{}",
          "{\"b\":0.25}",
          "{\"b\":0.25,\"id\":7}",
          "{\"p\":0.5}",
          "{\"a\":0.1,\"k\":\"x\"}",
          "{\"t\":{\"u\":\"v\"}}",
          "+1",
          ".5",
          "5.",
          "01",
          "0x1",
          "1_0",
          "'x'",
          "\"" + "y".repeat(500) + "\"",
          "1".repeat(400),
          "-",
          "\"open",
          "/* c */1",
          "");

  private static final List<String> BLANKS =
      List.of("", "", "", "", " ", "\n", "\t", "\r\n  ", "\u00a0", "\u000b", "\ufeff", "\u0000");

  /** What becomes of a record: the reason of its refusal, or all that can be asked of its image. */
  private static List<Object> outcome(Decoding decoding, byte[] record, RowImage image)
      throws RowRejectedException {
    List<Object> found = new ArrayList<>();
    try {
      decoding.decode(record, image);
    } catch (RowRejectedException e) {
      return List.of(e.getMessage());
    }
    found.add(image.isPresent());
    found.add(image.hasColumnValue());
    return found;
  }

  /** A way to decode. */
  private interface Decoding {
    void decode(byte[] record, RowImage image) throws RowRejectedException;
  }

  private static List<Object> all(Decoding decoding, byte[] record, RowImage image, Shape shape)
      throws RowRejectedException {
    List<Object> found = new ArrayList<>(outcome(decoding, record, image));
    if (found.size() == 1) {
      return found;
    }
    for (int field = 0; field < shape.fields.names().size(); field++) {
      found.add(image.fault(field));
      found.add(image.hasExtra(field) ? image.extra(field) + " " + image.key(field) : "none");
    }
    double[] row = new double[shape.fields.schema().dimension()];
    try {
      image.scale(row);
      Arrays.stream(row).mapToObj(Double::doubleToRawLongBits).forEach(found::add);
    } catch (RowRejectedException e) {
      found.add(e.getMessage());
    }
    return found;
  }

  private static <T> T one(List<T> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }

  private static String blank(Random random) {
    return random.nextInt(20) == 0 ? one(BLANKS, random) : "";
  }

  /** Returns an object of valid members, and sometimes one or two other ones. */
  private static String object(Random random) {
    List<String> members =
        new ArrayList<>(
            List.of(
                "\"a\":" + number(random),
                "\"a_name_of_20_letters\": " + number(random),
                "\"r\":\"" + (random.nextBoolean() ? "low" : "high") + "\"",
                "\"i\":" + random.nextBoolean(),
                "\"k\":\"x\"",
                "\"id\":" + random.nextInt()));
    if (random.nextInt(3) == 0) {
      Collections.shuffle(members, random);
    }
    for (int others = random.nextInt(3); others > 0; others--) {
      String member =
          blank(random) + "\"" + one(NAMES, random) + "\"" + blank(random) + ":" + blank(random);
      int place = random.nextInt(members.size());
      if (random.nextBoolean()) {
        members.set(place, member + one(VALUES, random));
      } else {
        members.add(place, member + one(VALUES, random) + blank(random));
      }
    }
    String text = "{" + blank(random) + String.join(blank(random) + ",", members) + "}";
    return blank(random) + text + blank(random);
  }

  private static String number(Random random) {
    return random.nextBoolean()
        ? Double.toString(random.nextDouble(-1.2, 1.2))
        : Integer.toString(random.nextInt(-1, 2));
  }

  private static byte[] record(Random random) {
    String text = object(random);
    int kind = random.nextInt(20);
    if (kind == 0) {
      text = "{\"schema\":null,\"payload\":" + text + "}";
    } else if (kind == 1) {
      text += one(VALUES, random);
    }
    byte[] bytes = text.getBytes(kind == 2 ? ISO_8859_1 : UTF_8);
    if (kind < 6 && bytes.length > 0) {
      int at = random.nextInt(bytes.length);
      if (kind == 3) {
        return Arrays.copyOf(bytes, at);
      }
      bytes[at] = kind == 4 ? (byte) random.nextInt(256) : bytes[random.nextInt(bytes.length)];
    }
    return bytes;
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void readsRecordsLikeAParserOfAllOfJson(Shape shape) throws RowRejectedException {
    Random random = new Random(shape.seed);
    JsonRowDecoder decoder = new JsonRowDecoder(shape.fields);
    JsonRowDecoder general = new JsonRowDecoder(shape.fields);
    RowImage image = new RowImage(shape.fields);
    RowImage expected = new RowImage(shape.fields);
    for (int i = 0; i < MANY; i++) {
      byte[] record = record(random);
      assertThat(all(decoder::decode, record, image, shape))
          .as(() -> new String(record, UTF_8))
          .isEqualTo(all(general::decodeAny, record, expected, shape));
    }
  }

  /** Each record by itself, so that no other one keeps it from being tried. */
  @ParameterizedTest
  @MethodSource("shapes")
  void whatIsReadIsWhatAParserOfAllOfJsonReads(Shape shape) throws RowRejectedException {
    Random random = new Random(100 + shape.seed);
    JsonRowDecoder general = new JsonRowDecoder(shape.fields);
    RowImage image = new RowImage(shape.fields);
    RowImage expected = new RowImage(shape.fields);
    int read = 0;
    PlainObject plain = new PlainObject(shape.fields);
    for (int i = 0; i < MANY; i++) {
      byte[] record = record(random);
      if (i % 500 == 0) {
        plain = new PlainObject(shape.fields);
      }
      boolean isRead = false;
      for (int turn = 0; turn <= 65 && !isRead; turn++) { // some turns are not tried
        isRead = plain.read(record, image);
      }
      if (isRead && image.hasColumnValue()) { // the decoder looks at the others once more
        read++;
        List<Object> found = all((bytes, row) -> {}, record, image, shape);
        assertThat(found)
            .as(() -> new String(record, UTF_8))
            .isEqualTo(all(general::decodeAny, record, expected, shape));
      }
    }
    assertThat(read).as("records that were read").isBetween(MANY / 5, MANY - MANY / 5);
  }

  /** All values of one field, alone and twice, and all names with one value. */
  @ParameterizedTest
  @MethodSource("shapes")
  void readsEachNameWithEachValue(Shape shape) throws RowRejectedException {
    JsonRowDecoder general = new JsonRowDecoder(shape.fields);
    RowImage image = new RowImage(shape.fields);
    RowImage expected = new RowImage(shape.fields);
    for (String name : NAMES) {
      for (String value : VALUES) {
        String member = "\"" + name + "\":" + value;
        for (String text :
            List.of(
                "{" + member + "}",
                "{\"a\":0.5," + member + "}",
                "{" + member + "," + member + ",\"k\":\"x\"}")) {
          byte[] record = text.getBytes(UTF_8);
          assertThat(all(new JsonRowDecoder(shape.fields)::decode, record, image, shape))
              .as(text)
              .isEqualTo(all(general::decodeAny, record, expected, shape));
        }
      }
    }
  }

  @Test
  void readsPlainRecordsItself() {
    for (String text :
        List.of(
            "{\"a\":0.5}",
            "{ \"a\" : -0.5 , \"k\" : \"x\" }\n",
            "{\"other\":null,\"another\":\"text\",\"i\":true,\"a\":1e-3}",
            "{\"k\":\"\u00e9\",\"\u00e9\":0.123456789012345678}")) {
      byte[] record = text.getBytes(UTF_8);
      RowImage image = new RowImage(FLAT_FIELDS);
      assertThat(new PlainObject(FLAT_FIELDS).read(record, image)).as(text).isTrue();
    }
  }

  @Test
  void doesNotTryEachRecordIfNoneIsPlain() {
    PlainObject plain = new PlainObject(FLAT_FIELDS);
    RowImage image = new RowImage(FLAT_FIELDS);
    byte[] other = "{\"a\":[1]}".getBytes(UTF_8);
    byte[] row = "{\"a\":0.5}".getBytes(UTF_8);
    assertThat(plain.read(row, image)).isTrue();
    for (int i = 0; i < 10_000; i++) {
      assertThat(plain.read(other, image)).isFalse();
    }
    int waits = 0;
    while (!plain.read(row, image)) {
      waits++;
    }
    assertThat(waits).isBetween(1, 64);
    assertThat(plain.read(row, image)).as("the next one at once").isTrue();
  }

  @Test
  void readsRowsOfMoreNamesThanItRemembers() throws RowRejectedException {
    JsonRowDecoder decoder = new JsonRowDecoder(FLAT_FIELDS);
    JsonRowDecoder general = new JsonRowDecoder(FLAT_FIELDS);
    RowImage image = new RowImage(FLAT_FIELDS);
    RowImage expected = new RowImage(FLAT_FIELDS);
    for (int i = 0; i < 2_000; i++) {
      String text = "{\"n" + i + "\":" + i + ",\"a\":0." + i + ",\"k\":\"x\",\"id\":" + i + "}";
      byte[] record = text.getBytes(UTF_8);
      assertThat(all(decoder::decode, record, image, FLAT_SHAPE))
          .isEqualTo(all(general::decodeAny, record, expected, FLAT_SHAPE));
    }
  }
}

package io.gauze.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.format.KeyReader;
import io.gauze.source.json.JsonRowDecoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * All JSON parsers share a table of names. A record with many names of one hash must not change
 * whether another record, or a key, can be read.
 */
final class SharedNamesTest {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final String COLUMN = "response";
  private static final int NAMES = 600;
  private static final int ROWS = 1000;
  private static final int FACTOR = 33;

  /**
   * Names of eight letters that the parser's table cannot tell from the column's: it mixes the
   * first four bytes, adds 33 times the last four, and only then its seed.
   */
  private static List<String> namesOfOneHash() {
    ByteBuffer column = ByteBuffer.wrap(COLUMN.getBytes(UTF_8));
    int target = mixed(column.getInt(0)) + FACTOR * column.getInt(4);
    int inverse = 1; // of the factor, modulo 2^32
    for (int i = 0; i < 5; i++) {
      inverse *= 2 - FACTOR * inverse;
    }
    SplittableRandom random = new SplittableRandom(38);
    List<String> names = new ArrayList<>();
    while (names.size() < NAMES) {
      String first =
          random
              .ints(4, 0, LETTERS.length())
              .mapToObj(i -> LETTERS.substring(i, i + 1))
              .collect(Collectors.joining());
      int start = ByteBuffer.wrap(first.getBytes(UTF_8)).getInt();
      byte[] last = ByteBuffer.allocate(4).putInt((target - mixed(start)) * inverse).array();
      String name = first + new String(last, UTF_8);
      boolean plain = name.chars().allMatch(c -> LETTERS.indexOf(c) >= 0);
      if (plain && !name.equals(COLUMN) && !names.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private static int mixed(int word) {
    int sum = word + (word >>> 15);
    return sum ^ (sum >>> 9);
  }

  private static byte[] record(List<String> names) {
    return names.stream()
        .map(name -> '"' + name + "\":1")
        .collect(Collectors.joining(",", "{", "}"))
        .getBytes(UTF_8);
  }

  @Test
  void aRecordOfManyNamesChangesNothingForOthers() throws RowRejectedException {
    RowSchema schema =
        RowSchema.of(
            List.of(new NumericColumn("x", "x", 0, 1), new NumericColumn(COLUMN, COLUMN, 0, 1)),
            1.0,
            2.0,
            MissingValues.REJECT);
    RowFields fields = RowFields.of(schema, List.of());
    RowImage image = new RowImage(fields);
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    byte[] hostile = record(namesOfOneHash());
    byte[] row = ("{\"x\":0.5,\"" + COLUMN + "\":0.25}").getBytes(UTF_8);
    for (int i = 0; i < ROWS; i++) {
      decoder.decode(i % 100 == 0 ? hostile : row, image);
      if (i % 100 != 0) {
        image.accept(); // throws nothing
      }
    }
  }

  /** Of a key the text is parsed, whose table is another one; twelve parts of one hash each. */
  @Test
  void aKeyOfManyNamesChangesNothingForOthers() throws RowRejectedException {
    KeyReader keys = KeyReader.ofTexts();
    List<String> names =
        IntStream.range(0, 1000)
            .mapToObj(
                i ->
                    IntStream.range(0, 12)
                        .mapToObj(bit -> (i >> bit & 1) == 0 ? "Ab" : "BA")
                        .collect(Collectors.joining()))
            .toList();
    byte[] some = record(names.subList(300, 460));
    String before = keys.text(some);
    for (int i = 0; i < 3; i++) {
      String other = keys.text(record(names.subList(0, 300)));
      assertThat(other).isNotEqualTo(before);
      assertThat(keys.text(some)).isEqualTo(before);
    }
  }

  /** Numbers with exponents are longer when they are written out. */
  @Test
  void noKeyGrowsWithoutLimit() {
    refused("[" + "1e999,".repeat(5_000) + "1]", "longer than 1048576 characters");
    refused("7." + "0".repeat(1000), "a number of more than 1000 characters");
  }

  private static void refused(String key, String reason) {
    assertThatThrownBy(() -> KeyReader.ofTexts().text(key.getBytes(UTF_8)))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining(reason);
  }
}

package io.gauze.source.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.RowRejectedException;
import io.gauze.source.DecodedRow;
import io.gauze.source.RecordSize;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A line holds id, something that nothing reads, k and a. */
final class CsvRowDecoderTest {
  private final DecodedRow rows =
      new DecodedRow(new RecordFormat.Csv(List.of("id", "other", "k", "a"), ','));

  private double[] decode(String line) throws RowRejectedException {
    return rows.inserted(line.getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "12,?,y,0.5",
        "12,?,y,0.5\n",
        "12,?,y,0.5\r\n",
        " 12 , ,\ty , 5e-1 ",
        "\"12\",\"a, \"\"quoted\"\"\nvalue\",\"y\",\"+.5\"",
        "12,\u00e9\u4e16,y,0.5",
        "12,, \"y\" ,0.50000"
      })
  void readsALine(String line) throws RowRejectedException {
    assertThat(decode(line)).containsExactly(0.5, 1, 0);
    assertThat(rows.after.extra(DecodedRow.ID)).isEqualTo("12");
  }

  @Test
  void takesOtherSeparators() throws RowRejectedException {
    for (char separator : new char[] {';', '\t', '|'}) {
      DecodedRow other = new DecodedRow(new RecordFormat.Csv(List.of("a", "k"), separator));
      assertThat(other.inserted(("0.5" + separator + "7").getBytes(UTF_8)))
          .containsExactly(0.5, 0, 1);
      assertThat(other.after.hasExtra(DecodedRow.ID)).isFalse();
    }
  }

  /** Without numbers, or where they may be missing, a header would be a row. */
  @ParameterizedTest
  @ValueSource(
      strings = {"id,other,k,a", "id,other,k,a\r\n", "\ufeffid,other,k,a", "\"id\", other,\"k\",a"})
  void refusesAHeader(String line) throws RowRejectedException {
    rows.rejected(line.getBytes(UTF_8), "the line holds the names of the columns");
    assertThat(decode("id,other,y,0.5")).containsExactly(0.5, 1, 0);
  }

  @Test
  void refusesAnObject() throws RowRejectedException {
    rows.rejected("{\"a\":0.8642,\"k\":\"x\"}".getBytes(UTF_8), "JSON, not separated values");
    rows.rejected("{\"a\": 0.8642}".getBytes(UTF_8), "JSON, not separated values");
    assertThat(decode("{?,{},y,0.5")).containsExactly(0.5, 1, 0);
  }

  @Test
  void refusesACompressedLine() {
    rows.rejected("x\u009c\1\2".getBytes(ISO_8859_1), "compressed with zlib");
    rows.rejected("x,\u00e9".getBytes(ISO_8859_1), "not UTF-8, at byte 2 (Latin-1?)");
  }

  @Test
  void aQuotedValueKeepsItsBlanksAndQuotes() throws RowRejectedException {
    decode("\" 1 \"\"2\"\" \",,x,0");
    assertThat(rows.after.extra(DecodedRow.ID)).isEqualTo(" 1 \"2\" ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,?,x,", "1,?,x,NA", "1,?,x, ", "1,?,x,\"\""})
  void emptyAndNaAreMissing(String line) {
    rows.rejected(line.getBytes(UTF_8), "column a: field a is missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '^',
      value = {
        "Zaphod! the line has 1 values and the config names 4 columns",
        "8642,Zaphod,x! the line has 3 values",
        "8642,Zaphod,x,0.5,! the line has 5 values",
        "8642;Zaphod;x;0.5! the line has 1 values",
        "1,Zaphod,x,\"0.8642! at character 18: a quote that is not closed",
        "1,\"Zaphod\"s,x,0.5! at character 10: text after a closing quote",
        "1,Zaph\"od,x,0.5! at character 6: a quote inside of a value",
        "1,?,Zaphod,0.5! column k: unknown text; send one of x, y, 7",
        "1,?,x,Zaphod! column a: got a text",
        "1,?,x,NaN! column a: got NaN or an infinity",
        "1,?,x,-Infinity! column a: got NaN or an infinity",
        "1,?,x,0x8642p3! column a: got a number with a unit behind it",
        "1,?,x,8642d! column a: got a number with a unit behind it",
        "1,?,x,8642-3! column a: got a text",
        "1,?,x,1e8642! column a: not a finite number",
        "1,?,x,-! column a: got a mark of a missing value",
        "1,?,x,\\N! column a: got a mark of a missing value",
        "1,?,x,0,8642! the line has 5 values"
      })
  void refusesBadLines(String line, String reason) throws RowRejectedException {
    rows.rejected(line.getBytes(UTF_8), reason);
    assertThat(decode("1,?,x,0.5")).as("the next row").containsExactly(0.5, 0, 0);
  }

  @Test
  void refusesASecondLine() {
    rows.rejected("1,?,x,0.5\n8642,?,x,0.5\n".getBytes(UTF_8), "at character 9: a second line");
    rows.rejected("1,Zaphod\r,x,0.5".getBytes(UTF_8), "a second line; send one line a record");
  }

  @Test
  void refusesOtherEncodings() throws RowRejectedException {
    rows.rejected("1,Zaphod\u00e9,x,0.5".getBytes(ISO_8859_1), "not UTF-8, at byte 8");
    rows.rejected(new byte[] {'1', ',', (byte) 0xc3}, "not UTF-8, at byte 2");
  }

  @Test
  void refusesEmptyAndLongRecords() throws RowRejectedException {
    rows.rejected(new byte[0], "empty record; send one line of values a record");
    rows.rejected(
        new byte[RecordSize.MAX_BYTES + 1], "record longer than 1048576 bytes, namely 1048577");
    String pad = "z".repeat(RecordSize.MAX_BYTES - "1,,x,0.5".length());
    assertThat(decode("1," + pad + ",x,0.5")).containsExactly(0.5, 0, 0);
  }
}

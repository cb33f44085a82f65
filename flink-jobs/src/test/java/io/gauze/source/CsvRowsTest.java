package io.gauze.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CsvRowsTest {
  private static final String TOO_LONG =
      " is longer than 1048576 characters; close its quote, or leave it out";

  @TempDir private Path folder;

  /** A text, and then one byte for ever. */
  private static InputStream endless(String text, char more) {
    InputStream rest =
        new InputStream() {
          @Override
          public int read() {
            return more;
          }

          @Override
          public int read(byte[] to, int offset, int length) {
            Arrays.fill(to, offset, offset + length, (byte) more);
            return length;
          }
        };
    return new SequenceInputStream(new ByteArrayInputStream(text.getBytes(UTF_8)), rest);
  }

  /** What standard input gives, as the values of a. */
  private static List<String> read(InputStream input) throws IOException {
    InputStream before = System.in;
    System.setIn(input);
    List<String> values = new ArrayList<>();
    try (CsvRows rows = CsvRows.open("-", DecodedRow.SCHEMA)) {
      while (rows.hasNext()) {
        values.add(rows.nextRow().value("a").orElse("none"));
      }
    } finally {
      System.setIn(before);
    }
    return values;
  }

  /** A part of memory, however long the file. */
  @Test
  void anUnclosedQuoteEndsAtTheLimitOfARecord() {
    for (char more : new char[] {'x', '\n', ',', '"'}) {
      assertThatThrownBy(() -> read(endless("a,k\n0.5,x\n\"0.5\n\",y\n0.5,\"y", more)))
          .isInstanceOf(UncheckedIOException.class)
          .rootCause()
          .hasMessageContaining("the row that begins in line 5" + TOO_LONG);
    }
  }

  @Test
  void aHeaderHasALimitToo() {
    assertThatThrownBy(() -> read(endless("a,\"k", 'x')))
        .isInstanceOf(IOException.class)
        .hasMessage("- has no header that can be read: the row that begins in line 1" + TOO_LONG);
  }

  @Test
  void theLimitIsForEachRow() throws IOException {
    Path file = folder.resolve("rows.csv");
    String row = "0.25,\"" + "y\n".repeat(500_000) + "\"\n";
    Files.writeString(file, "a,k\n" + row.repeat(4) + "0.5,x\n");
    try (CsvRows rows = CsvRows.open(file.toString(), DecodedRow.SCHEMA)) {
      int count = 0;
      while (rows.hasNext()) {
        rows.nextRow();
        count++;
      }
      assertThat(count).isEqualTo(5);
    }
  }

  @Test
  void whatIsNoGzipFileAfterAllIsNamed() throws IOException {
    Path file = Files.write(folder.resolve("rows.csv.gz"), new byte[] {0x1f, (byte) 0x8b});
    assertThatThrownBy(() -> CsvRows.open(file.toString(), DecodedRow.SCHEMA))
        .isInstanceOf(IOException.class)
        .hasMessage(file + " begins like a gzip file, and is none that can be read");
  }

  @Test
  void aMissingColumnIsThatOfTheConfigOrOfTheFit() throws IOException {
    String known = DecodedRow.SCHEMA.fields().get(0);
    Path file = Files.writeString(folder.resolve("some.csv"), known + "\n1\n");
    assertThatThrownBy(() -> CsvRows.open(file.toString(), DecodedRow.SCHEMA, List.of("id")))
        .hasMessage(file + " has no columns k,id, which the config names; its header is: a");
    assertThatThrownBy(() -> CsvRows.open(file.toString(), DecodedRow.SCHEMA))
        .hasMessageContaining("which the config names; its header is: " + known);
    assertThatThrownBy(() -> CsvRows.ofFeatures(file.toString(), DecodedRow.SCHEMA))
        .hasMessageContaining("which the fit needs; its header is: " + known);
  }

  @Test
  void aLongHeaderIsNotShownWhole() {
    String header = "b".repeat(100_000) + "\u001b,a\n";
    assertThatThrownBy(() -> read(new ByteArrayInputStream(header.getBytes(UTF_8))))
        .isInstanceOf(CsvRows.HeaderException.class)
        .hasMessageEndingWith("its header is: " + "b".repeat(1000) + ",...");
  }
}

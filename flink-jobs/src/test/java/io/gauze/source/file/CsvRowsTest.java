package io.gauze.source.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.CategoryColumn;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.DecodedRow;
import io.gauze.source.RecordSize;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of rows: each line is read alone, in the encoding that the file begins with. */
final class CsvRowsTest {
  private static final String BAD = "!";
  private static final CsvOptions COMMA =
      new CsvOptions(Optional.empty(), Optional.empty(), ',', false);
  private static final CsvOptions LINES =
      new CsvOptions(Optional.empty(), Optional.empty(), '.', true);

  @TempDir private Path folder;

  /** The values of a and k of each row, or ! and the reason for a row that is refused. */
  private List<String> read(byte[] bytes, CsvOptions options) throws IOException {
    Path file = Files.write(folder.resolve("rows.csv"), bytes);
    return readFile(file.toString(), options);
  }

  private static List<String> readFile(String file, CsvOptions options) throws IOException {
    List<String> values = new ArrayList<>();
    try (CsvRows rows = CsvRows.open(file, options, CsvRows.Reader.of(DecodedRow.SCHEMA))) {
      while (rows.hasNext()) {
        try {
          CsvRow row = rows.nextRow();
          values.add(row.value("a").orElse("none") + "/" + row.value("k").orElse("none"));
        } catch (RowRejectedException e) {
          values.add(BAD + e.getMessage());
        }
      }
    }
    return values;
  }

  private List<String> read(String text) throws IOException {
    return read(text.getBytes(UTF_8), CsvOptions.DEFAULT);
  }

  private List<String> read(String text, CsvOptions options) throws IOException {
    return read(text.getBytes(UTF_8), options);
  }

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

  /** A quote that is not closed, in any column, changes nothing for the lines after it. */
  @Test
  void oneLineRemovesNoOther() throws IOException {
    String rows = "0.5,x,1\n0.25,y,2\n";
    for (String line :
        List.of("0.9,x,\"6 ft", "\"0.9,x,6", "0.9,\"x,6", "0.9,x,\"6\" ft", "0.9,x,6,7", "0.9")) {
      List<String> values = read("a,k,note\n" + line + "\n" + rows + line + "\n" + rows + line);
      assertThat(values).as(line).hasSize(7);
      assertThat(values.stream().filter(value -> !value.startsWith(BAD)))
          .as(line)
          .containsExactly("0.5/x", "0.25/y", "0.5/x", "0.25/y");
    }
    assertThat(read("a,k,note\n0.9,x,\"6 ft\n")).singleElement().asString().contains("not closed");
  }

  /**
   * Lines of random characters between good rows, in each encoding: all of the good rows are read,
   * and only these, whatever the lines between them hold.
   */
  @Test
  void noLineChangesAnother() throws IOException {
    SplittableRandom random = new SplittableRandom(38);
    for (Charset encoding :
        List.of(UTF_8, ISO_8859_1, UTF_16LE, UTF_16BE, Charset.forName("GBK"))) {
      for (int run = 0; run < 200; run++) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write("a,k,note\n".getBytes(encoding));
        for (int line = 0; line < 20; line++) {
          bytes.write(("0.5,x," + line + "\n").getBytes(encoding));
          bytes.write(hostile(random, encoding));
          bytes.write("\n".getBytes(encoding));
        }
        CsvOptions options = new CsvOptions(Optional.of(encoding), Optional.empty(), '.', false);
        List<String> values = read(bytes.toByteArray(), options);
        assertThat(values.stream().filter(value -> value.equals("0.5/x"))).hasSize(20);
      }
    }
  }

  /** Bytes of one line: quotes, separators, and bytes that are half a character. */
  private static byte[] hostile(SplittableRandom random, Charset encoding) {
    String some = "\",;\t|x0.#'\\\r\u00e4\u20ac";
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean wide = encoding.equals(UTF_16LE) || encoding.equals(UTF_16BE);
    int length = random.nextInt(1, 12);
    for (int i = 0; i < length; i++) {
      if (random.nextInt(3) > 0) {
        char c = some.charAt(random.nextInt(some.length()));
        line.writeBytes(Character.toString(c).getBytes(encoding));
      } else if (wide) {
        int surrogate = random.nextInt(0xd800, 0xe000);
        boolean big = encoding.equals(UTF_16BE);
        line.write(big ? surrogate >> 8 : surrogate & 0xff);
        line.write(big ? surrogate & 0xff : surrogate >> 8);
      } else {
        line.write(random.nextInt(0x80, 0x100));
      }
    }
    return line.toByteArray();
  }

  @Test
  void aLineThatIsTooLongIsLeftOut() throws IOException {
    String most = "y".repeat(RecordSize.MAX_BYTES - 4);
    List<String> values = read("a,k,z\n0.5,x," + most + "z\n0.5,x,\n0.1," + "x" + most + "\n");
    assertThat(values.get(0)).startsWith(BAD + "the row is longer than 1048576 bytes");
    assertThat(values.subList(1, 3))
        .allMatch(value -> value.startsWith("0.5/x") || value.startsWith(BAD));
    assertThat(read("a,k,z\n0.5,x," + "y".repeat(5_000_000) + "\n0.25,y,1"))
        .hasSize(2)
        .last()
        .isEqualTo("0.25/y");
  }

  /** A part of memory, however long the line. */
  @Test
  void aHeaderHasALimitToo() throws IOException {
    InputStream before = System.in;
    System.setIn(new BufferedInputStream(new BoundedInput(endless("a,\"k", 'x'))));
    try {
      assertThatThrownBy(() -> readFile("-", CsvOptions.DEFAULT))
          .isInstanceOf(CsvRows.HeaderException.class)
          .hasMessageContaining("it is longer than 1048576 bytes");
    } finally {
      System.setIn(before);
    }
  }

  /** Ends after 16 MiB. */
  private static final class BoundedInput extends FilterInputStream {
    private long left = 16L << 20;

    BoundedInput(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int read = left == 0 ? -1 : super.read(to, offset, (int) Math.min(length, left));
      left -= Math.max(0, read);
      return read;
    }
  }

  @Test
  void cellsHaveLineBreaksByAnOption() throws IOException {
    String text = "a,k,note\n0.5,x,\"two\nlines, \"\"quoted\"\"\n\"\n0.25,y,1\n";
    assertThat(read(text, LINES)).containsExactly("0.5/x", "0.25/y");
    assertThat(read(text).stream().filter(value -> value.startsWith(BAD))).hasSize(3);
    assertThat(read("a,k,note\n0.5,x,\"open\n0.25,y,1\n", LINES))
        .singleElement()
        .asString()
        .contains("a quote is not closed");
    String tooLong = "a,k,note\n0.5,x,\"" + "line\n".repeat(300_000) + "\"\n0.25,y,1\n";
    assertThat(read(tooLong, LINES).get(0)).contains("longer than 1048576 bytes");
  }

  @Test
  void byteOrderMarksTellTheEncoding() throws IOException {
    String text = "a;k\r\n0.5;y\r\n";
    assertThat(read("\ufeff" + text)).containsExactly("0.5/y");
    for (Charset encoding : List.of(UTF_16LE, UTF_16BE)) {
      byte[] marked = ("\ufeff" + text).getBytes(encoding);
      assertThat(read(marked, CsvOptions.DEFAULT)).containsExactly("0.5/y");
      assertThat(read(Arrays.copyOf(marked, marked.length - 1), CsvOptions.DEFAULT)).hasSize(1);
      byte[] plain = text.getBytes(encoding);
      String name = encoding.name();
      assertThatThrownBy(() -> read(plain, CsvOptions.DEFAULT))
          .hasMessageContaining(
              "it holds zero bytes; save the file as UTF-8, or give --encoding " + name);
      CsvOptions named = new CsvOptions(Optional.of(encoding), Optional.empty(), '.', false);
      assertThat(read(plain, named)).containsExactly("0.5/y");
    }
    assertThatThrownBy(
            () -> read(("\ufeff" + text).getBytes(Charset.forName("UTF-32BE")), CsvOptions.DEFAULT))
        .hasMessageContaining("is in UTF-32: save it as UTF-8");
  }

  /** Bytes of another encoding matter where they are read. */
  @Test
  void latin1IsNoUtf8() throws IOException {
    byte[] rows = "a,k,note\n0.5,x,\u00e4\n0.5,\u00e4,1\n0.5,y,1\n".getBytes(ISO_8859_1);
    List<String> values = read(rows, CsvOptions.DEFAULT);
    assertThat(values).hasSize(3);
    assertThat(values.get(0)).isEqualTo("0.5/x");
    assertThat(values.get(1)).contains("field k is not of the file's encoding", "--encoding");
    assertThat(values.get(2)).isEqualTo("0.5/y");
    CsvOptions latin = new CsvOptions(Optional.of(ISO_8859_1), Optional.empty(), '.', false);
    assertThat(read(rows, latin)).containsExactly("0.5/x", "0.5/\u00e4", "0.5/y");
    byte[] header = "a,k,\u00e4\n".getBytes(ISO_8859_1);
    assertThatThrownBy(() -> read(header, CsvOptions.DEFAULT))
        .isInstanceOf(CsvRows.HeaderException.class)
        .hasMessageContaining("such as --encoding windows-1252");
  }

  @Test
  void anEncodingMustHaveSingleBytesForAscii() {
    for (String name : List.of("UTF-32", "IBM037", "x-JISAutoDetect", "x-ISCII91", "CESU-8")) {
      Optional<Charset> encoding = Optional.of(Charset.forName(name));
      assertThatThrownBy(() -> new CsvOptions(encoding, Optional.empty(), '.', false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("encoding must be UTF-16 or one with ASCII characters");
    }
  }

  @Test
  void theHeaderTellsTheDelimiterAndTheEndOfLines() throws IOException {
    assertThat(read("a|k\n0.5|x\n")).containsExactly("0.5/x");
    assertThat(read("a\tk\n0.5\tx\n\t\n")).containsExactly("0.5/x", "none/none");
    assertThat(read("\"a\";\"k\";\"x,y,z,w\"\n0.5;x;1,5\n")).containsExactly("0.5/x");
    assertThat(read("sep=;\na;k\n0.5;x\n")).containsExactly("0.5/x");
    for (String text : List.of("a,k\r0.5,x\r", "sep=,\na,k\r0.5,x\r", "a,k\r0.5,x\r\n0.5,y\n")) {
      assertThatThrownBy(() -> read(text))
          .isInstanceOf(CsvRows.HeaderException.class)
          .hasMessageContaining("lines must end with a line feed")
          .message()
          .doesNotContain("0.5");
    }
    assertThat(read("a,k\r\n0.5,x\n\r\n  \n0.25,y")).containsExactly("0.5/x", "0.25/y");
    assertThat(read("a, k \n 0.5 ,\" x\"\n")).containsExactly("0.5/ x");
  }

  @Test
  void aRowHasAValueForEachName() throws IOException {
    assertThat(read("a,k\n3,5,1,5\n1,x,2\n0.5\n0.5,x"))
        .containsExactly(
            "!the line has 4 values, and the header 2 names",
            "!the line has 3 values, and the header 2 names",
            "!the line has 1 value, and the header 2 names",
            "0.5/x");
    assertThat(read(",a,k\n1,0.5,x\n")).as("a column without a name").containsExactly("0.5/x");
  }

  @Test
  void commentsAreNoRowsByAnOption() throws IOException {
    String text = "# made by a logger\na,k\n0.5,x\n# 1,2\n";
    CsvOptions comments = new CsvOptions(Optional.empty(), Optional.of('#'), '.', false);
    assertThat(read(text, comments)).containsExactly("0.5/x");
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(CsvRows.HeaderException.class)
        .hasMessageContaining("it begins with #; if such lines are comments, give --comment '#'");
  }

  @Test
  void decimalsFollowACommaByAnOption() throws IOException {
    List<String> values = read("a;k\n0,5;x\n-1,5e-1;y\n5;x\n0.5;x\n1.000,5;x\n", COMMA);
    assertThat(values.subList(0, 3)).containsExactly("0.5/x", "-1.5e-1/y", "5/x");
    assertThat(values.subList(3, 5)).allMatch(value -> value.contains("--decimal"));
    assertThat(read("a;k\n0,5;x\n")).containsExactly("0,5/x"); // which the column refuses
  }

  /** NA is a region, and a mark of what is missing where it is none. */
  @Test
  void aCategoryMayBeNamedAsAMissingValue() throws Exception {
    RowSchema schema =
        RowSchema.of(
            List.of(
                new CategoryColumn("region", "region", List.of("EU", "NA")),
                new IndicatorColumn("none", "basement", "NA"),
                new NumericColumn("y", "y", 0, 1)),
            1.0);
    Path file = Files.writeString(folder.resolve("na.csv"), "region,basement,y\nNA,NA,NA\n,,1\n");
    try (CsvRows rows =
        CsvRows.open(file.toString(), CsvOptions.DEFAULT, CsvRows.Reader.of(schema))) {
      assertThat(new String(rows.next(), UTF_8))
          .isEqualTo("{\"region\":\"NA\",\"basement\":\"NA\"}");
      assertThat(new String(rows.next(), UTF_8)).isEqualTo("{\"y\":1.0}");
    }
  }

  /** What Java's parser takes beyond decimal numbers is a text. */
  @Test
  void numbersAreDecimal() throws Exception {
    for (String text :
        List.of("NaN", "Infinity", "0x1p3", "1d", "1f", "1_000", "\u0661", "1e999")) {
      Path file = Files.writeString(folder.resolve("n.csv"), "a,k\n" + text + ",x\n");
      try (CsvRows rows =
          CsvRows.open(file.toString(), CsvOptions.DEFAULT, CsvRows.Reader.of(DecodedRow.SCHEMA))) {
        assertThat(new String(rows.next(), UTF_8))
            .isEqualTo("{\"a\":\"" + text + "\",\"k\":\"x\"}");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PAR1\u0015",
        "PK\u0003\u0004",
        "Obj\u0001",
        "{\"a\": 1}",
        "[{\"a\": 1}]",
        "<html>",
        "%PDF-1"
      })
  void otherKindsOfFilesAreNamed(String first) {
    byte[] bytes = (first + ",k\n0.5,x\n").getBytes(UTF_8);
    assertThatThrownBy(() -> read(bytes, CsvOptions.DEFAULT))
        .isInstanceOf(CsvRows.HeaderException.class)
        .hasMessageEndingWith(": save its rows as a CSV file in UTF-8, with a header line");
  }

  /** A bad byte takes no separator with it, in whatever encoding. */
  @Test
  void halfACharacterHidesNoSeparator() throws IOException {
    byte[] rows = "k,a\nM\u00fc,1,7\n".getBytes(ISO_8859_1);
    for (String name :
        List.of("UTF-8", "EUC-JP", "Big5-HKSCS", "GB18030", "Shift_JIS", "x-EUC-TW")) {
      CsvOptions options =
          new CsvOptions(Optional.of(Charset.forName(name)), Optional.empty(), '.', false);
      assertThat(read(rows, options))
          .as(name)
          .containsExactly("!the line has 3 values, and the header 2 names");
    }
    byte[] lone = "\ufeffa,k\n0.5,\ud800\n".getBytes(UTF_16LE);
    lone[lone.length - 4] = 0; // the encoder has put a question mark for it
    lone[lone.length - 3] = (byte) 0xd8;
    assertThat(read(lone, CsvOptions.DEFAULT))
        .singleElement()
        .asString()
        .contains("field k is not of the file's encoding");
  }

  private static byte[] zipped(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zipped = new GZIPOutputStream(bytes)) {
      zipped.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  /** A pause is no end, and what follows a member must be one. */
  @Test
  void allMembersOfAGzipFileAreRead() throws IOException {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(zipped("a,k\n0.5,x\n"));
    both.write(zipped("0.25,y\n"));
    InputStream before = System.in;
    System.setIn(
        new FilterInputStream(new ByteArrayInputStream(both.toByteArray())) {
          @Override
          public int available() {
            return 0;
          }
        });
    try {
      assertThat(readFile("-", CsvOptions.DEFAULT)).containsExactly("0.5/x", "0.25/y");
    } finally {
      System.setIn(before);
    }
    byte[] first = zipped("a,k\n0.5,x\n");
    for (int at : new int[] {0, 2}) { // magic number, method
      byte[] damaged = both.toByteArray();
      damaged[first.length + at] = 7;
      assertThatThrownBy(() -> read(damaged, CsvOptions.DEFAULT)).isInstanceOf(IOException.class);
    }
    byte[] cut = Arrays.copyOf(both.toByteArray(), first.length + 9);
    assertThatThrownBy(() -> read(cut, CsvOptions.DEFAULT)).isInstanceOf(IOException.class);
  }

  /** Whether it is another kind depends on no row. */
  @Test
  void theKindOfAFileIsToldByItsFirstLine() throws IOException {
    for (String row : List.of("\0\0\0", "{", "PK\003\004", "<!")) {
      assertThat(read("a,k\n" + row + ",x\n0.5,x\n")).hasSize(2);
      assertThatThrownBy(() -> read("X\n" + row + "\n5\n"))
          .hasMessageContaining("none of the columns");
    }
  }

  /** A row in the place of the header may hold a name of the config. */
  @Test
  void aHeaderWithValuesIsNotShown() {
    assertThatThrownBy(() -> read("a,12.5,Zaphod\n1,2,3\n"))
        .hasMessageEndingWith(" has no column \"k\", which the config names");
  }

  @Test
  void gzipIsUnpacked() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zipped = new GZIPOutputStream(bytes)) {
      zipped.write("\ufeffa;k\n0.5;x\n".getBytes(UTF_16LE));
    }
    assertThat(read(bytes.toByteArray(), CsvOptions.DEFAULT)).containsExactly("0.5/x");
    assertThatThrownBy(() -> read(new byte[] {0x1f, (byte) 0x8b}, CsvOptions.DEFAULT))
        .isInstanceOf(CsvRows.HeaderException.class)
        .hasMessageEndingWith("begins as gzip files do, but cannot be unpacked: compress it again");
    byte[] cut = Arrays.copyOf(bytes.toByteArray(), bytes.size() - 9);
    assertThatThrownBy(() -> read(cut, CsvOptions.DEFAULT))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(CsvRows.HeaderException.class);
  }

  @Test
  void aMissingColumnIsThatOfTheConfigOrOfTheFit() throws IOException {
    String known = DecodedRow.SCHEMA.fields().get(0);
    String file = Files.writeString(folder.resolve("some.csv"), known + "\n1\n").toString();
    CsvRows.Reader config = CsvRows.Reader.of(DecodedRow.SCHEMA, List.of("id"));
    assertThatThrownBy(() -> CsvRows.open(file, CsvOptions.DEFAULT, config))
        .hasMessage(file + " has no columns k,id, which the config names; its header is: a");
    CsvRows.Reader fit = CsvRows.Reader.ofFeatures(DecodedRow.SCHEMA);
    assertThatThrownBy(() -> CsvRows.open(file, CsvOptions.DEFAULT, fit))
        .hasMessageContaining("which the fit needs; its header is: " + known);
    assertThatThrownBy(() -> read("0.5,x\n0.25,y\n"))
        .hasMessageContaining("needs a header")
        .message()
        .doesNotContain("0.5");
    assertThatThrownBy(() -> read("")).hasMessageContaining(" is empty: ");
    assertThatThrownBy(() -> read("a,k,a\n")).hasMessageContaining("\"a\" more than once");
  }

  @Test
  void aLongHeaderIsNotShownWhole() {
    String header = "b".repeat(100_000) + "\u001b,a\n";
    assertThatThrownBy(() -> read(header))
        .isInstanceOf(CsvRows.HeaderException.class)
        .hasMessageEndingWith("its header is: " + "b".repeat(1000) + ",...");
  }
}

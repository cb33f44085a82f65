package io.gauze.source.file;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A kind of files that are no CSV files.
 *
 * @param beginning the first bytes of such a file, as Latin-1
 * @param words what it is
 */
record FileKind(String beginning, String words) {
  /** The number of first bytes that tell the kind. */
  static final int BYTES = 8;

  private static final String MARKUP = "HTML or XML";
  private static final String JSON = "JSON";
  private static final String R = "a file of R's saveRDS or save";
  private static final List<FileKind> KINDS =
      List.of(
          new FileKind("PAR1\025", "a Parquet file"),
          new FileKind("PK\003\004", "a ZIP file or an Excel workbook"),
          new FileKind("\u00d0\u00cf\u0011\u00e0", "an old Excel workbook"),
          new FileKind("Obj\001", "an Avro file"),
          new FileKind("BZh91AY&", "compressed with bzip2"),
          new FileKind("(\u00b5/\u00fd", "compressed with zstd"),
          new FileKind("\u00fd7zXZ", "compressed with xz"),
          new FileKind("ARROW1\000\000", "an Arrow file"),
          new FileKind("RDX2\n", R),
          new FileKind("RDX3\n", R),
          new FileKind("%PDF", "a PDF file"),
          new FileKind("<!", MARKUP),
          new FileKind("<?", MARKUP),
          new FileKind("<html", MARKUP),
          new FileKind("<HTML", MARKUP),
          new FileKind("{", JSON),
          new FileKind("[{", JSON),
          new FileKind("[[", JSON),
          new FileKind("[\n", JSON),
          new FileKind("[\r", JSON),
          new FileKind("[ ", JSON));

  /** Returns the kind of a file that begins with these bytes; empty if it may be a CSV file. */
  static Optional<FileKind> of(byte[] first) {
    String text = new String(first, StandardCharsets.ISO_8859_1);
    return KINDS.stream().filter(kind -> text.startsWith(kind.beginning)).findFirst();
  }

  /** Returns what to do with such a file. */
  String refusal(String file) {
    return file + " is " + words + ": save its rows as a CSV file in UTF-8, with a header line";
  }
}

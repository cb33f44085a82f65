package io.gauze.source.file;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/** Opens the text of a CSV file: plain or gzip, with or without a byte order mark. */
final class CsvText {
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final int PEEKED = 1 << 16;

  private CsvText() {}

  /**
   * Returns the lines of {@code file}; {@code -} is standard input.
   *
   * @throws CsvRows.HeaderException if the file is of another kind
   * @throws IOException if the file cannot be read
   */
  static CsvLines open(String file, CsvOptions options) throws IOException {
    InputStream raw = file.equals("-") ? System.in : Files.newInputStream(Path.of(file));
    try {
      BufferedInputStream bytes = new BufferedInputStream(raw, PEEKED);
      boolean zipped = isGzip(peek(bytes, 2));
      return lines(file, zipped ? unzipped(file, bytes) : bytes, options);
    } catch (CsvRows.HeaderException e) {
      raw.close();
      throw e;
    } catch (IOException e) {
      raw.close();
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static CsvLines lines(String file, BufferedInputStream bytes, CsvOptions options)
      throws IOException {
    byte[] first = peek(bytes, FileKind.BYTES);
    Optional<ByteOrderMark> mark = ByteOrderMark.of(first);
    Charset encoding = options.encoding().orElse(StandardCharsets.UTF_8);
    InputStream text = bytes;
    if (mark.isPresent()) {
      bytes.skipNBytes(mark.get().length());
      encoding = StandardCharsets.UTF_8;
      text = mark.get().decoded(file, bytes);
    } else if (ByteOrderMark.ofEncoding(encoding).isPresent()) {
      text = ByteOrderMark.ofEncoding(encoding).get().decoded(file, bytes);
      encoding = StandardCharsets.UTF_8;
    }
    BufferedInputStream plain = new BufferedInputStream(text, PEEKED);
    Optional<FileKind> kind = FileKind.of(peek(plain, FileKind.BYTES));
    if (kind.isPresent()) {
      throw new CsvRows.HeaderException(kind.get().refusal(file));
    }
    return new CsvLines(plain, encoding);
  }

  private static byte[] peek(BufferedInputStream bytes, int count) throws IOException {
    bytes.mark(count);
    byte[] first = bytes.readNBytes(count);
    bytes.reset();
    return first;
  }

  private static boolean isGzip(byte[] first) {
    return first.length == 2 && (((first[0] & 0xff) << 8) | (first[1] & 0xff)) == GZIP_MAGIC;
  }

  private static BufferedInputStream unzipped(String file, InputStream bytes) throws IOException {
    try {
      // The JDK's reader takes a fault in a later member, or a pause before it, for the end.
      return new BufferedInputStream(
          GzipCompressorInputStream.builder()
              .setInputStream(bytes)
              .setDecompressConcatenated(true)
              .get(),
          PEEKED);
    } catch (IOException e) {
      throw new CsvRows.HeaderException(
          file + " begins as gzip files do, but cannot be unpacked: compress it again", e);
    }
  }
}

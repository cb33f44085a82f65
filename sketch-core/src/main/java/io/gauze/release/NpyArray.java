package io.gauze.release;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads and writes arrays in NumPy's format NPY 1.0, little-endian, in C order. A file has 6 bytes
 * of magic, 2 bytes of version, 2 bytes with the length of the header, and the header: a Python
 * dictionary, padded by blanks, whose last byte is a line feed at a multiple of 64. The entries
 * follow. Texts are UTF-32, padded by zeros.
 *
 * <p>After the description in <a
 * href="https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html">numpy.lib.format
 * </a>.
 */
final class NpyArray {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  private static final int ALIGNMENT = 64;
  private static final int MOST_SHOWN = 100;
  private static final int CHUNK = 1 << 13;
  private static final Pattern HEADER =
      Pattern.compile(
          "\\{'descr': '([^']*)', 'fortran_order': False, 'shape': \\(([0-9, ]*)\\), *\\} *\n");

  private NpyArray() {}

  static void doubles(OutputStream out, IntToDoubleFunction entry, int... shape)
      throws IOException {
    header(out, "<f8", shape);
    int length = length(shape);
    Entries entries = new Entries(out);
    for (int i = 0; i < length; i++) {
      entries.room().putDouble(entry.applyAsDouble(i));
    }
    entries.flush();
  }

  static void longs(OutputStream out, long[] numbers) throws IOException {
    header(out, "<i8", numbers.length);
    Entries entries = new Entries(out);
    for (long number : numbers) {
      entries.room().putLong(number);
    }
    entries.flush();
  }

  /** Writes a single text, or a list of texts. */
  static void texts(OutputStream out, List<String> texts, int... shape) throws IOException {
    int longest = 1;
    for (String text : texts) {
      longest = Math.max(longest, text.codePointCount(0, text.length()));
    }
    header(out, "<U" + longest, shape);
    Entries entries = new Entries(out);
    for (String text : texts) {
      for (int point : Arrays.copyOf(text.codePoints().toArray(), longest)) {
        entries.room().putInt(point);
      }
    }
    entries.flush();
  }

  /** Gathers entries of equal length into larger pieces. */
  private static final class Entries {
    private final OutputStream out;
    private final byte[] bytes = new byte[CHUNK];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);

    Entries(OutputStream out) {
      this.out = out;
    }

    ByteBuffer room() throws IOException {
      if (!buffer.hasRemaining()) {
        flush();
      }
      return buffer;
    }

    void flush() throws IOException {
      out.write(bytes, 0, buffer.position());
      buffer.clear();
    }
  }

  private static void header(OutputStream out, String type, int... shape) throws IOException {
    // Python writes (), (5,) and (2, 3)
    String sizes = Arrays.stream(shape).mapToObj(n -> n + ",").collect(Collectors.joining(" "));
    String tuple = shape.length > 1 ? sizes.substring(0, sizes.length() - 1) : sizes;
    String text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + tuple + "), }";
    int used = MAGIC.length + Short.BYTES + text.length() + 1;
    int length = text.length() + 1 + Math.floorMod(-used, ALIGNMENT);
    out.write(MAGIC);
    out.write(length);
    out.write(length >> 8);
    byte[] line = new byte[length];
    Arrays.fill(line, (byte) ' ');
    for (int i = 0; i < text.length(); i++) {
      line[i] = (byte) text.charAt(i);
    }
    line[length - 1] = '\n';
    out.write(line);
  }

  private static int length(int[] shape) {
    int length = 1;
    for (int size : shape) {
      length = Math.multiplyExact(length, size);
    }
    return length;
  }

  /**
   * Reads an array of whole numbers.
   *
   * @param length the required number of entries
   * @throws IllegalArgumentException if the file is anything else
   */
  static long[] readLongs(InputStream in, String name, int length) throws IOException {
    String[] header = readHeader(in, name);
    if (!header[0].equals("<i8") || !header[1].equals(length + ",")) {
      throw wrong(name, "an array of int64 of shape (" + length + ",)", header);
    }
    NumberList numbers = new NumberList(length);
    for (int left = length; left > 0; left -= CHUNK / Long.BYTES) {
      ByteBuffer chunk = read(in, name, Math.min(CHUNK, Math.multiplyFull(left, Long.BYTES)));
      while (chunk.hasRemaining()) {
        numbers.add(chunk.getLong());
      }
    }
    checkEnd(in, name);
    return numbers.toArray();
  }

  /**
   * Reads a single text.
   *
   * @param most the largest number of characters
   * @throws IllegalArgumentException if the file is anything else
   */
  static String readText(InputStream in, String name, int most) throws IOException {
    String[] header = readHeader(in, name);
    int length = header[0].matches("<U[0-9]{1,9}") ? Integer.parseInt(header[0].substring(2)) : -1;
    if (length < 1 || length > most || !header[1].isEmpty()) {
      throw wrong(name, "one text of at most " + most + " characters", header);
    }
    ReadingRoom.checkBytes(Math.multiplyFull(length, Integer.BYTES));
    StringBuilder text = new StringBuilder();
    for (int left = length; left > 0; left -= CHUNK / Integer.BYTES) {
      ByteBuffer chunk = read(in, name, Math.min(CHUNK, Math.multiplyFull(left, Integer.BYTES)));
      while (chunk.hasRemaining()) {
        int point = chunk.getInt();
        if (!Character.isValidCodePoint(point)) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT, "%s must be UTF-32. Provided value: character %x", name, point));
        }
        text.appendCodePoint(point);
      }
    }
    checkEnd(in, name);
    return text.toString();
  }

  /** Reads the header and returns type and shape. */
  private static String[] readHeader(InputStream in, String name) throws IOException {
    byte[] magic = in.readNBytes(MAGIC.length);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new IllegalArgumentException(
          name + " must begin with NumPy's mark and version 1.0. Provided value: something else");
    }
    int length = Short.toUnsignedInt(read(in, name, Short.BYTES).getShort());
    StringBuilder text = new StringBuilder();
    ByteBuffer letters = read(in, name, length);
    while (letters.hasRemaining()) {
      text.append((char) Byte.toUnsignedInt(letters.get()));
    }
    Matcher header = HEADER.matcher(text);
    if (!header.matches()) {
      throw new IllegalArgumentException(
          name
              + " must have a header of NumPy's format 1.0. Provided value: "
              + text.substring(0, Math.min(text.length(), MOST_SHOWN)));
    }
    return new String[] {header.group(1), header.group(2)};
  }

  private static ByteBuffer read(InputStream in, String name, long bytes) throws IOException {
    byte[] chunk = in.readNBytes((int) bytes);
    if (chunk.length < bytes) {
      throw new IllegalArgumentException(
          name + " must be whole. Provided value: an array that ends too early");
    }
    return ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void checkEnd(InputStream in, String name) throws IOException {
    if (in.read() >= 0) {
      throw new IllegalArgumentException(
          name + " must end with its array. Provided value: more bytes");
    }
  }

  private static IllegalArgumentException wrong(String name, String must, String... header) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s must be %s. Provided value: type %s, shape (%s)",
            name,
            must,
            header[0],
            header[1]));
  }
}

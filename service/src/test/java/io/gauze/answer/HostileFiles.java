package io.gauze.answer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.release.ReleaseFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Files in a folder of releases that are none. */
final class HostileFiles {
  static final List<String> NAMES =
      List.of(
          "bomb-header.npz",
          "bomb-payload.npz",
          "count.avro",
          "cut.avro",
          "cut.json",
          "cut.npz",
          "deep.json",
          "empty.avro",
          "empty.json",
          "empty.npz",
          "infinite.json",
          "nan.json");

  private static final int NUMBERS = 4 << 20;

  private HostileFiles() {}

  static void write(Path folder) throws IOException {
    for (String ending : List.of("avro", "json", "npz")) {
      Files.write(folder.resolve("empty." + ending), new byte[0]);
      byte[] whole = bytes(ending);
      Files.write(folder.resolve("cut." + ending), Arrays.copyOf(whole, whole.length * 2 / 3));
    }
    String json = new String(bytes("json"), UTF_8);
    Files.writeString(folder.resolve("deep.json"), "[".repeat(1 << 20));
    Files.writeString(
        folder.resolve("nan.json"),
        json.replaceFirst("\"parameters\" : \\{", "\"parameters\" : { \"odd\" : \"NaN\","));
    Files.writeString(
        folder.resolve("infinite.json"),
        json.replaceFirst("\"parameters\" : \\{", "\"parameters\" : { \"odd\" : \"Infinity\","));
    Files.write(folder.resolve("count.avro"), hugeCount(bytes("avro")));
    bomb(folder.resolve("bomb-header.npz"), "<U16777216", "", new byte[0]);
    bomb(folder.resolve("bomb-payload.npz"), "<i8", NUMBERS + ",", hugeHeader(bytes("npz")));
  }

  static void remove(Path folder) throws IOException {
    for (String name : NAMES) {
      Files.delete(folder.resolve(name));
    }
  }

  private static byte[] bytes(String ending) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ReleaseFile.write(SmallReleases.hour(2), ending, out);
    return out.toByteArray();
  }

  /** A prefix, and then lengths of almost 2^63. */
  private static byte[] hugeCount(byte[] good) {
    byte[] bytes = good.clone();
    Arrays.fill(bytes, 10, 19, (byte) 0xff);
    return bytes;
  }

  /**
   * The header of an archive, with a mechanism and a parameter that ask for as many numbers as it
   * can.
   */
  private static byte[] hugeHeader(byte[] archive) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
      zip.getNextEntry();
      byte[] array = zip.readAllBytes();
      int start = 10 + ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN).getShort(8);
      ByteBuffer points = ByteBuffer.wrap(array, start, array.length - start);
      points = points.slice().order(ByteOrder.LITTLE_ENDIAN);
      StringBuilder text = new StringBuilder();
      while (points.hasRemaining()) {
        text.appendCodePoint(points.getInt());
      }
      return text.toString()
          .replaceFirst("\"noisy-moments\"", "\"count-sketch\"")
          .replaceFirst(
              "\"parameters\":\\{[^}]*}",
              "\"parameters\":{\"buckets\":1048576.0,\"expectedRows\":2000.0,\"mu\":1.0,\"sensitivity\":2.25}")
          .getBytes(UTF_8);
    }
  }

  private static void bomb(Path file, String type, String shape, byte[] header) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("header.npy"));
      if (header.length == 0) {
        array(zip, type, shape);
        zeros(zip, 4 << 24);
        return;
      }
      String text = new String(header, UTF_8);
      array(zip, "<U" + text.codePointCount(0, text.length()), "");
      ByteBuffer points = ByteBuffer.allocate(4 * text.length()).order(ByteOrder.LITTLE_ENDIAN);
      text.codePoints().forEach(points::putInt);
      zip.write(points.array(), 0, points.position());
      zip.putNextEntry(new ZipEntry("payload.npy"));
      array(zip, type, shape);
      zeros(zip, 8 * NUMBERS);
    }
  }

  private static void array(OutputStream out, String type, String shape) throws IOException {
    String header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
    out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) header.length(), 0});
    out.write(header.getBytes(UTF_8));
  }

  private static void zeros(OutputStream out, int count) throws IOException {
    byte[] some = new byte[1 << 16];
    for (int left = count; left > 0; left -= some.length) {
      out.write(some);
    }
  }
}

package io.gauze.release;

import io.gauze.payload.Payload;
import io.gauze.payload.PayloadArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.avro.generic.GenericRecord;

/**
 * Reads and writes releases as NPZ, NumPy's archive of arrays: {@code header} (JSON, all but the
 * payload), {@code payload} (int64), {@code columns} (encoded names), {@code values} (payload times
 * unit), and the values again in the natural shape of the {@link Payload}. Only the first two are
 * read.
 */
final class ReleaseNpz implements PayloadArrays {
  /** The largest header: columns and texts of more megabytes are not plausible. */
  private static final int LONGEST_HEADER = 1 << 24;

  /**
   * The earliest time that the format supports. All files have it, so that equal releases are equal
   * files.
   */
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private static final String HEADER = "header";
  private static final String PAYLOAD = "payload";

  private final ZipOutputStream zip;
  private final IntToDoubleFunction values;

  private ReleaseNpz(ZipOutputStream zip, IntToDoubleFunction values) {
    this.zip = zip;
    this.values = values;
  }

  static void write(Release release, OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setLevel(Deflater.BEST_SPEED);
    new ReleaseNpz(zip, release::value).write(release);
    zip.finish();
  }

  /** Writes the arrays in the natural shape of the payload. */
  static void writeShaped(Payload payload, IntToDoubleFunction values, ZipOutputStream zip)
      throws IOException {
    payload.arrays(new ReleaseNpz(zip, values));
  }

  private void write(Release release) throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    ReleaseJson.writeHeader(ReleaseAvro.sealed(release), header);
    begin(HEADER);
    NpyArray.texts(zip, List.of(header.toString(StandardCharsets.UTF_8)));
    begin(PAYLOAD);
    NpyArray.longs(zip, release.sharedNumbers());
    List<String> names = release.schema().encodedNames();
    begin("columns");
    NpyArray.texts(zip, names, names.size());
    doubles("values", values, release.payload().length());
    release.payload().arrays(this);
  }

  private void begin(String name) throws IOException {
    ZipEntry entry = new ZipEntry(name + ".npy");
    entry.setTimeLocal(NO_TIME);
    zip.putNextEntry(entry);
  }

  @Override
  public double value(int at) {
    return values.applyAsDouble(at);
  }

  @Override
  public void doubles(String name, IntToDoubleFunction entry, int... shape) throws IOException {
    begin(name);
    NpyArray.doubles(zip, entry, shape);
  }

  /**
   * Parses the archive that {@link #write} writes, up to the payload.
   *
   * @throws IllegalArgumentException if it is not a release
   * @throws IOException if the stream cannot be read
   */
  static Release read(InputStream in) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(in)) {
      enter(zip, HEADER);
      String header = NpyArray.readText(zip, HEADER, LONGEST_HEADER);
      byte[] bytes = header.getBytes(StandardCharsets.UTF_8);
      GenericRecord record = ReleaseJson.readHeader(new ByteArrayInputStream(bytes));
      int length = ReleaseRecord.header(record).payload().length();
      ReadingRoom.checkNumbers(length); // the archive may be much smaller
      enter(zip, PAYLOAD);
      long[] payload = NpyArray.readLongs(zip, PAYLOAD, length);
      record.put(PAYLOAD, ReleaseRecord.view(payload));
      return ReleaseAvro.unsealed(record);
    } catch (ZipException | EOFException e) {
      throw new IllegalArgumentException("file must be a zip archive: " + e.getMessage(), e);
    }
  }

  private static void enter(ZipInputStream zip, String name) throws IOException {
    ZipEntry entry = zip.getNextEntry();
    if (entry == null || !entry.getName().equals(name + ".npy")) {
      throw new IllegalArgumentException(
          "file must be a zip archive that begins with the arrays header and payload. Provided"
              + " value: "
              + (entry == null ? "nothing" : entry.getName())
              + " where "
              + name
              + " should be");
    }
  }
}

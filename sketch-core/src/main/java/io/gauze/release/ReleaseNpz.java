package io.gauze.release;

import io.gauze.sketch.HistogramSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.apache.avro.generic.GenericRecord;

/**
 * Releases as NPZ, NumPy's archive of arrays: {@code header} (JSON, all but the payload), {@code
 * columns} (encoded names), {@code payload} (int64), {@code values} (payload times unit), and the
 * values again in the shape that {@link Contents} has by nature. Only header and payload are read.
 */
final class ReleaseNpz {
  /** Columns and texts of megabytes are no columns. */
  private static final int LONGEST_HEADER = 1 << 24;

  /** The oldest that the format can say, so that equal releases are equal files. */
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private static final String HEADER = "header";
  private static final String PAYLOAD = "payload";

  private final Release release;
  private final ZipOutputStream zip;

  private ReleaseNpz(Release release, ZipOutputStream zip) {
    this.release = release;
    this.zip = zip;
  }

  static void write(Release release, OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setLevel(Deflater.BEST_SPEED);
    new ReleaseNpz(release, zip).write();
    zip.finish();
  }

  private void write() throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    ReleaseJson.writeHeader(ReleaseAvro.sealed(release), header);
    begin(HEADER);
    NpyArray.texts(zip, List.of(header.toString(StandardCharsets.UTF_8)));
    List<String> names = release.schema().encodedNames();
    begin("columns");
    NpyArray.texts(zip, names, names.size());
    begin(PAYLOAD);
    NpyArray.longs(zip, release.sharedPayload());
    doubles("values", release::value, release.contents().length());
    shaped(release.contents());
  }

  private void begin(String name) throws IOException {
    ZipEntry entry = new ZipEntry(name + ".npy");
    entry.setTimeLocal(NO_TIME);
    zip.putNextEntry(entry);
  }

  private void doubles(String name, IntToDoubleFunction entry, int... shape) throws IOException {
    begin(name);
    NpyArray.doubles(zip, entry, shape);
  }

  private void shaped(Contents contents) throws IOException {
    if (contents instanceof Contents.Moments moments) {
      symmetric("moments", moments.dimension());
    } else if (contents instanceof Contents.InverseMoments inverse) {
      symmetric("inverse_moments", inverse.dimension());
    } else if (contents instanceof Contents.Buckets buckets) {
      doubles("rows", release::value, buckets.rows(), buckets.dimension());
    } else if (contents instanceof Contents.Projection projection) {
      doubles("rows", release::value, projection.rows(), projection.dimension());
    } else if (contents instanceof Contents.WeightedBuckets weighted) {
      doubles("rows", release::value, weighted.spec().rows(), weighted.spec().dimension());
      doubles("weights", weighted.spec()::weight, weighted.spec().rows());
    } else if (contents instanceof Contents.Strata strata) {
      int dimension = strata.spec().dimension();
      int matrix = dimension * dimension;
      int triangle = dimension * (dimension + 1) / 2;
      doubles(
          "strata",
          i -> release.value(i / matrix * triangle + triangular(i % matrix, dimension)),
          strata.spec().strata(),
          dimension,
          dimension);
    } else if (contents instanceof Contents.Counts counts) {
      int[] bins = counts.spec().axes().stream().mapToInt(HistogramSpec.Axis::bins).toArray();
      doubles("counts", release::value, bins);
    } else if (contents instanceof Contents.SufficientStatistics statistics) {
      int features = statistics.dimension() - 1;
      int triangle = features * (features + 1) / 2;
      symmetric("moments", features);
      doubles("products", i -> release.value(triangle + i), features);
      doubles("least_eigenvalue", i -> release.value(triangle + features));
    } else {
      throw new IllegalStateException("no shape for " + contents);
    }
  }

  /** A matrix whose upper triangle begins the payload. */
  private void symmetric(String name, int dimension) throws IOException {
    doubles(name, i -> release.value(triangular(i, dimension)), dimension, dimension);
  }

  /** Where the upper triangle, row by row, has entry {@code at} of the whole matrix. */
  private static int triangular(int at, int dimension) {
    int i = Math.min(at / dimension, at % dimension);
    int j = Math.max(at / dimension, at % dimension);
    return i * dimension - i * (i - 1) / 2 + j - i;
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is not a release
   * @throws IOException if the file cannot be read
   */
  static Release read(Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      GenericRecord record;
      try (InputStream in = open(zip, HEADER)) {
        byte[] header =
            NpyArray.readText(in, HEADER, LONGEST_HEADER).getBytes(StandardCharsets.UTF_8);
        record = ReleaseJson.readHeader(new ByteArrayInputStream(header));
      }
      int length = ReleaseRecord.header(record).contents().length();
      try (InputStream in = open(zip, PAYLOAD)) {
        long[] payload = NpyArray.readLongs(in, PAYLOAD, length);
        record.put(PAYLOAD, ReleaseRecord.view(payload));
      }
      return ReleaseAvro.unsealed(record);
    } catch (ZipException | EOFException e) {
      throw new IllegalArgumentException("file must be a zip archive: " + e.getMessage(), e);
    }
  }

  private static InputStream open(ZipFile zip, String name) throws IOException {
    ZipEntry entry = zip.getEntry(name + ".npy");
    InputStream in = entry == null ? null : zip.getInputStream(entry);
    if (in == null) {
      throw new IllegalArgumentException(
          "archive must have the array " + name + ". Provided value: none");
    }
    return in;
  }
}

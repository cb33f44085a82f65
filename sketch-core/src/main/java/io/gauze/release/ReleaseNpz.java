package io.gauze.release;

import io.gauze.mechanism.Payload;
import io.gauze.sketch.HistogramSpec;
import io.gauze.sketch.StratifiedMomentsSpec;
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
 * Releases as NPZ, NumPy's archive of arrays: {@code header} (JSON, all but the payload), {@code
 * payload} (int64), {@code columns} (encoded names), {@code values} (payload times unit), and the
 * values again in the shape that {@link Payload} has by nature. Only the first two are read.
 */
final class ReleaseNpz {
  /** Columns and texts of megabytes are no columns. */
  private static final int LONGEST_HEADER = 1 << 24;

  /** The oldest that the format can say, so that equal releases are equal files. */
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

  /** The arrays in the shape that the contents have by nature. */
  static void writeShaped(Payload contents, IntToDoubleFunction values, ZipOutputStream zip)
      throws IOException {
    new ReleaseNpz(zip, values).shaped(contents);
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
    shaped(release.payload());
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

  private void shaped(Payload contents) throws IOException {
    if (contents instanceof Payload.Moments moments) {
      symmetric("moments", moments.dimension());
    } else if (contents instanceof Payload.InverseMoments inverse) {
      symmetric("inverse_moments", inverse.dimension());
    } else if (contents instanceof Payload.Buckets buckets) {
      doubles("rows", values, buckets.rows(), buckets.dimension());
    } else if (contents instanceof Payload.Projection projection) {
      doubles("rows", values, projection.rows(), projection.dimension());
    } else if (contents instanceof Payload.AdaptiveRidgeProjection gated) {
      doubles("free_rows", values);
      doubles("rows", i -> values.applyAsDouble(1 + i), gated.rows(), gated.dimension());
    } else if (contents instanceof Payload.WeightedBuckets weighted) {
      doubles("rows", values, weighted.spec().rows(), weighted.spec().dimension());
      doubles("weights", weighted.spec()::weight, weighted.spec().rows());
    } else if (contents instanceof Payload.Strata strata) {
      strata(strata.spec());
    } else if (contents instanceof Payload.Counts counts) {
      int[] bins = counts.spec().axes().stream().mapToInt(HistogramSpec.Axis::bins).toArray();
      doubles("counts", values, bins);
    } else if (contents instanceof Payload.SufficientStatistics statistics) {
      statistics(statistics.dimension() - 1);
    } else {
      throw new IllegalStateException("no shape for " + contents);
    }
  }

  private void strata(StratifiedMomentsSpec spec) throws IOException {
    int dimension = spec.dimension();
    int matrix = dimension * dimension;
    int triangle = spec.moments().stateLength();
    doubles(
        "strata",
        i -> values.applyAsDouble(i / matrix * triangle + triangular(i % matrix, dimension)),
        spec.strata(),
        dimension,
        dimension);
  }

  private void statistics(int features) throws IOException {
    int triangle = features * (features + 1) / 2;
    symmetric("moments", features);
    doubles("products", i -> values.applyAsDouble(triangle + i), features);
    doubles("least_eigenvalue", i -> values.applyAsDouble(triangle + features));
  }

  /** A matrix whose upper triangle begins the payload. */
  private void symmetric(String name, int dimension) throws IOException {
    doubles(name, i -> values.applyAsDouble(triangular(i, dimension)), dimension, dimension);
  }

  /** Where the upper triangle, row by row, has entry {@code at} of the whole matrix. */
  private static int triangular(int at, int dimension) {
    int i = Math.min(at / dimension, at % dimension);
    int j = Math.max(at / dimension, at % dimension);
    return i * dimension - i * (i - 1) / 2 + j - i;
  }

  /**
   * Reads what {@link #write} wrote, up to the payload.
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

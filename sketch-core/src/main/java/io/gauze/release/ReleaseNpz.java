package io.gauze.release;

import io.gauze.mechanism.Payload;
import io.gauze.row.RangeGrid;
import io.gauze.sketch.HistogramSpec;
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
final class ReleaseNpz implements Payload.Reader<ReleaseNpz.Arrays> {
  /** Writes the arrays of a payload. */
  interface Arrays {
    void write() throws IOException;
  }

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
    payload.accept(new ReleaseNpz(zip, values)).write();
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
    release.payload().accept(this).write();
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

  @Override
  public Arrays moments(Payload.Moments moments) {
    return () -> symmetric("moments", moments.dimension());
  }

  @Override
  public Arrays inverseMoments(Payload.InverseMoments inverse) {
    return () -> symmetric("inverse_moments", inverse.dimension());
  }

  @Override
  public Arrays buckets(Payload.Buckets buckets) {
    return () -> doubles("rows", values, buckets.rows(), buckets.dimension());
  }

  @Override
  public Arrays projection(Payload.Projection projection) {
    return () -> doubles("rows", values, projection.rows(), projection.dimension());
  }

  @Override
  public Arrays adaptiveRidgeProjection(Payload.AdaptiveRidgeProjection projection) {
    return () -> {
      doubles("free_rows", values);
      IntToDoubleFunction entries = i -> values.applyAsDouble(1 + i);
      doubles("rows", entries, projection.rows(), projection.dimension());
    };
  }

  @Override
  public Arrays weightedBuckets(Payload.WeightedBuckets buckets) {
    return () -> {
      doubles("rows", values, buckets.spec().rows(), buckets.spec().dimension());
      doubles("weights", buckets.spec()::weight, buckets.spec().rows());
    };
  }

  @Override
  public Arrays strata(Payload.Strata strata) {
    return () -> strata(0, strata.spec().strata(), strata.spec().dimension());
  }

  @Override
  public Arrays residualStrata(Payload.ResidualStrata residual) {
    return () -> {
      symmetric("moments", residual.dimension());
      doubles(
          "residual_weights",
          i -> values.applyAsDouble(residual.weightsAt() + i),
          residual.dimension());
      strata(residual.strataAt(), residual.strata(), residual.dimension());
    };
  }

  @Override
  public Arrays rangeCounts(Payload.RangeCounts counts) {
    return () -> doubles("counts", values, counts.columns(), RangeGrid.CELLS);
  }

  @Override
  public Arrays counts(Payload.Counts counts) {
    int[] bins = counts.spec().axes().stream().mapToInt(HistogramSpec.Axis::bins).toArray();
    return () -> doubles("counts", values, bins);
  }

  @Override
  public Arrays statistics(Payload.SufficientStatistics statistics) {
    return () -> statistics(statistics.dimension() - 1);
  }

  @Override
  public Arrays selectedMoments(Payload.SelectedMoments selected) {
    return () -> {
      doubles("selected", values, selected.selected());
      symmetric("moments", selected.selected(), selected.selected() + 2);
    };
  }

  @Override
  public Arrays model(Payload.Model model) {
    return () -> doubles("coefficients", values, model.features().size());
  }

  private void strata(int from, int strata, int dimension) throws IOException {
    int matrix = dimension * dimension;
    int triangle = dimension * (dimension + 1) / 2;
    doubles(
        "strata",
        i -> values.applyAsDouble(from + i / matrix * triangle + triangular(i % matrix, dimension)),
        strata,
        dimension,
        dimension);
  }

  private void statistics(int features) throws IOException {
    int triangle = features * (features + 1) / 2;
    symmetric("moments", features);
    doubles("products", i -> values.applyAsDouble(triangle + i), features);
    doubles("least_eigenvalue", i -> values.applyAsDouble(triangle + features));
  }

  /** Writes a matrix whose upper triangle begins the payload. */
  private void symmetric(String name, int dimension) throws IOException {
    symmetric(name, 0, dimension);
  }

  private void symmetric(String name, int from, int dimension) throws IOException {
    doubles(name, i -> values.applyAsDouble(from + triangular(i, dimension)), dimension, dimension);
  }

  /**
   * Returns the index in the upper triangle, row by row, of entry {@code at} of the whole matrix.
   */
  private static int triangular(int at, int dimension) {
    int i = Math.min(at / dimension, at % dimension);
    int j = Math.max(at / dimension, at % dimension);
    return i * dimension - i * (i - 1) / 2 + j - i;
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

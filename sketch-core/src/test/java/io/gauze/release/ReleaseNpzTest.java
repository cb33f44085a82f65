package io.gauze.release;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.mechanism.twostage.TransformedStrata;
import io.gauze.payload.MomentNoise;
import io.gauze.payload.Payload;
import io.gauze.row.Grid;
import io.gauze.sketch.HistogramSpec;
import io.gauze.sketch.MultilevelSketchSpec;
import io.gauze.sketch.StratifiedMomentsSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/** Arrays by the bytes that NumPy documents; a file of them was read with NumPy 2.4.6. */
final class ReleaseNpzTest {
  /** The values 0, 1, 2 and so on. */
  private static Map<String, byte[]> shaped(Payload contents) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      ReleaseNpz.writeShaped(contents, i -> i, zip);
    }
    return entries(out.toByteArray());
  }

  private static Map<String, byte[]> entries(byte[] archive) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), zip.readAllBytes());
      }
    }
    return entries;
  }

  private static void holds(byte[] array, String type, String shape, ByteBuffer data) {
    ByteBuffer bytes = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
    int start = 10 + bytes.getShort(8);
    String header = new String(array, 0, start, ISO_8859_1);
    assertThat(header).startsWith("\u0093NUMPY\1\0").endsWith("\n").hasSize(start / 64 * 64);
    assertThat(header.substring(10).stripTrailing())
        .isEqualTo("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }");
    assertThat(bytes.position(start).slice()).isEqualTo(data.rewind());
  }

  private static void holds(byte[] array, String shape, double... values) {
    ByteBuffer data = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (double value : values) {
      data.putDouble(value);
    }
    holds(array, "<f8", shape, data);
  }

  @Test
  void momentsAreASymmetricMatrix() throws IOException {
    double[] matrix = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    Payload moments = new Payload.Moments(3, new MomentNoise.Gaussian(1.0));
    assertThat(shaped(moments)).containsOnlyKeys("moments.npy");
    holds(shaped(moments).get("moments.npy"), "3, 3", matrix);
    Payload inverse = new Payload.InverseMoments(3, 5, 1.0);
    holds(shaped(inverse).get("inverse_moments.npy"), "3, 3", matrix);
  }

  @Test
  void rowsAreAMatrix() throws IOException {
    holds(shaped(new Payload.Buckets(2, 2, 1.0)).get("rows.npy"), "2, 2", 0, 1, 2, 3);
    holds(shaped(new Payload.Projection(1, 3, 0.0)).get("rows.npy"), "1, 3", 0, 1, 2);
    MultilevelSketchSpec spec = new MultilevelSketchSpec(1, 2, 1, 5, 2, 0L);
    Map<String, byte[]> weighted = shaped(new Payload.WeightedBuckets(spec, 1.0));
    holds(weighted.get("rows.npy"), "4, 1", 0, 1, 2, 3);
    holds(weighted.get("weights.npy"), "4,", 0.5, 0.5, 5, 5);
  }

  @Test
  void strataAreMatrices() throws IOException {
    StratifiedMomentsSpec spec = new StratifiedMomentsSpec(2, 1, 2, new Grid(13));
    holds(
        shaped(new Payload.Strata(spec, 1.0)).get("strata.npy"), "2, 2, 2", 0, 1, 1, 2, 3, 4, 4, 5);
  }

  @Test
  void strataOfResidualsAreThreeArrays() throws IOException {
    Map<String, byte[]> arrays = shaped(new Payload.ResidualStrata(2, 1, 2, 1.0, 1.0));
    assertThat(arrays).containsOnlyKeys("moments.npy", "residual_weights.npy", "strata.npy");
    holds(arrays.get("moments.npy"), "2, 2", 0, 1, 1, 2);
    holds(arrays.get("residual_weights.npy"), "2,", 3, 4);
    holds(arrays.get("strata.npy"), "2, 2, 2", 5, 6, 6, 7, 8, 9, 9, 10);
  }

  /** After the numbers of moments of transformed rows: 2, 3, 30 and 3 of two columns. */
  @Test
  void strataOfTransformedRowsAreSevenArrays() throws IOException {
    TransformedMoments moments =
        new TransformedMoments(2, 1, List.of(1.0, 1.0), 1.0, List.of(1.0, 1.0, 1.0));
    Map<String, byte[]> arrays = shaped(new TransformedStrata(moments, 2, 1.0));
    assertThat(arrays)
        .containsOnlyKeys(
            "rounds.npy",
            "squared_bound.npy",
            "transform.npy",
            "norm_counts.npy",
            "moments.npy",
            "residual_weights.npy",
            "strata.npy");
    holds(arrays.get("moments.npy"), "2, 2", 35, 36, 36, 37);
    holds(arrays.get("residual_weights.npy"), "2,", 38, 39);
    holds(arrays.get("strata.npy"), "2, 2, 2", 40, 41, 41, 42, 43, 44, 44, 45);
  }

  @Test
  void countsHaveAnAxisAColumn() throws IOException {
    List<HistogramSpec.Axis> axes =
        List.of(new HistogramSpec.Axis(2, 2), new HistogramSpec.Axis(1, 3));
    Payload counts = new Payload.Counts(new HistogramSpec(3, new Grid(13), axes), 1.0);
    holds(shaped(counts).get("counts.npy"), "2, 3", 0, 1, 2, 3, 4, 5);
  }

  @Test
  void sufficientStatisticsAreThreeArrays() throws IOException {
    Map<String, byte[]> arrays = shaped(new Payload.SufficientStatistics(3, 2, 1.0, 1.0, 1.0));
    assertThat(arrays).containsOnlyKeys("moments.npy", "products.npy", "least_eigenvalue.npy");
    holds(arrays.get("moments.npy"), "2, 2", 0, 1, 1, 2);
    holds(arrays.get("products.npy"), "2,", 3, 4);
    holds(arrays.get("least_eigenvalue.npy"), "", 5);
  }

  @Test
  void everyReleaseHasTheCommonArrays() throws IOException {
    Release release = ReleaseSamples.of(NoisyMoments.NAME);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ReleaseNpz.write(release, out);
    Map<String, byte[]> arrays = entries(out.toByteArray());
    assertThat(arrays.keySet())
        .containsExactly(
            "header.npy",
            "payload.npy",
            "columns.npy",
            "values.npy",
            "moments.npy",
            "lost_weight.npy");
    double[] values = new double[11];
    ByteBuffer payload = ByteBuffer.allocate(88).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < values.length; i++) {
      values[i] = release.value(i);
      payload.putLong(release.numbers()[i]);
    }
    holds(arrays.get("values.npy"), "11,", values);
    holds(arrays.get("payload.npy"), "<i8", "11,", payload);
    ByteBuffer names = ByteBuffer.allocate(4 * 4 * 11).order(ByteOrder.LITTLE_ENDIAN);
    List<String> columns = List.of("(intercept)", "x0", "x1", "x2");
    for (int i = 0; i < columns.size(); i++) {
      names.position(4 * 11 * i);
      columns.get(i).chars().forEach(names::putInt);
    }
    holds(arrays.get("columns.npy"), "<U11", "4,", names);
    double unit = release.parameters().get("rowUnit");
    holds(arrays.get("lost_weight.npy"), "", values[10] / unit);
  }

  @Test
  void whatIsNotTheArrayIsRefused() throws IOException {
    byte[] good = npy(out -> NpyArray.longs(out, new long[] {1, -2}));
    assertThat(NpyArray.readLongs(new ByteArrayInputStream(good), "payload", 2))
        .containsExactly(1, -2);
    refused(good, 3, "payload must be an array of int64 of shape (3,). Provided value: type <i8,");
    refused(npy(out -> NpyArray.doubles(out, i -> i, 2)), 2, "payload must be an array of int64");
    refused(changed(good, 0, 'x'), 2, "payload must begin with NumPy's mark and version 1.0");
    refused(changed(good, 6, 2), 2, "payload must begin with NumPy's mark and version 1.0");
    refused(changed(good, 11, 'x'), 2, "payload must have a header of NumPy's format 1.0");
    refused(Arrays.copyOf(good, good.length - 1), 2, "payload must be whole");
    refused(Arrays.copyOf(good, good.length + 1), 2, "payload must end with its array");
    byte[] text = npy(out -> NpyArray.texts(out, List.of("größe \ud83d\ude00")));
    assertThat(NpyArray.readText(new ByteArrayInputStream(text), "header", 7))
        .isEqualTo("größe \ud83d\ude00");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NpyArray.readText(new ByteArrayInputStream(text), "header", 6))
        .withMessageContaining("header must be one text of at most 6 characters");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                NpyArray.readText(
                    new ByteArrayInputStream(changed(text, text.length - 1, 1)), "header", 7))
        .withMessage("header must be UTF-32. Provided value: character 101f600");
  }

  private static byte[] changed(byte[] good, int at, int to) {
    byte[] bad = good.clone();
    bad[at] = (byte) to;
    return bad;
  }

  private static void refused(byte[] array, int length, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NpyArray.readLongs(new ByteArrayInputStream(array), "payload", length))
        .withMessageStartingWith(message);
  }

  /** What writes an array. */
  private interface Writer {
    void write(ByteArrayOutputStream out) throws IOException;
  }

  private static byte[] npy(Writer writer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.write(out);
    return out.toByteArray();
  }
}

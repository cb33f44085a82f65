package io.gauze.benchmarks;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.mechanism.twostage.TransformedStrata;
import io.gauze.payload.Payload;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.FitInput;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ExactRows;
import io.gauze.release.Release;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.file.CsvOptions;
import io.gauze.source.file.CsvRows;
import io.gauze.source.json.JsonRowDecoder;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The rows of a data set under a config: as they are, and as releases of them. NOT private. */
public final class AccuracySample {
  private final RowSchema schema;
  private final ExactRows rows;
  private final RepeatedReleases sums;

  private AccuracySample(ExactRows rows, StreamPlan plan) {
    this.schema = plan.schema();
    this.rows = rows;
    this.sums = new RepeatedReleases(plan);
  }

  /** Reads the rows of a data set under its config. */
  public static AccuracySample of(AccuracyData data) throws IOException, ConfigException {
    StreamConfig config = StreamConfig.parse(data.name(), data.config());
    return of(data, StreamPlan.of(config.request(List.of())));
  }

  /** Reads the rows of a data set under a plan of one sketch. */
  static AccuracySample of(AccuracyData data, StreamPlan plan) throws IOException {
    return of(data, List.of(plan)).get(0);
  }

  /**
   * Reads the rows of a data set once, under plans of one sketch each. They share the rows as they
   * are.
   *
   * @throws IllegalArgumentException if the plans have different schemas
   */
  static List<AccuracySample> of(AccuracyData data, List<StreamPlan> plans) throws IOException {
    RowSchema schema = plans.get(0).schema();
    if (plans.stream().anyMatch(plan -> !plan.schema().equals(schema))) {
      throw new IllegalArgumentException("plans must have one schema");
    }
    ExactRows rows = ExactRows.create(schema.dimension(), 1.0 / schema.half(0));
    List<AccuracySample> samples =
        plans.stream().map(plan -> new AccuracySample(rows, plan)).toList();
    read(data, samples);
    return samples;
  }

  /** The releases of the rows. */
  RepeatedReleases releases() {
    return sums;
  }

  RowSchema schema() {
    return schema;
  }

  private static void read(AccuracyData data, List<AccuracySample> samples) throws IOException {
    RowSchema schema = samples.get(0).schema;
    RowFields fields = RowFields.of(schema, List.of());
    RowImage image = new RowImage(fields, new RowEncoder(schema));
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    long left = 0;
    try (CsvRows records =
        CsvRows.open(data.file().toString(), CsvOptions.DEFAULT, CsvRows.Reader.of(schema))) {
      for (long i = 0; records.hasNext(); i++) {
        Optional<byte[]> json = next(records);
        if (data.takes(i) && !(json.isPresent() && added(json.get(), decoder, image, samples))) {
          left++; // a missing value, for instance
        }
      }
    }
    if (left > samples.get(0).rows.rows() / 10) {
      throw new IOException(data.file() + ": " + left + " rows could not be encoded");
    }
  }

  /** Returns the next row; nothing if it cannot be read. */
  private static Optional<byte[]> next(CsvRows records) throws IOException {
    try {
      return Optional.of(records.next());
    } catch (RowRejectedException e) {
      return Optional.empty();
    }
  }

  private static boolean added(
      byte[] json, JsonRowDecoder decoder, RowImage image, List<AccuracySample> samples) {
    int dimension = samples.get(0).schema.dimension();
    double[] row = new double[dimension];
    EncodedRow encoded = new EncodedRow(dimension);
    try {
      decoder.decode(json, image);
      image.scale(row);
      image.encode(encoded);
    } catch (RowRejectedException e) {
      return false;
    }
    samples.get(0).rows.add(row); // they are those of all samples
    samples.forEach(sample -> sample.sums.add(row, encoded));
    return true;
  }

  /** Returns the rows as they are. NOT private. */
  public ExactRows rows() {
    return rows;
  }

  double rowBound() {
    return schema.rowBound();
  }

  /** Returns a release with fresh noise. */
  public FitInput release() {
    return FitInput.of(nextRelease());
  }

  Release nextRelease() {
    return sums.next();
  }

  /** Returns the rows as a release shortened them, if it says how. NOT private. */
  Optional<ExactRows> shortened(Release release) {
    if (release.payload() instanceof Payload.Moments payload && payload.hasLostWeight()) {
      return Optional.of(rows.mapped(this::shorten));
    }
    Optional<TransformedMoments> transformed = transformed(release.payload());
    if (transformed.isEmpty()) {
      return Optional.empty();
    }
    TransformedMoments payload = transformed.get();
    double[] lower =
        IntStream.range(payload.transformAt(), payload.countsAt())
            .mapToDouble(release::value)
            .toArray();
    RowTransform transform = RowTransform.of(payload.dimension(), payload.response(), lower);
    double[] mapped = new double[payload.dimension()];
    return Optional.of(
        rows.mapped(
            row -> {
              transform.apply(row, mapped);
              scale(row, within(1.0, mapped));
            }));
  }

  private static Optional<TransformedMoments> transformed(Payload payload) {
    if (payload instanceof TransformedStrata strata) {
      return Optional.of(strata.moments());
    }
    return payload instanceof TransformedMoments moments ? Optional.of(moments) : Optional.empty();
  }

  /** Shortens a row as the config says: its responses apart, if it names any. */
  private void shorten(double... row) {
    List<Integer> apart = schema.responseIndexes();
    double[] features = row.clone();
    apart.forEach(k -> features[k] = 0.0);
    scale(row, within(schema.responses().ofFeatures(schema.rowBound()), features));
    double[] responses = apart.stream().mapToDouble(k -> row[k]).toArray();
    double factor = apart.isEmpty() ? 1.0 : within(schema.responses().bound(), responses);
    apart.forEach(k -> row[k] *= factor);
  }

  private static void scale(double[] row, double factor) {
    for (int k = 0; k < row.length; k++) {
      row[k] *= factor;
    }
  }

  /** Returns the factor by which a row is shortened to a norm. */
  private static double within(double bound, double... row) {
    double square = 0.0;
    for (double entry : row) {
      square += entry * entry;
    }
    return bound / Math.max(bound, Math.sqrt(square));
  }

  /** Returns the problem that explains the last column by the others. */
  public RegressionProblem problem() {
    return RegressionProblem.of(schema, last());
  }

  /** Returns the problem of the best constant for the last column. */
  RegressionProblem constant() {
    return RegressionProblem.of(schema, last(), List.of());
  }

  private String last() {
    return schema.encodedNames().get(schema.dimension() - 1);
  }
}

package io.gauze.benchmarks;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.mechanism.StreamPlan;
import io.gauze.regression.ExactRows;
import io.gauze.regression.FitInput;
import io.gauze.regression.RegressionProblem;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.CsvRows;
import io.gauze.source.JsonRowDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.io.IOException;
import java.util.List;

/** The rows of a data set under a config: as they are, and as releases of them. NOT private. */
public final class AccuracySample {
  private final RowSchema schema;
  private final ExactRows rows;
  private final RepeatedReleases sums;

  private AccuracySample(StreamPlan plan) {
    this.schema = plan.schema();
    this.rows = ExactRows.create(schema.dimension(), 1.0 / schema.half(0));
    this.sums = new RepeatedReleases(plan);
  }

  /** Reads the rows of a data set under its config. */
  public static AccuracySample of(AccuracyData data) throws IOException, ConfigException {
    StreamConfig config = StreamConfig.parse(data.name(), data.config());
    return of(data, StreamPlan.of(config.request(List.of())));
  }

  /** Reads the rows of a data set under a plan of one sketch. */
  static AccuracySample of(AccuracyData data, StreamPlan plan) throws IOException {
    AccuracySample sample = new AccuracySample(plan);
    sample.read(data);
    return sample;
  }

  /** The releases of the rows. */
  RepeatedReleases releases() {
    return sums;
  }

  RowSchema schema() {
    return schema;
  }

  private void read(AccuracyData data) throws IOException {
    RowFields fields = RowFields.of(schema, List.of());
    RowImage image = new RowImage(fields, new RowEncoder(schema));
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    long left = 0;
    try (CsvRows records = CsvRows.open(data.file().toString(), schema)) {
      for (long i = 0; records.hasNext(); i++) {
        byte[] json = records.next();
        if (data.takes(i) && !added(json, decoder, image)) {
          left++; // a missing value, for instance
        }
      }
    }
    if (left > rows.rows() / 10) {
      throw new IOException(data.file() + ": " + left + " rows could not be encoded");
    }
  }

  private boolean added(byte[] json, JsonRowDecoder decoder, RowImage image) {
    double[] row = new double[schema.dimension()];
    EncodedRow encoded = new EncodedRow(schema.dimension());
    try {
      decoder.decode(json, image);
      image.scale(row);
      image.encode(encoded);
    } catch (RowRejectedException e) {
      return false;
    }
    rows.add(row);
    sums.add(row, encoded);
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
    return FitInput.of(sums.next());
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

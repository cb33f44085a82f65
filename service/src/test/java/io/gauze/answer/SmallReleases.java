package io.gauze.answer;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamPlan;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.release.Release;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMoments;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.SketchUpdater;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/** Releases of a small stream, y = 0.5 a - 0.25 b + noise. */
public final class SmallReleases {
  public static final String STREAM = "small";
  private static final int ROWS = 2000;

  private SmallReleases() {}

  private static StreamPlan plan(String stream) {
    List<NumericColumn> columns =
        List.of(
            new NumericColumn("a", "a", -1, 1),
            new NumericColumn("b", "b", -1, 1),
            new NumericColumn("y", "y", -2, 2));
    return StreamPlan.of(
        new StreamRequest(
            stream,
            RowSchema.of(List.copyOf(columns), 1.0, 2.0, MissingValues.REJECT),
            new Budget(20, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            ROWS,
            List.of(),
            List.of(new SketchRequest("moments", "noisy-moments", 1, Map.of()))));
  }

  /** A release of one epoch, the same for the same arguments. */
  public static Release release(String stream, String epoch, long seed) {
    StreamPlan plan = plan(stream);
    Mechanism mechanism = plan.sketch("moments").mechanism();
    long[] state = sums(plan.schema(), seed);
    Randomness randomness = Randomness.insecureForTests(seed);
    Entropy entropy = randomness.entropy("noise");
    mechanism.addNoise(state, 0, entropy);
    ReleaseId id = new ReleaseId(stream, ReleaseId.ALL, epoch, "moments");
    return Release.of(plan, id, randomness, mechanism.release(state, entropy));
  }

  private static long[] sums(RowSchema schema, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SecondMoments moments = SecondMoments.create(new SecondMomentsSpec(schema.dimension()));
    SketchUpdater rows = new SketchUpdater(schema, RowHasher.create(random::nextLong), moments);
    try {
      for (int i = 0; i < ROWS; i++) {
        double a = random.nextDouble(-1, 1);
        double b = random.nextDouble(-1, 1);
        double y = 0.5 * a - 0.25 * b + 0.1 * random.nextDouble(-1, 1);
        rows.insert("row " + i, Map.of("a", a, "b", b, "y", y));
      }
    } catch (RowRejectedException e) {
      throw new IllegalStateException(e);
    }
    byte[] bytes = moments.toBytes(); // the sums are at their end
    long[] sums = new long[schema.dimension() * (schema.dimension() + 1) / 2];
    ByteBuffer.wrap(bytes, bytes.length - 8 * sums.length, 8 * sums.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .get(sums);
    return sums;
  }

  /** The name of the epoch that begins at this hour. */
  public static String epoch(int hour) {
    return String.format(Locale.ROOT, "2026-01-01T%02d:00:00Z", hour);
  }

  /** The release of the epoch that begins at this hour. */
  public static Release hour(int hour) {
    return release(STREAM, epoch(hour), hour);
  }

  /** Its id. */
  public static String id(int hour) {
    return STREAM + "/all/" + epoch(hour) + "/moments";
  }
}

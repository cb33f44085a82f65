package io.gauze.benchmarks;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.local.LocalSketch;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Releases of made-up rows of 12 and of 52 columns, the intercept included. */
final class LoadReleases {
  /** Releases of each kind of moments. */
  static final int EPOCHS = 8;

  static final int NARROW = 12;
  static final int WIDE = 52;
  private static final int ROWS = 20_000;

  private LoadReleases() {}

  static List<Release> all() {
    List<Release> all = new ArrayList<>();
    SketchRequest moments = new SketchRequest("moments", "noisy-moments", 1, Map.of());
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      all.add(release(NARROW, epoch, 1, moments));
      all.add(release(WIDE, epoch, 1, moments));
    }
    all.add(
        release(
            NARROW,
            0,
            40,
            new SketchRequest("rows", "multilevel-l1", 1, Map.of("rows", "4096", "levels", "3"))));
    all.add(
        release(
            NARROW,
            0,
            1,
            new SketchRequest("strata", "stratified-moments", 1, Map.of("stratifyBy", "c1"))));
    return all;
  }

  /** Returns another release of 12 columns. */
  static Release further(int epoch) {
    return release(NARROW, epoch, 1, new SketchRequest("moments", "noisy-moments", 1, Map.of()));
  }

  static String id(int columns, int epoch, String sketch) {
    return "load-" + columns + "/all/" + epoch + "/" + sketch;
  }

  /** Returns what makes releases of 12 columns of a stream, all of the same rows. */
  static Function<ReleaseId, Release> copies(String stream) {
    SketchRequest moments = new SketchRequest("moments", "noisy-moments", 1, Map.of());
    StreamPlan plan = plan(stream, NARROW, 1, moments);
    long[] payload = payload(plan, NARROW, 0);
    return id -> Release.of(plan, id, Randomness.SYSTEM, payload);
  }

  private static Release release(int columns, int epoch, double epsilon, SketchRequest sketch) {
    StreamPlan plan = plan("load-" + columns, columns, epsilon, sketch);
    return Release.of(
        plan,
        ReleaseId.parse(id(columns, epoch, sketch.name())),
        Randomness.SYSTEM,
        payload(plan, columns, epoch));
  }

  private static StreamPlan plan(String stream, int columns, double epsilon, SketchRequest sketch) {
    return StreamPlan.of(
        new StreamRequest(
            stream,
            schema(columns),
            new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            ROWS,
            List.of(),
            List.of(sketch)));
  }

  private static long[] payload(StreamPlan plan, int columns, int seed) {
    LocalSketch sketched = new LocalSketch(plan, Randomness.SYSTEM);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < ROWS; i++) {
      try {
        sketched.add(row(columns, random));
      } catch (RowRejectedException e) {
        throw new IllegalStateException(e);
      }
    }
    return sketched.release().get(0).numbers();
  }

  private static RowSchema schema(int columns) {
    return RowSchema.of(
        IntStream.range(1, columns)
            .mapToObj(k -> new NumericColumn("c" + k, "c" + k, -1, 1))
            .collect(Collectors.toList()),
        1.0,
        2.0,
        MissingValues.REJECT);
  }

  /** Columns share a part of their variation, so that each says something about the others. */
  private static byte[] row(int columns, SplittableRandom random) {
    double shared = random.nextDouble(-0.5, 0.5);
    return IntStream.range(1, columns)
        .mapToObj(k -> "\"c" + k + "\":" + (float) (shared + random.nextDouble(-0.5, 0.5)))
        .collect(Collectors.joining(",", "{", "}"))
        .getBytes(StandardCharsets.UTF_8);
  }
}

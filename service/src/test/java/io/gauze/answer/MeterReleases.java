package io.gauze.answer;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.CategoryColumn;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Hourly releases of made-up readings of smart meters: two sketches, of a large and of a small
 * share of the budget. It gets colder every hour of the day.
 */
public final class MeterReleases {
  public static final String STREAM = "meters";
  private static final Instant FIRST = Instant.parse("2026-01-05T00:00:00Z");
  private static final int ROWS = 8_000;
  private static final List<String> TARIFFS = List.of("flat", "night", "solar");
  private static final StreamPlan PLAN = plan();

  private MeterReleases() {}

  private static StreamPlan plan() {
    RowSchema schema =
        RowSchema.of(
            List.of(
                new NumericColumn("temperature", "temperature", -20, 40),
                new NumericColumn("floor_area", "floor_area", 20, 300),
                new NumericColumn("occupants", "occupants", 1, 8),
                new IndicatorColumn("weekend", "weekend", "yes"),
                new CategoryColumn("tariff", "tariff", TARIFFS),
                new NumericColumn("kwh", "kwh", 0, 8)),
            1.0,
            2.0,
            MissingValues.REJECT);
    return StreamPlan.of(
        new StreamRequest(
            STREAM,
            schema,
            new Budget(2, 1e-6, Neighbours.REPLACE_ONE),
            BudgetScope.ROWS,
            ROWS,
            List.of(),
            List.of(
                new SketchRequest("moments", "noisy-moments", 9, Map.of()),
                new SketchRequest("spare", "noisy-moments", 1, Map.of()))));
  }

  private static Map<String, Object> row(SplittableRandom random, int hour) {
    double temperature = Math.max(-20, Math.min(40, 10 - 0.4 * hour + 8 * random.nextGaussian()));
    double area = Math.min(300, 20 + 90 * -Math.log(1 - random.nextDouble()));
    double occupants = 1 + random.nextInt(5);
    boolean weekend = random.nextInt(7) < 2;
    int tariff = random.nextInt(TARIFFS.size());
    double kwh =
        1.2
            - 0.03 * temperature
            + 0.008 * area
            + 0.15 * occupants
            + (weekend ? 0.12 : 0)
            - 0.2 * tariff
            + 0.4 * random.nextGaussian();
    return Map.of(
        "temperature",
        temperature,
        "floor_area",
        area,
        "occupants",
        occupants,
        "weekend",
        weekend ? "yes" : "no",
        "tariff",
        TARIFFS.get(tariff),
        "kwh",
        Math.max(0, Math.min(8, kwh)));
  }

  /** The name of an hour's epoch. */
  public static String epoch(int hour) {
    return FIRST.plus(hour, ChronoUnit.HOURS).toString();
  }

  /** The id of a release. */
  public static String id(int hour, String sketch) {
    return String.join("/", STREAM, ReleaseId.ALL, epoch(hour), sketch);
  }

  /** The release of the sketch moments of an hour without rows. */
  public static Release emptyHour(int hour) {
    ReleaseId id = new ReleaseId(STREAM, ReleaseId.ALL, epoch(hour), "moments");
    return MomentReleases.of(PLAN, id, hour, 0, random -> row(random, hour));
  }

  /** The release of a sketch, moments or spare, of an hour. */
  public static Release hour(int hour, String sketch) {
    ReleaseId id = new ReleaseId(STREAM, ReleaseId.ALL, epoch(hour), sketch);
    long seed = 2L * hour + (sketch.equals("moments") ? 0 : 1);
    return MomentReleases.of(PLAN, id, seed, ROWS, random -> row(random, hour));
  }
}

package io.gauze.answer;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/** Releases of a small stream, y = 0.5 a - 0.25 b + noise. */
public final class SmallReleases {
  public static final String STREAM = "small";
  private static final int ROWS = 2000;

  private SmallReleases() {}

  private static StreamPlan plan(String stream, BudgetScope scope) {
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
            scope,
            ROWS,
            List.of(),
            List.of(new SketchRequest("moments", "noisy-moments", 1, Map.of()))));
  }

  /** A release of one epoch, the same for the same arguments. */
  public static Release release(String stream, String epoch, long seed) {
    return release(plan(stream, BudgetScope.ROWS), stream, epoch, seed);
  }

  /** A release of a stream of users, who have one row each. */
  public static Release ofUsers() {
    return ofUsers(1);
  }

  /** The same, of the epoch that begins at this hour. */
  public static Release ofUsers(int hour) {
    return release(plan("users", BudgetScope.users("who", 1)), "users", epoch(hour), hour);
  }

  private static Release release(StreamPlan plan, String stream, String epoch, long seed) {
    ReleaseId id = new ReleaseId(stream, ReleaseId.ALL, epoch, "moments");
    return MomentReleases.of(plan, id, seed, ROWS, SmallReleases::row);
  }

  private static Map<String, Object> row(SplittableRandom random) {
    double a = random.nextDouble(-1, 1);
    double b = random.nextDouble(-1, 1);
    double y = 0.5 * a - 0.25 * b + 0.1 * random.nextDouble(-1, 1);
    return Map.of("a", a, "b", b, "y", y);
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

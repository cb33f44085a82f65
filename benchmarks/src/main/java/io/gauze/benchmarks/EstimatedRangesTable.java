package io.gauze.benchmarks;

import io.gauze.config.ConfigException;
import io.gauze.config.RangeEstimates;
import io.gauze.config.StreamConfig;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.ranges.EstimatedRanges;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.report.ChosenRanges;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What it costs that nobody knows the ranges of columns: ridge with ranges that are public, five
 * times too wide, and chosen from noisy counts. Models are compared in the user's units, on rows
 * that are not clamped to the range of each.
 */
final class EstimatedRangesTable {
  static final String TABLE = "ranges";

  private static final List<String> DATA = List.of("wine", "california", "diamonds", "flights");
  private static final double PERCENT = 100.0;
  private static final double WIDE = 5.0;
  private static final Pattern RANGE =
      Pattern.compile("lower: ([-0-9._]+), upper: ([-0-9._]+)(, (typical|spread): [-0-9._]+)*}");

  private final int releases;
  private final PrintStream out;
  private final Aims aims;

  EstimatedRangesTable(int releases, PrintStream out) throws IOException {
    this.releases = releases;
    this.out = out;
    this.aims = Aims.of(TABLE);
  }

  void print(List<AccuracyData> reference, List<String> epsilons)
      throws IOException, ConfigException {
    out.println(
        "\n| data | epsilon | ranges: excess, % | and typical values, % | ranges 5 times too wide, %"
            + " | estimated, % | aim | ratio | chosen / public range: least | median | largest | refused, % |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (AccuracyData each : reference) {
      for (String epsilon : epsilons) {
        if (DATA.contains(each.name())) {
          print(each.with(each.config().replaceAll("(?m)^response: .*$", "")), epsilon);
        }
      }
    }
  }

  private void print(AccuracyData data, String epsilon) throws IOException, ConfigException {
    AccuracyData wide = said(data, range -> within(range, WIDE));
    Rows rows = new Rows(AccuracySample.of(wide));
    Estimated estimated = new Estimated(said(data, range -> "range: estimate}"), epsilon);
    estimated.run(rows, releases);
    out.printf(
        Locale.ROOT,
        "| %s | %s | %.3g | %.3g | %.3g | %s | %s | %.0f |%n",
        data.name(),
        epsilon,
        rows.excess(said(data, range -> within(range, 1.0)).withEpsilon(epsilon), releases),
        rows.excess(data.withEpsilon(epsilon), releases),
        rows.excess(wide.withEpsilon(epsilon), releases),
        aims.cells(MeasuredFits.median(estimated.excess), data.name(), epsilon),
        widths(estimated.widths),
        PERCENT * estimated.refused / releases);
  }

  private interface Said {
    String of(MatchResult range);
  }

  private static AccuracyData said(AccuracyData data, Said said) {
    return data.with(RANGE.matcher(data.config()).replaceAll(said::of));
  }

  private static String within(MatchResult range, double times) {
    double lower = Double.parseDouble(range.group(1).replace("_", ""));
    double upper = Double.parseDouble(range.group(2).replace("_", ""));
    double more = 0.5 * (times - 1.0) * (upper - lower);
    return String.format(Locale.ROOT, "lower: %s, upper: %s}", lower - more, upper + more);
  }

  /** The least, the median and the largest, as three cells. */
  private static String widths(List<Double> widths) {
    if (widths.isEmpty()) {
      return "- | - | -";
    }
    double[] sorted = widths.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double largest = sorted[sorted.length - 1];
    return String.format(
        Locale.ROOT, "%.2g | %.2g | %.2g", sorted[0], MeasuredFits.median(sorted), largest);
  }

  /** The rows, hardly clamped, and the error of the best model of them. */
  private static final class Rows {
    private final RowSchema schema;
    private final SymmetricMatrix moments;
    private final double best;

    Rows(AccuracySample sample) {
      schema = sample.schema();
      moments = sample.rows().moments();
      best = error(sample, sample.rows(), 0.0);
    }

    double excess(AccuracyData data, int releases) throws IOException, ConfigException {
      AccuracySample sample = AccuracySample.of(data);
      double[] excess = new double[releases];
      for (int k = 0; k < releases; k++) {
        excess[k] = excess(sample);
      }
      return MeasuredFits.median(excess);
    }

    double excess(AccuracySample sample) {
      return PERCENT * (error(sample, sample.release(), Double.NaN) / best - 1.0);
    }

    /** The root of the mean square of a fit, in the scale of these rows. */
    private double error(AccuracySample sample, FitInput input, double lambda) {
      FitOutcome outcome =
          Regression.fit(
              input, Double.isNaN(lambda) ? sample.problem() : sample.problem().withLambda(lambda));
      if (!(outcome instanceof FitOutcome.Fitted one)) {
        return Double.POSITIVE_INFINITY;
      }
      List<Double> user = new ArrayList<>();
      for (int k = 0; k < schema.dimension() - 1; k++) {
        user.add(one.fit().inUserUnits(sample.schema()).estimates().get(k));
      }
      return error(user);
    }

    // y - a - sum b_j x_j with x_j = mid_j + half_j z_j is linear in the row (c0, z_1, ...).
    private double error(List<Double> user) {
      int last = schema.dimension() - 1;
      double[] row = new double[schema.dimension()];
      double constant = schema.mid(last) - user.get(0);
      for (int j = 1; j < last; j++) {
        constant -= user.get(j) * schema.mid(j);
        row[j] = -user.get(j) * schema.half(j);
      }
      row[0] = constant * schema.half(0);
      row[last] = schema.half(last);
      double sum = 0.0;
      for (int i = 0; i <= last; i++) {
        for (int j = 0; j <= last; j++) {
          sum += row[i] * row[j] * moments.get(i, j);
        }
      }
      return Math.sqrt(sum);
    }
  }

  /** Releases whose ranges are chosen anew each time. */
  private static final class Estimated {
    private final AccuracyData data;
    private final RangeEstimates estimates;
    private final StreamPlan plan;
    private final RepeatedReleases counts;
    private final List<Double> widths = new ArrayList<>();
    private double[] excess = {};
    private int refused;

    Estimated(AccuracyData unknown, String epsilon) throws IOException, ConfigException {
      data = unknown.withEpsilon(epsilon);
      StreamConfig config = StreamConfig.parse(data.name(), data.config());
      estimates = config.estimates().orElseThrow();
      plan = StreamPlan.of(config.request(List.of()));
      StreamPlan counting = StreamPlan.of(estimates.request(plan.request()));
      counts = AccuracySample.of(data, counting).releases();
    }

    void run(Rows rows, int releases) throws IOException, ConfigException {
      excess = new double[releases];
      Arrays.fill(excess, Double.POSITIVE_INFINITY);
      for (int k = 0; k < releases; k++) {
        ChosenRanges chosen = ChosenRanges.of(counts.next()).orElseThrow();
        if (chosen.refusal().isPresent()) {
          refused++;
          continue;
        }
        if (k == 0 && Boolean.getBoolean("show")) {
          System.err.println(chosen.chosen());
        }
        RowSchema schema = estimates.schema(chosen.chosen(), true);
        excess[k] = rows.excess(AccuracySample.of(data, plan.withSchema(schema).orElseThrow()));
        chosen.chosen().forEach((name, range) -> widths.add(width(rows.schema, name, range)));
      }
    }

    private static double width(RowSchema wide, String name, EstimatedRanges.Range range) {
      int encoded = wide.encodedIndex(name);
      double given = (wide.upper(encoded) - wide.lower(encoded)) / WIDE;
      return (range.upper() - range.lower()) / given;
    }
  }
}

package io.gauze.mechanism;

import io.gauze.accounting.MechanismCost;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The budget of a stream whose first epochs are calibration epochs: their rows are counted for the
 * ranges of columns and nothing else, and the sketches of the epochs after them have the chosen
 * ranges. All plans of such a stream are charged once, with {@link #costs}.
 */
// A row is in one epoch. Neighbours differ in one row of a calibration epoch, in one row of an
// epoch of sketches, or in a row that leaves one epoch and enters another. Let the counts be
// mu_c-GDP for a replaced row, so that they are mu_c / sqrt 2-GDP for a removed or an added one (m
// numbers change by one instead of 2 m).
// (1) All sketches are sums with Gaussian noise, mu-GDP together for a replaced row. Each of them
//     is then mu / sqrt 2-GDP at most for a row that is removed or added: removing a row from one
//     epoch and adding one to another is a replacement, and two epochs have independent noise. With
//     mu_c = mu a moved row costs sqrt(mu^2 / 2 + mu^2 / 2) = mu. So each of the three costs mu.
// (2) Otherwise the counts are charged beside the sketches, as if they were of the same rows. A row
//     that moves costs the removal from one and the addition to the other; each is at most a
//     replacement there, since the latter covers a row that leaves one epoch for another.
public final class CalibrationEpochs {
  private CalibrationEpochs() {}

  /**
   * Plans the sketches, with room for counts of earlier epochs.
   *
   * @param request with any ranges in place of those that are not chosen yet
   * @param share the share of the budget that pays for the counts where they cannot have the whole
   *     budget, in (0, 1)
   * @param columns the names of the columns of unknown range
   * @throws IllegalArgumentException as {@link StreamPlan#of}
   */
  public static StreamPlan plan(StreamRequest request, double share, List<String> columns) {
    StreamPlan whole = StreamPlan.of(request.withRanges(RangePayment.ofOwnEpochs(0.0, columns)));
    return whole.sketches().stream().allMatch(CalibrationEpochs::isGaussianSum)
        ? whole
        : StreamPlan.of(request.withRanges(RangePayment.ofOwnEpochs(share, columns)));
  }

  private static boolean isGaussianSum(SketchPlan sketch) {
    return sketch.mechanism() instanceof AdditiveMechanism
        && sketch.mechanism().cost().gaussianMu().isPresent();
  }

  /**
   * Plans the counts.
   *
   * @param sketches the result of {@link #plan}
   * @param counts the request of the counts
   */
  public static StreamPlan counts(StreamPlan sketches, StreamRequest counts) {
    return sketches.counts(counts, new MechanismCost.Gaussian(countsMu(sketches)));
  }

  private static double countsMu(StreamPlan sketches) {
    if (sketches.request().rangeShare() > 0.0) {
      return sketches.request().rangesMu();
    }
    double squares =
        sketches.costs().stream()
            .mapToDouble(cost -> ((MechanismCost.Gaussian) cost).mu())
            .map(mu -> mu * mu)
            .sum();
    return Math.sqrt(squares) * (1.0 - 0x1p-48); // below the root of the exact sum
  }

  /**
   * Returns the plan of the sketches with chosen ranges.
   *
   * @param sketches the result of {@link #plan}
   * @param release from which they were chosen
   * @return empty as for {@link StreamPlan#withSchema}
   */
  public static Optional<StreamPlan> withRanges(
      StreamPlan sketches, RowSchema schema, ReleaseId release) {
    StreamRequest request = sketches.request();
    return sketches.as(request.withSchema(schema).withRanges(request.ranges().from(release)));
  }

  /** Returns what the account of the rows is charged for sketches and, with them, for counts. */
  public static List<MechanismCost> costs(StreamPlan sketches) {
    List<MechanismCost> costs = new ArrayList<>();
    if (sketches.request().rangeShare() > 0.0) {
      costs.add(new MechanismCost.Gaussian(sketches.request().rangesMu()));
    }
    costs.addAll(sketches.costs());
    return List.copyOf(costs);
  }
}

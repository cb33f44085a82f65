package io.gauze.cli;

import io.gauze.cli.option.ConfigLocation;
import io.gauze.cli.option.NoFitException;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.config.ConfigException;
import io.gauze.config.RangeEstimates;
import io.gauze.config.StreamConfig;
import io.gauze.local.LocalSketch;
import io.gauze.mechanism.StreamRequest;
import io.gauze.plan.StreamPlan;
import io.gauze.report.ChosenRanges;
import io.gauze.report.RangeMessage;
import io.gauze.row.RowSchema;
import io.gauze.summary.Progress;
import java.util.Optional;

/**
 * The ranges of a config that are chosen from noisy counts, before its sketches: first the counts,
 * with their share of the budget, and then the sketches with the rest.
 */
final class RangeCalibration {
  private final RangeEstimates estimates;
  private final StreamPlan sketches;
  private final StreamPlan counts;

  private RangeCalibration(RangeEstimates estimates, StreamPlan sketches, StreamPlan counts) {
    this.estimates = estimates;
    this.sketches = sketches;
    this.counts = counts;
  }

  /**
   * Plans the counts.
   *
   * @param sketches the plan of the sketches, whose costs leave room for the counts
   * @return nothing if all ranges are known
   */
  static Optional<RangeCalibration> of(StreamConfig config, StreamPlan sketches)
      throws PrivacyRefusalException {
    if (config.estimates().isEmpty()) {
      return Optional.empty();
    }
    RangeEstimates estimates = config.estimates().get();
    StreamRequest request = estimates.request(sketches.request());
    try {
      return Optional.of(new RangeCalibration(estimates, sketches, StreamPlan.of(request)));
    } catch (IllegalArgumentException e) {
      throw new PrivacyRefusalException(ConfigLocation.plan(config, e.getMessage()), e);
    }
  }

  /** The plan of the counts. */
  StreamPlan counts() {
    return counts;
  }

  /**
   * Returns the plan of the sketches with the chosen ranges, at the costs that were planned before.
   *
   * @throws NoFitException if a column has no range
   */
  StreamPlan withRanges(ChosenRanges ranges, Progress progress)
      throws ConfigException, NoFitException {
    if (ranges.refusal().isPresent()) {
      throw new NoFitException(
          ranges
              .refusal()
              .get()
              .with(
                  "Release "
                      + LocalSketch.ids(counts).get(0)
                      + " is written and its share of the budget is spent; the rest is not.")
              .line());
    }
    progress.warn("", ranges.warnings());
    RowSchema typical = estimates.schema(ranges.chosen(), true);
    RowSchema middle = estimates.schema(ranges.chosen(), false);
    return sketches
        .withSchema(typical)
        .or(() -> sketches.withSchema(middle))
        .orElseThrow(() -> new NoFitException(RangeMessage.OTHERSIZE.of().line()));
  }
}

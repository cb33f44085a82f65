package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.config.StreamConfig;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RepeatedReleasesTest {
  private static StreamPlan plan(AccuracyData data) throws Exception {
    return StreamPlan.of(StreamConfig.parse(data.name(), data.config()).request(List.of()));
  }

  /** The same sums at a hundred times the budget; the noise differs in each release. */
  @Test
  void otherPlansReleaseTheSameSums() throws Exception {
    AccuracyData data = AccuracyData.noise(3_000, 4);
    String bound = data.config() + "rowBound: 1.8\n";
    StreamPlan plan = plan(data.with(bound.replace("epsilon: 1.0", "epsilon: 0.3")));
    StreamPlan exact = plan(data.with(bound.replace("epsilon: 1.0", "epsilon: 30.0")));
    RepeatedReleases sums = AccuracySample.of(data, plan).releases();
    RepeatedReleases under = sums.under(exact);
    Release first = under.next();
    Release second = under.next();
    double rows = 3_000 * Math.pow(1.0 / plan.schema().half(0), 2); // the sum of c0^2
    assertThat(first.value(0)).isNotEqualTo(second.value(0));
    assertThat(first.value(0) / rows).isBetween(0.9, 1.05);
    assertThat(second.value(0) / rows).isBetween(0.9, 1.05);
  }

  @Test
  void modelsOfRowsNeedTheRows() throws Exception {
    AccuracyData data = AccuracyData.noise(100, 4);
    RepeatedReleases sums = AccuracySample.of(data, plan(data)).releases();
    StreamPlan model = plan(data.withMechanism("huber"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sums.under(model))
        .withMessage("huber needs other sums than these");
  }
}

package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gauze.cli.option.NoFitException;
import io.gauze.config.StreamConfig;
import io.gauze.local.LocalSketch;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.report.ChosenRanges;
import io.gauze.report.RangeMessage;
import io.gauze.summary.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RangeCalibrationTest {
  private static final String CONFIG =
      """
      stream: s
      columns:
        - {name: x, range: estimate}
        - {name: y, lower: 0, upper: 1}
      privacy: {epsilon: 1, delta: 1e-6, neighbours: replace-one, rangeShare: 0.1}
      expectedRows: 10000
      epochs: {length: all}
      sketches:
        - {name: sums, mechanism: noisy-moments}
      """;

  private static StreamPlan plan(String config) throws Exception {
    return StreamPlan.of(StreamConfig.parse("s", config).request(List.of()));
  }

  /** The ranges are those of another config, whose sketch has one column more. */
  @Test
  void aSketchOfAnotherSizeIsRefused() throws Exception {
    StreamConfig config = StreamConfig.parse("s", CONFIG);
    StreamPlan planned = plan(CONFIG);
    RangeCalibration mine = RangeCalibration.of(config, planned).orElseThrow();
    LocalSketch counts = new LocalSketch(mine.counts(), Randomness.noiseFreeForTests(1));
    for (int i = 0; i < 2000; i++) {
      counts.add("{\"x\": 40.0, \"y\": 0.5}".getBytes(UTF_8));
    }
    ChosenRanges ranges = ChosenRanges.of(counts.release().get(0)).orElseThrow();
    Progress progress = new Progress(new PrintWriter(new StringWriter()));
    assertThat(mine.withRanges(ranges, progress).schema().dimension()).isEqualTo(3);
    StreamPlan wider = plan(CONFIG.replace("privacy:", "  - {name: z, equals: a}\nprivacy:"));
    RangeCalibration other = RangeCalibration.of(config, wider).orElseThrow();
    assertThatExceptionOfType(NoFitException.class)
        .isThrownBy(() -> other.withRanges(ranges, progress))
        .withMessageStartingWith(RangeMessage.OTHERSIZE.code() + ": With the chosen ranges");
  }
}

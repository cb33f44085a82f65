package io.gauze.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.ConfigText;
import io.gauze.config.StreamConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StreamSettingsTest {
  /** The draws of 365 releases of 1024 buckets take 40 MB or so in a group. */
  @Test
  void theStateOfAllGroupsIsWarnedOf() throws Exception {
    String series = "intercept: 1.0\ncumulative: 365\n";
    assertThat(warnings(series)).isEmpty();
    assertThat(warnings(series + "groups: {column: c, values: [a, b]}\n")).isEmpty();
    assertThat(warnings(series + "groups: {column: c, values: [a, b, c, d, e, f, g, h, i]}\n"))
        .singleElement()
        .asString()
        .matches("the draws of the noise grow to 3\\d\\d MB of state in all groups together, .*");
  }

  private static List<String> warnings(String intercept) throws Exception {
    String text =
        ConfigText.with("intercept: 1.0\n", intercept)
            .replace("unit: row}", "unit: row, lifetime: {epsilon: 8, delta: 1e-6}}");
    StreamConfig config = StreamConfig.parse("wine.yaml", text);
    return StreamSettings.warnings(config, StreamSettings.plan(config)).stream()
        .filter(warning -> warning.startsWith("the draws"))
        .toList();
  }
}

package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.plan.StreamPlan;
import io.gauze.stream.StreamSettings;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of more encoded columns than most mechanisms take. */
final class WideConfigTest {
  private static final String TOO_WIDE =
      "dimension must be in [1, 4096] for all mechanisms but count-sketch and jl with state"
          + " projection; list fewer categories, with other for the rest, or take count-sketch."
          + " Provided value: 4097";
  private static final String NO_ADVICE =
      "encoded columns with the intercept must be at most 4096 where errors are predicted; list"
          + " fewer categories, or name a mechanism without advice, such as count-sketch."
          + " Provided value: 4097";

  private static StreamPlan plan(int dimension, String rest) throws Exception {
    String texts =
        IntStream.range(0, dimension - 2).mapToObj(i -> "k" + i).collect(Collectors.joining(", "));
    return StreamSettings.plan(
        StreamConfig.parse(
            "s.yaml",
            """
            stream: wide
            columns:
              - {name: x, lower: -1, upper: 1}
              - {name: c, categories: [TEXTS], other: rest}
            privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
            expectedRows: 1000000
            epochs: {length: all}
            """
                    .replace("TEXTS", texts)
                + rest));
  }

  private static String sketch(String mechanism) {
    return "sketches: [{name: s, mechanism: " + mechanism + "}]\n";
  }

  private static void refused(String rest, String message) {
    assertThatThrownBy(() -> plan(4097, rest))
        .isInstanceOf(ConfigException.class)
        .hasMessageMatching("s\\.yaml:\\d+: \\w+\\[0]: .*")
        .hasMessageEndingWith(": " + message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"noisy-moments", "stratified-moments", "jl", "select-fit"})
  void mostMechanismsRefuseThem(String mechanism) {
    refused(sketch(mechanism), TOO_WIDE);
  }

  @Test
  void histogramsRefuseThem() {
    refused(
        sketch("histogram"),
        "bins must be so few that there are at most 1,048,576 cells. Provided value: 2 for 4096"
            + " columns; take fewer columns, or fewer bins (at least 2)");
  }

  @Test
  void momentsOfShortenedResponsesRefuseThem() {
    String bounds = "response: c\nrowBound: 1.2\nresponseBound: 0.3\n";
    refused(bounds + sketch("noisy-moments"), TOO_WIDE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"descent", "huber", "logistic", "frank-wolfe"})
  void modelsRefuseThem(String mechanism) {
    refused("models: [{name: m, mechanism: " + mechanism + ", response: x}]\n", TOO_WIDE);
  }

  @Test
  void noMechanismIsAdvised() {
    refused(sketch("auto"), NO_ADVICE);
    refused("models: [{name: m, mechanism: auto, loss: lad, response: x}]\n", NO_ADVICE);
  }

  /** What is planned has a state that there can be. */
  @Test
  void rowsOfProjectionsAndBucketsArePlanned() throws Exception {
    String jl = "sketches: [{name: s, mechanism: jl, state: projection}]\n";
    assertThat(plan(20_000, jl).sketch("s").mechanism().spec().stateLength())
        .isEqualTo(4096 * 20_000);
    StreamPlan buckets = plan(20_000, sketch("count-sketch"));
    assertThat(buckets.sketch("s").mechanism().spec().stateLength()).isEqualTo(4096 * 20_000);
    assertThat(buckets.warnings())
        .singleElement()
        .asString()
        .contains("Take fewer categories, more rows an epoch or a larger epsilon");
  }
}

package io.gauze.regression.strata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StratumQuadratureTest {
  @Test
  void hasMeanAndVariance() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 10_000; round++) {
      double mean = -0.25 + 0.5 * random.nextDouble();
      double most = (mean + 0.25) * (0.25 - mean);
      double variance = most * random.nextDouble();
      List<StratumQuadrature.Node> nodes = StratumQuadrature.of(-0.25, 0.25, mean, variance);
      double total = nodes.stream().mapToDouble(StratumQuadrature.Node::weight).sum();
      double first = nodes.stream().mapToDouble(n -> n.weight() * n.value()).sum();
      double second =
          nodes.stream().mapToDouble(n -> n.weight() * Math.pow(n.value() - mean, 2)).sum();
      assertThat(total).isCloseTo(1.0, within(1e-12));
      assertThat(first).isCloseTo(mean, within(1e-9));
      assertThat(second).isCloseTo(variance, within(1e-9));
    }
  }

  @Test
  void uniformWhereTheVarianceIsUniform() {
    List<StratumQuadrature.Node> nodes = StratumQuadrature.of(0.0, 1.0, 0.5, 1.0 / 12.0 - 1e-6);
    assertThat(nodes.get(0).value()).isCloseTo(0.0694, within(1e-4));
    double pile = nodes.stream().skip(4).mapToDouble(StratumQuadrature.Node::weight).sum();
    assertThat(pile).isLessThan(1e-4);
  }

  /** 8 of 10 at .2, the others uniform: the pile is there. */
  @Test
  void findsAPile() {
    List<StratumQuadrature.Node> nodes =
        StratumQuadrature.of(0.0, 1.0, 0.26, 0.2 / 12 + 0.16 * 0.09);
    double pile =
        nodes.stream()
            .filter(n -> Math.abs(n.value() - 0.2) < 0.1)
            .mapToDouble(StratumQuadrature.Node::weight)
            .sum();
    assertThat(pile).isGreaterThan(0.75);
  }
}

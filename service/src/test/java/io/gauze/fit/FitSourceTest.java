package io.gauze.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.answer.SmallReleases;
import io.gauze.release.Release;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FitSourceTest {
  private static String sentence(Release... releases) {
    return FitSource.of(List.of(releases)).guarantee().get("sentence").asText();
  }

  /** A row is in one epoch; a user may be in all. */
  @Test
  void theGuaranteeOfMergedEpochsHoldsForRowsAlone() {
    assertThat(sentence(SmallReleases.hour(1))).doesNotContain("Merged");
    assertThat(sentence(SmallReleases.hour(1), SmallReleases.hour(2)))
        .endsWith("it holds for all of them together.");
    assertThat(sentence(SmallReleases.ofUsers(1), SmallReleases.ofUsers(2)))
        .contains("Merged from 2 epochs, each with this guarantee.")
        .endsWith("their costs add up: see the ledger.");
  }
}

package io.gauze.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.audit.Audits;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Here the class path begins with the papers; lists end with them all the same. */
final class MechanismsOrderTest {
  private static final List<String> PAPERS = EveryMechanism.ofPapers();

  private static void endsWithPapers(List<String> names) {
    List<String> papers = names.stream().filter(PAPERS::contains).toList();
    assertThat(papers).isNotEmpty();
    assertThat(names.subList(names.size() - papers.size(), names.size())).isEqualTo(papers);
  }

  @Test
  void mechanismsOfPapersAreLast() {
    assertThat(PAPERS).hasSize(12);
    endsWithPapers(Mechanisms.sketches());
    endsWithPapers(Mechanisms.models());
    assertThat(Mechanisms.kinds().map(MechanismKind::name).toList())
        .endsWith(PAPERS.toArray(String[]::new));
  }

  @Test
  void auditsOfPapersAreLast() {
    List<String> audits = Audits.mechanisms();
    assertThat(audits.subList(0, 5)).doesNotContainAnyElementsOf(PAPERS).contains("noisy-moments");
    assertThat(audits.subList(audits.size() - PAPERS.size() - 1, audits.size()))
        .containsAll(PAPERS)
        .contains("jl-projection");
  }
}

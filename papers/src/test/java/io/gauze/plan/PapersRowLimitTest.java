package io.gauze.plan;

import org.junit.jupiter.api.Test;

/** {@link RowLimitTest} of a model of a paper. */
final class PapersRowLimitTest {
  @Test
  void theGuaranteeNamesTheLimit() {
    new RowLimitTest().theGuaranteeNamesTheLimit("private-irls");
  }
}

package io.gauze.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class DurabilityTest {
  private static final Durability GOOD = new Durability("ledger", 3, 2, false);

  /** A record stays if a second broker must have had it, and none without it may take over. */
  @Test
  void aBrokerMayBeLostOnlyIfAnotherOneHasAll() {
    assertThat(GOOD.lasts()).isTrue();
    assertThat(new Durability("ledger", 2, 2, false).lasts()).isTrue();
    assertThat(new Durability("ledger", 3, 1, false).lasts()).isFalse();
    assertThat(new Durability("ledger", 1, 1, false).lasts()).isFalse();
    assertThat(new Durability("ledger", 3, 2, true).lasts()).isFalse();
  }

  @Test
  void newTopicsTakeRecordsWhileOneBrokerIsAway() {
    for (int[] each : new int[][] {{1, 1}, {2, 1}, {3, 2}, {5, 4}}) {
      TopicAdmin.Creation how = new TopicAdmin.Creation(7, (short) each[0]);
      assertThat(Durability.settings(how))
          .containsEntry("min.insync.replicas", Integer.toString(each[1]))
          .containsEntry("unclean.leader.election.enable", "false")
          .hasSize(2);
      assertThat(Durability.ofNew("new", how))
          .isEqualTo(new Durability("new", each[0], each[1], false));
    }
  }

  @Test
  void eachThatDoesNotLastIsWarnedOf() {
    Durability single = new Durability("releases", 1, 1, false);
    Durability unclean = new Durability("ledger", 3, 1, true);

    assertThat(Durability.warnings(List.of(GOOD, GOOD), 3)).isEmpty();
    assertThat(Durability.warnings(List.of(unclean, single), 1)).as("one broker").isEmpty();
    assertThat(Durability.warnings(List.of(GOOD, single), 2))
        .containsExactly(
            TopicMessage.COPIES.of("releases").with("It has replicas 1, min.insync.replicas 1."));
    assertThat(Durability.warnings(List.of(unclean, single), 2))
        .containsExactly(
            TopicMessage.COPIES
                .of("ledger")
                .with(
                    "It has replicas 3, min.insync.replicas 1, unclean.leader.election.enable"
                        + " true."),
            TopicMessage.COPIES.of("releases").with("It has replicas 1, min.insync.replicas 1."));
  }
}

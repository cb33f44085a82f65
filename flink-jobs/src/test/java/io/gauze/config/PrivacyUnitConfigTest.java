package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Mechanisms;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Units that configs ask for. */
final class PrivacyUnitConfigTest {
  private static final String USERS =
      "unit: {user: customer, rowsPerEpoch: 4}, totalBudget: {epsilon: 8, delta: 1e-6}";

  private static StreamConfig parse(String piece, String replacement) throws ConfigException {
    return StreamConfig.parse(ConfigText.FILE, keyed(ConfigText.with(piece, replacement)));
  }

  /** Units other than rows need a key. */
  private static String keyed(String text) {
    boolean table = text.contains("unit: key");
    String key =
        table ? "key: record, upsert: true, " : text.contains("user:") ? "key: record, " : "";
    return text.replace("rows: {topic: rows, ", "rows: {topic: rows, " + key);
  }

  @Test
  void aRowUnlessTheConfigSays() throws ConfigException {
    assertThat(parse(", unit: row", "").scope()).isEqualTo(BudgetScope.ROWS);
    assertThat(parse("unit: row", "unit: row").scope()).isEqualTo(BudgetScope.ROWS);
  }

  @Test
  void usersWithTheirTotalBudget() throws ConfigException {
    StreamConfig config = parse("unit: row", USERS);
    BudgetScope user = BudgetScope.users("customer", 4);
    assertThat(config.scope()).isEqualTo(user);
    assertThat(config.totalBudget()).isEqualTo(new Budget(8, 1e-6, Neighbours.REPLACE_ONE));
    assertThat(config.request(List.of()).scope()).isEqualTo(user);
    assertThat(config.withBootstrap("b:1").scope()).isEqualTo(user);
    assertThat(config.withEpochs(EpochSchedule.all()).scope()).isEqualTo(user);
    assertThat(config.withBudget(config.budget()).scope()).isEqualTo(user);
  }

  /** One epoch has nothing to add up. */
  @Test
  void usersOfOneEpochNeedNoTotalBudget() throws ConfigException {
    StreamConfig config =
        StreamConfig.parse(
            ConfigText.FILE,
            keyed(
                ConfigText.with("unit: row", "unit: {user: customer, rowsPerEpoch: 4}")
                    .replaceAll("epochs: .*", "epochs: {length: all}")
                    .replace(", bounded: false", "")));
    assertThat(config.totalBudget()).isEqualTo(config.budget());
  }

  @Test
  void keysWithTheirSnapshots() throws ConfigException {
    StreamConfig config = parse("unit: row}", "unit: key}\nsnapshots: 24");
    assertThat(config.scope()).isEqualTo(BudgetScope.keys(24));
    assertThat(config.totalBudget()).isEqualTo(config.budget());
  }

  @Test
  void cumulativeReleasesOfRows() throws ConfigException {
    String totalBudget = ", totalBudget: {epsilon: 1, delta: 1e-6}}";
    StreamConfig config = parse(", unit: row}", ", unit: row" + totalBudget + "\ncumulative: 24");
    assertThat(config.scope()).isEqualTo(BudgetScope.cumulative(24));
    assertThat(config.totalBudget()).isEqualTo(config.budget());
    assertThat(parse(", unit: row}", totalBudget + "\ncumulative: 1").scope())
        .isEqualTo(BudgetScope.cumulative(1));
    assertThatThrownBy(() -> config.requirePlainRows("demo"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "demo takes streams of unit row, without groups or cumulative releases. Provided value: a"
                + " config with cumulative releases; use gauze up and gauze send, which run the whole"
                + " stream");
    String changelog =
        ConfigText.with("unit: row}", "unit: row}\ncumulative: 24")
            .replace("rows: {topic: rows, ", "rows: {topic: rows, key: record, upsert: true, ");
    assertThatThrownBy(() -> StreamConfig.parse(ConfigText.FILE, changelog))
        .hasMessage(
            ConfigText.FILE
                + ":11: cumulative needs append-only rows, and kafka.rows is a changelog; remove the"
                + " key, and use privacy.unit key with snapshots");
  }

  /** The complaint of the mechanism stands at its sketch. */
  @ParameterizedTest
  @ValueSource(strings = {"jl", "jl-unregularised", "wishart", "inverse-wishart"})
  void proofsForOneRowAreNotUsedForMore(String mechanism) throws ConfigException {
    String text =
        keyed(ConfigText.with("unit: row", USERS))
            .replace("count-sketch, buckets: 1024", mechanism);
    assertThatThrownBy(() -> StreamConfig.parse(ConfigText.FILE, text))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            ConfigText.FILE
                + ":15: sketches[1]: rowsPerEpoch must be 1 for "
                + mechanism
                + ", whose proof is for one row. Provided value: 4; noisy-moments takes any number");
    StreamConfig one =
        StreamConfig.parse(ConfigText.FILE, text.replace("rowsPerEpoch: 4", "rowsPerEpoch: 1"));
    assertThat(one.sketches()).hasSize(2);
  }

  @Test
  void oneCheckpointMayBeStolen() throws ConfigException {
    StreamConfig config = parse("unit: row", "unit: row, checkpointLeaks: 1");
    assertThat(config.checkpointLeaks()).isEqualTo(1);
    assertThat(config.request(List.of()).checkpointLeaks()).isEqualTo(1);
    assertThat(parse("unit: row", "unit: row").checkpointLeaks()).isZero();
    String text =
        ConfigText.with("unit: row", "checkpointLeaks: 1")
            .replace("count-sketch, buckets: 1024", "jl");
    assertThatThrownBy(() -> StreamConfig.parse(ConfigText.FILE, text))
        .hasMessage(
            ConfigText.FILE
                + ":15: sketches[1]: checkpointLeaks must be 0 for jl, since a second noise is for sums"
                + " that have Gaussian noise from the beginning: those of "
                + String.join(", ", Mechanisms.additive())
                + ". Provided value: 1");
  }

  @Test
  void aProjectionOfAChangelogIsDrawnFromItsMoments() {
    String text =
        keyed(ConfigText.with("unit: row}", "unit: key}\nsnapshots: 24"))
            .replace("count-sketch, buckets: 1024", "jl, state: projection");
    assertThatThrownBy(() -> StreamConfig.parse(ConfigText.FILE, text))
        .hasMessage(
            ConfigText.FILE
                + ":16: sketches[1].state: state must be moments for unit key, since two tables under"
                + " one projection give away how they differ. Provided value: projection");
  }
}

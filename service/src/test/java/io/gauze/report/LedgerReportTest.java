package io.gauze.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.ledger.AccountSummary;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The report of the ledger says what its numbers mean, where that is true. */
final class LedgerReportTest {
  private static AccountSummary account(String topic, UnitKind unit, boolean noisy, double spent) {
    return new AccountSummary(
        topic,
        unit,
        noisy,
        spent,
        new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE),
        Math.max(0.0, 1.0 - spent),
        List.of(new AccountSummary.Line("meters", "all", 2, 2, 2, spent)));
  }

  private static String table(AccountSummary... accounts) {
    return LedgerReport.of("ledger", List.of(accounts)).table();
  }

  /** A stream of rows has nothing left from its first release on, and goes on all the same. */
  @Test
  void aStreamOfRowsIsNotExhausted() {
    assertThat(table(account("rows", UnitKind.ROW, true, 1.0)))
        .contains(
            "Each row's loss is at most the limit. Later epochs of these streams spend no more; left"
                + " is for other streams.");
  }

  @Test
  void epochsOfUsersAndSnapshotsOfKeysSpendMore() {
    assertThat(table(account("rows", UnitKind.USER, true, 0.5)))
        .contains("Each user's loss over all epochs is at most the limit. Each epoch spends more;")
        .doesNotContain("spend no more");
    assertThat(table(account("rows", UnitKind.KEY, true, 0.5)))
        .contains(
            "Each key's loss over all snapshots is at most the limit. Each snapshot spends more")
        .doesNotContain("spend no more");
  }

  @Test
  void nothingIsSaidThatDoesNotHold() {
    assertThat(table(account("rows", UnitKind.ROW, false, 1.0))).doesNotContain("at most");
    assertThat(table(account("rows", UnitKind.ROW, true, 1.5))).doesNotContain("at most");
    AccountSummary rows = account("rows", UnitKind.ROW, true, 1.0);
    assertThat(table(rows, account("rows", UnitKind.USER, true, 1.0))).doesNotContain("at most");
  }

  @Test
  void eachAccountHasItsLine() {
    AccountSummary rows = account("rows", UnitKind.ROW, true, 1.0);
    assertThat(table(rows, account("visits", UnitKind.USER, true, 1.0)))
        .contains("rows: Each row's loss", "visits: Each user's loss");
  }
}

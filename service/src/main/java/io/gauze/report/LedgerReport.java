package io.gauze.report;

import io.gauze.ledger.AccountSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A report of the ledger's accounts, and of what each stream has spent of them. */
public final class LedgerReport {
  /** The part of an account that one stream has spent. */
  private record Spent(AccountSummary account, AccountSummary.Line line) {
    double delta() {
      return account.limit().delta();
    }
  }

  private static final Columns<Spent> STREAMS =
      Columns.<Spent>create()
          .add("stream", "stream", spent -> spent.line().stream())
          .add("group", "group", spent -> spent.line().group())
          .cell("account", spent -> spent.account().account())
          .cell("unit", spent -> spent.account().unit().label())
          .add("epochs", "epochs", spent -> spent.line().epochs())
          .add("releasesSpent", "spent", spent -> spent.line().releases())
          .add("releasesPublished", "published", spent -> spent.line().published())
          .add(
              "epsilon",
              "epsilon",
              spent -> spent.line().epsilon(),
              spent -> AccountSummary.digits(spent.line().epsilon()))
          .add("delta", "at delta", Spent::delta);

  private static final Columns<AccountSummary> ACCOUNTS =
      Columns.<AccountSummary>create()
          .add("account", "account", AccountSummary::account)
          .add("unit", "unit", account -> account.unit().label())
          .add("neighbours", "neighbours", account -> account.limit().neighbours().label())
          .field("private", AccountSummary::isPrivate)
          .add(
              "spent",
              "spent epsilon",
              account -> pair(account, AccountSummary::spent),
              account ->
                  (account.isPrivate() ? "" : "NOT PRIVATE, would be ")
                      + AccountSummary.digits(account.spent()))
          .add(
              "limit",
              "limit",
              account -> pair(account, each -> each.limit().epsilon()),
              account -> AccountSummary.digits(account.limit().epsilon()))
          .add(
              "left",
              "left",
              account -> pair(account, AccountSummary::left),
              AccountSummary::leftDigits)
          .cell("at delta", account -> Double.toString(account.limit().delta()))
          .field("streams", account -> STREAMS.objects(streams(account)));

  private LedgerReport() {}

  /** Returns the report. In JSON an epsilon above 100 is the text {@code Infinity}. */
  public static Report of(String topic, List<AccountSummary> accounts) {
    List<Spent> spent = accounts.stream().flatMap(each -> streams(each).stream()).toList();
    Report report = new Report().field("ledger", topic).list("accounts", ACCOUNTS, accounts);
    accounts.stream()
        .filter(each -> holds(each, accounts))
        .forEach(
            each ->
                report.text((accounts.size() == 1 ? "" : each.account() + ": ") + meaning(each)));
    report.gap();
    return spent.isEmpty() ? report.text("nothing spent yet") : report.table(STREAMS, spent);
  }

  /**
   * Returns whether an account keeps its limit, which an account with releases of another unit or
   * relation does not promise.
   */
  private static boolean holds(AccountSummary account, List<AccountSummary> accounts) {
    return account.isPrivate()
        && !account.streams().isEmpty()
        && account.spent() <= account.limit().epsilon()
        && accounts.stream().filter(each -> each.account().equals(account.account())).count() == 1;
  }

  /** Returns what the numbers of an account mean for its unit. */
  private static String meaning(AccountSummary account) {
    return switch (account.unit()) {
      case ROW ->
          "Each row's loss is at most the limit. Later epochs of these streams spend no more; left is"
              + " for other streams.";
      case USER ->
          "Each user's loss over all epochs is at most the limit. Each epoch spends more; one that"
              + " does not fit is not released.";
      case KEY ->
          "Each key's loss over all snapshots is at most the limit. Each snapshot spends more; one"
              + " that does not fit is not released.";
    };
  }

  private static List<Spent> streams(AccountSummary account) {
    return account.streams().stream().map(line -> new Spent(account, line)).toList();
  }

  private static Map<String, Object> pair(
      AccountSummary account, ToDoubleFunction<AccountSummary> epsilon) {
    Map<String, Object> pair = new LinkedHashMap<>();
    pair.put("epsilon", epsilon.applyAsDouble(account));
    pair.put("delta", account.limit().delta());
    return pair;
  }
}

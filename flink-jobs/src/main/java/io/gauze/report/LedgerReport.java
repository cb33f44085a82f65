package io.gauze.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.ledger.AccountSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The ledger's accounts, for people and for programs. */
public final class LedgerReport {
  private final String topic;
  private final List<AccountSummary> accounts;

  public LedgerReport(String topic, List<AccountSummary> accounts) {
    this.topic = topic;
    this.accounts = accounts;
  }

  /** Lines of text. */
  public String table() {
    TextTable totals = new TextTable();
    totals.row("account", "unit", "neighbours", "spent epsilon", "limit", "left", "at delta");
    TextTable streams = new TextTable();
    streams.row(
        "stream",
        "group",
        "account",
        "unit",
        "epochs",
        "spent",
        "published",
        "epsilon",
        "at delta");
    for (AccountSummary account : accounts) {
      String delta = Double.toString(account.limit().delta());
      totals.row(
          account.account(),
          account.unit().label(),
          account.limit().neighbours().label(),
          (account.isPrivate() ? "" : "NOT PRIVATE, would be ")
              + AccountSummary.digits(account.spent()),
          AccountSummary.digits(account.limit().epsilon()),
          account.leftDigits(),
          delta);
      for (AccountSummary.Line line : account.streams()) {
        streams.row(
            line.stream(),
            line.group(),
            account.account(),
            account.unit().label(),
            Integer.toString(line.epochs()),
            Integer.toString(line.releases()),
            Integer.toString(line.published()),
            AccountSummary.digits(line.epsilon()),
            delta);
      }
    }
    boolean spent = accounts.stream().anyMatch(account -> !account.streams().isEmpty());
    String below = spent ? streams.toString() : "nothing spent yet" + System.lineSeparator();
    return totals + System.lineSeparator() + below;
  }

  /** One JSON object; an epsilon above 100 is the text {@code Infinity}. */
  public String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("ledger", topic);
    all.put("accounts", accounts.stream().map(LedgerReport::json).toList());
    try {
      return new ObjectMapper().writeValueAsString(all) + System.lineSeparator();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // texts and numbers only
    }
  }

  private static Map<String, Object> json(AccountSummary account) {
    double delta = account.limit().delta();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("account", account.account());
    all.put("unit", account.unit().label());
    all.put("neighbours", account.limit().neighbours().label());
    all.put("private", account.isPrivate());
    all.put("spent", pair(account.spent(), delta));
    all.put("limit", pair(account.limit().epsilon(), delta));
    all.put("left", pair(account.left(), delta));
    all.put("streams", account.streams().stream().map(line -> json(line, delta)).toList());
    return all;
  }

  private static Map<String, Object> json(AccountSummary.Line line, double delta) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("stream", line.stream());
    all.put("group", line.group());
    all.put("epochs", line.epochs());
    all.put("releasesSpent", line.releases());
    all.put("releasesPublished", line.published());
    all.putAll(pair(line.epsilon(), delta));
    return all;
  }

  private static Map<String, Object> pair(double epsilon, double delta) {
    Map<String, Object> pair = new LinkedHashMap<>();
    pair.put("epsilon", epsilon);
    pair.put("delta", delta);
    return pair;
  }
}

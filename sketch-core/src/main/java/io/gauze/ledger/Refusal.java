package io.gauze.ledger;

import io.gauze.accounting.Budget;
import io.gauze.accounting.PrivacyAccount;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the messages that explain why an account refuses a request: the spent, requested and
 * allowed budget, and the remedy.
 */
final class Refusal {
  private static final String INSTEAD =
      "read the releases that are there, which costs nothing; or sketch new rows from a topic of"
          + " their own";

  private final LedgerRequest asked;
  private final Optional<AccountEntry> own;
  private final List<AccountEntry> others;

  Refusal(LedgerRequest asked, Optional<AccountEntry> own, List<AccountEntry> others) {
    this.asked = asked;
    this.own = own;
    this.others = others;
  }

  String overdrawn(Budget limit, PrivacyAccount together) {
    PrivacyAccount spent = PrivacyAccount.of(others.stream().map(AccountEntry::spending).toList());
    String promised = promisedBy(limit);
    return String.format(
        Locale.ROOT,
        "the privacy account of topic %s would be overdrawn: spent epsilon %s (%s), asked %s (stream"
            + " %s), which makes %s; the limit is %s, all at delta %s. %s; or %s.",
        asked.terms().account(),
        digits(spent.epsilon(limit.delta())),
        others.isEmpty() ? "by no other stream" : streams(others),
        digits(asked.guarantee().epsilon()),
        asked.key().stream(),
        digits(together.epsilon(limit.delta())),
        digits(limit.epsilon()),
        limit.delta(),
        promised.isEmpty()
            ? "Raise privacy.totalBudget in the config of stream " + asked.key().stream()
            : "That limit was promised with the releases of "
                + promised
                + " and cannot be raised any more: ask for less",
        INSTEAD);
  }

  String noSnapshotLeft() {
    return String.format(
        Locale.ROOT,
        "stream %s has no snapshot left: those in the ledger have spent its epsilon of %s at delta"
            + " %s, which they share. %s under another stream name, for which privacy.totalBudget must"
            + " leave room; or %s.",
        asked.key().stream(),
        digits(asked.budget().epsilon()),
        asked.budget().delta(),
        "Begin a new series of snapshots",
        INSTEAD);
  }

  private String promisedBy(Budget limit) {
    return streams(
        Stream.concat(own.stream(), others.stream())
            .filter(charge -> charge.totalBudgets().contains(limit))
            .toList());
  }

  String anotherKind(AccountEntry other) {
    return String.format(
        Locale.ROOT,
        "the privacy account of topic %s holds releases for each %s under %s (stream %s), and stream"
            + " %s asks for each %s under %s: guarantees of different units (of users by another field,"
            + " too) or relations do not add up, so no limit could be kept. Use the unit and neighbours"
            + " of those releases; or %s.",
        asked.terms().account(),
        other.guarantee().unit(),
        other.guarantee().neighbours().label(),
        other.key().stream(),
        asked.key().stream(),
        asked.guarantee().unit(),
        asked.guarantee().neighbours().label(),
        INSTEAD);
  }

  /**
   * Returns the message for private releases on an account of non-private ones, and for the
   * reverse.
   */
  String mixed() {
    return String.format(
        Locale.ROOT,
        asked.guarantee().isPrivate()
            ? "the privacy account of topic %s holds releases that are NOT PRIVATE (made with test"
                + " randomness), so nothing that stream %s asks for could keep a limit. Sketch new"
                + " rows from a topic of their own."
            : "the privacy account of topic %s holds private releases, whose limit would be broken by"
                + " what stream %s asks for, which is NOT PRIVATE (test randomness). Test on rows"
                + " from a topic of their own.",
        asked.terms().account(),
        asked.key().stream());
  }

  private static String streams(List<AccountEntry> charges) {
    return charges.stream()
        .map(charge -> charge.key().stream())
        .distinct()
        .map(name -> "stream " + name)
        .collect(Collectors.joining(", "));
  }

  private static String digits(double epsilon) {
    return AccountSummary.digits(epsilon);
  }
}

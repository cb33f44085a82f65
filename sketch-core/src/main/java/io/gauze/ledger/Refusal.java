package io.gauze.ledger;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.PrivacyAccount;
import io.gauze.message.Message;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the messages that say why an account refuses a request, with the spendings in details. */
final class Refusal {
  private final LedgerRequest asked;
  private final Optional<AccountEntry> own;
  private final List<AccountEntry> others;

  Refusal(LedgerRequest asked, Optional<AccountEntry> own, List<AccountEntry> others) {
    this.asked = asked;
    this.own = own;
    this.others = others;
  }

  Message overdrawn(Budget limit, PrivacyAccount together) {
    PrivacyAccount spent = PrivacyAccount.of(others.stream().map(AccountEntry::spending).toList());
    String promised = promisedBy(limit);
    AccountMessage entry = promised.isEmpty() ? AccountMessage.OVERDRAWN : AccountMessage.PROMISED;
    return entry
        .of(
            asked.terms().account(),
            digits(together.epsilon(limit.delta())),
            digits(limit.epsilon()),
            asked.key().stream())
        .with(
            "Spent: epsilon "
                + digits(spent.epsilon(limit.delta()))
                + (others.isEmpty() ? "" : " (" + streams(others) + ")")
                + "; asked: "
                + digits(asked.guarantee().epsilon())
                + " (stream "
                + asked.key().stream()
                + "); together at delta "
                + limit.delta()
                + ": "
                + digits(together.epsilon(limit.delta()))
                + "."
                + (promised.isEmpty() ? "" : " Promised by: " + promised + "."));
  }

  Message noSnapshotLeft() {
    return AccountMessage.SNAPSHOTS
        .of(asked.key().stream(), digits(asked.budget().epsilon()))
        .with("Delta: " + asked.budget().delta() + ".");
  }

  private String promisedBy(Budget limit) {
    return streams(
        Stream.concat(own.stream(), others.stream())
            .filter(charge -> charge.totalBudgets().contains(limit))
            .toList());
  }

  Message anotherKind(AccountEntry other) {
    String stream = asked.key().stream();
    return AccountMessage.OTHERUNIT
        .of(asked.terms().account(), stream)
        .with(
            "In the account: "
                + kind(other.guarantee(), other.key().stream())
                + ". Asked: "
                + kind(asked.guarantee(), stream)
                + (isUnitAndRelationOf(other) ? ", by another field" : "")
                + ".");
  }

  private boolean isUnitAndRelationOf(AccountEntry other) {
    return other.guarantee().unit() == asked.guarantee().unit()
        && other.guarantee().neighbours() == asked.guarantee().neighbours();
  }

  private static String kind(Guarantee guarantee, String stream) {
    return "for each "
        + guarantee.unit()
        + " under "
        + guarantee.neighbours().label()
        + " (stream "
        + stream
        + ")";
  }

  /**
   * Returns the message for private releases on an account of non-private ones, and for the
   * reverse.
   */
  Message mixed() {
    return asked.guarantee().isPrivate()
        ? AccountMessage.NOTPRIVATE.of(asked.terms().account())
        : AccountMessage.TESTNOISE.of(asked.key().stream(), asked.terms().account());
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

package io.gauze.ledger;

import static io.gauze.ledger.LedgerLines.DELTA;
import static io.gauze.ledger.LedgerLines.book;
import static io.gauze.ledger.LedgerLines.charge;
import static io.gauze.ledger.LedgerLines.entry;
import static io.gauze.ledger.LedgerLines.guarantee;
import static io.gauze.ledger.LedgerLines.published;
import static io.gauze.ledger.LedgerLines.spent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.noise.Randomness;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LedgerBookTest {
  private static final LedgerRequest WINE = charge("wine", 1, 1);
  private static final Neighbours REPLACE = Neighbours.REPLACE_ONE;

  private static String line(LedgerBook book, LedgerRequest asked) {
    return book.refusal(asked).orElseThrow().line();
  }

  @Test
  void theFirstStreamMaySpendItsBudgetAndGoesOn() {
    assertThat(book().refusal(WINE)).isEmpty();
    assertThat(book(spent(WINE, 0)).refusal(WINE)).isEmpty();
    assertThat(book(published(WINE, 0)).refusal(WINE)).isEmpty();
    assertThat(book().refusal(charge("wine", 1, 0.9))).isPresent();
  }

  @Test
  void aSecondStreamOverTheSameRowsIsRefused() {
    for (LedgerPosition line : List.of(spent(WINE, 0), published(WINE, 0))) {
      assertThat(line(book(line), charge("beer", 1, 1)))
          .isEqualTo(
              "GZ-PROMISED: The privacy account of topic rows would spend epsilon 1.45468, and"
                  + " releases promised at most 1. Ask for less in stream beer; or read the"
                  + " releases that exist, at no cost; or take new rows. Spent: epsilon 1 (stream"
                  + " wine); asked: 1 (stream beer); together at delta 1.0E-6: 1.45468. Promised"
                  + " by: stream wine.");
    }
    LedgerRequest elsewhere =
        charge("beer", guarantee(1, UnitKind.ROW, REPLACE, Randomness.SYSTEM), "other-rows", 1);
    assertThat(book(spent(WINE, 0)).refusal(elsewhere)).isEmpty();
  }

  /** Two streams of epsilon 1 make 1.455 at the same delta, not 2. */
  @Test
  void aTotalBudgetThatCoversBothIsEnough() {
    LedgerBook book = book(published(charge("wine", 1, 1.46), 0));
    assertThat(book.refusal(charge("beer", 1, 1.46))).isEmpty();
    assertThat(line(book, charge("beer", 1, 1.45)))
        .startsWith(
            "GZ-OVERDRAWN: The privacy account of topic rows would be overdrawn: epsilon 1.45468 is"
                + " above its limit of 1.45. Raise privacy.totalBudget of stream beer; or");
  }

  @Test
  void anEarlierPromiseIsKept() {
    LedgerBook book = book(published(charge("wine", 0.5, 1), 0));
    assertThat(line(book, charge("beer", 1, 5)))
        .startsWith("GZ-PROMISED")
        .endsWith("Promised by: stream wine.");
    assertThat(book.refusal(charge("beer", 0.5, 5))).isEmpty();
    // Nor may the stream itself go back on it, or promise less than is spent.
    LedgerBook both = book(published(charge("wine", 1, 2), 0), published(charge("beer", 1, 2), 1));
    assertThat(both.refusal(charge("wine", 1, 2))).isEmpty();
    assertThat(line(both, charge("wine", 1, 1.2))).contains("Raise privacy.totalBudget");
  }

  @Test
  void epochsAndGroupsOfRowsComposeInParallel() {
    LedgerBook book =
        book(
            new LedgerPosition(entry(WINE, "de", "1"), 0, 0),
            new LedgerPosition(entry(WINE, "de", "2"), 0, 1),
            new LedgerPosition(
                entry(WINE, "fr", "1").withState(LedgerEntry.State.PUBLISHED), 0, 2));
    assertThat(book.refusal(WINE)).isEmpty();
    assertThat(book.summary(WINE))
        .containsExactly(
            new AccountSummary(
                "rows",
                UnitKind.ROW,
                true,
                1.0,
                new Budget(1, DELTA, REPLACE),
                book.summary(WINE).get(0).left(),
                List.of(
                    new AccountSummary.Line("wine", "de", 2, 2, 0, 1.0),
                    new AccountSummary.Line("wine", "fr", 1, 1, 1, 1.0))));
    assertThat(book.summary(WINE).get(0).left()).isLessThan(1e-3);
    assertThat(book.summary(WINE).get(0).leftDigits()).startsWith("0");
  }

  /**
   * A user may have rows in every epoch, whose cost covers all groups: mu times the root of three.
   */
  @Test
  void epochsOfUsersAddUpAndGroupsDoNot() {
    LedgerRequest users =
        charge("wine", guarantee(1, UnitKind.USER, REPLACE, Randomness.SYSTEM), "rows", 2.2);
    LedgerBook book =
        book(
            new LedgerPosition(entry(users, "de", "2"), 0, 0),
            new LedgerPosition(entry(users, "fr", "2"), 0, 1),
            new LedgerPosition(entry(users, "de", "3"), 0, 2),
            new LedgerPosition(entry(users, "de", "4"), 0, 3));
    AccountSummary summary = book.summary(users).get(0);
    double mu = Math.sqrt(3) * GaussianDp.mu(1, DELTA);
    assertThat(GaussianDp.delta(summary.spent(), mu) / DELTA).isCloseTo(1.0, within(1e-8));
    assertThat(GaussianDp.delta(summary.streams().get(0).epsilon(), mu) / DELTA)
        .isCloseTo(1.0, within(1e-8));
    assertThat(summary.streams().get(1).epsilon()).isEqualTo(1.0);
    // A fourth epoch, 1, makes 2.12; an epoch that is there already makes no difference.
    assertThat(book.refusal(users)).isEmpty();
    LedgerRequest less = charge("wine", users.guarantee(), "rows", 2.1);
    assertThat(line(book, less)).contains("epsilon 2.12286");
    LedgerRequest again =
        LedgerRequest.of(
            LedgerLines.id("wine", "de", "2"), less.key().series(), less.guarantee(), less.terms());
    assertThat(book.refusal(again)).isEmpty();
  }

  /** As many as the ledger then lets out, one after the other. */
  @Test
  void saysHowManyEpochsThereIsRoomFor() {
    LedgerRequest users =
        charge("wine", guarantee(0.3, UnitKind.USER, REPLACE, Randomness.SYSTEM), "rows", 2.2);
    LedgerBook book = book(new LedgerPosition(entry(users, "de", "first"), 0, 0));
    int room = book.room(users, 100);
    int epochs = 0;
    while (book.refusal(epoch(users, epochs)).isEmpty()) {
      book.add(new LedgerPosition(entry(users, "de", "later " + epochs), 0, 1 + epochs));
      epochs++;
    }
    assertThat(room).isEqualTo(epochs).isGreaterThan(10);
    assertThat(book.room(users, 100)).isZero();
    assertThat(book().room(users, room)).as("the most that are asked for").isEqualTo(room);
  }

  private static LedgerRequest epoch(LedgerRequest users, int epoch) {
    return LedgerRequest.of(
        LedgerLines.id("wine", "de", "later " + epoch),
        users.key().series(),
        users.guarantee(),
        users.terms());
  }

  /** An epsilon of customers says nothing about devices. */
  @Test
  void usersByDifferentFieldsDoNotMix() {
    LedgerRequest customers =
        charge(
            "wine",
            guarantee(1, UnitKind.USER, Neighbours.ADD_REMOVE, Randomness.SYSTEM),
            "rows",
            9);
    LedgerRequest of =
        new LedgerRequest(customers.key(), customers.guarantee(), customers.terms().of("field c"));
    LedgerBook book = book(spent(of, 0));
    LedgerRequest asked =
        charge(
            "beer",
            guarantee(1, UnitKind.USER, Neighbours.ADD_REMOVE, Randomness.SYSTEM),
            "rows",
            9);
    assertThat(
            book.refusal(
                new LedgerRequest(asked.key(), asked.guarantee(), asked.terms().of("field c"))))
        .isEmpty();
    LedgerRequest byOther =
        new LedgerRequest(asked.key(), asked.guarantee(), asked.terms().of("field d"));
    assertThat(line(book, byOther)).endsWith("(stream beer), by another field.");
  }

  @Test
  void relationsAndUnitsDoNotMix() {
    LedgerRequest added =
        charge(
            "beer",
            guarantee(1, UnitKind.ROW, Neighbours.ADD_REMOVE, Randomness.SYSTEM),
            "rows",
            9);
    LedgerBook book = book(spent(charge("wine", 1, 9), 0));
    assertThat(line(book, added))
        .isEqualTo(
            "GZ-OTHERUNIT: The privacy account of topic rows has another unit or other neighbours"
                + " than stream beer. Use the unit and neighbours of those releases; or read them,"
                + " at no cost; or take new rows. In the account: for each row under replace-one"
                + " (stream wine). Asked: for each row under add-remove (stream beer).");
    // What is refused is not left either.
    assertThat(book.summary(added))
        .filteredOn(summary -> summary.limit().neighbours() == Neighbours.ADD_REMOVE)
        .singleElement()
        .satisfies(summary -> assertThat(summary.left()).isZero());
    LedgerRequest users =
        charge("beer", guarantee(1, UnitKind.USER, REPLACE, Randomness.SYSTEM), "rows", 9);
    assertThat(line(book, users)).contains("Asked: for each user under replace-one");
    assertThat(book(spent(charge("wine", 1, 9), 0), spent(added, 1)).summary(added))
        .extracting(summary -> summary.limit().neighbours())
        .containsExactlyInAnyOrder(REPLACE, Neighbours.ADD_REMOVE);
  }

  @Test
  void whatIsNotPrivateIsListedAndAllowsNoClaim() {
    LedgerRequest test =
        charge(
            "wine", guarantee(1, UnitKind.ROW, REPLACE, Randomness.insecureForTests(1)), "rows", 9);
    LedgerBook book = book(published(test, 0));
    String message = "GZ-NOTPRIVATE: Topic rows has releases that are NOT PRIVATE";
    assertThat(line(book, charge("beer", 0.1, 9))).contains(message);
    assertThat(line(book, charge("wine", 1, 9))).contains(message);
    assertThat(book.refusal(test)).isEmpty();
    AccountSummary summary = book.summary(test).get(0);
    assertThat(summary.isPrivate()).isFalse();
    assertThat(summary.spent()).isEqualTo(1.0);
    assertThat(summary.left()).isZero();
  }

  /** Test randomness over rows of which something private is out would undo its promise. */
  @Test
  void whatIsNotPrivateIsRefusedWhereSomethingIs() {
    LedgerRequest test =
        charge(
            "beer", guarantee(1, UnitKind.ROW, REPLACE, Randomness.insecureForTests(1)), "rows", 9);
    LedgerRequest again =
        charge(
            "wine",
            guarantee(1, UnitKind.ROW, REPLACE, Randomness.noiseFreeForTests(1)),
            "rows",
            9);
    LedgerRequest wine = charge("wine", 1, 9);
    for (LedgerPosition line : List.of(spent(wine, 3), published(wine, 3))) {
      assertThat(line(book(line), test))
          .startsWith("GZ-TESTNOISE: Stream beer would be NOT PRIVATE");
      assertThat(book(line).refusal(again)).isPresent();
    }
    // Of two that ask at once the first goes on, and only that one.
    assertThat(book(spent(wine, 3), spent(test, 4)).refusal(wine)).isEmpty();
    assertThat(book(spent(wine, 3), spent(test, 4)).refusal(test)).isPresent();
    assertThat(book(spent(test, 3), spent(wine, 4)).refusal(wine)).isPresent();
    assertThat(book(spent(test, 3), spent(wine, 4)).refusal(test)).isEmpty();
  }

  /**
   * Beer was let out under wine's limit of 2 and crashed before it could say so. Wine, started
   * again with a limit of 1, was first in the log, but not under that limit.
   */
  @Test
  void aLoweredTotalBudgetAsksAnew() {
    LedgerRequest before = charge("wine", 1, 2);
    LedgerRequest lowered = charge("wine", 1, 1);
    LedgerRequest beer = charge("beer", 1, 2);
    for (LedgerPosition wine : List.of(spent(before, 3), published(before, 3))) {
      LedgerBook book = book(wine, spent(beer, 5));
      assertThat(book.refusal(beer)).isEmpty();
      assertThat(book.refusal(lowered)).isPresent();
      assertThat(book.refusal(before)).isEmpty();
      assertThat(book.refusal(charge("wine", 1, 3))).isEmpty(); // a larger one is not new
    }
    // An entry under the lower limit that beer could see before it went on.
    LedgerPosition seen = new LedgerPosition(entry(lowered, "all", "2"), 0, 4);
    LedgerBook ahead = book(published(before, 3), seen, spent(beer, 5));
    assertThat(ahead.refusal(lowered)).isEmpty();
    assertThat(ahead.refusal(beer)).isPresent();
    // One that it could not.
    LedgerPosition late = new LedgerPosition(entry(lowered, "all", "2"), 0, 6);
    assertThat(book(published(before, 3), spent(beer, 5), late).refusal(lowered)).isPresent();
  }

  @Test
  void aStreamsOwnPromiseIsNamed() {
    LedgerBook book = book(spent(charge("beer", 1, 2), 3), spent(WINE, 5));
    assertThat(line(book, charge("wine", 1, 2)))
        .contains("releases promised at most 1.", "Promised by: stream wine.");
  }

  @Test
  void aLineStandsWhereItsReleaseStoodFirst() {
    LedgerEntry spent = entry(WINE, "all", "1");
    LedgerEntry out = spent.withState(LedgerEntry.State.PUBLISHED);
    assertThat(new LedgerPosition(spent, 0, 3).then(new LedgerPosition(out, 0, 9)))
        .isEqualTo(new LedgerPosition(out, 0, 3));
  }

  @Test
  void theFirstInTheLogGoesOnAndTheOtherStops() {
    LedgerRequest beer = charge("beer", 1, 1);
    LedgerBook race = book(spent(WINE, 5), spent(beer, 6));
    assertThat(race.refusal(WINE)).isEmpty();
    assertThat(race.refusal(beer)).isPresent();
    // In two partitions nobody knows who was first: both stop.
    LedgerBook apart = book(spent(WINE, 5), new LedgerPosition(entry(beer, "all", "1"), 1, 6));
    assertThat(apart.refusal(WINE)).isPresent();
    assertThat(apart.refusal(beer)).isPresent();
    // Published, and compacted to a place behind the other.
    LedgerBook compacted = book(published(WINE, 9), spent(beer, 6));
    assertThat(compacted.refusal(WINE)).isEmpty();
    assertThat(compacted.refusal(beer)).isPresent();
    // A third, which has written nothing, sees both.
    assertThat(race.refusal(charge("ale", 0.1, 9))).isPresent();
  }

  @Test
  void emptyAccountsAreListed() {
    Budget limit = new Budget(1, DELTA, REPLACE);
    assertThat(book().summary(WINE))
        .containsExactly(
            new AccountSummary("rows", UnitKind.ROW, true, 0.0, limit, 1.0, List.of()));
    // The stream's own limit counts where it is the smaller one.
    AccountSummary summary =
        book(spent(charge("beer", 1, 3), 0)).summary(charge("wine", 1, 2)).get(0);
    assertThat(summary.limit().epsilon()).isEqualTo(2.0);
    assertThat(summary.left()).isBetween(1.4, 1.7);
  }

  @Test
  void numbersAreShortAndOnTheSafeSide() {
    assertThat(AccountSummary.digits(0.1)).isEqualTo("0.1");
    assertThat(AccountSummary.digits(1.0000001)).isEqualTo("1.00001");
    assertThat(AccountSummary.digits(1.0 + 1e-14)).isEqualTo("1");
    assertThat(AccountSummary.digits(0.0)).isEqualTo("0");
    assertThat(AccountSummary.digits(100.0)).isEqualTo("100");
    assertThat(AccountSummary.digits(Double.POSITIVE_INFINITY)).isEqualTo("above 100");
  }
}

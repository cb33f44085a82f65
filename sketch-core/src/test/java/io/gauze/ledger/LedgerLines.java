package io.gauze.ledger;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Randomness;
import java.util.List;

/** Streams of one Gaussian sketch, and what a ledger holds of them. */
public final class LedgerLines {
  static final double DELTA = 1e-6;

  private LedgerLines() {}

  static Guarantee guarantee(
      double epsilon, UnitKind unit, Neighbours neighbours, Randomness randomness) {
    return new Guarantee(
        epsilon,
        DELTA,
        neighbours,
        unit,
        List.of(),
        "Balle and Wang 2018",
        false,
        "A stolen checkpoint adds nothing.",
        randomness.description(),
        randomness.isPrivate());
  }

  /** A stream that asks for {@code epsilon} of one row, on the account rows. */
  public static LedgerRequest charge(String stream, double epsilon, double totalBudget) {
    return charge(
        stream,
        guarantee(epsilon, UnitKind.ROW, Neighbours.REPLACE_ONE, Randomness.SYSTEM),
        "rows",
        totalBudget);
  }

  public static LedgerRequest charge(
      String stream, Guarantee guarantee, String account, double totalBudget) {
    MechanismCost cost = new MechanismCost.Gaussian(GaussianDp.mu(guarantee.epsilon(), DELTA));
    LedgerTerms terms =
        new LedgerTerms(
            account, List.of(cost), 0.0, new Budget(totalBudget, DELTA, guarantee.neighbours()));
    return LedgerRequest.of(id(stream, "all", "1"), series(stream), guarantee, terms);
  }

  static ReleaseId id(String stream, String group, String epoch) {
    return new ReleaseId(stream, group, epoch, "moments");
  }

  private static String series(String stream) {
    return LedgerEntry.sha256(new byte[] {(byte) stream.hashCode()});
  }

  /** What is written for a release of the stream of {@code charge}. */
  static LedgerEntry entry(LedgerRequest charge, String group, String epoch) {
    return new LedgerEntry(
        id(charge.key().stream(), group, epoch),
        "0".repeat(64),
        LedgerEntry.State.SPENT,
        charge.key().series(),
        charge.guarantee(),
        charge.terms());
  }

  static LedgerPosition spent(LedgerRequest charge, long offset) {
    return new LedgerPosition(entry(charge, "all", "1"), 0, offset);
  }

  static LedgerPosition published(LedgerRequest charge, long offset) {
    return new LedgerPosition(
        entry(charge, "all", "1").withState(LedgerEntry.State.PUBLISHED), 0, offset);
  }

  static LedgerBook book(LedgerPosition... lines) {
    return LedgerBook.of(List.of(lines));
  }
}

package io.gauze.ledger;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.Spend;
import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.Cumulative;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.moments.NoisyCountSketch;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.plan.StreamPlan;
import java.util.Comparator;
import java.util.Objects;

/**
 * A stream's request to its account before it publishes.
 *
 * @param key identifies the request, which is charged once however often it is made
 * @param guarantee the promise of the releases
 * @param terms the account, the exact costs, and the limit that the owner set
 */
public record LedgerRequest(Key key, Guarantee guarantee, LedgerTerms terms) {
  public LedgerRequest {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(guarantee, "guarantee");
    Objects.requireNonNull(terms, "terms");
  }

  /** Returns the request for the release {@code id}. */
  public static LedgerRequest of(
      ReleaseId id, String series, Guarantee guarantee, LedgerTerms terms) {
    return new LedgerRequest(Key.of(id, series, guarantee.unit()), guarantee, terms);
  }

  /** Returns true if the promise covers all epochs of the series, each of which is charged. */
  boolean sharesItsBudget() {
    return guarantee.unit().sharesBudget();
  }

  /** The budget that the releases promise to keep. */
  Budget budget() {
    return guarantee.budget();
  }

  Spend spending() {
    return Spend.of(guarantee, terms.costs(), terms.distance());
  }

  /**
   * The unit of charging: its releases compose in parallel with each other, and sequentially with
   * all other charges.
   *
   * <p>If the unit is a row, a key is a whole series: a row is in one group and one epoch, and the
   * noise of the others is independent of it. The releases of a cumulative series share their noise
   * and the row, and the costs are those of all of them ({@link Cumulative}). Under {@code
   * replace-one} the row may move from one cell to another. The mechanisms' costs cover that, since
   * removing a row here and adding one there changes both cells together by no more than the
   * sensitivity to a replacement in one ({@link NoisyMoments}, {@link NoisyCountSketch}), and
   * {@link StreamPlan#samplerDistance} counts two cells. The costs of a user cover an epoch with
   * all of its groups, and those of a key a snapshot, so that each epoch is charged once.
   *
   * @param stream the stream's name
   * @param series the fingerprint of its config
   * @param cell the epoch; {@link #ALL_CELLS} if all cells compose in parallel
   */
  record Key(String stream, String series, String cell) implements Comparable<Key> {
    static final String ALL_CELLS = "*";
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::stream).thenComparing(Key::series).thenComparing(Key::cell);

    static Key of(ReleaseId id, String series, UnitKind unit) {
      String cell = unit.isChargedByEpoch() ? id.epoch() : ALL_CELLS;
      return new Key(id.stream(), series, cell);
    }

    /** Returns the key of the whole series. */
    Key allCells() {
      return new Key(stream, series, ALL_CELLS);
    }

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }
}

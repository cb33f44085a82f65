package io.gauze.ledger;

import io.gauze.accounting.Guarantee;
import io.gauze.mechanism.ReleaseId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Replaces equal parts of ledger entries by one instance, since thousands of entries share them.
 * Not thread-safe.
 */
final class Interner {
  private final Map<String, String> texts = new HashMap<>();
  private final Map<Guarantee, Guarantee> guarantees = new HashMap<>();
  private final Map<LedgerTerms, LedgerTerms> terms = new HashMap<>();
  private final Map<List<CompleteEpoch.Charge>, List<CompleteEpoch.Charge>> charges =
      new HashMap<>();

  /** Returns an equal line with shared parts. */
  LedgerPosition of(LedgerPosition line) {
    LedgerEntry entry = line.entry();
    LedgerEntry shared =
        new LedgerEntry(
            of(entry.id()),
            entry.sha256(),
            entry.state(),
            one(texts, entry.series()),
            one(guarantees, entry.guarantee()),
            one(terms, entry.terms()));
    return new LedgerPosition(shared, line.partition(), line.offset());
  }

  private ReleaseId of(ReleaseId id) {
    return new ReleaseId(
        one(texts, id.stream()),
        one(texts, id.group()),
        one(texts, id.epoch()),
        one(texts, id.sketch()));
  }

  /** Returns an equal epoch with shared parts. */
  CompleteEpoch of(CompleteEpoch epoch) {
    return new CompleteEpoch(
        one(texts, epoch.stream()),
        one(texts, epoch.epoch()),
        epoch.cells(),
        one(texts, epoch.series()),
        one(charges, epoch.charges()));
  }

  private static <T> T one(Map<T, T> all, T value) {
    T before = all.putIfAbsent(value, value);
    return before == null ? value : before;
  }
}

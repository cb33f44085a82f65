package io.gauze.ledger;

import io.gauze.accounting.Guarantee;
import java.util.HashMap;
import java.util.Map;

/**
 * Replaces equal parts of ledger entries by one instance, since thousands of entries share them.
 * Not thread-safe.
 */
final class Interner {
  private final Map<String, String> series = new HashMap<>();
  private final Map<Guarantee, Guarantee> guarantees = new HashMap<>();
  private final Map<LedgerTerms, LedgerTerms> terms = new HashMap<>();

  /** Returns an equal line with shared parts. */
  LedgerPosition of(LedgerPosition line) {
    LedgerEntry entry = line.entry();
    LedgerEntry shared =
        new LedgerEntry(
            entry.id(),
            entry.sha256(),
            entry.state(),
            one(series, entry.series()),
            one(guarantees, entry.guarantee()),
            one(terms, entry.terms()));
    return new LedgerPosition(shared, line.partition(), line.offset());
  }

  private static <T> T one(Map<T, T> all, T value) {
    T before = all.putIfAbsent(value, value);
    return before == null ? value : before;
  }
}

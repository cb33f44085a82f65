package io.gauze.ledger;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The lines of a ledger, sorted by the account and the key under which they are charged. Lines can
 * be added as long as none changes the account or the key of another one; not thread-safe.
 */
final class LedgerAccounts {
  private final Map<String, Map<LedgerRequest.Key, AccountEntry>> accounts = new TreeMap<>();
  private final Map<String, Set<String>> series = new HashMap<>();
  private final Map<String, Set<String>> names = new HashMap<>();

  /** Returns the accounts of these lines, one for each release. */
  static LedgerAccounts of(Collection<LedgerPosition> lines) {
    LedgerAccounts all = new LedgerAccounts();
    lines.forEach(all::append);
    return all;
  }

  /** The entries of all accounts by account name, sorted. */
  Map<String, Map<LedgerRequest.Key, AccountEntry>> byName() {
    return accounts;
  }

  /** The entries of one account, sorted. */
  Map<LedgerRequest.Key, AccountEntry> of(String account) {
    return accounts.getOrDefault(account, Map.of());
  }

  /** Returns the series of which a stream has entries. */
  Set<String> series(String stream) {
    return series.getOrDefault(stream, Set.of());
  }

  /** Returns the accounts to which a stream's entries are charged. */
  Set<String> names(String stream) {
    return names.getOrDefault(stream, Set.of());
  }

  /** Adds the line of a new release. */
  void append(LedgerPosition line) {
    charge(line).add(line);
    LedgerEntry entry = line.entry();
    String stream = entry.id().stream();
    series.computeIfAbsent(stream, s -> new HashSet<>()).add(entry.series());
    names.computeIfAbsent(stream, s -> new HashSet<>()).add(entry.terms().account());
  }

  /**
   * Replaces the line of a release.
   *
   * @return true if all lines are in their places; if not, this object must be created again
   */
  boolean replace(LedgerPosition before, LedgerPosition now) {
    LedgerEntry old = before.entry();
    LedgerEntry entry = now.entry();
    boolean stays =
        old.series().equals(entry.series())
            && old.guarantee().equals(entry.guarantee())
            && old.terms().equals(entry.terms())
            && before.partition() == now.partition()
            && before.offset() == now.offset();
    if (stays) {
      charge(now).replace(before, now);
    }
    return stays;
  }

  private AccountEntry charge(LedgerPosition line) {
    return accounts
        .computeIfAbsent(line.entry().terms().account(), name -> new TreeMap<>())
        .computeIfAbsent(key(line), AccountEntry::new);
  }

  private static LedgerRequest.Key key(LedgerPosition line) {
    LedgerEntry entry = line.entry();
    return LedgerRequest.Key.of(entry.id(), entry.series(), entry.guarantee().unit());
  }
}

package io.gauze.ledger;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The lines of a ledger, sorted by the account and the key under which they are charged. Lines can
 * be added as long as none changes the account or the key of another one; not thread-safe.
 */
final class LedgerAccounts {
  private final Map<String, Map<LedgerRequest.Key, AccountEntry>> accounts = new TreeMap<>();
  private final Map<String, Set<String>> series = new HashMap<>();
  private final Map<String, Set<String>> names = new HashMap<>();

  /** Returns the accounts of these epochs, and of these lines, one for each other release. */
  static LedgerAccounts of(Stream<CompletePosition> epochs, Stream<LedgerPosition> lines) {
    LedgerAccounts all = new LedgerAccounts();
    epochs.forEach(all::append);
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
    ChargedRelease charged = ChargedRelease.of(line.entry());
    charge(charged).add(line);
    name(charged);
  }

  /** Adds an epoch. The lines of its releases must be removed next. */
  void append(CompletePosition line) {
    ChargedRelease charged = line.epoch().first();
    charge(charged).add(line);
    name(charged);
  }

  /** Removes the line of a release of an epoch that was added. */
  void remove(LedgerPosition line) {
    AccountEntry charge = charge(ChargedRelease.of(line.entry()));
    charge.remove(line);
    if (charge.isEmpty()) {
      accounts.get(line.entry().terms().account()).remove(charge.key());
    }
  }

  private void name(ChargedRelease charged) {
    String stream = charged.id().stream();
    series.computeIfAbsent(stream, s -> new HashSet<>()).add(charged.series());
    names.computeIfAbsent(stream, s -> new HashSet<>()).add(charged.terms().account());
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
      charge(ChargedRelease.of(entry)).replace(before, now);
    }
    return stays;
  }

  private AccountEntry charge(ChargedRelease charged) {
    return accounts
        .computeIfAbsent(charged.terms().account(), name -> new TreeMap<>())
        .computeIfAbsent(
            LedgerRequest.Key.of(charged.id(), charged.series(), charged.guarantee().unit()),
            AccountEntry::new);
  }
}

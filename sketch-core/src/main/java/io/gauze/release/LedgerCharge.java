package io.gauze.release;

import io.gauze.privacy.Budget;
import io.gauze.privacy.Guarantee;
import io.gauze.privacy.PrivacyCost;
import io.gauze.privacy.Spending;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What the ledger holds under one {@link Charge.Key}: entries that count once, together. */
final class LedgerCharge {
  private final Charge.Key key;
  private final List<LedgerLine> lines = new ArrayList<>();
  private Optional<Spending> known = Optional.empty();

  LedgerCharge(Charge.Key key) {
    this.key = key;
  }

  void add(LedgerLine line) {
    lines.add(line);
    known = Optional.empty();
  }

  Charge.Key key() {
    return key;
  }

  /** One for each release. */
  List<LedgerLine> lines() {
    return lines;
  }

  /**
   * Whether a release is out that was on the account, so that the account was asked. Entries of the
   * first format went out unasked, and others could not see them.
   */
  boolean admitted() {
    return onAccount().anyMatch(line -> line.entry().state() == LedgerEntry.State.PUBLISHED);
  }

  private Stream<LedgerLine> onAccount() {
    return lines.stream().filter(line -> line.entry().terms().isPresent());
  }

  boolean isPrivate() {
    return isAll(true);
  }

  /** Whether all of it is private, or none of it. */
  boolean isAll(boolean isPrivate) {
    return lines.stream().allMatch(line -> line.entry().guarantee().isPrivate() == isPrivate);
  }

  /**
   * The entries that were made under a limit at least as tight as {@code limit}; empty if there are
   * none.
   */
  Optional<LedgerCharge> within(Budget limit) {
    LedgerCharge within = new LedgerCharge(key);
    onAccount()
        .filter(line -> isWithin(line.entry().terms().orElseThrow().lifetime(), limit))
        .forEach(within::add);
    return within.lines.isEmpty() ? Optional.empty() : Optional.of(within);
  }

  private static boolean isWithin(Budget tight, Budget limit) {
    return tight.epsilon() <= limit.epsilon() && tight.delta() <= limit.delta();
  }

  Guarantee guarantee() {
    return lines.get(0).entry().guarantee();
  }

  /** What its releases were made under; empty for entries of the first format. */
  Set<Budget> lifetimes() {
    Set<Budget> lifetimes = new LinkedHashSet<>();
    terms().forEach(terms -> lifetimes.add(terms.lifetime()));
    return lifetimes;
  }

  Spending spending() {
    if (known.isEmpty()) {
      known = Optional.of(sum());
    }
    return known.get();
  }

  private Spending sum() {
    // A series fixes its costs. Should entries differ all the same, all of them are counted.
    List<PrivacyCost> costs =
        terms().stream().map(LedgerTerms::costs).distinct().flatMap(List::stream).toList();
    double distance = terms().stream().mapToDouble(LedgerTerms::distance).max().orElse(0.0);
    Spending spending =
        costs.isEmpty() ? Spending.of(guarantee()) : Spending.of(guarantee(), costs, distance);
    return new Spending(
        spending.unit(), spending.budget(), spending.costs(), spending.distance(), isPrivate());
  }

  /** Whether all of it is of the same users or keys. */
  boolean isWhose(String whose) {
    return terms().stream().allMatch(terms -> terms.whose().equals(whose));
  }

  private List<LedgerTerms> terms() {
    return onAccount().map(line -> line.entry().terms().orElseThrow()).toList();
  }

  /** Whether all of it certainly came on the account after {@code other} did. */
  boolean isBehind(LedgerCharge other) {
    long partitions =
        Stream.concat(onAccount(), other.onAccount()).map(LedgerLine::partition).distinct().count();
    boolean known = onAccount().findAny().isPresent() && other.onAccount().findAny().isPresent();
    return known && partitions == 1 && first() > other.first();
  }

  private long first() {
    return onAccount().mapToLong(LedgerLine::offset).min().orElseThrow();
  }
}

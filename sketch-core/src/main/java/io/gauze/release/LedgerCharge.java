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

/** What the ledger holds under one {@link Charge.Key}: entries that count once, together. */
final class LedgerCharge {
  private final Charge.Key key;
  private final List<LedgerLine> lines = new ArrayList<>();

  LedgerCharge(Charge.Key key) {
    this.key = key;
  }

  void add(LedgerLine line) {
    lines.add(line);
  }

  Charge.Key key() {
    return key;
  }

  /** One for each release. */
  List<LedgerLine> lines() {
    return lines;
  }

  boolean published() {
    return lines.stream().anyMatch(line -> line.entry().state() == LedgerEntry.State.PUBLISHED);
  }

  boolean isPrivate() {
    return lines.stream().allMatch(line -> line.entry().guarantee().isPrivate());
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
    // A series fixes its costs. Should entries differ all the same, all of them are counted.
    List<PrivacyCost> costs =
        terms().stream().map(LedgerTerms::costs).distinct().flatMap(List::stream).toList();
    double distance = terms().stream().mapToDouble(LedgerTerms::distance).max().orElse(0.0);
    Spending spending =
        costs.isEmpty() ? Spending.of(guarantee()) : Spending.of(guarantee(), costs, distance);
    return new Spending(
        spending.unit(), spending.budget(), spending.costs(), spending.distance(), isPrivate());
  }

  private List<LedgerTerms> terms() {
    return lines.stream().map(line -> line.entry().terms()).flatMap(Optional::stream).toList();
  }

  /** Whether all of it certainly stands behind all of {@code other} in the log. */
  boolean isBehind(LedgerCharge other) {
    int partition = lines.get(0).partition();
    boolean comparable =
        lines.stream().allMatch(line -> line.partition() == partition)
            && other.lines.stream().allMatch(line -> line.partition() == partition);
    return comparable && first() > other.first();
  }

  private long first() {
    return lines.stream().mapToLong(LedgerLine::offset).min().orElseThrow();
  }
}

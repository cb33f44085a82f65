package io.gauze.ledger;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Spend;
import io.gauze.mechanism.ReleaseId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The ledger's entries and complete epochs under one {@link LedgerRequest.Key}. Together they are
 * charged once.
 */
final class AccountEntry {
  private final LedgerRequest.Key key;
  private final Map<ReleaseId, LedgerPosition> lines = new LinkedHashMap<>();
  private final List<CompleteEpoch> epochs = new ArrayList<>();
  private final Map<LedgerTerms, Place> places = new LinkedHashMap<>();
  private long privateReleases;
  private long releases;
  private Optional<Guarantee> first = Optional.empty();
  private Optional<Spend> known = Optional.empty();

  /**
   * The position in the log of entries that were charged to the account.
   *
   * @param partitions the partitions that contain them
   * @param first the lowest offset; of releases that are all published it decides nothing
   * @param published the number of their releases that are published
   * @param releases the number of their releases
   */
  record Place(Set<Integer> partitions, long first, long published, long releases) {
    static Place of(LedgerPosition line) {
      return new Place(Set.of(line.partition()), line.offset(), published(line), 1);
    }

    static Place of(CompletePosition line, int releases) {
      return new Place(Set.of(line.partition()), line.offset(), releases, releases);
    }

    private static long published(LedgerPosition line) {
      return line.entry().state() == LedgerEntry.State.PUBLISHED ? 1 : 0;
    }

    Place and(Place other) {
      Set<Integer> both = new TreeSet<>(partitions);
      both.addAll(other.partitions);
      return new Place(
          both,
          Math.min(first, other.first),
          published + other.published,
          releases + other.releases);
    }

    Place instead(LedgerPosition before, LedgerPosition now) {
      return new Place(partitions, first, published - published(before) + published(now), releases);
    }

    Optional<Place> without(LedgerPosition line) {
      return releases == 1
          ? Optional.empty()
          : Optional.of(new Place(partitions, first, published - published(line), releases - 1));
    }

    boolean admitted() {
      return published > 0;
    }
  }

  AccountEntry(LedgerRequest.Key key) {
    this.key = key;
  }

  /** Adds the line of a new release. */
  void add(LedgerPosition line) {
    lines.put(line.entry().id(), line);
    add(line.entry().guarantee(), line.entry().terms(), Place.of(line));
  }

  /** Adds an epoch. The lines of its releases must be removed next. */
  void add(CompletePosition line) {
    epochs.add(line.epoch());
    for (CompleteEpoch.Charge charge : line.epoch().charges()) {
      add(charge.guarantee(), charge.terms(), Place.of(line, charge.releases()));
    }
  }

  private void add(Guarantee guarantee, LedgerTerms terms, Place place) {
    boolean wasPrivate = isPrivate();
    int before = places.size();
    first = first.or(() -> Optional.of(guarantee));
    releases += place.releases();
    privateReleases += guarantee.isPrivate() ? place.releases() : 0;
    places.merge(terms, place, Place::and);
    if (places.size() > before || isPrivate() != wasPrivate) {
      known = Optional.empty();
    }
  }

  /** Removes the line of a release of one of the {@link #epochs}. */
  void remove(LedgerPosition line) {
    LedgerEntry entry = line.entry();
    lines.remove(entry.id());
    releases--;
    privateReleases -= entry.guarantee().isPrivate() ? 1 : 0;
    places.computeIfPresent(entry.terms(), (terms, place) -> place.without(line).orElse(null));
    known = Optional.empty();
  }

  /** Replaces the line of a release by one that differs only in its state or body. */
  void replace(LedgerPosition before, LedgerPosition now) {
    lines.put(now.entry().id(), now);
    places.computeIfPresent(now.entry().terms(), (t, place) -> place.instead(before, now));
  }

  LedgerRequest.Key key() {
    return key;
  }

  /** The lines, one for each release that is in none of the {@link #epochs}. */
  Collection<LedgerPosition> lines() {
    return lines.values();
  }

  /** The complete epochs. */
  List<CompleteEpoch> epochs() {
    return epochs;
  }

  boolean isEmpty() {
    return releases == 0;
  }

  /** Returns true if a release is published, so that the account has admitted the stream. */
  boolean admitted() {
    return places.values().stream().anyMatch(Place::admitted);
  }

  boolean isPrivate() {
    return isAll(true);
  }

  /** Returns true if all releases are private, or, for {@code false}, if none is. */
  boolean isAll(boolean isPrivate) {
    return privateReleases == (isPrivate ? releases : 0);
  }

  /**
   * Returns the place of the entries that were made under a limit at least as tight as {@code
   * limit}; empty if there are none.
   */
  Optional<Place> within(Budget limit) {
    return places.entrySet().stream()
        .filter(each -> isWithin(each.getKey().totalBudget(), limit))
        .map(Map.Entry::getValue)
        .reduce(Place::and);
  }

  private static boolean isWithin(Budget tight, Budget limit) {
    return tight.epsilon() <= limit.epsilon() && tight.delta() <= limit.delta();
  }

  Guarantee guarantee() {
    return first.orElseThrow();
  }

  /** The total budgets under which the releases were made. */
  Set<Budget> totalBudgets() {
    Set<Budget> totalBudgets = new LinkedHashSet<>();
    places.keySet().forEach(terms -> totalBudgets.add(terms.totalBudget()));
    return totalBudgets;
  }

  Spend spending() {
    if (known.isEmpty()) {
      known = Optional.of(sum());
    }
    return known.get();
  }

  private Spend sum() {
    // All entries of a series should have equal costs. If they differ, all of them are counted.
    List<MechanismCost> costs =
        places.keySet().stream().map(LedgerTerms::costs).distinct().flatMap(List::stream).toList();
    double distance =
        places.keySet().stream().mapToDouble(LedgerTerms::distance).max().orElseThrow();
    Spend spending = Spend.of(guarantee(), costs, distance);
    return new Spend(
        spending.unit(), spending.budget(), spending.costs(), spending.distance(), isPrivate());
  }

  /** Returns true if all entries are of the same users or keys. */
  boolean isWhose(String whose) {
    return places.keySet().stream().allMatch(terms -> terms.whose().equals(whose));
  }

  /** Returns true if all entries were certainly written to the log after {@code other}. */
  boolean isBehind(Place other) {
    Optional<Place> own = places.values().stream().reduce(Place::and);
    return own.isPresent()
        && own.get().and(other).partitions().size() == 1
        && own.get().first() > other.first();
  }
}

package io.gauze.ledger;

import io.gauze.accounting.PrivacyAccount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The spending of each group of each stream of an account. Takes time with the groups and epochs,
 * not with their product; not thread-safe.
 */
final class AccountLines {
  private final Map<Group, Tally> groups =
      new TreeMap<>(Comparator.comparing(Group::stream).thenComparing(Group::name));

  private record Group(String stream, String name) {}

  /** What the ledger holds of a group. */
  private static final class Tally {
    private final Set<AccountEntry> charges = new LinkedHashSet<>();
    private final Set<String> openEpochs = new HashSet<>();
    private final List<Set<String>> completeEpochs = new ArrayList<>(); // shared by groups
    private int releases;
    private int published;

    int epochs() {
      if (completeEpochs.isEmpty()) {
        return openEpochs.size();
      }
      if (completeEpochs.size() > 1) {
        Set<String> all = new HashSet<>(openEpochs);
        completeEpochs.forEach(all::addAll);
        return all.size();
      }
      Set<String> complete = completeEpochs.get(0);
      return complete.size()
          + (int) openEpochs.stream().filter(epoch -> !complete.contains(epoch)).count();
    }
  }

  private AccountLines() {}

  /**
   * Returns a line for each stream and group, sorted.
   *
   * @param delta at which epsilons are
   */
  static List<AccountSummary.Line> of(Collection<AccountEntry> charges, double delta) {
    AccountLines lines = new AccountLines();
    charges.forEach(lines::add);
    Map<List<AccountEntry>, Double> epsilons = new HashMap<>(); // many groups have the same charges
    return lines.groups.entrySet().stream()
        .map(each -> line(each.getKey(), each.getValue(), epsilons, delta))
        .toList();
  }

  private void add(AccountEntry charge) {
    for (LedgerPosition line : charge.lines()) {
      LedgerEntry entry = line.entry();
      Tally tally = tally(entry.id().stream(), entry.id().group(), charge);
      tally.openEpochs.add(entry.id().epoch());
      tally.releases++;
      tally.published += entry.state() == LedgerEntry.State.PUBLISHED ? 1 : 0;
    }
    Map<EpochCells, Set<String>> epochs = new HashMap<>();
    for (CompleteEpoch epoch : charge.epochs()) {
      epochs.computeIfAbsent(epoch.cells(), cells -> new HashSet<>()).add(epoch.epoch());
    }
    epochs.forEach((cells, labels) -> add(charge, cells, labels));
  }

  private void add(AccountEntry charge, EpochCells cells, Set<String> labels) {
    int releases = cells.sketches().size() * labels.size();
    for (String group : cells.groups()) {
      Tally tally = tally(charge.key().stream(), group, charge);
      tally.completeEpochs.add(labels);
      tally.releases += releases;
      tally.published += releases;
    }
  }

  private Tally tally(String stream, String group, AccountEntry charge) {
    Tally tally = groups.computeIfAbsent(new Group(stream, group), any -> new Tally());
    tally.charges.add(charge);
    return tally;
  }

  private static AccountSummary.Line line(
      Group group, Tally tally, Map<List<AccountEntry>, Double> epsilons, double delta) {
    double epsilon =
        epsilons.computeIfAbsent(
            List.copyOf(tally.charges),
            some ->
                PrivacyAccount.of(some.stream().map(AccountEntry::spending).toList())
                    .epsilon(delta));
    return new AccountSummary.Line(
        group.stream(), group.name(), tally.epochs(), tally.releases, tally.published, epsilon);
  }
}

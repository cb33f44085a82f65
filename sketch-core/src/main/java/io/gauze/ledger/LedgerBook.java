package io.gauze.ledger;

import io.gauze.accounting.Budget;
import io.gauze.accounting.PrivacyAccount;
import io.gauze.accounting.Spend;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The ledger as far as it was read, by accounts. It answers what was spent on the same rows, and
 * whether a stream may spend more. A question takes time with the charges of the account, not with
 * the lines of the ledger. Not thread-safe.
 *
 * <p><b>Concurrent streams.</b> A stream writes {@code spent} before it publishes, and asks again
 * after the write. Its request must fit together with everything that is published, and with
 * everything before it in the log. If streams ask at once, each sees all entries that precede its
 * own, so those that continue fit together, and the first one always continues. A published stream
 * has been admitted already, so later entries in state {@code spent} do not stop it.
 */
public final class LedgerBook {
  private static final int ID_PARTS = 4;

  private final Map<String, Map<ReleaseId, LedgerPosition>> lines = new LinkedHashMap<>();
  private final CompleteEpochs epochs = new CompleteEpochs();
  private final Set<StreamStart> begins = new LinkedHashSet<>();
  private final Interner shared = new Interner();
  private final EntryParser entries = new EntryParser();
  private LedgerAccounts accounts = new LedgerAccounts();
  private boolean sorted = true; // whether the accounts have all lines

  private LedgerBook() {}

  /** Creates the ledger with these lines, one for each release. */
  public static LedgerBook of(Collection<LedgerPosition> lines) {
    LedgerBook book = new LedgerBook();
    lines.forEach(book::add);
    return book;
  }

  /**
   * Adds the next record of the log.
   *
   * <p>A complete epoch stands for the entries of its releases, wherever they were before it. Their
   * tombstones behind it only allow Kafka to delete them, so a log says the same with some or all
   * of these entries and tombstones.
   *
   * @param value the record's text; empty for a tombstone
   * @throws IllegalArgumentException if it is no record of a ledger, or stands where it must not
   */
  public void add(String key, Optional<String> value, int partition, long offset) {
    List<String> parts = List.of(key.split("/", -1));
    if (value.isEmpty()) {
      checkTombstone(key, parts);
    } else if (StreamStart.isKey(key)) {
      add(StreamStart.fromJson(value.get()));
    } else if (EpochCells.isKey(parts)) {
      epochs.add(parts.get(0), EpochCells.fromJson(key, value.get()));
    } else if (CompleteEpoch.isKey(parts)) {
      add(
          EpochRecord.fromJson(key, value.get(), hash -> epochs.cells(parts.get(0), hash)),
          partition,
          offset);
    } else {
      LedgerEntry entry = entries.of(value.get());
      if (complete(entry.id()).isPresent()) {
        throw new IllegalArgumentException("an entry must be in front of its complete epoch");
      }
      add(new LedgerPosition(entry, partition, offset));
    }
  }

  private void checkTombstone(String key, List<String> parts) {
    if (parts.size() != ID_PARTS || complete(ReleaseId.parse(key)).isEmpty()) {
      throw new IllegalArgumentException("a tombstone must be behind its complete epoch");
    }
  }

  /**
   * Adds the next line of the log. Takes O(log n) time for a new release, or for a known release in
   * another state. After other changes the next question sorts all lines again.
   */
  public void add(LedgerPosition next) {
    ReleaseId id = next.entry().id();
    LedgerPosition shareable = shared.of(next);
    Map<ReleaseId, LedgerPosition> ofStream =
        lines.computeIfAbsent(id.stream(), stream -> new LinkedHashMap<>());
    LedgerPosition before = ofStream.get(id);
    LedgerPosition now = before == null ? shareable : before.then(shareable);
    ofStream.put(id, now);
    if (sorted && before == null) {
      accounts.append(now);
    } else if (sorted) {
      sorted = accounts.replace(before, now);
    }
  }

  private void add(EpochRecord record, int partition, long offset) {
    CompleteEpoch epoch = shared.of(record.epoch());
    CompletePosition next = new CompletePosition(epoch, record.mark(), partition, offset);
    List<LedgerPosition> gone = covered(epoch);
    // Some may be in state spent: Kafka has deleted the later entry, and not yet this one.
    if (!gone.stream().allMatch(line -> record.holds(line.entry().id(), line.entry().sha256()))) {
      throw new IllegalArgumentException("a complete epoch must have the bodies of its entries");
    }
    if (!epochs.add(next)) {
      return; // a copy
    }
    if (sorted) {
      accounts.append(next);
    }
    for (LedgerPosition line : gone) {
      lines.get(epoch.stream()).remove(line.entry().id());
      if (sorted) {
        accounts.remove(line);
      }
    }
    if (!gone.isEmpty() && lines.get(epoch.stream()).isEmpty()) {
      lines.remove(epoch.stream());
    }
  }

  /** Returns the lines of the releases of an epoch. */
  private List<LedgerPosition> covered(CompleteEpoch epoch) {
    Map<ReleaseId, LedgerPosition> ofStream = lines.getOrDefault(epoch.stream(), Map.of());
    Stream<LedgerPosition> found =
        ofStream.size() < epoch.cells().size()
            ? ofStream.values().stream().filter(line -> epoch.covers(line.entry().id()))
            : IntStream.range(0, epoch.cells().size())
                .mapToObj(i -> ofStream.get(epoch.cells().id(epoch.stream(), epoch.epoch(), i)))
                .filter(Objects::nonNull);
    return found.toList();
  }

  /** Adds the begin of a stream, which changes no account. */
  public void add(StreamStart next) {
    begins.add(next);
  }

  /**
   * Returns the labels of the first epochs that starts of the stream under this series have
   * written.
   */
  public List<String> begins(String stream, String series) {
    return begins.stream()
        .filter(begin -> begin.stream().equals(stream) && begin.series().equals(series))
        .map(StreamStart::epoch)
        .toList();
  }

  private LedgerAccounts accounts() {
    if (!sorted) {
      accounts =
          LedgerAccounts.of(
              epochs.all(), lines.values().stream().flatMap(each -> each.values().stream()));
      sorted = true;
    }
    return accounts;
  }

  /** Returns the last entry of a release; empty if it is in a complete epoch. */
  public Optional<LedgerEntry> entry(ReleaseId id) {
    return Optional.ofNullable(lines.getOrDefault(id.stream(), Map.of()).get(id))
        .map(LedgerPosition::entry);
  }

  /** Returns the complete epoch that a release is in, with the place of its record. */
  public Optional<CompletePosition> complete(ReleaseId id) {
    return epochs.of(id);
  }

  /** Returns whether a release is charged. */
  public boolean holds(ReleaseId id) {
    return entry(id).isPresent() || complete(id).isPresent();
  }

  /** Returns whether a release is known to be published. */
  public boolean isPublished(ReleaseId id) {
    return complete(id).isPresent()
        || entry(id).filter(entry -> entry.state() == LedgerEntry.State.PUBLISHED).isPresent();
  }

  /** Returns the complete epochs of a stream. */
  public Collection<CompleteEpoch> complete(String stream) {
    return epochs.of(stream);
  }

  /** Returns the labels of all epochs of which a stream has releases. */
  public Set<String> epochs(String stream) {
    Set<String> labels = new HashSet<>();
    entries(stream).forEach(entry -> labels.add(entry.id().epoch()));
    complete(stream).forEach(epoch -> labels.add(epoch.epoch()));
    return labels;
  }

  /** Returns a release of an epoch of a stream. */
  public Optional<ReleaseId> anyOf(String stream, String epoch) {
    return charged(stream)
        .map(ChargedRelease::id)
        .filter(id -> id.epoch().equals(epoch))
        .findFirst();
  }

  /** Returns the ids of a stream's releases: those of complete epochs, and the chosen others. */
  public HeldReleases held(String stream, Predicate<LedgerEntry> chosen) {
    Set<String> ids = new HashSet<>();
    entries(stream).stream().filter(chosen).forEach(entry -> ids.add(entry.id().toString()));
    return HeldReleases.of(stream, ids, complete(stream));
  }

  /** Returns whether the ledger has these cells of a stream, which must be there once. */
  public boolean hasCells(String stream, EpochCells cells) {
    return epochs.has(stream, cells);
  }

  /** Returns a release of the stream that was made under another series; empty if there is none. */
  public Optional<ChargedRelease> ofAnotherSeries(String stream, String series) {
    if (Set.of(series).containsAll(accounts().series(stream))) {
      return Optional.empty();
    }
    return charged(stream).filter(each -> !each.series().equals(series)).findFirst();
  }

  /**
   * Returns a release of the stream that is charged to another account, whose rows are those of
   * another topic; empty if there is none.
   */
  public Optional<ChargedRelease> ofAnotherAccount(String stream, String account) {
    if (Set.of(account).containsAll(accounts().names(stream))) {
      return Optional.empty();
    }
    return charged(stream).filter(each -> !each.terms().account().equals(account)).findFirst();
  }

  private Stream<ChargedRelease> charged(String stream) {
    return Stream.concat(
        complete(stream).stream().map(CompleteEpoch::first),
        entries(stream).stream().map(ChargedRelease::of));
  }

  /** Returns whether nothing was ever charged. */
  public boolean isEmpty() {
    return lines.isEmpty() && epochs.isEmpty();
  }

  /** Returns the accounts to which a stream's entries are charged; none if it has no entry. */
  public Set<String> accounts(String stream) {
    return Set.copyOf(accounts().names(stream));
  }

  /** The entries of one stream, of releases that are in no complete epoch; immutable. */
  public List<LedgerEntry> entries(String stream) {
    return lines.getOrDefault(stream, Map.of()).values().stream()
        .map(LedgerPosition::entry)
        .toList();
  }

  /**
   * Returns why a stream must not publish, and the remedy; empty if it may publish.
   *
   * <p>Private and non-private releases never share an account, whichever came first, since their
   * sum would have no guarantee. If no release is private, nominal costs are checked.
   */
  public Optional<Message> refusal(LedgerRequest asked) {
    List<AccountEntry> others = counted(asked);
    Refusal refusal = new Refusal(asked, own(asked), others);
    if (Stream.concat(own(asked).stream(), others.stream())
        .anyMatch(other -> !other.isAll(asked.guarantee().isPrivate()))) {
      return Optional.of(refusal.mixed());
    }
    Optional<AccountEntry> foreign =
        others.stream().filter(other -> !sameKind(asked, other)).findFirst();
    if (foreign.isPresent()) {
      return Optional.of(refusal.anotherKind(foreign.get()));
    }
    if (asked.sharesItsBudget() && !together(asked, seriesOf(asked)).fits(asked.budget())) {
      return Optional.of(refusal.noSnapshotLeft());
    }
    PrivacyAccount account = together(asked, others);
    return limits(asked, others).stream()
        .filter(limit -> !account.fits(limit))
        .findFirst()
        .map(limit -> refusal.overdrawn(limit, account));
  }

  /**
   * Returns the number of further cells for which the account has room, beside those in the ledger,
   * if no other stream asks. For a stream of users, whose epochs are charged separately, this is a
   * number of epochs.
   *
   * @param asked the request for one cell
   * @param most the end of the search
   * @return in [0, most]
   */
  public int room(LedgerRequest asked, int most) {
    List<AccountEntry> held =
        account(asked).values().stream().filter(other -> sameKind(asked, other)).toList();
    PrivacyAccount spent = PrivacyAccount.of(held.stream().map(AccountEntry::spending).toList());
    return limits(asked, held).stream()
        .mapToInt(limit -> spent.times(asked.spending(), limit, most))
        .min()
        .orElseThrow();
  }

  private static boolean sameKind(LedgerRequest asked, AccountEntry other) {
    return asked.guarantee().unit() == other.guarantee().unit()
        && asked.guarantee().neighbours() == other.guarantee().neighbours()
        && other.isWhose(asked.terms().whose());
  }

  /**
   * Returns the account of the request and the other charges. The charges are in a fixed order, so
   * that every stream computes the same number.
   */
  private static PrivacyAccount together(LedgerRequest asked, List<AccountEntry> others) {
    List<Spend> all = new ArrayList<>(others.size() + 1);
    boolean isIn = false;
    for (AccountEntry other : others) { // in the order of the keys
      if (!isIn && asked.key().compareTo(other.key()) < 0) {
        all.add(asked.spending());
        isIn = true;
      }
      all.add(other.spending());
    }
    if (!isIn) {
      all.add(asked.spending());
    }
    return PrivacyAccount.of(all);
  }

  /**
   * Returns the other spendings of the requesting series, which has one budget for all of its
   * epochs.
   */
  private List<AccountEntry> seriesOf(LedgerRequest asked) {
    return account(asked).values().stream()
        .filter(other -> other.key().allCells().equals(asked.key().allCells()))
        .filter(other -> !other.key().equals(asked.key()))
        .toList();
  }

  /** Returns all limits that were ever promised, the smallest first. Each of them must be kept. */
  private List<Budget> limits(LedgerRequest asked, List<AccountEntry> others) {
    Set<Budget> limits = new LinkedHashSet<>();
    limits.add(asked.terms().totalBudget());
    own(asked).ifPresent(own -> limits.addAll(own.totalBudgets()));
    others.forEach(other -> limits.addAll(other.totalBudgets()));
    return limits.stream().sorted(AccountSummary.SMALLEST_FIRST).toList();
  }

  private Optional<AccountEntry> own(LedgerRequest asked) {
    return Optional.ofNullable(account(asked).get(asked.key()));
  }

  private Map<LedgerRequest.Key, AccountEntry> account(LedgerRequest asked) {
    return accounts().of(asked.terms().account());
  }

  // Returns the charges that count against the request. A place in the log counts only under a
  // limit that other streams saw there: a stream whose total budget was lowered is treated as new.
  private List<AccountEntry> counted(LedgerRequest asked) {
    Optional<AccountEntry.Place> own =
        Optional.ofNullable(account(asked).get(asked.key()))
            .flatMap(charge -> charge.within(asked.terms().totalBudget()));
    List<AccountEntry> counted = new ArrayList<>();
    for (AccountEntry other : account(asked).values()) {
      boolean later = own.isPresent() && (own.get().admitted() || other.isBehind(own.get()));
      if (!other.key().equals(asked.key()) && (other.admitted() || !later)) {
        counted.add(other);
      }
    }
    return counted;
  }

  /**
   * Returns the spendings by account, unit and relation, sorted by account.
   *
   * @param asked a request whose limit is included, and whose account is listed even if nothing is
   *     spent there
   */
  public List<AccountSummary> summary(LedgerRequest asked) {
    List<AccountSummary> all = new ArrayList<>();
    accounts()
        .byName()
        .forEach((name, charges) -> all.addAll(AccountSummary.of(name, charges.values(), asked)));
    if (all.stream().noneMatch(summary -> summary.isFor(asked))) {
      boolean otherKinds =
          all.stream().anyMatch(summary -> summary.account().equals(asked.terms().account()));
      all.add(AccountSummary.empty(asked, otherKinds));
    }
    all.sort(Comparator.comparing(AccountSummary::account));
    return List.copyOf(all);
  }
}

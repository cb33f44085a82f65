package io.gauze.ledger;

import io.gauze.accounting.Budget;
import io.gauze.accounting.PrivacyAccount;
import io.gauze.accounting.Spend;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private final Map<ReleaseId, LedgerPosition> lines = new LinkedHashMap<>();
  private final Set<StreamStart> begins = new LinkedHashSet<>();
  private final Interner shared = new Interner();
  private LedgerAccounts accounts = new LedgerAccounts();
  private boolean complete = true;

  private LedgerBook() {}

  /** Creates the ledger with these lines, one for each release. */
  public static LedgerBook of(Collection<LedgerPosition> lines) {
    LedgerBook book = new LedgerBook();
    lines.forEach(book::add);
    return book;
  }

  /**
   * Adds the next line of the log. Takes O(log n) time for a new release, or for a known release in
   * another state. After other changes the next question sorts all lines again.
   */
  public void add(LedgerPosition next) {
    ReleaseId id = next.entry().id();
    LedgerPosition shareable = shared.of(next);
    LedgerPosition before = lines.get(id);
    LedgerPosition now = before == null ? shareable : before.then(shareable);
    lines.put(id, now);
    if (complete && before == null) {
      accounts.append(now);
    } else if (complete) {
      complete = accounts.replace(before, now);
    }
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
    if (!complete) {
      accounts = LedgerAccounts.of(lines.values());
      complete = true;
    }
    return accounts;
  }

  /** Returns the last entry of a release. */
  public Optional<LedgerEntry> entry(ReleaseId id) {
    return Optional.ofNullable(lines.get(id)).map(LedgerPosition::entry);
  }

  /**
   * Returns the first entry of the stream that was made under another series; empty if there is
   * none.
   */
  public Optional<LedgerEntry> ofAnotherSeries(String stream, String series) {
    if (Set.of(series).containsAll(accounts().series(stream))) {
      return Optional.empty();
    }
    return entries(stream).stream().filter(entry -> !entry.series().equals(series)).findFirst();
  }

  /**
   * Returns the first entry of the stream that is charged to another account, whose rows are those
   * of another topic; empty if there is none.
   */
  public Optional<LedgerEntry> ofAnotherAccount(String stream, String account) {
    if (Set.of(account).containsAll(accounts().names(stream))) {
      return Optional.empty();
    }
    return entries(stream).stream()
        .filter(entry -> !entry.terms().account().equals(account))
        .findFirst();
  }

  /** Returns whether nothing was ever charged. */
  public boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Returns the accounts to which a stream's entries are charged; none if it has no entry. */
  public Set<String> accounts(String stream) {
    return Set.copyOf(accounts().names(stream));
  }

  /** The entries of one stream; immutable. */
  public List<LedgerEntry> entries(String stream) {
    return lines.values().stream()
        .map(LedgerPosition::entry)
        .filter(entry -> entry.id().stream().equals(stream))
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

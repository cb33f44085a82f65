package io.gauze.ledger;

import io.gauze.accounting.Budget;
import io.gauze.accounting.PrivacyAccount;
import io.gauze.accounting.Spend;
import io.gauze.mechanism.ReleaseId;
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
 * The ledger as far as it was read, by accounts: what was spent on the same rows, and whether more
 * may be. A question takes time with the charges of the account, not with the lines of the ledger.
 * Not thread-safe.
 *
 * <p><b>Who goes on.</b> Streams write {@code spent} before they publish and ask again after it.
 * What a stream asks for must fit together with what is published, and with what stands before it
 * in the log. Of streams that ask at once each sees all that stand before it, so those that go on
 * fit together, and the first always does. A published stream has gone on already, so what is only
 * {@code spent} behind it does not stop it.
 */
public final class LedgerBook {
  private final Map<ReleaseId, LedgerLine> lines = new LinkedHashMap<>();
  private final Set<StreamBegin> begins = new LinkedHashSet<>();
  private final SharedParts shared = new SharedParts();
  private LedgerAccounts accounts = new LedgerAccounts();
  private boolean complete = true;

  private LedgerBook() {}

  /** The ledger with these lines, one for each release. */
  public static LedgerBook of(Collection<LedgerLine> lines) {
    LedgerBook book = new LedgerBook();
    lines.forEach(book::add);
    return book;
  }

  /**
   * Adds what the log has next. In O(log n) time for a new release, or a known one in another
   * state; what else an entry may change, the next question finds in all lines anew.
   */
  public void add(LedgerLine next) {
    ReleaseId id = next.entry().id();
    LedgerLine shareable = shared.of(next);
    LedgerLine before = lines.get(id);
    LedgerLine now = before == null ? shareable : before.then(shareable);
    lines.put(id, now);
    if (complete && before == null) {
      accounts.append(now);
    } else if (complete) {
      complete = accounts.replace(before, now);
    }
  }

  /** Adds where a stream begins, which changes no account. */
  public void add(StreamBegin next) {
    begins.add(next);
  }

  /**
   * The first epochs, by their labels, that starts of the stream under this series have written.
   */
  public List<String> begins(String stream, String series) {
    return begins.stream()
        .filter(begin -> begin.stream().equals(stream) && begin.series().equals(series))
        .map(StreamBegin::epoch)
        .toList();
  }

  private LedgerAccounts accounts() {
    if (!complete) {
      accounts = LedgerAccounts.of(lines.values());
      complete = true;
    }
    return accounts;
  }

  /** The last entry of a release. */
  public Optional<LedgerEntry> entry(ReleaseId id) {
    return Optional.ofNullable(lines.get(id)).map(LedgerLine::entry);
  }

  /** An entry of the stream that was made under another series; the first one, if there are any. */
  public Optional<LedgerEntry> ofAnotherSeries(String stream, String series) {
    if (Set.of(series).containsAll(accounts().series(stream))) {
      return Optional.empty();
    }
    return entries(stream).stream().filter(entry -> !entry.series().equals(series)).findFirst();
  }

  /** The entries of one stream; immutable. */
  public List<LedgerEntry> entries(String stream) {
    return lines.values().stream()
        .map(LedgerLine::entry)
        .filter(entry -> entry.id().stream().equals(stream))
        .toList();
  }

  /**
   * Why a stream must not go on, and what to do about it; empty if it may.
   *
   * <p>What is private and what is not never share an account, whichever came first, since nothing
   * would hold for the sum; where nothing is private, nominal costs are checked.
   */
  public Optional<String> refusal(LedgerRequest asked) {
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
   * How many cells more, beside those that the ledger holds, the account has room for, if nobody
   * else asks: of a stream of users, whose epochs are charged one by one, how many epochs.
   *
   * @param most where the search ends
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

  /** In one order, so that every stream computes the same number from the same charges. */
  private static PrivacyAccount together(LedgerRequest asked, List<AccountEntry> others) {
    List<Spend> all = new ArrayList<>(others.size() + 1);
    boolean isIn = false;
    for (AccountEntry other : others) { // sorted
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

  /** What else was spent by the asking series, which has one budget for all of its epochs. */
  private List<AccountEntry> seriesOf(LedgerRequest asked) {
    return account(asked).values().stream()
        .filter(other -> other.key().allCells().equals(asked.key().allCells()))
        .filter(other -> !other.key().equals(asked.key()))
        .toList();
  }

  /** All limits that were ever promised, the smallest first: each of them is to be kept. */
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

  // A place in the log is worth something only under a limit that others saw there: after its
  // total budget was lowered, a stream is new.
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
   * What was spent, by account, unit and relation, sorted by account.
   *
   * @param asked a charge whose limit counts too, and whose account is listed even if nothing is
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

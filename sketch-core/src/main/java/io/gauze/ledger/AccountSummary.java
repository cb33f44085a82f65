package io.gauze.ledger;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.PrivacyAccount;
import io.gauze.accounting.UnitKind;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The state of an account, for one unit and relation.
 *
 * @param account the topic of the rows
 * @param unit what is protected
 * @param isPrivate whether all randomness was fit for privacy; if not, the numbers are nominal
 * @param spent epsilon of everything together at the limit's delta; infinite above 100
 * @param limit the smallest total budget that was promised, with the relation
 * @param left the largest epsilon, at the limit's delta, that Gaussian sketches may still request;
 *     0 if the account contains another unit or relation, with which costs do not add up
 * @param streams the spending of each stream and group, sorted; immutable
 */
public record AccountSummary(
    String account,
    UnitKind unit,
    boolean isPrivate,
    double spent,
    Budget limit,
    double left,
    List<Line> streams) {
  static final Comparator<Budget> SMALLEST_FIRST =
      Comparator.comparingDouble(Budget::epsilon).thenComparingDouble(Budget::delta);

  /**
   * The spending of one group of a stream.
   *
   * @param stream the stream's name
   * @param group a public group of rows
   * @param epochs the number of epochs that have releases
   * @param releases the number of releases in the ledger, whose budget is spent
   * @param published the number of releases that are known to be published
   * @param epsilon of these releases together, at the limit's delta; infinite above 100
   */
  public record Line(
      String stream, String group, int epochs, int releases, int published, double epsilon) {}

  /** Copies the lines. */
  public AccountSummary {
    streams = List.copyOf(streams);
  }

  /** Returns the summary for a request before anything is spent. */
  static AccountSummary empty(LedgerRequest asked, boolean otherKinds) {
    Budget limit = asked.terms().totalBudget();
    return new AccountSummary(
        asked.terms().account(),
        asked.guarantee().unit(),
        true,
        0.0,
        limit,
        otherKinds ? 0.0 : limit.epsilon(),
        List.of());
  }

  /** Returns one summary for each unit and relation. */
  static List<AccountSummary> of(
      String account, Collection<AccountEntry> charges, LedgerRequest asked) {
    Map<String, List<AccountEntry>> kinds = new LinkedHashMap<>();
    for (AccountEntry charge : charges) {
      String kind = charge.guarantee().unit() + " " + charge.guarantee().neighbours().label();
      kinds.computeIfAbsent(kind, k -> new ArrayList<>()).add(charge);
    }
    return kinds.values().stream().map(kind -> ofKind(account, kind, asked)).toList();
  }

  private static AccountSummary ofKind(
      String account, List<AccountEntry> charges, LedgerRequest asked) {
    UnitKind unit = charges.get(0).guarantee().unit();
    Neighbours neighbours = charges.get(0).guarantee().neighbours();
    Set<Budget> limits = new TreeSet<>(SMALLEST_FIRST);
    charges.forEach(charge -> limits.addAll(charge.totalBudgets()));
    if (isFor(account, unit, neighbours, asked)) {
      limits.add(asked.terms().totalBudget());
    }
    Budget limit = limits.iterator().next();
    PrivacyAccount spent = spent(charges);
    double left = limits.stream().mapToDouble(spent::left).min().orElseThrow();
    return new AccountSummary(
        account,
        unit,
        spent.isPrivate(),
        spent.epsilon(limit.delta()),
        limit,
        spent.isPrivate() ? left : 0.0,
        AccountLines.of(charges, limit.delta()));
  }

  boolean isFor(LedgerRequest asked) {
    return isFor(account, unit, limit.neighbours(), asked);
  }

  private static boolean isFor(
      String account, UnitKind unit, Neighbours neighbours, LedgerRequest asked) {
    return account.equals(asked.terms().account())
        && unit == asked.guarantee().unit()
        && neighbours == asked.guarantee().neighbours();
  }

  private static PrivacyAccount spent(List<AccountEntry> charges) {
    return PrivacyAccount.of(charges.stream().map(AccountEntry::spending).toList());
  }

  /**
   * Formats an epsilon in six digits, rounded up, since a smaller epsilon would promise too much. A
   * value within 1e-12 of a shorter number is formatted as that number.
   */
  public static String digits(double epsilon) {
    return digits(epsilon, RoundingMode.UP);
  }

  /** Formats {@link #left} in six digits, rounded down. */
  public String leftDigits() {
    return digits(left, RoundingMode.DOWN);
  }

  private static String digits(double epsilon, RoundingMode mode) {
    return epsilon == Double.POSITIVE_INFINITY
        ? "above " + (int) Budget.LARGEST_EPSILON
        : new BigDecimal(epsilon)
            .round(new MathContext(12, RoundingMode.HALF_EVEN))
            .round(new MathContext(6, mode))
            .stripTrailingZeros()
            .toPlainString();
  }
}

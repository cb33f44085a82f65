package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.testing.Effort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

final class PrivacyAccountTest {
  private static final Neighbours RELATION = Neighbours.REPLACE_ONE;

  private static Budget budget(double epsilon, double delta) {
    return new Budget(epsilon, delta, RELATION);
  }

  private static Spend spending(Budget promise, double distance, MechanismCost... costs) {
    return new Spend(UnitKind.ROW, promise, List.of(costs), distance, true);
  }

  /** A promise so large that only the mechanisms' composition can be the bound. */
  private static Spend gaussian(double mu) {
    return spending(budget(100, 0.1), 0.0, new MechanismCost.Gaussian(mu));
  }

  /** A stream with the largest mu for its promise. */
  private static Spend stream(double epsilon, double delta) {
    MechanismCost cost = new MechanismCost.Gaussian(GaussianDp.mu(epsilon, delta));
    return spending(budget(epsilon, delta), 0.0, cost);
  }

  private static PrivacyAccount account(Spend... spendings) {
    return PrivacyAccount.of(List.of(spendings));
  }

  @Test
  void nothingIsSpentAtFirst() {
    PrivacyAccount empty = account();
    assertThat(empty.delta(0.0)).isZero();
    assertThat(empty.epsilon(1e-6)).isZero();
    assertThat(empty.isPrivate()).isTrue();
    assertThat(empty.fits(budget(1e-9, 1e-9))).isTrue();
    assertThat(empty.left(budget(2.0, 1e-6))).isEqualTo(2.0);
  }

  /** In one spending with several mechanisms, and in several spendings. */
  @ParameterizedTest
  @CsvFileSource(resources = "account-epsilon.csv")
  void gaussiansComposeExactly(String mus, double delta, double exact) {
    double[] values = Arrays.stream(mus.split(";")).mapToDouble(Double::parseDouble).toArray();
    List<Spend> each = new ArrayList<>();
    List<MechanismCost> costs = new ArrayList<>();
    for (double mu : values) {
      each.add(gaussian(mu));
      costs.add(new MechanismCost.Gaussian(mu));
    }
    Spend together = new Spend(UnitKind.ROW, budget(100, 0.1), costs, 0.0, true);
    for (PrivacyAccount account : List.of(PrivacyAccount.of(each), account(together))) {
      assertThat(account.epsilon(delta) / exact).isCloseTo(1.0, within(1e-9));
      assertThat(account.delta(exact) / delta).isCloseTo(1.0, within(1e-8));
      assertThat(account.fits(budget(exact * (1 + 1e-8), delta))).isTrue();
      assertThat(account.fits(budget(exact * (1 - 1e-8), delta))).isFalse();
    }
  }

  /** By hand: sums, which know nothing of the mechanisms. */
  @Test
  void promisesAloneAddUp() {
    Spend half = spending(budget(0.5, 1e-7), 0.0, new MechanismCost.Approximate(0.5, 1e-7));
    Spend one = spending(budget(1.0, 2e-7), 0.0, new MechanismCost.Approximate(1.0, 2e-7));
    PrivacyAccount both = account(half, one);
    assertThat(both.epsilon(1e-6)).isBetween(1.499, 1.5);
    assertThat(both.delta(1.5)).isBetween(2.999e-7, 3e-7 * (1 + 1e-15));
    assertThat(both.delta(1.49)).isGreaterThan(1e-3);
    assertThat(both.epsilon(2.9e-7)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(both.fits(budget(1.5, 3.1e-7))).isTrue();
    assertThat(both.fits(budget(1.5, 2.9e-7))).isFalse();
  }

  /** With the rest: at most the delta of the Gaussian at eps - 0.5, and 1e-7 more. */
  @Test
  void aPromiseAndAMechanismAddUp() {
    Spend known = spending(budget(0.5, 1e-7), 0.0, new MechanismCost.Approximate(0.5, 1e-7));
    PrivacyAccount both = account(known, gaussian(0.25));
    double simple = 1e-7 + GaussianDp.delta(0.7, 0.25);
    assertThat(both.delta(1.2)).isBetween(simple / 10, simple * (1 + 1e-12));
    assertThat(both.delta(0.4)).isGreaterThan(0.05);
  }

  /** A stream fits its own promise to the last bit, at any epsilon and delta. */
  @ParameterizedTest
  @CsvSource({"1, 1e-6", "0.1, 1e-9", "0.3, 3e-7", "20, 0.001", "100, 0.1", "1e-3, 1e-12"})
  void oneStreamFitsItsOwnPromise(double epsilon, double delta) {
    PrivacyAccount one = account(stream(epsilon, delta));
    assertThat(one.fits(budget(epsilon, delta))).isTrue();
    assertThat(one.epsilon(delta)).isLessThanOrEqualTo(epsilon);
    assertThat(one.fits(budget(epsilon * 0.999, delta))).isFalse();
    assertThat(one.left(budget(epsilon, delta))).isLessThan(epsilon / 100);
    PrivacyAccount twice = one.plus(stream(epsilon, delta));
    assertThat(twice.fits(budget(epsilon, delta))).isFalse();
  }

  /** By hand: mu adds in squares, so epsilon grows by less than twice. */
  @Test
  void theSmallerBoundCounts() {
    PrivacyAccount two = account(stream(1, 1e-6), stream(1, 1e-6));
    double mu = Math.sqrt(2) * GaussianDp.mu(1, 1e-6);
    assertThat(GaussianDp.delta(two.epsilon(1e-6), mu) / 1e-6).isCloseTo(1.0, within(1e-9));
    assertThat(two.epsilon(1e-6)).isBetween(1.4, 1.5);
    // With both deltas to spend, the plain sums are a bound too, but the mechanisms' is smaller.
    assertThat(two.delta(2.0) / GaussianDp.delta(2.0, mu)).isCloseTo(1.0, within(1e-9));
  }

  /** Ten thousand hours of a user: as by hand, and as quick as one. */
  @Test
  void manyEqualSpendingsAreCounted() {
    double mu = GaussianDp.mu(0.02, 1e-6);
    Spend hour = spending(budget(0.02, 1e-6), 1e-24, new MechanismCost.Gaussian(mu));
    PrivacyAccount all = PrivacyAccount.of(Collections.nCopies(10_000, hour));
    double epsilon = all.epsilon(1e-6);
    assertThat(GaussianDp.delta(epsilon, 100.0 * mu) / 1e-6).isCloseTo(1.0, within(1e-6));
    assertThat(all.fits(budget(epsilon * (1 + 1e-8), 1e-6))).isTrue();
    assertThat(all.fits(budget(epsilon * (1 - 1e-8), 1e-6))).isFalse();
    assertThat(all.left(budget(2.0 * epsilon, 1e-6))).isGreaterThan(0.5 * epsilon);
  }

  @Test
  void saysHowOftenASpendingFits() {
    Spend hour = stream(0.1, 1e-6);
    Budget limit = budget(2, 1e-6);
    PrivacyAccount before = account(stream(1, 1e-6));
    int times = before.times(hour, limit, 1_000_000);
    assertThat(times).isBetween(2, 999);
    assertThat(after(before, hour, times).fits(limit)).isTrue();
    assertThat(after(before, hour, times + 1).fits(limit)).isFalse();
    assertThat(before.times(hour, limit, times - 1)).isEqualTo(times - 1);
    assertThat(before.times(stream(1.9, 1e-6), limit, 9)).isZero();
  }

  private static PrivacyAccount after(PrivacyAccount before, Spend more, int times) {
    List<Spend> all = new ArrayList<>(before.spendings());
    all.addAll(Collections.nCopies(times, more));
    return PrivacyAccount.of(all);
  }

  /** At epsilon 50 samplers off by 1e-20 might cost all of delta, but 1 is kept, so 50 is. */
  @Test
  void aLooseLimitIsKeptWhereATightOneIs() {
    double mu = GaussianDp.mu(1.0, 0.9e-6);
    PrivacyAccount one =
        account(spending(budget(60.0, 1e-6), 1e-20, new MechanismCost.Gaussian(mu)));
    assertThat(one.delta(50.0)).isGreaterThan(1e-6);
    assertThat(one.fits(budget(1.0, 1e-6))).isTrue();
    assertThat(one.fits(budget(50.0, 1e-6))).isTrue();
    assertThat(one.fits(budget(0.9, 1e-6))).isFalse();
  }

  /** 0.5 + 0.5 is 1 to the last bit. */
  @Test
  void sumsAreExact() {
    Spend tenth = spending(budget(0.1, 1e-9), 0.0, new MechanismCost.Approximate(0.1, 1e-9));
    Spend half = spending(budget(0.5, 1e-9), 0.0, new MechanismCost.Approximate(0.5, 1e-9));
    assertThat(account(half, half).fits(budget(1.0, 2e-9))).isTrue();
    assertThat(account(half, half).fits(budget(1.0, 1.99e-9))).isFalse();
    assertThat(account(half, half, tenth).fits(budget(1.09, 1e-6))).isFalse();
  }

  /** The distance of the samplers is paid for at the epsilon of the whole account. */
  @Test
  void samplersCostMoreAtALargerEpsilon() {
    Spend exact = gaussian(0.25);
    Spend sampled = spending(budget(100, 0.1), 1e-9, new MechanismCost.Gaussian(0.25));
    PrivacyAccount ideal = account(exact, exact);
    PrivacyAccount real = account(sampled, sampled);
    for (double epsilon : new double[] {0.5, 1, 3}) {
      double paid = real.delta(epsilon) - ideal.delta(epsilon);
      assertThat(paid / (2e-9 * (1 + Math.exp(epsilon)))).isCloseTo(1.0, within(1e-6));
    }
    double epsilon = real.epsilon(1e-6);
    assertThat(real.delta(epsilon)).isLessThanOrEqualTo(1e-6);
    assertThat(epsilon).isGreaterThan(ideal.epsilon(1e-6));
    assertThat(real.epsilon(1e-9)).isEqualTo(Double.POSITIVE_INFINITY);
  }

  /** 90 random accounts, or 15 in the default build. */
  @Test
  void aSpendingNeverLowersWhatIsSpent() {
    SplittableRandom random = new SplittableRandom(11);
    for (int run = 0; run < Effort.of(5, 30); run++) {
      PrivacyAccount account = account();
      for (int added = 0; added < 3; added++) {
        PrivacyAccount more = account.plus(random(random));
        double delta = Math.pow(10, -random.nextInt(2, 10));
        double epsilon = random.nextDouble(0, 20);
        assertThat(more.epsilon(delta)).isGreaterThanOrEqualTo(account.epsilon(delta) - 1e-11);
        assertThat(more.delta(epsilon)).isGreaterThanOrEqualTo(account.delta(epsilon) * (1 - 1e-9));
        assertThat(more.epsilon(delta)).isGreaterThan(0.0);
        account = more;
      }
    }
  }

  private static Spend random(SplittableRandom random) {
    double epsilon = random.nextDouble(0.01, 5);
    double delta = Math.pow(10, -random.nextDouble(6, 12));
    Spend known = stream(epsilon, delta);
    return random.nextInt(3) == 0
        ? spending(known.budget(), 0.0, new MechanismCost.Approximate(epsilon, delta))
        : spending(known.budget(), 0x1p-90, known.costs().get(0));
  }

  @ParameterizedTest
  @CsvSource({"1, 1e-6, 2, 1e-6", "0.5, 1e-7, 1, 1e-6", "3, 1e-6, 3.5, 1e-6"})
  void whatIsLeftFitsAndMoreDoesNot(double epsilon, double delta, double limit, double at) {
    PrivacyAccount account = account(stream(epsilon, delta));
    double left = account.left(budget(limit, at));
    assertThat(left).isBetween(1e-3, limit);
    assertThat(account.plus(stream(left, at)).fits(budget(limit, at))).isTrue();
    assertThat(account.plus(stream(left * 1.001, at)).fits(budget(limit, at))).isFalse();
  }

  @Test
  void refusesWhatDoesNotAddUp() {
    Spend rows = gaussian(1);
    Spend users = new Spend(UnitKind.USER, rows.budget(), rows.costs(), 0.0, true);
    Spend added =
        spending(new Budget(1, 1e-6, Neighbours.ADD_REMOVE), 0.0, new MechanismCost.Gaussian(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> account(rows, users))
        .withMessage(
            "unit and relation of what adds up must be equal. Provided value: row, replace-one and"
                + " user, replace-one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> account(rows).plus(added))
        .withMessageEndingWith("row, replace-one and row, add-remove");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> account(rows).fits(added.budget()))
        .withMessage("relation of the limit must be replace-one. Provided value: add-remove");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> spending(rows.budget(), 2.0, rows.costs().get(0)))
        .withMessage("distance must be in [0, 1]. Provided value: 2.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> spending(rows.budget(), 0.0))
        .withMessageStartingWith("costs must not be empty");
  }

  @Test
  void testRandomnessShows() {
    Spend fake = new Spend(UnitKind.ROW, budget(1, 1e-6), gaussian(1).costs(), 0.0, false);
    assertThat(account(gaussian(1)).isPrivate()).isTrue();
    assertThat(account(gaussian(1), fake).isPrivate()).isFalse();
  }
}

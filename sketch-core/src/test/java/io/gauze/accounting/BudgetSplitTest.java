package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.BudgetSplit.Part;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class BudgetSplitTest {
  private static final BudgetSplit.Family GAUSSIAN = new BudgetSplit.Gaussian();
  private static final BudgetSplit.Family LAPLACE = new BudgetSplit.Laplace();

  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void thePartsSpendTheBudget(Neighbours neighbours) {
    List<Part> parts =
        List.of(
            new Part(GAUSSIAN, 1.0),
            new Part(LAPLACE, 2.0),
            new Part(new BudgetSplit.Projection(64), 1.0),
            new Part(new BudgetSplit.Wishart(5, 200), 0.5));
    double directions = neighbours == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
    for (Budget budget :
        List.of(new Budget(0.3, 1e-6, neighbours), new Budget(2.0, 1e-9, neighbours))) {
      List<MechanismCost> costs = BudgetSplit.of(budget, parts);
      double delta = Composition.of(neighbours, costs).delta(budget.epsilon());
      assertThat(delta / budget.delta()).isBetween(1.0 - 1e-6, 1.0);
      double mu = ((MechanismCost.Gaussian) costs.get(0)).mu();
      double epsilon = ((MechanismCost.Laplace) costs.get(1)).epsilon();
      assertThat(epsilon / mu).isCloseTo(Math.sqrt(2.0), within(1e-12));
      double ridge = ((MechanismCost.Projection) costs.get(2)).ridge();
      assertThat(ridge * mu).isCloseTo(Math.sqrt(32.0 * directions), within(1e-9));
      double scale = ((MechanismCost.Wishart) costs.get(3)).noise().scale();
      double expected = directions / Math.sqrt(0.5 * 2.0 * 196.0);
      assertThat(scale * mu).isCloseTo(expected, within(1e-12));
      // Sizes are those of Gaussians, roughly.
      double gaussian = GaussianDp.mu(budget.epsilon(), budget.delta()) / Math.sqrt(4.5);
      assertThat(mu / gaussian).isBetween(0.8, 1.25);
    }
  }

  @Test
  void gaussiansAreSplitAsEver() {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    double[] expected = GaussianDp.split(GaussianDp.mu(1.0, 1e-6), 1.0, 3.0, 0.2);
    List<MechanismCost> costs =
        BudgetSplit.of(
            budget, List.of(new Part(GAUSSIAN, 1), new Part(GAUSSIAN, 3), new Part(GAUSSIAN, 0.2)));
    for (int i = 0; i < 3; i++) {
      assertThat(costs.get(i)).isEqualTo(new MechanismCost.Gaussian(expected[i]));
    }
  }

  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void oneMechanismIsCalibratedAsIfAlone(Neighbours neighbours) {
    for (Budget budget :
        List.of(new Budget(0.1, 1e-6, neighbours), new Budget(3.0, 1e-12, neighbours))) {
      double ridge =
          ((MechanismCost.Projection) only(budget, new BudgetSplit.Projection(30))).ridge();
      assertThat(ridge / ProjectionPrivacy.ridge(budget, 30)).isBetween(1.0, 1.0 + 1e-9);
      WishartNoise noise =
          ((MechanismCost.Wishart) only(budget, new BudgetSplit.Wishart(5, 90))).noise();
      double scale = WishartPrivacy.leastScale(budget, 5, 90).scale();
      assertThat(noise.scale() / scale).isBetween(1.0, 1.0 + 1e-9);
      // Delta does not raise the epsilon of one mechanism.
      assertThat(only(budget, LAPLACE)).isEqualTo(new MechanismCost.Laplace(budget.epsilon()));
      double own = 1e-3 * budget.delta();
      assertThat(only(budget, new BudgetSplit.Approximate(own)))
          .isEqualTo(new MechanismCost.Approximate(budget.epsilon(), own));
    }
  }

  private static MechanismCost only(Budget budget, BudgetSplit.Family family) {
    return BudgetSplit.of(budget, List.of(new Part(family, 7.0))).get(0);
  }

  @Test
  void refusesWhatIsOutOfRange() {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> BudgetSplit.of(budget, List.of(new Part(new BudgetSplit.Approximate(1e-6), 1))))
        .withMessageStartingWith("epsilon must be smaller or delta larger");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BudgetSplit.of(budget, List.of()))
        .withMessage("parts must not be empty. Provided value: []");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Part(GAUSSIAN, 0.0))
        .withMessage("weight must be > 0 and finite. Provided value: 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> BudgetSplit.of(budget, List.of(new Part(LAPLACE, 1), new Part(LAPLACE, 1e-20))))
        .withMessage("weight must be at least 1e-12 of the sum. Provided value: 1.0E-20");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BudgetSplit.Projection(0))
        .withMessage("rows must be in [1, 1048576]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BudgetSplit.Wishart(5, 6))
        .withMessage("degreesOfFreedom must be in [7, 1000000]. Provided value: 6");
  }
}

package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.model.IrlsSpec;
import io.gauze.model.ModelRows;
import io.gauze.model.ObjectiveSpec;
import io.gauze.model.PrivateIrls;
import io.gauze.noise.Randomness;
import io.gauze.testing.Effort;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much worse models of the defaults are than exact fits; replace-one, delta 1e-6. */
final class IrlsModelAccuracyTest {
  private static final int FITS = Effort.of(5, 21);

  /** 5 % of gross outliers on one side, on which least squares is 13 % off. */
  @ParameterizedTest
  @CsvSource({"10000, 1.0, 11", "100000, 0.1, 6.2", "100000, 1.0, 0.2"})
  void outliersDoLittle(int rows, double epsilon, double most) {
    Effort.skipIfLong(epsilon != 1.0);
    LadRows data = LadRows.simulated(rows, 10, 1);
    int features = data.dimension() - 1;
    double bound = ObjectiveSpec.defaultFeatureBound(features, LadRows.INTERCEPT);
    Budget budget = new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE);
    PrivateIrls mechanism = PrivateIrls.of(IrlsSpec.of(features, bound, budget));
    ModelRows list = mechanism.rows();
    for (double[] row : data.rows()) {
      list.add(Arrays.copyOf(row, features), row[features]);
    }
    double[] excesses =
        IntStream.range(0, FITS)
            .mapToDouble(
                fit ->
                    100.0
                        * data.excess(
                            mechanism
                                .fit(list, Randomness.insecureForTests(fit), "fit")
                                .coefficients()
                                .toArray()))
            .sorted()
            .toArray();
    assertThat(excesses[FITS / 2]).isBetween(0.0, most);
  }
}

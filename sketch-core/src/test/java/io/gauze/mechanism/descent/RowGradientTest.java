package io.gauze.mechanism.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.row.ColumnBatch;
import org.junit.jupiter.api.Test;

final class RowGradientTest {
  /** z = (2 a, a + b, a - b + c); the residual c' = z_2 - 0.5 z_0 + 2 z_1, in units of 4. */
  @Test
  void itIsTheResidualTimesTheFeatures() {
    RowTransform transform = RowTransform.of(3, 2, 2.0, 1.0, 1.0, 1.0, -1.0, 1.0);
    RowGradient gradient =
        new RowGradient(transform, DoubleVector.of(0.5, -2.0), new RowWeight.OfSquares(4.0));
    int rows = 700; // of several slabs
    ColumnBatch batch = new ColumnBatch(3);
    ColumnBatch mapped = new ColumnBatch(3);
    batch.resize(rows);
    mapped.resize(rows);
    for (int i = 0; i < rows; i++) {
      double[][] slab = batch.slab(i / batch.lanes());
      slab[0][i % batch.lanes()] = 1.0;
      slab[1][i % batch.lanes()] = i;
      slab[2][i % batch.lanes()] = -3.0 * i;
    }
    gradient.apply(batch, mapped);
    for (int i = 0; i < rows; i++) {
      double[][] slab = mapped.slab(i / mapped.lanes());
      double residual = (1.0 - i - 3.0 * i - 1.0 + 2.0 * (1.0 + i)) / 4.0;
      assertThat(slab[0][i % mapped.lanes()]).isEqualTo(2.0 * residual);
      assertThat(slab[1][i % mapped.lanes()]).isEqualTo((1.0 + i) * residual);
      assertThat(slab[2][i % mapped.lanes()]).isZero();
    }
  }

  /** Slopes of (2q - 1 + clamped r / k) over 1.6, of features that are shortened to a bound. */
  @Test
  void slopesOfAQuantileAreBounded() {
    double[][] columns = {{3.0, 0.3, 3.0, 0.3}, {4.0, 0.4, 4.0, 0.4}, {0.05, -0.1, 9.0, -9.0}};
    new RowWeight.OfQuantile(0.8, 0.2, 2.0).apply(columns, 4);
    double[] expected = {0.85 / 1.6 / 5.0, 0.1 / 1.6 / 2.0, 1.0 / 5.0, -0.4 / 1.6 / 2.0};
    assertThat(columns[2]).containsExactly(expected, within(1e-15));
    assertThat(columns[0]).containsExactly(3.0, 0.3, 3.0, 0.3);
  }

  @Test
  void weightsOfNothingAreAlike() {
    double[][] columns = {{3.0, 0.3}, {7.0, -7.0}};
    new RowWeight.OfNothing(4.0).apply(columns, 2);
    assertThat(columns[1]).containsExactly(0.25, 0.25);
  }
}

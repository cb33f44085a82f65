package io.gauze.mechanism.descent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.row.ColumnBatch;
import org.junit.jupiter.api.Test;

final class RowGradientTest {
  /** z = (2 a, a + b, a - b + c); the residual c' = z_2 - 0.5 z_0 + 2 z_1, in units of 4. */
  @Test
  void itIsTheResidualTimesTheFeatures() {
    RowTransform transform = RowTransform.of(3, 2, 2.0, 1.0, 1.0, 1.0, -1.0, 1.0);
    RowGradient gradient = new RowGradient(transform, DoubleVector.of(0.5, -2.0), 4.0);
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
}

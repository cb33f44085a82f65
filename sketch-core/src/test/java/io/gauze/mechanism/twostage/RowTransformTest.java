package io.gauze.mechanism.twostage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.row.ColumnBatch;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against products and inverses of whole matrices. */
final class RowTransformTest {
  private static final int SIZE = 6;

  private static double[] entries(SplittableRandom random) {
    double[] lower = new double[RowTransform.length(SIZE)];
    int next = 0;
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j <= i; j++) {
        lower[next++] = i == j ? random.nextDouble(0.5, 3.0) : random.nextDouble(-2.0, 2.0);
      }
    }
    return lower;
  }

  /** The matrix of a map of columns in the order of the row. */
  private static DMatrixRMaj whole(RowTransform transform) {
    DMatrixRMaj matrix = transform.matrix();
    DMatrixRMaj whole = new DMatrixRMaj(SIZE, SIZE);
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j < SIZE; j++) {
        whole.set(i, transform.order().get(j), matrix.get(i, j));
      }
    }
    return whole;
  }

  private static double[] product(DMatrixRMaj matrix, double... row) {
    DMatrixRMaj product = new DMatrixRMaj(SIZE, 1);
    CommonOps_DDRM.mult(matrix, DMatrixRMaj.wrap(SIZE, 1, row), product);
    return product.getData();
  }

  private static double[] row(SplittableRandom random) {
    return random.doubles(SIZE, -1.0, 1.0).toArray();
  }

  private static double[] applied(RowTransform transform, double... row) {
    double[] out = new double[SIZE];
    transform.apply(row, out);
    return out;
  }

  @ParameterizedTest
  @CsvSource({"1, 0 2 3 4 5 1", "3, 0 1 2 4 5 3", "5, 0 1 2 3 4 5"})
  void mapsRowsAsItsMatrixDoes(int last, String order) {
    SplittableRandom random = new SplittableRandom(last);
    RowTransform transform = RowTransform.of(SIZE, last, entries(random));
    assertThat(transform.order())
        .isEqualTo(List.of(order.split(" ")).stream().map(Integer::valueOf).toList());
    for (int i = 0; i < 100; i++) {
      double[] row = row(random);
      assertThat(applied(transform, row))
          .containsExactly(product(whole(transform), row), within(1e-14));
    }
    double[] constant = new double[SIZE];
    constant[0] = 0.7;
    assertThat(transform.constant(0.7)).isEqualTo(applied(transform, constant)[0]);
  }

  /** Places of all remainders of four, and batches that fill some lanes only. */
  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 300, 700, 1024})
  void mapsRowsOfABatchAsOneByOne(int rows) {
    SplittableRandom random = new SplittableRandom(rows);
    RowTransform transform = RowTransform.of(SIZE, 3, entries(random));
    ColumnBatch batch = new ColumnBatch(SIZE);
    ColumnBatch mapped = new ColumnBatch(SIZE);
    batch.resize(rows);
    mapped.resize(rows);
    double[][] all = new double[rows][];
    for (int k = 0; k < rows; k++) {
      all[k] = row(random);
      for (int i = 0; i < SIZE; i++) {
        batch.slab(k / batch.lanes())[i][k % batch.lanes()] = all[k][i];
      }
    }
    transform.apply(batch, mapped);
    for (int k = 0; k < rows; k++) {
      double[] expected = applied(transform, all[k]);
      for (int i = 0; i < SIZE; i++) {
        assertThat(mapped.slab(k / batch.lanes())[i][k % batch.lanes()]).isEqualTo(expected[i]);
      }
    }
  }

  @Test
  void theIdentityChangesTheOrderAlone() {
    double[] row = {1, 2, 3, 4, 5, 6};
    assertThat(applied(RowTransform.identity(SIZE, 2), row)).containsExactly(1, 2, 4, 5, 6, 3);
  }

  /** A second map is of rows in the order that the first one gives them. */
  @Test
  void oneAfterTheOtherIsTheProduct() {
    SplittableRandom random = new SplittableRandom(8);
    RowTransform first = RowTransform.of(SIZE, 2, entries(random));
    DMatrixRMaj step = RowTransform.of(SIZE, SIZE - 1, entries(random)).matrix();
    RowTransform both = first.then(step);
    assertThat(both.order()).isEqualTo(first.order());
    for (int i = 0; i < 100; i++) {
      double[] row = row(random);
      assertThat(applied(both, row))
          .containsExactly(product(step, applied(first, row)), within(1e-13));
      assertThat(applied(both.times(0.25), row))
          .containsExactly(
              Arrays.stream(applied(both, row)).map(entry -> 0.25 * entry).toArray(),
              within(1e-15));
    }
  }

  @Test
  void theInverseGivesTheRowBack() {
    SplittableRandom random = new SplittableRandom(9);
    RowTransform transform = RowTransform.of(SIZE, 4, entries(random));
    DMatrixRMaj inverse = transform.inverse();
    DMatrixRMaj product = new DMatrixRMaj(SIZE, SIZE);
    CommonOps_DDRM.mult(inverse, transform.matrix(), product);
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j < SIZE; j++) {
        assertThat(product.get(i, j)).isCloseTo(i == j ? 1.0 : 0.0, within(1e-12));
      }
    }
    double[] row = row(random);
    double[] back = product(inverse, applied(transform, row));
    for (int k = 0; k < SIZE; k++) {
      assertThat(back[k]).isCloseTo(row[transform.order().get(k)], within(1e-12));
    }
  }

  /**
   * Whole numbers of units are released, and read again they are the map that rows went through.
   */
  @Test
  void numbersAreRoundedAndTheDiagonalStaysPositive() {
    RowTransform transform = RowTransform.of(2, 1, 1.26, -3.3, 1e-9);
    assertThat(transform.numbers(0.5)).containsExactly(3, -7, 1);
    RowTransform released = transform.of(1.5, -3.5, 0.5);
    assertThat(released.order()).isEqualTo(transform.order());
    assertThat(released.numbers(0.5)).containsExactly(3, -7, 1);
    assertThat(RowTransform.of(2, 1, 1e300, -1e300, 1.0).numbers(1.0))
        .containsExactly(Long.MAX_VALUE, Long.MIN_VALUE, 1);
  }

  @Test
  void whatIsNoMapIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowTransform.of(2, 1, 1.0, 0.0, 0.0))
        .withMessageContaining("diagonal of the transform must be > 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowTransform.of(2, 1, 1.0, Double.NaN, 1.0))
        .withMessageContaining("transform");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowTransform.of(2, 1, 1.0, 1.0))
        .withMessageContaining("transform must have 3 entries. Provided value: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowTransform.of(2, 2, 1.0, 1.0, 1.0))
        .withMessageContaining("last column must be in [1, 1]. Provided value: 2");
  }
}

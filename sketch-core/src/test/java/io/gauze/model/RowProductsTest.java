package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.row.ColumnBatch;
import io.gauze.row.RowClipper;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RowProductsTest {
  private static final int FEATURES = 7;
  private static final int ROWS = 9_000; // more than two blocks

  private static List<double[]> data() {
    SplittableRandom random = new SplittableRandom(6);
    List<double[]> data = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      double[] row = new double[FEATURES + 1];
      for (int k = 0; k < row.length; k++) {
        row[k] = random.nextDouble(-1.0, 1.0);
      }
      row[0] = 0.5;
      data.add(row);
    }
    return data;
  }

  private static void add(ModelRows rows, double... row) {
    double[] features = new double[FEATURES];
    System.arraycopy(row, 0, features, 0, FEATURES);
    rows.add(features, row[FEATURES]);
  }

  private static ModelRows list() {
    ModelRows rows = ModelRows.unclipped(FEATURES);
    data().forEach(row -> add(rows, row));
    return rows;
  }

  /** Rows are added one by one in doubles, with clamps that many of them reach. */
  @Test
  void productsAreThoseOfClampedFeaturesAndResiduals() {
    double[] theta = {0.25, -0.5, 1.5};
    int[] features = {0, 2, 5};
    long[] sums = new RowProducts(list()).products(features, theta, 0.6, 0.8);
    double[] expected = new double[FEATURES];
    for (double[] row : data()) {
      double residual = row[FEATURES];
      for (int k = 0; k < 3; k++) {
        residual -= theta[k] * row[features[k]];
      }
      residual = Math.max(-0.8, Math.min(0.8, residual));
      for (int j = 0; j < FEATURES; j++) {
        expected[j] += Math.max(-0.6, Math.min(0.6, row[j])) * residual;
      }
    }
    for (int j = 0; j < FEATURES; j++) {
      // two roundings toward zero of 2^-16, of at most 0.8 and 0.6
      assertThat(sums[j] / RowProducts.units())
          .isCloseTo(expected[j], within(ROWS * 1.4 * 0x1p-16));
    }
  }

  /** One row of any size: at most what is said, exactly, and up to a rounding as much. */
  @Test
  void oneRowChangesASumByNoMoreThanIsSaid() {
    SplittableRandom random = new SplittableRandom(8);
    for (int trial = 0; trial < 2_000; trial++) {
      double end = random.nextDouble(0.01, 1.0);
      double largest = random.nextDouble(0.01, 1.0);
      double[] row = new double[FEATURES + 1];
      for (int k = 0; k < row.length; k++) {
        row[k] = random.nextBoolean() ? random.nextDouble(-2.0, 2.0) : 200.0;
      }
      row[1] = 100.0;
      row[2] = -100.0;
      ModelRows one = ModelRows.unclipped(FEATURES);
      add(one, row);
      double[] theta = {random.nextDouble(-64.0, 64.0)};
      long[] sums = new RowProducts(one).products(new int[] {2}, theta, end, largest);
      double bound = end * largest * RowProducts.units();
      for (long sum : sums) {
        assertThat((double) Math.abs(sum)).isLessThanOrEqualTo(bound);
      }
      if (Math.abs(theta[0]) > 5.0) { // the residual is beyond its bound
        assertThat((double) Math.abs(sums[1])).isGreaterThan(bound - 3.0 * 0x1p16);
      }
    }
  }

  @Test
  void momentsAreThoseOfShortenedRows() {
    RowClipper clipper = RowClipper.of(4, 0.7, 0.5);
    int[] features = {0, 3, 6};
    long[] upper = new RowProducts(list()).moments(clipper, features);
    long[] expected = new long[10];
    int[] steps = new int[4];
    for (double[] row : data()) {
      double[] few = {row[0], row[3], row[6], row[FEATURES]};
      for (int k = 0; k < 4; k++) { // as in the list: features on 2^-22, the response on 2^-30
        double cut = k < 3 ? Math.floor(Math.abs(few[k]) * 0x1p22) : 0.0;
        few[k] =
            k < 3 ? Math.copySign(cut * 0x1p-22, few[k]) : Math.rint(few[k] * 0x1p30) * 0x1p-30;
      }
      clipper.clip(few, steps);
      int next = 0;
      for (int i = 0; i < 4; i++) {
        for (int j = i; j < 4; j++) {
          expected[next++] += (long) steps[i] * steps[j];
        }
      }
    }
    assertThat(upper).containsExactly(expected);
  }

  private static double mapped(double entry, double next) {
    return 0.75 * entry - 0.5 * next;
  }

  /** Several threads go through three blocks: sums of mapped rows are exact in any order. */
  @Test
  void sumsOfMappedRowsAreThoseOfEachRow() {
    ModelRows rows = ModelRows.ofUnitEntries(FEATURES);
    ModelRows again = ModelRows.ofUnitEntries(FEATURES);
    again.letGo(list -> data().forEach(row -> add(list, row)));
    RowClipper clipper = RowClipper.of(FEATURES, 1.0);
    RowProducts.RowMap map =
        (batch, mapped) -> {
          for (int s = 0; s < ColumnBatch.SLABS; s++) {
            double[][] from = batch.slab(s);
            for (int k = 0; k < FEATURES; k++) {
              for (int lane = 0; lane < batch.rows(s); lane++) {
                mapped.slab(s)[k][lane] = mapped(from[k][lane], from[(k + 1) % FEATURES][lane]);
              }
            }
          }
        };
    RowProducts.NormCell cell = square -> square < 0.5 ? 0 : square < 1.0 ? 1 : 2;
    long[] moments = new long[FEATURES * (FEATURES + 1) / 2];
    long[] counts = new long[3];
    int[] steps = new int[FEATURES];
    double[] mapped = new double[FEATURES];
    for (double[] row : data()) {
      add(rows, row);
      add(again, row);
      double[] onGrid = new double[FEATURES];
      for (int k = 0; k < FEATURES; k++) {
        double whole = Math.floor(Math.abs(row[k]) * 0x1p30);
        onGrid[k] = Math.copySign(whole * 0x1p-30, row[k]);
      }
      double square = 0.0;
      for (int k = 0; k < FEATURES; k++) {
        mapped[k] = mapped(onGrid[k], onGrid[(k + 1) % FEATURES]);
        square += mapped[k] * mapped[k];
      }
      counts[cell.of(square)]++;
      clipper.clip(mapped, steps);
      int next = 0;
      for (int i = 0; i < FEATURES; i++) {
        for (int j = i; j < FEATURES; j++) {
          moments[next++] += (long) steps[i] * steps[j];
        }
      }
    }
    for (ModelRows each : List.of(rows, again)) {
      assertThat(new RowProducts(each).moments(map, clipper)).containsExactly(moments);
      assertThat(new RowProducts(each).counts(map, cell, 3)).containsExactly(counts);
    }
    RowProducts none = new RowProducts(ModelRows.ofUnitEntries(FEATURES));
    assertThat(none.moments(map, clipper)).containsOnly(0);
    assertThat(none.counts(map, cell, 3)).containsOnly(0);
  }

  /** Rows that are not kept, but read again, have the same sums to the last bit. */
  @Test
  void rowsThatAreReadAgainHaveTheSameSums() {
    ModelRows rows = ModelRows.unclipped(FEATURES);
    rows.letGo(again -> data().forEach(row -> add(again, row)));
    data().forEach(row -> add(rows, row));
    RowProducts held = new RowProducts(list());
    RowProducts again = new RowProducts(rows);
    int[] features = {0, 2};
    double[] theta = {0.3, -1.0};
    assertThat(again.products(features, theta, 1.0, 1.0))
        .containsExactly(held.products(features, theta, 1.0, 1.0));
    RowClipper clipper = RowClipper.of(3, 1.0, 1.0);
    assertThat(again.moments(clipper, features)).containsExactly(held.moments(clipper, features));
  }

  @Test
  void rangesAreChecked() {
    RowProducts products = new RowProducts(ModelRows.unclipped(FEATURES));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> products.products(new int[1], new double[] {65.0}, 1.0, 1.0))
        .withMessage("theta must be in [-64, 64]. Provided value: 65.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> products.products(new int[0], new double[0], 1.0, 1.5))
        .withMessage("largest must be in [0, 1]. Provided value: 1.5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> products.moments(RowClipper.of(4, 1.0, 1.0), 0, 1))
        .withMessage("features must have 3 entries. Provided value: 2");
    assertThat(ModelRows.unclipped(FEATURES).featureBound()).isEqualTo(256.0);
  }
}

package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.sketch.SecondMoments;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnBatchTest {
  private static final double[] ODD = {
    Double.NaN, Double.POSITIVE_INFINITY, -1e200, -0.0, 0x1p-1074, 0x1p-15, -0x1.fffffffffffffp-16
  };

  private static double[] row(int dimension, SplittableRandom random) {
    double[] row = new double[dimension];
    double size = 3.0 * random.nextDouble() / Math.sqrt(dimension);
    for (int i = 0; i < dimension; i++) {
      row[i] = random.nextDouble(-size, size);
    }
    if (random.nextInt(10) == 0) {
      row[random.nextInt(dimension)] = ODD[random.nextInt(ODD.length)];
    }
    if (random.nextInt(5) == 0) { // the norm is that of the bound, up to roundings
      double square = 0.0;
      for (double entry : row) {
        square += entry * entry;
      }
      for (int i = 0; i < dimension; i++) {
        row[i] /= Math.sqrt(square);
      }
    }
    return row;
  }

  private static ColumnBatch batch(double[]... rows) {
    ColumnBatch batch = new ColumnBatch(rows[0].length);
    batch.resize(rows.length);
    for (double[][] slab : new double[][][] {batch.slab(0), batch.slab(3)}) {
      slab[0][5] = 7.0; // of rows before
    }
    for (int k = 0; k < rows.length; k++) {
      for (int i = 0; i < rows[k].length; i++) {
        batch.slab(k / batch.lanes())[i][k % batch.lanes()] = rows[k][i];
      }
    }
    return batch;
  }

  private static void assertClippedAlike(RowClipper clipper, int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int dimension = clipper.dimension();
    double[][] all = new double[rows][];
    for (int k = 0; k < rows; k++) {
      all[k] = row(dimension, random);
    }
    ColumnBatch batch = batch(all);
    clipper.clip(batch);
    SecondMomentsSpec spec = new SecondMomentsSpec(dimension);
    SecondMoments expected = SecondMoments.create(spec);
    EncodedRow steps = new EncodedRow(dimension);
    for (int k = 0; k < rows; k++) {
      clipper.clip(all[k].clone(), steps.values());
      expected.add(new RowTag(), steps, 1);
      for (int i = 0; i < dimension; i++) {
        assertThat(batch.slab(k / batch.lanes())[i][k % batch.lanes()])
            .isEqualTo(0.0 + steps.values()[i]);
      }
    }
    SecondMoments sums = SecondMoments.create(spec);
    sums.add(batch);
    assertThat(sums).isEqualTo(expected);
  }

  /** Rows of all kinds, with batches that fill all lanes, or some of them. */
  @ParameterizedTest
  @CsvSource({"2, 1", "3, 63", "7, 64", "12, 65", "12, 300", "5, 700", "12, 1024", "600, 256"})
  void rowsAreClippedAndAddedAsOneByOne(int dimension, int rows) {
    assertClippedAlike(RowClipper.of(dimension, 1.0), rows, 7);
    assertClippedAlike(RowClipper.of(dimension, Math.nextDown(Math.sqrt(5.0))), rows, 8);
    assertClippedAlike(RowClipper.of(dimension, 0.75, 0.5), rows, 9);
  }

  /** No row is longer than this bound: entries are only put on the grid. */
  @Test
  void rowsWithinTheirBoundAreClippedAsOneByOne() {
    double[] row = {0.25, Double.NaN, -1.0, 0x1.8p-15};
    NormBound vacuous = new NormBound(4, 2.0, 2.0, Grid.forRowBound(2.0));
    int[] steps = new int[4];
    ColumnBatch batch = batch(row);
    vacuous.apply(batch);
    vacuous.apply(row, 1, steps, 0);
    for (int i = 0; i < 4; i++) {
      assertThat(batch.slab(0)[i][0]).isEqualTo(steps[i]);
    }
  }

  /** Five equal entries are one step over a bound just below sqrt(5), see NormBoundTest. */
  @Test
  void theIntegersDecide() {
    double[] row = {1, -1, -1, -1, -1};
    NormBound below = new NormBound(5, Math.nextDown(Math.sqrt(5.0)), 9.0, Grid.forRowBound(2.0));
    ColumnBatch batch = batch(row, row.clone());
    below.apply(batch);
    for (int k = 0; k < 2; k++) {
      long square = 0;
      for (int i = 0; i < 5; i++) {
        square += Math.round(batch.slab(0)[i][k] * batch.slab(0)[i][k]);
      }
      assertThat(square).isLessThanOrEqualTo(below.largestSquare());
      assertThat(batch.slab(0)[4][k]).isEqualTo(-batch.slab(0)[0][k] + 1);
    }
  }

  @Test
  void rowsFillOneSlabAfterTheOther() {
    ColumnBatch batch = new ColumnBatch(3);
    assertThat(batch.capacity()).isEqualTo(1024);
    batch.resize(600);
    assertThat(batch.lanes()).isEqualTo(256);
    for (int s = 0; s < ColumnBatch.SLABS; s++) {
      assertThat(batch.rows(s)).isEqualTo(s < 2 ? 256 : s == 2 ? 88 : 0);
      assertThat(batch.first(s)).isEqualTo(Math.min(600, 256 * s));
    }
    assertThat(new ColumnBatch(4096).capacity()).isEqualTo(256);
    assertThat(ColumnBatch.memoryBytes(12)).isEqualTo(12 * 1024 * 8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.resize(1025))
        .withMessage("rows must be in [0, 1024]. Provided value: 1025");
    assertThat(batch)
        .hasToString(String.format(Locale.ROOT, "ColumnBatch[dimension=3, 600 of 1024]"));
  }
}

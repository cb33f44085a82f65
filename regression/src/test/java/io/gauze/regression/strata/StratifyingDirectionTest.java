package io.gauze.regression.strata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.regression.Simulation;
import java.util.List;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;

class StratifyingDirectionTest {
  private static final StratifyingDirection AXIS = StratifyingDirection.of(2, 0.3, -1.5, 2.0, 0.7);

  /** In the place of column 2 comes z, with weights of norm 1. */
  @Test
  void turnedSumsAreThoseOfTurnedRows() {
    double[] row = {0.5, -0.3, 0.8, 0.1};
    double z = 0.0;
    for (int j = 0; j < 4; j++) {
      z += AXIS.weights().get(j) * row[j];
    }
    assertThat(z * AXIS.half()).isNotZero();
    double[] turned = {0.5, -0.3, z, 0.1};
    same(AXIS.turned(List.of(square(row))).get(0), square(turned));
    assertThat(Math.sqrt(Simulation.norm2(AXIS.weights().toArray()))).isCloseTo(1.0, within(1e-15));
    // the ends of the strata are where the given weights sum to 1
    assertThat(z / AXIS.half())
        .isCloseTo(0.3 * 0.5 - 1.5 * -0.3 + 2.0 * 0.8 + 0.7 * 0.1, within(1e-15));
  }

  private static DMatrixRMaj square(double... row) {
    DMatrixRMaj square = new DMatrixRMaj(row.length, row.length);
    for (int i = 0; i < row.length; i++) {
      for (int j = 0; j < row.length; j++) {
        square.set(i, j, row[i] * row[j]);
      }
    }
    return square;
  }

  private static void same(DMatrixRMaj found, DMatrixRMaj wanted) {
    for (int i = 0; i < wanted.getNumElements(); i++) {
      assertThat(found.get(i)).isCloseTo(wanted.get(i), within(1e-12));
    }
  }

  @Test
  void turnAndBackAreInverse() {
    SplittableRandom random = new SplittableRandom(4);
    double[] mean = random.doubles(4, -1.0, 1.0).toArray();
    DMatrixRMaj covariance = square(random.doubles(4, -1.0, 1.0).toArray());
    DMatrixRMaj turnedMean = AXIS.turned(List.of(square(mean))).get(0); // m m', turned
    double z = turnedMean.get(2, 0) / mean[0];
    StrataModel.Part part =
        new StrataModel.Part(3.0, DoubleVector.of(new double[] {mean[0], mean[1], z, mean[3]}));
    StrataModel.Group group =
        new StrataModel.Group(AXIS.turned(List.of(covariance)).get(0), List.of(part), 1.0);
    StrataModel back = AXIS.back(new StrataModel(List.of(group), 4));
    same(back.groups().get(0).covariance(), covariance);
    StrataModel.Part found = back.groups().get(0).parts().get(0);
    assertThat(found.rows()).isEqualTo(3.0);
    same(new DMatrixRMaj(found.mean().toArray()), new DMatrixRMaj(mean));
  }

  @Test
  void aColumnStaysWhereItIs() {
    StratifyingDirection column = StratifyingDirection.of(1, 3);
    List<DMatrixRMaj> sums = List.of(square(1, 2, 3));
    assertThat(column.isColumn()).isTrue();
    assertThat(column.turned(sums)).isSameAs(sums);
    assertThat(column.half()).isEqualTo(1.0);
    assertThat(AXIS.isColumn()).isFalse();
  }

  @Test
  void columnsMayBeInAnotherOrder() {
    StratifyingDirection moved = AXIS.select(0, 3, 2, 1);
    assertThat(moved.column()).isEqualTo(2);
    assertThat(moved.weights().get(1)).isEqualTo(AXIS.weights().get(3));
    assertThat(AXIS.select(2, 1, 0, 3).column()).isZero();
  }

  @Test
  void theColumnNeedsAWeight() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StratifyingDirection.of(1, 1.0, 0.0))
        .withMessageStartingWith("|weight of the response| must be > 0 and finite");
    assertThatIllegalArgumentException().isThrownBy(() -> StratifyingDirection.of(1, 0.0, 0.0));
  }
}

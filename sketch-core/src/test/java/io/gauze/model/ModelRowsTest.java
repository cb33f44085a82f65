package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.noise.Randomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows in memory, and rows that are read again for each pass. */
final class ModelRowsTest {
  private static final Budget BUDGET = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
  private static final int COUNT = 9000; // more than two blocks

  private int readings;

  /** Features and a response, many of them beyond the bound and some far away. */
  private static List<double[]> rows(int count) {
    SplittableRandom random = new SplittableRandom(count);
    return Stream.generate(
            () ->
                new double[] {
                  0.5,
                  random.nextGaussian(),
                  random.nextGaussian() / 3.0,
                  random.nextInt(50) == 0 ? 400.0 : random.nextGaussian() / 5.0
                })
        .limit(count)
        .toList();
  }

  private static void add(ModelRows list, List<double[]> rows) {
    for (double[] row : rows) {
      list.add(Arrays.copyOf(row, 3), row[3]);
    }
  }

  /** A list that is let go of after some rows, and then has the rest. */
  private ModelRows letGo(List<double[]> rows, int held, List<double[]> later) {
    ModelRows list = ModelRows.create(3, 1.25);
    add(list, rows.subList(0, held));
    list.letGo(
        again -> {
          readings++;
          add(again, later);
          assertThat(again.bytes()).isLessThanOrEqualTo(64 * 20);
        });
    add(list, rows.subList(held, rows.size()));
    return list;
  }

  private static ModelRows held(List<double[]> rows) {
    ModelRows list = ModelRows.create(3, 1.25);
    add(list, rows);
    return list;
  }

  static Stream<ModelLoss> losses() {
    return Stream.of(new ModelLoss.Huber(0.05), new ModelLoss.Logistic());
  }

  @ParameterizedTest
  @MethodSource("losses")
  void passesGiveTheModelOfRowsInMemory(ModelLoss loss) {
    ObjectivePerturbation mechanism =
        ObjectivePerturbation.of(ObjectiveSpec.of(3, 1.25, loss, BUDGET));
    Randomness randomness = Randomness.insecureForTests(5);
    List<double[]> rows = rows(COUNT);
    ModelRows inMemory = held(rows);
    long[] expected = mechanism.steps(inMemory, randomness.entropy("fit"));
    double[] linear = mechanism.calibration().linear(randomness.entropy("fit"));
    int passes = mechanism.minimiser(inMemory, linear).passes();
    for (int held : new int[] {0, 1, 100, 4096, 5000, COUNT}) {
      readings = 0;
      ModelRows list = letGo(rows, held, rows);
      assertThat(mechanism.steps(list, randomness.entropy("fit"))).isEqualTo(expected);
      assertThat(readings).as("gradient and Hessian share a reading").isBetween(3, passes + 3);
    }
  }

  @Test
  void passesGiveTheMomentsOfRowsInMemory() {
    IrlsSpec spec = new IrlsSpec(3, 1.25, 1.0, 0.005, 3, new IrlsNoise.Gaussian(BUDGET));
    PrivateIrls mechanism = PrivateIrls.of(spec);
    Randomness randomness = Randomness.insecureForTests(6);
    List<double[]> rows = rows(COUNT);
    assertThat(mechanism.fit(letGo(rows, 77, rows), randomness.entropy("fit")))
        .isEqualTo(mechanism.fit(held(rows), randomness.entropy("fit")));
    assertThat(readings).as("one reading a round").isEqualTo(3);
  }

  @Test
  void aListThatIsLetGoOfTakesNoMemory() {
    List<double[]> rows = rows(COUNT);
    ModelRows list = held(rows);
    assertThat(list.bytes()).isEqualTo(3 * 4096 * 20).isEqualTo(list.wholeBytes());
    list.letGo(again -> {});
    assertThat(list.bytes()).isZero();
    assertThat(list.isHeld()).isFalse();
    add(list, rows);
    assertThat(list.bytes()).isEqualTo(64 * 20);
    assertThat(list.size()).isEqualTo(2 * COUNT);
    assertThat(list.wholeBytes()).isEqualTo(5 * 4096 * 20);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16, 17, 4096, 4097})
  void theMemoryOfAllRowsIsWhatTheyTakeWhenHeld(int count) {
    List<double[]> rows = rows(count);
    assertThat(letGo(rows, count / 2, rows).wholeBytes()).isEqualTo(held(rows).bytes());
  }

  private static void pass(ModelRows list) {
    list.forEach(block -> assertThat(block.rows()).isPositive());
  }

  private void isRefused(List<double[]> rows, List<double[]> later) {
    assertThatExceptionOfType(ConcurrentModificationException.class)
        .isThrownBy(() -> pass(letGo(rows, 70, later)))
        .withMessage("rows that were read again are others than before");
  }

  @Test
  void aPassThatFindsOtherRowsFails() {
    List<double[]> rows = rows(200);
    pass(letGo(rows, 70, rows));
    isRefused(rows, rows.subList(1, 200));
    isRefused(rows, rows.subList(0, 199));
    List<double[]> swapped = new ArrayList<>(rows);
    Collections.swap(swapped, 150, 151);
    isRefused(rows, swapped);
    List<double[]> changed = new ArrayList<>(rows);
    changed.set(199, new double[] {0.5, 0.1, 0.1, 0.1});
    isRefused(rows, changed);
    isRefused(rows, List.of());
    isRefused(rows.subList(0, 100), rows);
  }
}

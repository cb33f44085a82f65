package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gauze.regression.Loss;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Data sets under configs that were written before the files were opened, with ranges alone. */
final class PoolTest {
  private static final int RELEASES = 81;

  private static AccuracyData data(String name) throws Exception {
    String folder = System.getenv("GAUZE_DATA");
    assumeTrue(folder != null, "GAUZE_DATA names the folder of the reference data");
    Path pool = Path.of(folder, "pool");
    assertThat(pool).isDirectory();
    return PoolTable.data(pool, name, PoolTable.RANGES);
  }

  /** Most excess, in percent; one stage has 3 to 20 times as much in most lines. */
  @ParameterizedTest
  @CsvSource({
    "houseprices, 1.0, 33",
    "movies, 1.0, 3.5",
    "nmes, 1.0, 7",
    "college, 1.0, 0.6",
    "vocab, 1.0, 0.005",
    "smokeban, 1.0, 0.11",
    "houseprices, 5.0, 3.5",
    "movies, 5.0, 0.55",
    "nmes, 5.0, 1.2",
    "college, 5.0, 0.08",
    "vocab, 5.0, 0.0003",
    "smokeban, 5.0, 0.007"
  })
  void rangesAreEnoughForMomentsOfTwoStages(String name, String epsilon, double most)
      throws Exception {
    MeasuredFits fits =
        new AccuracyQuestion("ridge", Loss.SQUARED, 1.0, "two-stage-moments")
            .measured(data(name), epsilon, RELEASES);
    assertThat(100.0 * fits.excess()).isLessThan(most);
    double coverage = fits.coverage();
    assertThat(Double.isNaN(coverage) || coverage > 0.88).isTrue();
  }
}

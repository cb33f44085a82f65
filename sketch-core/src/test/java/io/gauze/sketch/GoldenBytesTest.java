package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.Grid;
import io.gauze.row.RowTag;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stored sketches are read for ever: files of every version, written by golden_v1.py beside them.
 */
class GoldenBytesTest {

  static List<Arguments> sketches() {
    Grid grid = new Grid(9); // entries of up to 1000 reach out of [-1, 1]
    List<HistogramSpec.Axis> axes =
        List.of(new HistogramSpec.Axis(3, 5), new HistogramSpec.Axis(1, 4));
    return List.of(
        Arguments.of("second-moments", new SecondMomentsSpec(4)),
        Arguments.of("count-sketch", new CountSketchSpec(4, 8, -42)),
        Arguments.of("multilevel", new MultilevelSketchSpec(4, 6, 3, 2, 2, 99)),
        Arguments.of("projection", new GaussianProjectionSpec(4, 300, -5)),
        Arguments.of("stratified-moments", new StratifiedMomentsSpec(4, 2, 3, grid)),
        Arguments.of("histogram", new HistogramSpec(4, grid, axes)),
        Arguments.of("ranges", new RangeCountsSpec(4, grid, List.of(3, 1))),
        Arguments.of(
            "shortened-moments",
            new ShortenedMomentsSpec(
                4,
                grid,
                1001,
                12_345,
                new ShortenedMomentsSpec.Responses(List.of(1, 3), 700 * 700, 777))));
  }

  private static void fill(LinearSketch<?> sketch) {
    for (int r = 0; r < 20; r++) {
      int[] row = new int[4];
      for (int i = 0; i < 4; i++) {
        row[i] = (r * 101 + i * 37) % 2001 - 1000;
      }
      RowTag tag = Updates.tag(r * 0x123456789abcdef1L, (r + 1) * 0xfedcba9876543211L);
      sketch.add(tag, Updates.row(row), r % 5 == 4 ? -1 : 1);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sketches")
  void version1(String name, SketchSpec spec) throws IOException {
    LinearSketch<?> sketch = spec.zero();
    fill(sketch);
    try (InputStream in = GoldenBytesTest.class.getResourceAsStream(name + "-v1.bin")) {
      byte[] golden = Objects.requireNonNull(in, name).readAllBytes();
      assertThat(SketchBytes.read(golden)).isEqualTo(sketch);
      assertThat(SketchBytes.write(sketch)).isEqualTo(golden);
    }
  }
}

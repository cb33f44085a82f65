package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stored sketches are read for ever: files of every version, written by golden_v1.py beside them.
 */
class GoldenBytesTest {

  static List<LinearSketch<?>> sketches() {
    List<LinearSketch<?>> sketches =
        List.of(
            SecondMoments.create(new SecondMomentsSpec(4)),
            CountSketch.create(new CountSketchSpec(4, 8, -42)));
    sketches.forEach(GoldenBytesTest::fill);
    return sketches;
  }

  private static void fill(LinearSketch<?> sketch) {
    for (int r = 0; r < 20; r++) {
      int[] row = new int[4];
      for (int i = 0; i < 4; i++) {
        row[i] = (r * 101 + i * 37) % 2001 - 1000;
      }
      sketch.add(r * 0x123456789abcdef1L, Updates.row(row), r % 5 == 4 ? -1 : 1);
    }
  }

  @ParameterizedTest
  @MethodSource("sketches")
  void version1(LinearSketch<?> sketch) throws IOException {
    String name = sketch instanceof CountSketch ? "count-sketch-v1.bin" : "second-moments-v1.bin";
    try (InputStream in = GoldenBytesTest.class.getResourceAsStream(name)) {
      byte[] golden = Objects.requireNonNull(in, name).readAllBytes();
      assertThat(LinearSketch.fromBytes(golden)).isEqualTo(sketch);
      assertThat(sketch.toBytes()).isEqualTo(golden);
    }
  }
}

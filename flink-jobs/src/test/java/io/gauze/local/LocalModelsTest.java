package io.gauze.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.job.StreamFixture;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowRejectedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Models of a file whose rows do not fit into memory. */
final class LocalModelsTest {
  private static final int ROWS = 5000;

  /** Two features and the intercept: 20 bytes a row, in blocks of 4096; and a small one. */
  private static final long ROOM_FOR_ONE = (2 * 4096 + 64) * 20;

  private static StreamPlan plan() {
    return StreamPlan.of(
        new StreamRequest(
            "local",
            StreamFixture.schema(),
            new Budget(4, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            10_000,
            List.of(),
            List.of(
                new SketchRequest("moments", "noisy-moments", 1, Map.of()),
                new SketchRequest("robust", "huber", 1, Map.of("response", "y")),
                new SketchRequest("irls", "private-irls", 1, Map.of("response", "y")),
                new SketchRequest("track", "irls-track", 1, Map.of("response", "y")))));
  }

  /** The rows, one of which cannot be decoded. */
  private static List<byte[]> rows() {
    List<byte[]> rows = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < ROWS; i++) {
      rows.add(StreamFixture.row(random).getBytes(UTF_8));
    }
    rows.set(7, "{}".getBytes(UTF_8));
    return rows;
  }

  private static void add(LocalSketch sketch, List<byte[]> rows) {
    for (byte[] row : rows) {
      try {
        sketch.add(row);
      } catch (RowRejectedException e) {
        assertThat(row).hasSize(2);
      }
    }
  }

  /** A sketch that has read the rows twice, and reads others from then on. */
  private static LocalSketch read(long memory, List<byte[]> later) {
    LocalSketch sketch = new LocalSketch(plan(), Randomness.insecureForTests(3));
    add(sketch, rows());
    sketch.readAgain(memory, () -> add(sketch, later));
    add(sketch, rows());
    return sketch;
  }

  private static List<long[]> numbers(LocalSketch sketch) {
    return sketch.release().stream().map(release -> release.numbers()).toList();
  }

  /** Wherever the rows are, the same noise gives the same models, to the last bit. */
  @Test
  void modelsDoNotDependOnMemory() {
    LocalSketch all = read(Long.MAX_VALUE, List.of());
    assertThat(all.modelsReadAgain()).isEmpty();
    List<long[]> expected = numbers(all);
    LocalSketch one = read(ROOM_FOR_ONE, rows());
    assertThat(one.modelsReadAgain()).hasSize(1);
    assertThat(numbers(one)).containsExactlyElementsOf(expected);
    LocalSketch none = read(0, rows());
    assertThat(none.modelsReadAgain()).containsExactlyInAnyOrder("robust", "irls");
    assertThat(numbers(none)).containsExactlyElementsOf(expected);
    assertThat(none.counts().rows()).isEqualTo(ROWS - 1);
  }

  /** Another value, another number of rows, and rows that cannot be read. */
  @Test
  void otherRowsAreNotFitted() {
    List<byte[]> other = rows();
    other.set(4000, other.get(4001));
    LocalSketch changed = read(0, other);
    assertThatThrownBy(changed::release).isInstanceOf(ConcurrentModificationException.class);
    LocalSketch fewer = read(ROOM_FOR_ONE, rows().subList(0, ROWS - 1));
    assertThatThrownBy(fewer::release).isInstanceOf(ConcurrentModificationException.class);
    assertThatThrownBy(fewer::release)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("these sketches have been released");

    LocalSketch gone = new LocalSketch(plan(), Randomness.insecureForTests(3));
    gone.readAgain(
        -1,
        () -> {
          throw new IOException("gone");
        });
    add(gone, rows());
    assertThatThrownBy(gone::release)
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage("gone");
  }
}

package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.ledger.EpochCells;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the releases of an epoch are cut into entries. */
final class EpochCompactionTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1, 5, 1",
    "10000, 1, 5, 1",
    "10001, 1, 5, 2",
    "25000, 1, 5, 3",
    "4000, 3, 5, 2",
    "3, 20000, 5, 3",
    "2000, 1, 255, 2"
  })
  void anEntryHasABound(int groups, int sketches, int length, int entries) {
    List<String> names = names("g", groups, length);
    List<EpochCells> blocks = EpochCompaction.blocks(names, names("s", sketches, 5));
    assertThat(blocks).hasSize(entries);
    assertThat(blocks.stream().flatMap(block -> block.groups().stream()))
        .containsExactlyElementsOf(names);
    for (EpochCells block : blocks) {
      assertThat(block.size() <= EpochCompaction.MOST_RELEASES || block.groups().size() == 1)
          .isTrue();
      assertThat(block.groups().stream().mapToInt(name -> name.getBytes(UTF_8).length).sum())
          .isLessThanOrEqualTo(EpochCompaction.MOST_NAMES);
    }
  }

  private static List<String> names(String prefix, int number, int length) {
    return IntStream.range(0, number)
        .mapToObj(i -> prefix + "0".repeat(length - 6 < 0 ? 0 : length - 6) + (10000 + i))
        .toList();
  }
}

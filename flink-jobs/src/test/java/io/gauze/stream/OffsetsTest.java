package io.gauze.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OffsetsTest {
  /** Partition p is read by reader p mod n: each must have one with records. */
  @ParameterizedTest
  @CsvSource({
    "1111, 16, 4", // no more than partitions
    "1111, 3, 3", // no more than are wanted
    "0010, 3, 1", // empty ones do not count
    "1010, 4, 1", // with two readers, one would have 1 and 3
    "1001, 4, 2",
    "1101, 4, 2", // with three, 0 and 3 would be of one, and 2 of another
    "11100, 4, 3",
    "000, 4, 1",
    "'', 4, 1"
  })
  void everyReaderHasARecordToRead(String partitions, int most, int readers) {
    Map<Integer, Long> ends = new TreeMap<>();
    for (int partition = 0; partition < partitions.length(); partition++) {
      ends.put(partition, partitions.charAt(partition) == '1' ? 7L : 0L);
    }
    assertThat(Offsets.of(ends).readers(most)).isEqualTo(readers);
  }
}

package io.gauze.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyGroupsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 128, 4096})
  void eachSubtaskOfAnyParallelismHasAKey(int keyGroups) {
    List<String> keys = KeyGroups.keys(keyGroups);
    assertThat(keys).hasSize(keyGroups);
    for (int group = 0; group < keyGroups; group++) {
      assertThat(KeyGroupRangeAssignment.assignToKeyGroup(keys.get(group), keyGroups))
          .isEqualTo(group);
    }
    for (int parallelism : new int[] {1, 2, 3, 7, 100, keyGroups}) {
      int subtasks = Math.min(parallelism, keyGroups);
      assertThat(
              keys.stream()
                  .map(
                      key ->
                          KeyGroupRangeAssignment.assignKeyToParallelOperator(
                              key, keyGroups, subtasks))
                  .distinct())
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, subtasks).boxed().toList());
    }
  }
}

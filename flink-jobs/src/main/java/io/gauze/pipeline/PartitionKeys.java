package io.gauze.pipeline;

import java.util.stream.IntStream;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * The Flink keys of partitions. They spread the partitions evenly over the subtasks of any
 * parallelism: Flink hashes keys, and would often give a subtask two of few partitions and another
 * one none.
 */
public final class PartitionKeys implements KeySelector<SecondRead, Integer> {
  private static final long serialVersionUID = 1L;

  private final int[] keyOfGroup;

  /**
   * Finds the keys.
   *
   * @param maxParallelism the number of key groups of the job
   */
  public PartitionKeys(int maxParallelism) {
    keyOfGroup =
        IntStream.range(0, maxParallelism).map(group -> keyIn(group, maxParallelism)).toArray();
  }

  private static int keyIn(int group, int maxParallelism) {
    return IntStream.iterate(0, key -> key + 1)
        .filter(key -> KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism) == group)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public Integer getKey(SecondRead read) {
    return of(read.partition());
  }

  // The bits of the partition in reverse order are a fraction: 0, 1/2, 1/4, 3/4, 1/8, 5/8, ... The
  // first n of them are spread evenly, for any n.
  int of(int partition) {
    long fraction = Integer.toUnsignedLong(Integer.reverse(partition));
    return keyOfGroup[(int) ((fraction * keyOfGroup.length) >>> Integer.SIZE)];
  }
}

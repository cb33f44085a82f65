package io.gauze.stream;

import java.util.Arrays;
import java.util.List;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Keys by which a sender reaches every subtask of a keyed operator, whatever its parallelism is:
 * one key for each of Flink's key groups. A subtask has at least one key group. So a message under
 * each of these keys takes as many records as there are key groups, and not one for each cell.
 *
 * <p>The sender does not count the subtasks, since a cluster may run a job with fewer of them than
 * the job asked for, and with others after a restart.
 */
public final class KeyGroups {
  private KeyGroups() {}

  /**
   * Returns a key of each key group, in the order of the groups.
   *
   * @param keyGroups the maximum parallelism of the keyed operator, at least 1
   */
  public static List<String> keys(int keyGroups) {
    String[] keys = new String[keyGroups];
    int found = 0;
    for (int i = 0; found < keyGroups; i++) {
      String key = Integer.toString(i);
      int group = KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
      if (keys[group] == null) {
        keys[group] = key;
        found++;
      }
    }
    return List.copyOf(Arrays.asList(keys));
  }
}

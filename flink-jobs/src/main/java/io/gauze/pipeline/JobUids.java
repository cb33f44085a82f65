package io.gauze.pipeline;

import java.util.Arrays;
import java.util.Optional;

/**
 * The uids of the operators of one stream; several streams may run in one job. They belong to the
 * savepoint format: never change one, add a -v2.
 */
public enum JobUids {
  ROWS("rows-source-v1"),
  ROUTE("route-v1"),
  FOLD("fold-v1"),
  FOLD_BY_KEY("fold-by-key-v1"),
  DEAD_LETTERS("dead-letters-sink-v1"),
  LATE("late-sink-v1"),
  CLOCK("clock-v1"),
  ACCUMULATE("accumulate-v1"),
  /** This one and the next are in streams whose rows are read again. */
  MODEL("model-v1"),
  MODEL_FIT("model-fit-v1"),
  ASSEMBLE("assemble-v1"),
  PUBLISH("publish-v1");

  private final String operator;

  JobUids(String operator) {
    this.operator = operator;
  }

  public String of(String stream) {
    return stream + "/" + operator;
  }

  /**
   * Returns the stream of an operator's uid; empty for other uids, such as those that Flink gives
   * to the parts of a sink.
   */
  public static Optional<String> stream(String uid) {
    int slash = uid.indexOf(' ') < 0 ? uid.indexOf('/') : -1; // stream names have no blanks
    String operator = uid.substring(slash + 1);
    boolean known = Arrays.stream(values()).anyMatch(each -> each.operator.equals(operator));
    return slash > 0 && known ? Optional.of(uid.substring(0, slash)) : Optional.empty();
  }
}

package io.gauze.pipeline;

/** Operator identities. They belong to the savepoint format: never change one, add a -v2. */
final class JobUids {
  static final String ROWS = "rows-source-v1";
  static final String FOLD = "fold-v1";
  static final String DEAD_LETTERS = "dead-letters-sink-v1";
  static final String LATE = "late-sink-v1";
  static final String CLOCK = "clock-v1";
  static final String ACCUMULATE = "accumulate-v1";
  static final String ASSEMBLE = "assemble-v1";
  static final String PUBLISH = "publish-v1";

  private JobUids() {}
}

package io.gauze.solver;

/** The uids of the operators. They belong to the savepoint format: never change one, add a -v2. */
final class SolverUids {
  static final String REQUESTS = "requests-source-v1";
  static final String SOLVE = "solve-requests-v1";
  static final String ANSWERS = "request-answers-sink-v1";

  private SolverUids() {}
}

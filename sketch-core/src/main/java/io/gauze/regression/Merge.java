package io.gauze.regression;

/** Whether two inputs may be added. */
final class Merge {
  private Merge() {}

  static void check(FitInput mine, FitInput other) {
    if (mine.dimension() != other.dimension() || mine.intercept() != other.intercept()) {
      throw new IllegalArgumentException(
          "merged releases must have equal dimension and intercept. Provided value: "
              + describe(mine)
              + " and "
              + describe(other));
    }
  }

  private static String describe(FitInput input) {
    return "(" + input.dimension() + ", " + input.intercept() + ")";
  }
}

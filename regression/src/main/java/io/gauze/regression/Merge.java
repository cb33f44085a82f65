package io.gauze.regression;

/** Checks that two inputs may be added. */
public final class Merge {
  private Merge() {}

  /**
   * Returns the other input, cast to the kind of {@code mine}.
   *
   * @throws IllegalArgumentException if kind, dimension or intercept differ
   */
  public static <I extends FitInput> I same(Class<I> kind, I mine, FitInput other) {
    if (!kind.isInstance(other)) {
      throw new IllegalArgumentException(
          "merged releases must be of one kind. Provided value: "
              + mine.getClass().getSimpleName()
              + " and "
              + other.getClass().getSimpleName());
    }
    if (mine.dimension() != other.dimension() || mine.intercept() != other.intercept()) {
      throw new IllegalArgumentException(
          "merged releases must have equal dimension and intercept. Provided value: "
              + describe(mine)
              + " and "
              + describe(other));
    }
    return kind.cast(other);
  }

  private static String describe(FitInput input) {
    return "(" + input.dimension() + ", " + input.intercept() + ")";
  }
}

package io.gauze.plot;

import io.gauze.internal.Checks;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An axis: what it shows, how values are spaced, and which part of it is drawn.
 *
 * @param label beside the axis; may be empty
 * @param scale how values are spaced
 * @param categories their names, for {@link Scale#CATEGORIES} only; category i lies at i
 * @param range the part that is drawn; if empty, all points and a little more
 */
public record Axis(String label, Scale scale, List<String> categories, Optional<Range> range) {
  /** How values are spaced along an axis. */
  public enum Scale {
    /** Equal differences have equal lengths. */
    LINEAR,
    /** Equal ratios have equal lengths; values must be above 0. */
    LOG,
    /** Named places at 0, 1, 2, ... */
    CATEGORIES
  }

  /** A part of an axis: finite, low below high. */
  public record Range(double low, double high) {
    /**
     * Checks the ends.
     *
     * @throws IllegalArgumentException if one is not in [-1e100, 1e100], or low is not below high
     */
    public Range {
      Checks.within("low", low, -Point.LARGEST, Point.LARGEST);
      Checks.within("high", high, -Point.LARGEST, Point.LARGEST);
      if (low >= high) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "low must be below high, %s. Provided value: %s", high, low));
      }
    }
  }

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if categories are given for another scale, missing for their
   *     own or given together with a range, or if the range of a logarithmic axis reaches 0
   */
  public Axis {
    categories = List.copyOf(categories);
    if (categories.isEmpty() == (scale == Scale.CATEGORIES)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "categories must be given for the scale CATEGORIES, and for no other."
                  + " Provided value: %d categories for %s",
              categories.size(),
              scale));
    }
    if (scale == Scale.CATEGORIES && range.isPresent()) {
      throw new IllegalArgumentException(
          "range must be empty for the scale CATEGORIES. Provided value: " + range.get());
    }
    if (scale == Scale.LOG) {
      range.ifPresent(part -> Checks.positiveFinite("low of a logarithmic axis", part.low));
    }
  }

  /** Returns a linear axis that shows all points. */
  public static Axis linear(String label) {
    return new Axis(label, Scale.LINEAR, List.of(), Optional.empty());
  }

  /** Returns a logarithmic axis that shows all points. */
  public static Axis log(String label) {
    return new Axis(label, Scale.LOG, List.of(), Optional.empty());
  }

  /** Returns an axis of named places. */
  public static Axis categories(String label, List<String> names) {
    return new Axis(label, Scale.CATEGORIES, names, Optional.empty());
  }

  /** Returns the axis cut to [low, high]. What lies outside is not drawn. */
  public Axis between(double low, double high) {
    return new Axis(label, scale, categories, Optional.of(new Range(low, high)));
  }
}

package io.gauze.mechanism;

import io.gauze.message.NearestName;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * An option that a config may set for a sketch.
 *
 * @param name the key
 * @param kind the kind of its values
 * @param lower the least value of a number
 * @param upper the largest value of a number
 * @param words the values of a choice
 * @param planned whether an option that is left out is planned from the expected rows
 * @param byDefault the value of an option that is left out, in words
 * @param text its meaning, in one or two sentences
 */
public record MechanismOption(
    String name,
    Kind kind,
    double lower,
    double upper,
    List<String> words,
    boolean planned,
    String byDefault,
    String text) {
  private static final String PLANNED = "planned";

  /** The kind of the values of an option. */
  public enum Kind {
    /** A whole number. */
    WHOLE,
    /** A number. */
    NUMBER,
    /** One of a list of words. */
    CHOICE,
    /** The name of an encoded column. */
    COLUMN,
    /** The names of encoded columns, with commas between. */
    COLUMNS
  }

  public MechanismOption {
    words = List.copyOf(words);
  }

  private static MechanismOption of(
      String name, Kind kind, double lower, double upper, List<String> words) {
    return new MechanismOption(name, kind, lower, upper, words, false, PLANNED, "");
  }

  public static MechanismOption whole(String name, long least, long most) {
    return of(name, Kind.WHOLE, (double) least, (double) most, List.of());
  }

  public static MechanismOption number(String name, double least, double most) {
    return of(name, Kind.NUMBER, least, most, List.of());
  }

  public static MechanismOption columns(String name) {
    return of(name, Kind.COLUMNS, 0, 0, List.of());
  }

  /** Returns the names of columns that are given with commas between them. */
  public static List<String> names(String value) {
    return Stream.of(value.split(",", -1)).map(String::strip).toList();
  }

  public static MechanismOption choice(String name, String... words) {
    return of(name, Kind.CHOICE, 0, 0, List.of(words));
  }

  public static MechanismOption column(String name) {
    return of(name, Kind.COLUMN, 0, 0, List.of());
  }

  /** The least value of a whole number. */
  public long least() {
    return (long) lower;
  }

  /** The largest value of a whole number. */
  public long most() {
    return (long) upper;
  }

  /** The option that names the response of a sketch. */
  public static MechanismOption response() {
    return column(SketchRequest.RESPONSE)
        .or("the first of the stream's `response` that is no category, or the last column")
        .means("The response: what is explained.");
  }

  /** Returns a copy that is planned from the expected rows if it is left out. */
  public MechanismOption orPlanned() {
    return new MechanismOption(name, kind, lower, upper, words, true, byDefault, text);
  }

  /** Returns a copy with a default other than a planned value, in words. */
  public MechanismOption or(Object otherwise) {
    return new MechanismOption(
        name, kind, lower, upper, words, planned, otherwise.toString(), text);
  }

  /** Returns a copy with its meaning. */
  public MechanismOption means(String meaning) {
    return new MechanismOption(name, kind, lower, upper, words, planned, byDefault, meaning);
  }

  /** Describes the allowed values in words. */
  public String allowed() {
    return switch (kind) {
      case WHOLE -> String.format(Locale.ROOT, "a whole number in [%d, %d]", least(), most());
      case NUMBER -> upper == Double.MAX_VALUE ? "a positive number" : range();
      case CHOICE -> String.join(" or ", words);
      case COLUMN -> "the name of an encoded column";
      case COLUMNS -> "a list of names of encoded columns";
    };
  }

  private String range() {
    return String.format(Locale.ROOT, "a number in [%s, %s]", lower, upper);
  }

  /**
   * Checks a value. Names of columns are checked against the schema later.
   *
   * @throws IllegalArgumentException if the value is not allowed
   */
  void check(String value) {
    boolean fine =
        switch (kind) {
          case WHOLE -> isWhole(value);
          case CHOICE -> words.contains(value);
          case NUMBER -> isNumber(value);
          case COLUMN -> !value.isBlank();
          case COLUMNS -> names(value).stream().noneMatch(String::isBlank);
        };
    if (!fine) {
      throw new IllegalArgumentException(
          name + " must be " + allowed() + ". Provided value: " + value);
    }
  }

  private boolean isWhole(String value) {
    try {
      long number = Long.parseLong(value);
      return number >= least() && number <= most();
    } catch (NumberFormatException e) {
      return false; // check() reports what is allowed
    }
  }

  private boolean isNumber(String value) {
    try {
      double number = Double.parseDouble(value);
      return number >= lower && number <= upper;
    } catch (NumberFormatException e) {
      return false; // check() reports what is allowed
    }
  }

  public static MechanismOption find(String mechanism, List<MechanismOption> options, String name) {
    for (MechanismOption option : options) {
      if (option.name().equals(name)) {
        return option;
      }
    }
    List<String> names = options.stream().map(MechanismOption::name).toList();
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s has %s. Provided value: %s",
            mechanism,
            names.isEmpty() ? "no options" : "the option " + NearestName.of(name, names),
            name));
  }
}

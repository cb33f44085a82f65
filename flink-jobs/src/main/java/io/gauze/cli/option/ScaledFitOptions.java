package io.gauze.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a fit whose coefficients may be in either scale. */
public final class ScaledFitOptions extends FitOptions {
  @Option(
      names = "--scale",
      paramLabel = "SCALE",
      defaultValue = "user",
      converter = ScaleReader.class,
      description =
          "Of the result: user, the columns' own units (default), or encoded, columns in [-1, 1]"
              + " and an intercept column of 1.")
  private String scale;

  @Override
  public boolean userUnits() {
    return scale.equals("user");
  }

  /** Refuses unknown scales. */
  static final class ScaleReader implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      if (!value.equals("user") && !value.equals("encoded")) {
        throw new TypeConversionException("must be user or encoded. Provided value: " + value);
      }
      return value;
    }
  }
}

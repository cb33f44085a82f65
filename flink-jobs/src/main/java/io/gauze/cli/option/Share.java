package io.gauze.cli.option;

import io.gauze.report.Figures;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A share on the command line, as a percentage or as a number: {@code 1%} or {@code 0.01}.
 *
 * @param value in (0, 1)
 */
public record Share(double value) {
  private static final Pattern FORM =
      Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE](-?[0-9]{1,3}))? ?(%?)");
  private static final double LEAST = 1e-6;

  /** The share in percent, for people. */
  public String percent() {
    return Figures.percent(value);
  }

  /** Reads a share. */
  public static final class Reader implements ITypeConverter<Share> {
    @Override
    public Share convert(String text) {
      Matcher form = FORM.matcher(text.strip());
      if (form.matches()) {
        boolean percent = !form.group(3).isEmpty();
        String number = form.group().replace("%", "").strip();
        double value = Double.parseDouble(number) / (percent ? 100.0 : 1.0);
        if (value >= LEAST && value < 1.0) {
          return new Share(value);
        }
      }
      throw new TypeConversionException(
          "must be a share such as 1% or 0.01, from 0.0001% to below 100%. Provided value: "
              + text);
    }
  }
}

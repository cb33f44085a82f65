package io.gauze.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option that says how a verb writes its result to stdout. */
public final class FormatOption {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      converter = Reader.class,
      description = "table, for people (default), or json, for programs.")
  private String format;

  /** Whether to write one JSON object; else text. */
  public boolean json() {
    return format.equals("json");
  }

  /** Refuses other words. */
  static final class Reader implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      if (!value.equals("table") && !value.equals("json")) {
        throw new TypeConversionException("must be table or json. Provided value: " + value);
      }
      return value;
    }
  }
}

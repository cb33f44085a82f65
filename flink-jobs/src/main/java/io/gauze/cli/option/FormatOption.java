package io.gauze.cli.option;

import io.gauze.report.Report;
import java.io.PrintWriter;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import picocli.CommandLine.TypeConversionException;

/** The option that sets the format in which a verb writes its result to stdout. */
public final class FormatOption {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      converter = Reader.class,
      description = "table, for people (default), or json, for programs.")
  private String format;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /** Prints to standard output. */
  public void print(Report report) {
    print(json() ? report.json() : report.table());
  }

  /** Prints a text that already has the wanted format. */
  public void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }

  /** Prints a line to standard error if the output is for people. */
  public void hint(String line) {
    if (!json()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(line);
      err.flush();
    }
  }

  /** Returns whether the format is JSON; if not, it is text. */
  public boolean json() {
    return format.equals("json");
  }

  /** Refuses unknown formats. */
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

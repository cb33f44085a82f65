package io.gauze.cli.option;

import io.gauze.source.file.CsvOptions;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that say how a CSV file is written. */
public final class CsvFileOptions {
  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description =
          "The encoding of the CSV file, such as windows-1252; a byte order mark counts first."
              + " Default: UTF-8.")
  private Optional<String> encoding;

  @Option(
      names = "--comment",
      paramLabel = "CHAR",
      description = "Lines that begin with this character are no rows. Default: each line is one.")
  private Optional<Character> comment;

  @Option(
      names = "--decimal",
      paramLabel = "CHAR",
      defaultValue = ".",
      description = "The decimal character of numbers, a point or a comma. Default: a point.")
  private char decimal;

  @Option(
      names = "--multiline",
      description = {
        "Cells in quotes may have line breaks.",
        "One row with an open quote can then take the rows after it with it, so that the promise"
            + " for one row holds only if no quote is left open."
      })
  private boolean multiline;

  /** Returns the options, checked. */
  public CsvOptions read(CommandSpec spec) {
    try {
      return new CsvOptions(encoding.map(Charset::forName), comment, decimal, multiline);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--encoding must be the name of an encoding, such as windows-1252. Provided value: "
              + encoding.orElseThrow(),
          e);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e);
    }
  }

  /** Refuses a name of no file that can be read; {@code -} is standard input. */
  public static void requireReadable(CommandSpec spec, String csv) {
    Path file = Path.of(csv);
    if (!csv.equals("-") && (!Files.isReadable(file) || Files.isDirectory(file))) {
      throw new ParameterException(
          spec.commandLine(), "--csv must be a file that can be read. Provided value: " + csv);
    }
  }
}

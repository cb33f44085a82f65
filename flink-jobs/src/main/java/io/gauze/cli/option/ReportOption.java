package io.gauze.cli.option;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option that also writes a report to a file: a page, or its plot alone. */
public final class ReportOption {
  private static final String PAGE = ".html";
  private static final String PLOT = ".svg";

  @Option(
      names = "--report",
      paramLabel = "FILE.html",
      description =
          "Also write a report for others: question, plot, table, warnings, guarantee, cost, and"
              + " how to repeat it. Needs no network. FILE.svg: the plot alone.")
  private Optional<Path> file = Optional.empty();

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /**
   * Checks the file; before anything is computed.
   *
   * @throws ParameterException if it has another ending, or cannot be written
   */
  public void check() {
    if (file.isEmpty()) {
      return;
    }
    Path path = file.get();
    if (!path.toString().endsWith(PAGE) && !path.toString().endsWith(PLOT)) {
      throw new ParameterException(
          spec.commandLine(),
          "--report must be a file that ends with .html or .svg. Provided value: " + path);
    }
    Path place = Files.exists(path) ? path : path.toAbsolutePath().getParent();
    if (Files.isDirectory(path) || !Files.isWritable(place)) {
      throw new ParameterException(
          spec.commandLine(),
          "--report must be a file that can be written. Provided value: " + path);
    }
  }

  /** A page to be made. */
  public interface Page {
    /**
     * Returns the page.
     *
     * @param command what made it
     * @param footer by which program
     */
    String of(String command, String footer);
  }

  /**
   * Writes the report, if one is wanted, and says so on standard error.
   *
   * @param page the page, if the file is one
   * @param plot the plot, if the file is one
   * @throws IOException if the file cannot be written
   */
  public void write(Page page, Supplier<String> plot) throws IOException {
    if (file.isPresent()) {
      boolean whole = file.get().toString().endsWith(PAGE);
      String footer = "Made by Gauze " + Version.ofProgram() + ".";
      String text = whole ? page.of(command(), footer) : plot.get();
      Files.writeString(file.get(), text, StandardCharsets.UTF_8);
      PrintWriter err = spec.commandLine().getErr();
      err.println("report written to " + file.get());
      err.flush();
    }
  }

  /** Returns the command that is running, as it can be pasted at the top of a clone. */
  private String command() {
    List<String> words = spec.root().commandLine().getParseResult().originalArgs();
    return command(words.toArray(new String[0]));
  }

  /** Returns a word as a shell reads it. */
  public static String quoted(String word) {
    boolean plain = word.matches("[A-Za-z0-9_./:=,@%+-]+");
    return plain ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Returns a command of these words, as it can be pasted at the top of a clone. */
  public static String command(String... words) {
    return "./gauze "
        + Arrays.stream(words).map(ReportOption::quoted).collect(Collectors.joining(" "));
  }
}

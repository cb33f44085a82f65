package io.gauze.testing;

import io.gauze.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The commands that documents and helps print, in their order. */
public final class PrintedCommands {
  /** The folder of the project. */
  public static final Path ROOT = Path.of("..");

  private static final Pattern LINE =
      Pattern.compile(
          "^(?: {2,}|\\s*\\$ )(?:\\S+ .*\\| )?\\./gauze (?<words>[^#\\n]*?)\\s*(?:#.*)?$");
  private static final Pattern INLINE = Pattern.compile("`\\./gauze (?<words>[^` ]+ [^`]*)`");
  private static final Pattern PLACEHOLDER = Pattern.compile("[A-Z]+|-");
  private static final Set<String> INPUTS = Set.of("--config", "--csv", "--release", "--releases");
  private static final Set<String> OUTPUTS = Set.of("--out", "--report", "--export");

  /** Files that a reader has, and that the documents say where to get. */
  private static final Set<String> DOWNLOADED = Set.of("winequality-white.csv");

  private PrintedCommands() {}

  /**
   * A command.
   *
   * @param words without the program, as they are printed
   */
  public record Printed(String document, String words) {
    /** The arguments, without what is for the shell. */
    public String[] arguments() {
      return ShellWords.of(words.split(" > ", 2)[0]);
    }
  }

  /** README and docs, with their folders. */
  public static List<Path> documents() throws IOException {
    List<Path> found = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(found::add);
    }
    return found;
  }

  /** The proofs, which are beside the code. */
  public static List<Path> proofs() throws IOException {
    List<Path> sources;
    try (Stream<Path> modules = Files.list(ROOT)) {
      sources = modules.map(path -> path.resolve("src/main/java")).filter(Files::exists).toList();
    }
    List<Path> found = new ArrayList<>();
    for (Path folder : sources) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(path -> path.getFileName().toString().matches("PROOF-.*\\.md"))
            .forEach(found::add);
      }
    }
    return found;
  }

  /** All commands, but those with an omission. */
  public static List<Printed> all() throws IOException {
    List<Printed> all = new ArrayList<>();
    for (Path path : documents()) {
      all.addAll(of(path.getFileName().toString(), text(path)));
    }
    CommandLine main = Main.commandLine();
    all.addAll(of("help", footer(main)));
    for (Map.Entry<String, CommandLine> verb : main.getSubcommands().entrySet()) {
      all.addAll(of("help of " + verb.getKey(), footer(verb.getValue())));
    }
    return all;
  }

  private static String text(Path document) {
    try {
      return Files.readString(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String footer(CommandLine command) {
    return String.join("\n", command.getCommandSpec().usageMessage().footer())
        .replace("\\\n", " ")
        .replace("%%", "%");
  }

  private static List<Printed> of(String document, String text) {
    List<Printed> found = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher whole = LINE.matcher(line);
      if (whole.matches()) {
        found.add(new Printed(document, whole.group("words")));
      } else {
        INLINE
            .matcher(line)
            .results()
            .forEach(match -> found.add(new Printed(document, match.group(1))));
      }
    }
    found.removeIf(printed -> printed.words().contains("..."));
    return found;
  }

  /**
   * Returns the files that a document's commands read, and that neither are in a clone nor made by
   * an earlier command of the document.
   */
  public static Set<String> missingFiles(List<Printed> commands) {
    Set<String> made = new TreeSet<>(DOWNLOADED);
    Set<String> missing = new TreeSet<>();
    for (Printed printed : commands) {
      String[] words = printed.arguments();
      for (int i = 0; i + 1 < words.length; i++) {
        if (INPUTS.contains(words[i])) {
          Arrays.stream(words[i + 1].split(",", -1))
              .filter(file -> !isThere(file, made))
              .forEach(missing::add);
        }
        if (OUTPUTS.contains(words[i])) {
          made.add(words[i + 1]);
        }
      }
      if (words.length > 0 && words[0].equals("demo")) {
        made.add("gauze-demo/smart-meters");
      }
      if (printed.words().contains(" > ")) {
        made.add(printed.words().split(" > ", 2)[1].strip());
      }
    }
    return missing;
  }

  private static boolean isThere(String file, Set<String> made) {
    return PLACEHOLDER.matcher(file).matches()
        || Files.exists(ROOT.resolve(file))
        || made.stream().anyMatch(each -> file.equals(each) || file.startsWith(each + "/"));
  }
}

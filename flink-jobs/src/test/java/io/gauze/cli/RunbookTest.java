package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.ledger.AccountMessage;
import io.gauze.message.Entry;
import io.gauze.stream.JobMessage;
import io.gauze.testing.MarkdownPage;
import io.gauze.testing.PrintedCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every message that the runbook explains is one that the program gives. */
final class RunbookTest {
  private static final List<String> MODULES = List.of("flink-jobs", "service", "sketch-core");
  private static final Pattern COMMENT = Pattern.compile("(?s:/\\*.*?\\*/)|(?m:^\\s*//[^\n]*)");
  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

  private static final String CODE = "GZ-";

  /** Shorter texts would be found by chance. */
  private static final int LEAST = 10;

  private static List<String> messages() throws IOException {
    List<String> messages = new ArrayList<>();
    for (List<String> cells : MarkdownPage.ofOperations("runbook").section("Messages").rows()) {
      messages.addAll(MarkdownPage.codes(cells.get(0)));
    }
    return messages;
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageIsOneOfTheProgram(String message) throws IOException {
    if (message.startsWith(CODE)) {
      assertThat(Stream.concat(of(JobMessage.values()), of(AccountMessage.values())))
          .contains(message);
      return;
    }
    assertThat(message).hasSizeGreaterThanOrEqualTo(LEAST);
    assertThat(isGiven(message)).as("some source has the text: %s", message).isTrue();
  }

  private static Stream<String> of(Entry... entries) {
    return Arrays.stream(entries).map(Entry::code);
  }

  @Test
  void aMadeUpMessageIsFound() throws IOException {
    assertThat(messages()).hasSizeGreaterThan(20);
    assertThat(isGiven("could not reach ... by far")).isFalse();
  }

  /** In one file, in this order; dots stand for what the program puts in. */
  private static boolean isGiven(String message) throws IOException {
    List<String> parts = Arrays.stream(message.split("\\.\\.\\.", -1)).map(String::strip).toList();
    return sources().stream().anyMatch(source -> hasInOrder(source, parts));
  }

  private static boolean hasInOrder(String source, List<String> parts) {
    int from = 0;
    for (String part : parts) {
      int at = source.indexOf(part, from);
      if (at < 0) {
        return false;
      }
      from = at + part.length();
    }
    return true;
  }

  private static List<String> sources() throws IOException {
    List<String> sources = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files =
          Files.walk(PrintedCommands.ROOT.resolve(module).resolve("src/main/java"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(f -> sources.add(text(f)));
      }
    }
    return sources;
  }

  private static String text(Path file) {
    try {
      String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
      return JOINED.matcher(code).replaceAll("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.gauze.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The page of messages is that of the catalogue. This command writes it: {@code mvn test -pl
 * sketch-core -Dtest=MessagesPageTest -Dgauze.write}.
 */
final class MessagesPageTest {
  private static final Path PAGE = Path.of("..", "docs", "messages.md");
  private static final int LINE = 120;
  private static final int WORDS = 60;
  private static final Pattern VALUE = Pattern.compile("%(\\d+\\$)?[.\\d]*([sdefg])");

  @Test
  void isThatOfTheCatalogue() throws IOException {
    String page = page();
    if (System.getProperty("gauze.write") != null) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE)
        .as("write it with: mvn test -pl sketch-core -Dtest=MessagesPageTest -Dgauze.write")
        .content(StandardCharsets.UTF_8)
        .isEqualTo(page);
  }

  /** Both sentences are one each, and stay short with large numbers and long names. */
  @ParameterizedTest
  @EnumSource(FitMessage.class)
  void sentencesAreShort(FitMessage entry) {
    for (String name : List.of("temperature", "\ud83d\ude00".repeat(150))) {
      Message message = entry.of(values(entry, name));
      assertThat(message.message()).hasSizeLessThanOrEqualTo(Message.LONGEST).endsWith(".");
      assertThat(message.action()).hasSizeLessThanOrEqualTo(Message.LONGEST).endsWith(".");
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(message.text()))
          .as("no name is cut within a character: %s", message.text())
          .isTrue();
    }
    assertThat(entry.explanation().split("\\s+")).hasSizeLessThanOrEqualTo(WORDS);
  }

  /** The values that the formats ask for, as large as they become. */
  private static Object[] values(Entry entry, String name) {
    Stream<Object> plain =
        VALUE
            .matcher(entry.message() + entry.action())
            .results()
            .filter(found -> found.group(1) == null)
            .map(found -> value(found.group(), name));
    // those that the action asks for by their place come last
    return Stream.concat(plain, Stream.of(name)).toArray();
  }

  private static Object value(String format, String name) {
    if (format.endsWith("s")) {
      return name;
    }
    return format.endsWith("d")
        ? (Object) 1023
        : Double.valueOf(format.endsWith(".0f") ? 12_345.0 : -1.2345678e-5);
  }

  private static String page() {
    StringBuilder page = new StringBuilder();
    page.append("# Messages\n\n");
    page.append(
        wrapped(
            "What to know before a result is used. A fit and a prediction say it under their"
                + " numbers, with a code, and at most three of them, the most severe first. With"
                + " `--format json`, and over HTTP, `messages` has all."));
    for (Severity severity : Severity.values()) {
      List<FitMessage> entries =
          Arrays.stream(FitMessage.values()).filter(each -> each.severity() == severity).toList();
      page.append("\n## ").append(severity.title()).append("\n\n");
      page.append(wrapped(severity.meaning()));
      entries.forEach(entry -> page.append(section(entry)));
    }
    return page.toString();
  }

  private static String section(Entry entry) {
    return "\n### "
        + entry.code()
        + "\n\n"
        + wrapped("*" + shown(entry.message()) + "*")
        + "\n"
        + wrapped("**What to do.** " + shown(entry.action()))
        + "\n"
        + wrapped(entry.explanation());
  }

  /** Returns the format with signs in place of values. */
  private static String shown(String format) {
    return VALUE
        .matcher(format)
        .replaceAll(found -> found.group(2).equals("s") ? "\u2026" : "N")
        .replace("%%", "%");
  }

  private static String wrapped(String text) {
    StringBuilder lines = new StringBuilder();
    int length = 0;
    for (String word : text.split(" ", -1)) {
      if (length > 0 && length + 1 + word.length() > LINE) {
        lines.append('\n');
        length = 0;
      } else if (length > 0) {
        lines.append(' ');
        length++;
      }
      lines.append(word);
      length += word.length();
    }
    return lines.append('\n').toString();
  }
}

package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.cli.option.CommandMessage;
import io.gauze.ledger.AccountMessage;
import io.gauze.message.Entry;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.message.Severity;
import io.gauze.report.RangeMessage;
import io.gauze.report.ServiceMessage;
import io.gauze.stream.JobMessage;
import io.gauze.topic.TopicMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The page of messages is that of the catalogues. This command writes it: {@code mvn test -pl
 * flink-jobs -am -Dtest=MessagesPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dgauze.write}.
 */
final class MessagesPageTest {
  private static final List<Part> PARTS =
      List.of(
          new Part(
              "Fits and predictions",
              "What to know before a result is used. A fit and a prediction say it under their"
                  + " numbers, and at most three of them, the most severe first.",
              List.of(FitMessage.values())),
          new Part(
              "Streams",
              "What `check`, `run` and `sketch` say of columns, budget and sketches before a row is"
                  + " read.",
              List.of(PlanMessage.values())),
          new Part(
              "Estimated ranges",
              "What is said of ranges that are chosen from noisy counts.",
              List.of(RangeMessage.values())),
          new Part(
              "Topics", "What `check` and `run` say of topics.", List.of(TopicMessage.values())),
          new Part(
              "Jobs",
              "What `check`, `run` and a running job say; [the runbook](operations/runbook.md) has"
                  + " more.",
              List.of(JobMessage.values())),
          new Part(
              "The privacy account",
              "Why the ledger refuses a stream: `check` and `run` end with status 3.",
              List.of(AccountMessage.values())),
          new Part(
              "Commands",
              "What commands say of files, settings and this machine.",
              List.of(CommandMessage.values())),
          new Part(
              "The service",
              "What an HTTP answer with an error has in `messages`, beside its `detail`.",
              List.of(ServiceMessage.values())));
  private static final Path PAGE = Path.of("..", "docs", "messages.md");
  private static final List<String> TESTS = tests();
  private static final int LINE = 120;
  private static final int WORDS = 60;
  private static final Pattern VALUE = Pattern.compile("%(\\d+\\$)?[,.\\d]*([sdefg])");

  /** A part of the page: a catalogue. */
  private record Part(String title, String text, List<? extends Entry> entries) {}

  private static Stream<Entry> entries() {
    return PARTS.stream().flatMap(part -> part.entries().stream());
  }

  @Test
  void eachCodeIsOfOneEntry() {
    assertThat(entries().map(Entry::code)).doesNotHaveDuplicates();
    assertThat(entries().map(entry -> entry.text().message())).doesNotHaveDuplicates();
  }

  /** Some test, which is none of catalogues, names the entry or its code. */
  @ParameterizedTest
  @MethodSource("entries")
  void isReachedByATest(Entry entry) {
    String name = ((Enum<?>) entry).getDeclaringClass().getSimpleName() + "." + entry.name();
    Pattern named = Pattern.compile("(?:" + Pattern.quote(name) + "|" + entry.code() + ")\\b");
    assertThat(TESTS).as("a test that expects %s", name).anyMatch(named.asPredicate());
  }

  private static List<String> tests() {
    List<String> tests = new ArrayList<>();
    for (String module : List.of("sketch-core", "regression", "papers", "service", "flink-jobs")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "test", "java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          if (!file.endsWith("MessagesPageTest.java")) {
            tests.add(Files.readString(file));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return tests;
  }

  @Test
  void isThatOfTheCatalogue() throws IOException {
    String page = page();
    if (System.getProperty("gauze.write") != null) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE)
        .as(
            "write it with: mvn test -pl flink-jobs -am -Dtest=MessagesPageTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dgauze.write")
        .content(StandardCharsets.UTF_8)
        .isEqualTo(page);
  }

  /** Both sentences are one each, and stay short with large numbers and long names. */
  @ParameterizedTest
  @MethodSource("entries")
  void sentencesAreShort(Entry entry) {
    for (String name : List.of("temperature", "\ud83d\ude00".repeat(150))) {
      Message message = entry.of(values(entry, name));
      assertThat(message.message()).hasSizeLessThanOrEqualTo(Message.LONGEST).endsWith(".");
      assertThat(message.action()).hasSizeLessThanOrEqualTo(Message.LONGEST).endsWith(".");
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(message.text()))
          .as("no name is cut within a character: %s", message.text())
          .isTrue();
    }
    assertThat(VALUE.matcher(entry.text().action()).results())
        .as("the action names by their place what the message has, too")
        .allMatch(found -> found.group(1) != null || !entry.text().message().contains("%"));
    assertThat(entry.text().explanation().split("\\s+")).hasSizeLessThanOrEqualTo(WORDS);
  }

  /** The values that the formats ask for, as large as they become. */
  private static Object[] values(Entry entry, String name) {
    Stream<Object> plain =
        VALUE
            .matcher(entry.text().message() + entry.text().action())
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
            "A warning or a refusal has a code, a sentence of what is, and one of what to do. With"
                + " `--format json`, and over HTTP, `messages` has all. An error in a config has"
                + " no code: it names the line and what is allowed. Within a part the most severe"
                + " stand first."));
    for (Part part : PARTS) {
      page.append("\n## ").append(part.title()).append("\n\n").append(wrapped(part.text()));
      for (Severity severity : Severity.values()) {
        List<? extends Entry> some =
            part.entries().stream().filter(each -> each.text().severity() == severity).toList();
        if (!some.isEmpty()) {
          page.append('\n').append(wrapped("**" + severity.title() + ".** " + severity.meaning()));
          some.forEach(entry -> page.append(section(entry)));
        }
      }
    }
    return page.toString();
  }

  private static String section(Entry entry) {
    return "\n### "
        + entry.code()
        + "\n\n"
        + wrapped("*" + shown(entry.text().message()) + "*")
        + "\n"
        + wrapped("**What to do.** " + shown(entry.text().action()))
        + "\n"
        + wrapped(entry.text().explanation());
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

package io.gauze.report;

import io.gauze.message.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What to know before a fit is used, for people: the most severe few, and how many there are. */
public final class Messages {
  /** So many messages stand under a fit; the others are counted. */
  public static final int MOST = 3;

  private Messages() {}

  /**
   * Returns two lines a message for the first {@link #MOST}, and a line that counts the others.
   *
   * @param messages the most severe first
   */
  public static List<String> lines(List<Message> messages) {
    return lines("warning: ", messages);
  }

  /**
   * Returns such lines.
   *
   * @param prefix before each message
   */
  public static List<String> lines(String prefix, List<Message> messages) {
    List<String> lines = all(prefix, first(messages));
    if (messages.size() > MOST) {
      lines.add(prefix + more(messages));
    }
    return lines;
  }

  /** Returns such lines for all messages. */
  public static List<String> all(String prefix, List<Message> messages) {
    List<String> lines = new ArrayList<>();
    for (Message each : messages) {
      lines.add(prefix + each.titled());
      Stream.of(each.action(), each.details())
          .filter(more -> !more.isEmpty())
          .forEach(more -> lines.add("  " + more));
    }
    return lines;
  }

  /** Returns a paragraph for each of the first {@link #MOST}, and one that counts the others. */
  public static List<String> paragraphs(List<Message> messages) {
    List<String> paragraphs = new ArrayList<>();
    first(messages).forEach(each -> paragraphs.add(each.line()));
    if (messages.size() > MOST) {
      paragraphs.add(more(messages));
    }
    return paragraphs;
  }

  /** Returns the messages as objects for programs. */
  public static List<Map<String, String>> objects(List<Message> messages) {
    return messages.stream().map(Messages::object).toList();
  }

  private static Map<String, String> object(Message message) {
    Map<String, String> object = new LinkedHashMap<>();
    object.put("code", message.code());
    object.put("message", message.message());
    object.put("action", message.action());
    if (!message.details().isEmpty()) {
      object.put("details", message.details());
    }
    return object;
  }

  private static List<Message> first(List<Message> messages) {
    return messages.subList(0, Math.min(MOST, messages.size()));
  }

  private static String more(List<Message> messages) {
    int hidden = messages.size() - MOST;
    return String.format(
        Locale.ROOT,
        "%d more %s: see \"messages\" with --format json.",
        hidden,
        hidden == 1 ? "message" : "messages");
  }
}

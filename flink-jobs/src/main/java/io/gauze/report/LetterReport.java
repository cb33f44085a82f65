package io.gauze.report;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.kafka.LetterTopic.Letter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * What a topic of letters holds, for people and for programs. Its size does not grow with the
 * topic's.
 */
public final class LetterReport {
  private static final int MOST_REASONS = 1000;
  private static final String OTHER = "other reasons";
  private static final Comparator<Letter> BY_AGE =
      Comparator.comparing(Letter::time)
          .thenComparing(Letter::partition)
          .thenComparing(Letter::offset);

  private final String topic;
  private final int shown;
  private final Map<String, Long> counts = new HashMap<>();
  private final PriorityQueue<Letter> newest = new PriorityQueue<>(BY_AGE); // the oldest first
  private long records;

  /**
   * @param shown how many of the newest letters to show
   */
  public LetterReport(String topic, int shown) {
    this.topic = topic;
    this.shown = shown;
  }

  public String topic() {
    return topic;
  }

  public void add(Letter letter) {
    records++;
    String kind = letter.kind();
    boolean room = counts.size() < MOST_REASONS || counts.containsKey(kind);
    counts.merge(room ? kind : OTHER, 1L, Long::sum);
    if (shown > 0) {
      newest.add(letter);
      if (newest.size() > shown) {
        newest.poll();
      }
    }
  }

  private List<Map.Entry<String, Long>> reasons() {
    List<Map.Entry<String, Long>> all = new ArrayList<>(counts.entrySet());
    all.sort(
        Map.Entry.<String, Long>comparingByValue()
            .reversed()
            .thenComparing(Map.Entry.comparingByKey()));
    return all;
  }

  private List<Letter> newestFirst() {
    List<Letter> all = new ArrayList<>(newest);
    all.sort(BY_AGE.reversed());
    return all;
  }

  /** Lines of text. */
  public String table() {
    if (records == 0) {
      return "topic " + topic + " holds no record" + System.lineSeparator();
    }
    TextTable table = new TextTable();
    table.row("records", "reason");
    reasons().forEach(each -> table.row(Long.toString(each.getValue()), printable(each.getKey())));
    table.row(Long.toString(records), "all");
    StringBuilder text = new StringBuilder(table.toString());
    newestFirst().forEach(letter -> text.append(System.lineSeparator()).append(lines(letter)));
    return text.toString();
  }

  private static String lines(Letter letter) {
    TextTable lines = new TextTable();
    lines.row("time", letter.time().toString());
    lines.row("row", "partition " + letter.partition() + ", offset " + letter.offset());
    lines.row("reason", printable(letter.reason()));
    letter.key().ifPresent(key -> lines.row("key", printable(key)));
    lines.row("value", letter.value().map(LetterReport::printable).orElse("none"));
    int kept = letter.value().map(value -> value.length).orElse(0);
    if (kept < letter.length()) {
      lines.row("", "the first " + kept + " of " + letter.length() + " bytes");
    }
    return lines.toString();
  }

  /** One JSON object; bytes that are no UTF-8 stand under {@code keyBase64, valueBase64}. */
  public String json() {
    ObjectNode top = JsonMapper.builder().build().createObjectNode();
    top.put("topic", topic);
    top.put("records", records);
    top.putArray("reasons");
    for (Map.Entry<String, Long> each : reasons()) {
      ObjectNode node = top.withArrayProperty("reasons").addObject();
      node.put("reason", each.getKey()).put("records", each.getValue());
    }
    top.putArray("newest");
    for (Letter letter : newestFirst()) {
      ObjectNode node = top.withArrayProperty("newest").addObject();
      node.put("time", letter.time().toString());
      node.put("partition", letter.partition()).put("offset", letter.offset());
      node.put("reason", letter.reason());
      put(node, "key", letter.key());
      put(node, "value", letter.value());
      node.put("length", letter.length());
    }
    return printable(top.toString()) + System.lineSeparator();
  }

  private static void put(ObjectNode node, String name, Optional<byte[]> bytes) {
    if (bytes.isEmpty()) {
      node.putNull(name);
      return;
    }
    Optional<String> text = text(bytes.get());
    if (text.isPresent()) {
      node.put(name, text.get());
    } else {
      node.put(name + "Base64", bytes.get());
    }
  }

  private static Optional<String> text(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty(); // Avro, for instance
    }
  }

  private static String printable(byte[] bytes) {
    return text(bytes)
        .map(LetterReport::printable)
        .orElseGet(() -> "base64 " + Base64.getEncoder().encodeToString(bytes));
  }

  /** Whoever sent the row must not command the terminal. In JSON the escapes mean the same. */
  private static String printable(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            each -> {
              int type = Character.getType(each);
              if (type == Character.CONTROL || type == Character.FORMAT) {
                for (char unit : Character.toChars(each)) {
                  shown.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                }
              } else {
                shown.appendCodePoint(each);
              }
            });
    return shown.toString();
  }
}

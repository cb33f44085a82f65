package io.gauze.summary;

import io.gauze.kafka.LetterTopic.Letter;
import io.gauze.report.Columns;
import io.gauze.report.Report;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * A report of the contents of a topic of letters, for people and for programs. Its size does not
 * grow with the topic's.
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
   * Creates an empty report.
   *
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

  /** Returns the report as lines of text. */
  public String table() {
    return report().table();
  }

  /**
   * Returns the report as one JSON object. Bytes that are not UTF-8 are under {@code keyBase64,
   * valueBase64}.
   */
  public String json() {
    return printable(report().json().stripTrailing()) + System.lineSeparator();
  }

  private Report report() {
    Columns<Map.Entry<String, Long>> reasons =
        Columns.<Map.Entry<String, Long>>create()
            .cell("records", each -> Long.toString(each.getValue()))
            .add("reason", "reason", Map.Entry::getKey, each -> printable(each.getKey()))
            .field("records", Map.Entry::getValue);
    List<Map.Entry<String, Long>> lines = reasons();
    Report report =
        new Report()
            .field("topic", topic)
            .field("records", records)
            .field("reasons", reasons.objects(lines));
    if (records == 0) {
      return report.field("newest", List.of()).text("topic " + topic + " holds no record");
    }
    report.table(reasons, lines);
    report.text(
        String.format(
            Locale.ROOT, records == 1 ? "%,d record in all" : "%,d records in all", records));
    List<Map<String, Object>> newest = new ArrayList<>();
    for (Letter letter : newestFirst()) {
      newest.add(add(report.gap(), letter));
    }
    return report.field("newest", newest);
  }

  /** Adds the lines of a letter, and returns its JSON object. */
  private static Map<String, Object> add(Report report, Letter letter) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("time", letter.time().toString());
    object.put("partition", letter.partition());
    object.put("offset", letter.offset());
    object.put("reason", letter.reason());
    put(object, "key", letter.key());
    put(object, "value", letter.value());
    object.put("length", letter.length());
    report
        .line("time", letter.time().toString())
        .line("row", "partition " + letter.partition() + ", offset " + letter.offset())
        .line("reason", printable(letter.reason()));
    letter.key().ifPresent(key -> report.line("key", printable(key)));
    report.line("value", letter.value().map(LetterReport::printable).orElse("none"));
    int kept = letter.value().map(value -> value.length).orElse(0);
    if (kept < letter.length()) {
      report.line("", "the first " + kept + " of " + letter.length() + " bytes");
    }
    return object;
  }

  private static void put(Map<String, Object> object, String name, Optional<byte[]> bytes) {
    Optional<String> text = bytes.flatMap(LetterReport::text);
    if (bytes.isPresent() && text.isEmpty()) {
      object.put(name + "Base64", bytes.get());
    } else {
      object.put(name, text.orElse(null));
    }
  }

  private static Optional<String> text(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty(); // such as Avro
    }
  }

  private static String printable(byte[] bytes) {
    return text(bytes)
        .map(LetterReport::printable)
        .orElseGet(() -> "base64 " + Base64.getEncoder().encodeToString(bytes));
  }

  /**
   * Escapes control characters, so that a row cannot send commands to the terminal. In JSON the
   * escapes do not change the value.
   */
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

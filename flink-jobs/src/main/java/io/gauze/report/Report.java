package io.gauze.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a command prints: entries of key, label and value, which people read as lines of text and
 * programs as one JSON object. An entry may be for one of them alone, since the two may have
 * another order. Mutable, not thread-safe.
 */
public final class Report {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String END = System.lineSeparator();

  private final Map<String, Object> fields = new LinkedHashMap<>();
  private final StringBuilder text = new StringBuilder();
  private TextTable lines = new TextTable();

  /** Adds an entry whose text is that of its value. */
  public Report add(String key, String label, Object value) {
    return add(key, label, value, value.toString());
  }

  /** Adds an entry. */
  public Report add(String key, String label, Object value, String shown) {
    return field(key, value).line(label, shown);
  }

  /**
   * Adds an entry for programs alone.
   *
   * @param value a text, a number, a boolean, a JSON node, or a list or map of these; an Optional
   *     without a value adds nothing
   */
  public Report field(String key, Object value) {
    if (!(value instanceof Optional<?> maybe)) {
      fields.put(key, value);
    } else if (maybe.isPresent()) {
      fields.put(key, maybe.get());
    }
    return this;
  }

  /** Adds entries for programs alone. */
  public Report fields(Map<String, ?> all) {
    all.forEach(this::field);
    return this;
  }

  /** Adds a line for people alone; values of adjacent lines begin in one column. */
  public Report line(String label, String shown) {
    lines.row(label, shown);
    return this;
  }

  /** Adds a list: a table for people, an array for programs. */
  public <T> Report list(String key, Columns<T> columns, Collection<? extends T> items) {
    return field(key, columns.objects(items)).table(columns, items);
  }

  /** Adds a table for people alone. */
  public <T> Report table(Columns<T> columns, Collection<? extends T> items) {
    endLines();
    text.append(columns.table(items));
    return this;
  }

  /** Adds a paragraph for people alone. */
  public Report text(String paragraph) {
    endLines();
    text.append(paragraph).append(END);
    return this;
  }

  /** Adds an empty line for people alone. */
  public Report gap() {
    return text("");
  }

  private void endLines() {
    text.append(lines);
    lines = new TextTable();
  }

  /** What people read: lines, each with its end. */
  public String table() {
    return text.toString() + lines;
  }

  /** What programs read: one JSON object on a line. */
  public String json() {
    try {
      return JSON.writeValueAsString(fields) + END;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // texts and numbers only
    }
  }

  /** What programs read, on several lines. */
  public String prettyJson() {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(fields) + END;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // texts and numbers only
    }
  }
}

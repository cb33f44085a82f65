package io.gauze.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The output of a command: entries of key, label and value, which are lines of text for people and
 * one JSON object for programs. An entry may be for only one of them, since their orders may
 * differ. Mutable, not thread-safe.
 */
public final class Report {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String END = System.lineSeparator();

  private final Map<String, Object> fields = new LinkedHashMap<>();
  private final StringBuilder text = new StringBuilder();
  private final List<String> notes = new ArrayList<>();
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
   * Adds an entry for programs only.
   *
   * @param value a text, a number, a boolean, a JSON node, or a list or map of these; an empty
   *     {@link Optional} adds nothing
   */
  public Report field(String key, Object value) {
    if (!(value instanceof Optional<?> maybe)) {
      fields.put(key, value);
    } else if (maybe.isPresent()) {
      fields.put(key, maybe.get());
    }
    return this;
  }

  /** Adds entries for programs only. */
  public Report fields(Map<String, ?> all) {
    all.forEach(this::field);
    return this;
  }

  /** Adds a line for people only; the values of adjacent lines are aligned. */
  public Report line(String label, String shown) {
    lines.row(label, shown);
    return this;
  }

  /** Adds a list: a table for people, an array for programs. */
  public <T> Report list(String key, Columns<T> columns, Collection<? extends T> items) {
    return field(key, columns.objects(items)).table(columns, items);
  }

  /** Adds a table for people only. */
  public <T> Report table(Columns<T> columns, Collection<? extends T> items) {
    endLines();
    text.append(columns.table(items));
    return this;
  }

  /** Adds a paragraph for people only. */
  public Report text(String paragraph) {
    endLines();
    text.append(paragraph).append(END);
    return this;
  }

  /** Adds a paragraph for people that must not be lost where the result is printed as CSV. */
  public Report note(String paragraph) {
    notes.add(paragraph);
    return text(paragraph);
  }

  /** Returns the notes in their order. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** Adds an empty line for people only. */
  public Report gap() {
    return text("");
  }

  private void endLines() {
    text.append(lines);
    lines = new TextTable();
  }

  /** Returns the text for people: lines, each with its line end. */
  public String table() {
    return text.toString() + lines;
  }

  /** Returns the JSON object for programs, on one line. */
  public String json() {
    try {
      return JSON.writeValueAsString(fields) + END;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // texts and numbers only
    }
  }

  /** Returns the JSON object for programs, on several lines. */
  public String prettyJson() {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(fields) + END;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // texts and numbers only
    }
  }
}

package io.gauze.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The columns of a list of items: each item is a line of a table for people and a JSON object for
 * programs. A column may be for only one of them, since their orders may differ.
 *
 * @param <T> the items
 */
public final class Columns<T> {
  private record Field<T>(String key, Function<T, ?> value) {}

  private record Cell<T>(String label, Function<T, String> text) {}

  private final List<Field<T>> fields = new ArrayList<>();
  private final List<Cell<T>> cells = new ArrayList<>();
  private final boolean numbers;

  private Columns(boolean numbers) {
    this.numbers = numbers;
  }

  /** Returns an empty list of columns, which will be left-aligned. */
  public static <T> Columns<T> create() {
    return new Columns<>(false);
  }

  /**
   * Returns an empty list of columns, of which all but the first will be right-aligned, as numbers.
   */
  public static <T> Columns<T> ofNumbers() {
    return new Columns<>(true);
  }

  /** Adds a column whose text is that of its value. */
  public Columns<T> add(String key, String label, Function<T, ?> value) {
    return add(key, label, value, item -> value.apply(item).toString());
  }

  /** Adds a column. */
  public Columns<T> add(String key, String label, Function<T, ?> value, Function<T, String> text) {
    return field(key, value).cell(label, text);
  }

  /**
   * Adds a column for programs only.
   *
   * @param value the value, as {@link Report#field} takes it
   */
  public Columns<T> field(String key, Function<T, ?> value) {
    fields.add(new Field<>(key, value));
    return this;
  }

  /** Adds a column for people only. */
  public Columns<T> cell(String label, Function<T, String> text) {
    cells.add(new Cell<>(label, text));
    return this;
  }

  /** Returns the JSON object of an item. */
  public Map<String, Object> object(T item) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (Field<T> field : fields) {
      Object value = field.value().apply(item);
      if (!(value instanceof Optional<?> maybe)) {
        object.put(field.key(), value);
      } else if (maybe.isPresent()) {
        object.put(field.key(), maybe.get());
      }
    }
    return object;
  }

  /** Returns the JSON objects of all items. */
  public List<Map<String, Object>> objects(Collection<? extends T> items) {
    List<Map<String, Object>> objects = new ArrayList<>();
    items.forEach(item -> objects.add(object(item)));
    return objects;
  }

  /** Returns the cells of an item's line, without padding. */
  public List<String> line(T item) {
    return cells.stream().map(cell -> cell.text().apply(item)).toList();
  }

  /** Returns a table with the labels and a line for each item. */
  TextTable table(Collection<? extends T> items) {
    TextTable table = numbers ? TextTable.ofNumbers() : new TextTable();
    table.row(cells.stream().map(Cell::label).toList());
    items.forEach(item -> table.row(line(item)));
    return table;
  }
}

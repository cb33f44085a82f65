package io.gauze.source;

import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The fields that are read of a record: those of the schema's columns, with the indices of {@link
 * RowSchema#fields}, then the extras that no column reads, such as a user id or an event time. A
 * field may be both. Immutable, cheap to create.
 */
public final class RowFields {
  private final RowSchema schema;
  private final List<String> names;
  private final Map<String, Integer> indexOf = new HashMap<>();
  private final boolean[] extra;
  private final boolean[] number;
  private final boolean[] literal;
  private final List<String> extras;
  private final int time;

  private RowFields(RowSchema schema, List<String> extras, String time) {
    this.schema = schema;
    this.extras = extras;
    List<String> all = new ArrayList<>(schema.fields());
    all.forEach(name -> indexOf.put(name, indexOf.size()));
    for (String name : extras) {
      if (indexOf.putIfAbsent(name, all.size()) == null) {
        all.add(name);
      }
    }
    this.names = Collections.unmodifiableList(all);
    this.extra = new boolean[all.size()];
    extras.forEach(name -> extra[indexOf.get(name)] = true);
    this.number = new boolean[all.size()];
    this.literal = new boolean[all.size()];
    for (int i = 0; i < literal.length; i++) {
      number[i] = isColumn(i) && schema.numericField(i);
      literal[i] = extra[i] || !number[i];
    }
    this.time = index(time);
  }

  /**
   * Returns the fields of a schema and extras.
   *
   * @param extras names of fields that are wanted as text, whether or not a column reads them
   */
  public static RowFields of(RowSchema schema, List<String> extras) {
    return new RowFields(schema, List.copyOf(extras), "");
  }

  /** Returns a copy in which an extra is an event time; none if no extra has this name. */
  public RowFields withTime(String field) {
    return new RowFields(schema, extras, field);
  }

  /** Returns whether a field is an event time, which formats have types of their own for. */
  public boolean isTime(int field) {
    return field == time && field >= 0;
  }

  /** The schema of the columns. */
  public RowSchema schema() {
    return schema;
  }

  /** The names of the fields, those of the columns first; immutable. */
  public List<String> names() {
    return names;
  }

  /** The index of a field in {@link #names}, or -1 if nothing reads it. Allocates nothing. */
  public int index(String field) {
    Integer index = indexOf.get(field);
    return index == null ? -1 : index;
  }

  /**
   * Returns the fields inside of objects, as a tree: the path {@code a.b} is the member {@code b}
   * of the object in member {@code a}.
   */
  public Inside inside() {
    Inside root = new Inside();
    indexOf.forEach(
        (name, field) -> {
          Inside at = root;
          int from = 0;
          for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', from)) {
            at = at.objects.computeIfAbsent(name.substring(from, dot), key -> new Inside());
            from = dot + 1;
          }
          at.members.put(name.substring(from), field);
        });
    root.collect();
    return root;
  }

  /** The fields that are read of a row, or of an object inside of it, by the names of members. */
  public static final class Inside {
    private static final Inside NOTHING = new Inside();

    private final Map<String, Integer> members = new HashMap<>();
    private final Map<String, Inside> objects = new HashMap<>();
    private int[] all = {};

    /** The index of the field in a member, or -1 if nothing reads it. */
    public int member(String name) {
      return members.getOrDefault(name, -1);
    }

    /** The fields inside of the object in a member; none if nothing reads any. */
    public Inside object(String name) {
      return objects.getOrDefault(name, NOTHING);
    }

    /** Returns whether objects inside of this one are read. */
    public boolean hasObjects() {
      return !objects.isEmpty();
    }

    /** The indices of all fields inside of this object, at any depth; empty if nothing is read. */
    public int[] all() {
      return all;
    }

    private void collect() {
      objects.values().forEach(Inside::collect);
      all =
          IntStream.concat(
                  members.values().stream().mapToInt(Integer::intValue),
                  objects.values().stream().flatMapToInt(object -> IntStream.of(object.all)))
              .toArray();
    }
  }

  /** Returns whether a column of the schema reads the field. */
  public boolean isColumn(int field) {
    return field < schema.fields().size();
  }

  /** Returns whether a text is a category, a rank or the text of an indicator in this field. */
  public boolean knows(int field, String text) {
    return isColumn(field)
        && schema.columns().stream()
            .filter(column -> column.source().equals(names.get(field)))
            .anyMatch(column -> column.lists(text));
  }

  /** Returns whether {@link RowImage#extra} keeps the field as text. */
  public boolean isExtra(int field) {
    return extra[field];
  }

  /** Returns whether a number in this field is wanted through {@link RowImage#number}. */
  public boolean wantsNumber(int field) {
    return number[field];
  }

  /**
   * Returns whether a number in this field is wanted as it is written, through {@link
   * RowImage#literal}. Keys may be integers of 64 bits, two of which can be the same double. The
   * field may be wanted as a number, too.
   */
  public boolean wantsLiteral(int field) {
    return literal[field];
  }
}

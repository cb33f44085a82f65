package io.gauze.row;

import io.gauze.message.NearestName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The encoded columns of a schema, found by their names: the intercept, and one or more for each
 * column. Immutable.
 */
final class EncodedColumns {
  private static final int LISTED = 10; // the most names that a message lists
  private static final int NONE = -1; // the column of the intercept

  private final List<Column> columns;
  private final List<String> names = new ArrayList<>();
  private final List<Integer> columnOf = new ArrayList<>();
  private final int[] offsets;
  private final Map<String, Integer> indexOfName = new HashMap<>();

  EncodedColumns(List<Column> columns) {
    this.columns = columns;
    this.offsets = new int[columns.size()];
    add(RowSchema.INTERCEPT, NONE);
    for (int c = 0; c < columns.size(); c++) {
      offsets[c] = names.size();
      for (String name : columns.get(c).encodedNames()) {
        add(name, c);
      }
    }
    columns.forEach(this::checkOwnName);
  }

  private void add(String name, int column) {
    if (indexOfName.putIfAbsent(name, names.size()) != null) {
      throw new IllegalArgumentException(
          "names of encoded columns must be unique. Provided value: " + name + " twice");
    }
    names.add(name);
    columnOf.add(column);
  }

  // Responses are named by their columns and by their encoded columns: both must mean the same.
  private void checkOwnName(Column column) {
    Integer encoded = indexOfName.get(column.name());
    if (encoded != null && (encoded == 0 || !column(encoded).equals(column))) {
      throw new IllegalArgumentException(
          "the name of a column must not be that of an encoded column of another one. Provided"
              + " value: "
              + column.name());
    }
  }

  /** The names, that of the intercept first; immutable. */
  List<String> names() {
    return Collections.unmodifiableList(names);
  }

  /** Returns the index of the column that an encoded one belongs to; not for the intercept. */
  int columnOf(int encoded) {
    return columnOf.get(encoded);
  }

  /** Returns the column that an encoded one belongs to; not for the intercept. */
  Column column(int encoded) {
    return columns.get(columnOf.get(encoded));
  }

  /** Returns the index of the first encoded column of a column. */
  int offset(int column) {
    return offsets[column];
  }

  /** As {@link RowSchema#encodedIndex(String, String)}. */
  int index(String what, String name) {
    Integer index = indexOfName.get(name);
    if (index == null) {
      throw columnNamed(name)
          .map(column -> hasCategories(what, columns.get(column)))
          .orElseGet(() -> NearestName.unknown(what, name, shownNames(), LISTED));
    }
    return index;
  }

  /** As {@link RowSchema#encodedIndexes(String, String, Optional)}. */
  List<Integer> indexes(String what, String name, Optional<String> other) {
    return columnNamed(name)
        .map(c -> IntStream.range(offsets[c], offsets[c] + columns.get(c).width()).boxed().toList())
        .or(() -> Optional.ofNullable(indexOfName.get(name)).map(List::of))
        .orElseThrow(() -> NearestName.unknown(what, name, groupNames(other), LISTED));
  }

  /** The names of all columns, and of what a column with categories is encoded as. */
  private List<String> groupNames(Optional<String> except) {
    List<String> names = new ArrayList<>();
    for (Column column : columns) {
      names.add(column.name());
      column.encodedNames().stream()
          .filter(name -> !name.equals(column.name()))
          .forEach(names::add);
    }
    if (except.isPresent() && names.size() > 1) {
      names.remove(except.get());
    }
    return names;
  }

  private Optional<Integer> columnNamed(String name) {
    return IntStream.range(0, columns.size())
        .filter(c -> columns.get(c).name().equals(name))
        .boxed()
        .findFirst();
  }

  /** The names that a user may mean: all encoded columns but the intercept. */
  private List<String> shownNames() {
    return names.subList(1, names.size());
  }

  private static IllegalArgumentException hasCategories(String what, Column column) {
    return new IllegalArgumentException(
        what
            + " must be one of the stream's; its categories are columns of their own, "
            + NearestName.listed(column.encodedNames(), LISTED)
            + ": name these, and the first category is the baseline. Provided value: "
            + column.name());
  }
}

package io.gauze.row;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The distinct fields that the columns of a schema read. */
final class Fields {
  private final Map<String, Integer> indexOf = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<Boolean> numeric = new ArrayList<>();

  Fields(List<Column> columns) {
    columns.forEach(this::add);
  }

  private void add(Column column) {
    Integer known = indexOf.putIfAbsent(column.source(), names.size());
    if (known == null) {
      names.add(column.source());
      numeric.add(column.numeric());
    } else if (numeric.get(known) != column.numeric()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "columns of one field must be all numeric or all text. Provided value: field %s,"
                  + " column %s",
              column.source(),
              column.name()));
    }
  }

  List<String> names() {
    return Collections.unmodifiableList(names);
  }

  int index(String field) {
    return indexOf.getOrDefault(field, -1);
  }

  boolean numeric(int field) {
    return numeric.get(field);
  }
}

package io.gauze.plan;

import io.gauze.row.Column;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What tells two encodings apart, for people. Releases of different encodings do not add up. */
public final class EncodingDifference {
  private EncodingDifference() {}

  /**
   * Returns a line for each column or key in which two encodings differ; none if they are equal.
   *
   * @param here the name of the one in the lines, such as "this config"
   * @param there the name of the other
   */
  public static List<String> lines(RowSchema one, String here, RowSchema other, String there) {
    List<String> lines = new ArrayList<>();
    Map<String, String> first = parts(one);
    Map<String, String> second = parts(other);
    first.forEach(
        (name, value) -> {
          String found = second.getOrDefault(name, "none");
          if (!found.equals(value)) {
            lines.add(name + ": " + here + " has " + value + ", " + there + " " + found);
          }
        });
    second.forEach(
        (name, value) -> {
          if (!first.containsKey(name)) {
            lines.add(name + ": " + here + " has none, " + there + " " + value);
          }
        });
    boolean isOne = StreamFingerprints.encoding(one).equals(StreamFingerprints.encoding(other));
    if (lines.isEmpty() && !isOne) {
      boolean inOrder = names(one).equals(names(other));
      lines.add(
          (inOrder ? "texts: " : "columns: ") + here + " has them in another order than " + there);
    }
    return lines;
  }

  private static String quoted(List<String> texts) {
    return texts.stream().map(text -> '"' + text + '"').toList().toString();
  }

  private static List<String> names(RowSchema schema) {
    return schema.columns().stream().map(Column::name).toList();
  }

  private static Map<String, String> parts(RowSchema schema) {
    Map<String, String> parts = new LinkedHashMap<>();
    for (int k = 0; k < schema.columns().size(); k++) {
      ColumnForm form = ColumnForm.of(schema.columns().get(k));
      String column = "column " + form.name();
      parts.put(column + ", kind", form.kind());
      parts.put(column + ", source", form.source());
      boolean isText = form.ranks().isEmpty() && !form.texts().isEmpty();
      if (isText) {
        parts.put(column + ", texts", quoted(form.texts()));
      } else {
        parts.put(column + ", lower", Double.toString(form.lower()));
        parts.put(column + ", upper", Double.toString(form.upper()));
        parts.put(column + ", typical", Double.toString(form.typical()));
        parts.put(column + ", texts", quoted(form.texts()));
        parts.put(column + ", ranks", form.ranks().toString());
      }
      parts.put(column + ", factor", Double.toString(schema.factor(k)));
    }
    parts.put("intercept", Double.toString(schema.intercept()));
    parts.put("rowBound", Double.toString(schema.rowBound()));
    parts.put("missing", schema.missing().name().toLowerCase(Locale.ROOT));
    parts.put("response", quoted(schema.responses().columns()));
    parts.put("responseBound", Double.toString(schema.responses().bound()));
    return parts;
  }
}

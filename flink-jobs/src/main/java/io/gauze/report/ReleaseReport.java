package io.gauze.report;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.accounting.Guarantee;
import io.gauze.release.GuaranteeJson;
import io.gauze.release.Release;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Locale;

/** What a release is, for people and for programs: never its numbers. */
public final class ReleaseReport {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** The columns of a list. */
  public static final List<String> HEADER =
      List.of("release", "mechanism", "contents", "epsilon", "delta", "neighbours", "bytes");

  private ReleaseReport() {}

  /** A line of a list. */
  public static List<String> line(Release release, int bytes) {
    Guarantee guarantee = release.guarantee();
    return List.of(
        release.id().toString(),
        release.mechanism(),
        release.payload().kind(),
        (guarantee.isPrivate() ? "" : "NOT PRIVATE, would be ") + guarantee.epsilon(),
        Double.toString(guarantee.delta()),
        guarantee.neighbours().label(),
        Integer.toString(bytes));
  }

  /** The same as an object. */
  public static ObjectNode summary(Release release, int bytes) {
    Guarantee guarantee = release.guarantee();
    ObjectNode node = JSON.createObjectNode();
    node.put("id", release.id().toString());
    node.put("stream", release.id().stream());
    node.put("group", release.id().group());
    node.put("epoch", release.id().epoch());
    node.put("sketch", release.id().sketch());
    node.put("mechanism", release.mechanism());
    node.put("contents", release.payload().kind());
    node.put("numbers", release.payload().length());
    node.put("epsilon", guarantee.epsilon());
    node.put("delta", guarantee.delta());
    node.put("neighbours", guarantee.neighbours().label());
    node.put("private", guarantee.isPrivate());
    node.put("bytes", bytes);
    return node;
  }

  /** The whole header as an object. */
  public static ObjectNode header(Release release, int bytes) {
    ObjectNode node = summary(release, bytes);
    node.put("encodingVersion", release.encodingVersion());
    node.set("parameters", JSON.valueToTree(release.parameters()));
    node.set("settings", JSON.valueToTree(release.settings()));
    node.put("unit", release.stepSize());
    node.put("sigma", release.sigma());
    node.put("noiseLaw", release.noiseLaw());
    RowSchema schema = release.schema();
    for (int i = 1; i < schema.dimension(); i++) {
      ObjectNode column = node.withArrayProperty("columns").addObject();
      column.put("name", schema.encodedNames().get(i));
      column.put("lower", schema.lower(i));
      column.put("upper", schema.upper(i));
    }
    node.put("intercept", schema.intercept());
    node.put("rowBound", schema.rowBound());
    node.put("missing", schema.missing().name().toLowerCase(Locale.ROOT));
    node.set("guarantee", GuaranteeJson.write(release.guarantee()));
    return node;
  }

  /** The whole header as text. */
  public static String headerText(Release release, int bytes) {
    RowSchema schema = release.schema();
    TextTable table = new TextTable();
    table.row("release", release.id().toString());
    table.row("mechanism", release.mechanism());
    table.row("contents", release.payload().length() + " numbers: " + release.payload().kind());
    table.row("bytes", Integer.toString(bytes));
    release.parameters().forEach((name, value) -> table.row(name, Double.toString(value)));
    release.settings().forEach(table::row);
    table.row("unit", Double.toString(release.stepSize()));
    table.row("sigma", Double.toString(release.sigma()));
    table.row("noise", release.noiseLaw());
    table.row("row bound", schema.rowBound() + ", intercept " + schema.intercept());
    table.row("missing", schema.missing().name().toLowerCase(Locale.ROOT));
    table.row("encoding", release.encodingVersion());
    TextTable columns = new TextTable();
    columns.row("column", "lower", "upper");
    for (int i = 1; i < schema.dimension(); i++) {
      columns.row(
          schema.encodedNames().get(i),
          Double.toString(schema.lower(i)),
          Double.toString(schema.upper(i)));
    }
    String gap = System.lineSeparator();
    return table + gap + columns + gap + release.guarantee().sentence() + gap;
  }
}

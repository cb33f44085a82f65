package io.gauze.sql;

import io.gauze.answer.ReleaseHash;
import io.gauze.message.NearestName;
import io.gauze.release.Release;
import io.gauze.report.ReleaseReport;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The columns that a table of releases can have: the fields of the list of releases over HTTP,
 * under the same names, and more. A table has some of them, in any order.
 */
final class ReleaseColumns {
  /** The bytes of the record, from which fits are made. */
  static final String BODY = "body";

  /** Why the record is no release; NULL if it is one. */
  static final String DAMAGE = "damage";

  /** The columns of a release's header, in the order of the list, and their types. */
  private static final Map<String, DataType> TYPES = types();

  private ReleaseColumns() {}

  private static Map<String, DataType> types() {
    Map<String, DataType> types = new LinkedHashMap<>();
    for (String text :
        List.of("id", "stream", "group", "epoch", "sketch", "mechanism", "contents")) {
      types.put(text, DataTypes.STRING());
    }
    types.put("numbers", DataTypes.INT());
    types.put("epsilon", DataTypes.DOUBLE());
    types.put("delta", DataTypes.DOUBLE());
    types.put("neighbours", DataTypes.STRING());
    types.put("private", DataTypes.BOOLEAN());
    types.put("bytes", DataTypes.INT());
    types.put("sha256", DataTypes.STRING());
    types.put("epoch_start", DataTypes.TIMESTAMP_LTZ(3));
    types.put("guarantee", DataTypes.STRING());
    types.put(BODY, DataTypes.BYTES());
    types.put(DAMAGE, DataTypes.STRING());
    return types;
  }

  /**
   * Checks the columns of a table.
   *
   * @return their names
   * @throws ValidationException if one is unknown, or has another type than it must have
   */
  static List<String> check(RowType table) {
    List<String> names = new ArrayList<>();
    for (RowType.RowField field : table.getFields()) {
      DataType type = TYPES.get(field.getName());
      if (type == null) {
        throw new ValidationException(
            NearestName.unknown(
                    "A column of the format " + ReleaseDecoder.FORMAT,
                    field.getName(),
                    TYPES.keySet())
                .getMessage());
      }
      LogicalType wanted = type.getLogicalType();
      if (!wanted.copy(field.getType().isNullable()).equals(field.getType())) {
        throw new ValidationException(
            "Column "
                + field.getName()
                + " of the format "
                + ReleaseDecoder.FORMAT
                + " must have the type "
                + wanted.asSummaryString()
                + ". Provided value: "
                + field.getType().asSummaryString());
      }
      names.add(field.getName());
    }
    return names;
  }

  /** Returns the row of a release. */
  static RowData row(List<String> names, Release release, byte[] bytes) {
    Map<String, Object> listed =
        ReleaseReport.LIST.object(ReleaseReport.Listed.of(release, bytes.length));
    GenericRowData row = new GenericRowData(names.size());
    for (int k = 0; k < names.size(); k++) {
      Object value =
          switch (names.get(k)) {
            case BODY -> bytes;
            case DAMAGE -> null;
            case "sha256" -> ReleaseHash.of(bytes);
            case "epoch_start" -> start(release.id().epoch()).orElse(null);
            case "guarantee" -> release.guarantee().sentence();
            default -> listed.get(names.get(k));
          };
      row.setField(k, value instanceof String text ? StringData.fromString(text) : value);
    }
    return row;
  }

  /** Returns the row of a record that is no release: NULL but for {@code damage}. */
  static RowData damaged(List<String> names, String reason) {
    GenericRowData row = new GenericRowData(names.size());
    if (names.contains(DAMAGE)) { // the query reads it
      row.setField(names.indexOf(DAMAGE), StringData.fromString(reason));
    }
    return row;
  }

  /** Returns the begin of an epoch; empty if its name is no time, such as all. */
  private static Optional<TimestampData> start(String epoch) {
    try {
      return Optional.of(TimestampData.fromInstant(Instant.parse(epoch)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}

package io.gauze.sql;

import io.gauze.fit.Predicted;
import io.gauze.message.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.DataType;

/** A column that a model can give: a number, NULL if it is withheld. */
enum PredictionColumn {
  FIT,
  STD_ERROR,
  SAMPLING_ERROR,
  PRIVACY_ERROR,
  CONF_LOW,
  CONF_HIGH,
  /** The columns whose value was moved to an end of their range, with commas between them. */
  CLAMPED;

  /**
   * Returns the columns of a model's output.
   *
   * @throws ValidationException if one is unknown, or has another type than it must have
   */
  static List<PredictionColumn> of(ResolvedSchema output) {
    return output.getColumns().stream().map(PredictionColumn::of).toList();
  }

  private static PredictionColumn of(Column column) {
    for (PredictionColumn each : values()) {
      if (each.label().equals(column.getName())) {
        each.check(column.getDataType());
        return each;
      }
    }
    throw new ValidationException(
        NearestName.unknown("A column of OUTPUT", column.getName(), labels()).getMessage());
  }

  private void check(DataType type) {
    DataType wanted = this == CLAMPED ? DataTypes.STRING() : DataTypes.DOUBLE();
    if (!type.nullable().equals(wanted)) {
      throw new ValidationException(
          "Column "
              + label()
              + " of OUTPUT must have the type "
              + wanted
              + ". Provided value: "
              + type);
    }
  }

  private static List<String> labels() {
    return Arrays.stream(values()).map(PredictionColumn::label).toList();
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the value of a prediction; null, which is NULL in SQL, if it is withheld. */
  Object value(Predicted row) {
    return switch (this) {
      case FIT -> TermRow.known(row.fit());
      case STD_ERROR -> TermRow.known(row.stdError());
      case SAMPLING_ERROR -> TermRow.known(row.samplingError());
      case PRIVACY_ERROR -> TermRow.known(row.privacyError());
      case CONF_LOW -> TermRow.known(row.lower());
      case CONF_HIGH -> TermRow.known(row.upper());
      case CLAMPED -> StringData.fromString(String.join(",", row.clamped()));
    };
  }
}

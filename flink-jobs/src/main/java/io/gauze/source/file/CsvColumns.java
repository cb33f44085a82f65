package io.gauze.source.file;

import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The columns of a file, and how values of those that a schema reads are written. An empty value is
 * missing; so is {@code NA}, unless a column lists it as one of its texts. Immutable.
 */
final class CsvColumns {
  private static final String MISSING = "NA";
  private static final char REPLACEMENT = '\ufffd';

  private final List<String> names;
  private final Map<String, Integer> indexOf;
  private final Set<String> fields = new LinkedHashSet<>(); // that are read
  private final boolean[] number;
  private final boolean[] listsMissing;
  private final boolean decimalComma;

  CsvColumns(CsvFile file, RowSchema schema, List<String> extras, CsvOptions options) {
    this.indexOf = file.indexes();
    this.names = file.names().stream().filter(name -> !name.isEmpty()).distinct().toList();
    this.number = new boolean[file.names().size()];
    this.listsMissing = new boolean[file.names().size()];
    this.decimalComma = options.decimal() == ',';
    this.fields.addAll(schema.fields());
    this.fields.addAll(extras);
    for (int field = 0; field < schema.fields().size(); field++) {
      int column = index(schema.fields().get(field));
      if (column >= 0) {
        number[column] = schema.numericField(field);
        listsMissing[column] = schema.lists(field, MISSING);
      }
    }
  }

  /** The names of the columns, without duplicates and empty ones, in the file's order. */
  List<String> names() {
    return names;
  }

  /** The index of a column in the file; -1 if there is none. */
  int index(String name) {
    return indexOf.getOrDefault(name, -1);
  }

  /**
   * Returns a value, as it is read: empty if it is missing, and with a decimal point if the file
   * has decimal commas and the column is a number.
   *
   * @throws RowRejectedException if a number has a point in a file with decimal commas
   */
  String value(CsvCells cells, int column) throws RowRejectedException {
    String value = cells.value(column);
    if (value.equals(MISSING) && !listsMissing[column]) {
      return "";
    }
    if (!decimalComma || !number[column]) {
      return value;
    }
    if (value.indexOf('.') >= 0) {
      throw new RowRejectedException(
          "a number has a point, and --decimal says that decimals follow a comma; write it without"
              + " separators of thousands");
    }
    return CsvNumber.of(value, ',').isPresent() ? value.replace(',', '.') : value;
  }

  /**
   * Refuses a row with bytes that are not of the file's encoding in a column that is read.
   *
   * @param cells a row with such bytes
   */
  void requireDecoded(CsvCells cells) throws RowRejectedException {
    for (String field : fields) {
      int column = index(field);
      if (column >= 0 && cells.value(column).indexOf(REPLACEMENT) >= 0) {
        throw new RowRejectedException(
            "field "
                + field
                + " is not of the file's encoding (UTF-8, if none is given); save the file as"
                + " UTF-8, or name its encoding, such as --encoding windows-1252");
      }
    }
  }
}

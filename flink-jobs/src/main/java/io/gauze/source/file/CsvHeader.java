package io.gauze.source.file;

import io.gauze.row.NumberText;
import io.gauze.row.RowRejectedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The columns of a CSV file. Holds no value of a row.
 *
 * @param columns in the file's order; immutable
 * @param fault why the first of the first rows that cannot be read cannot, and in which line
 */
public record CsvHeader(List<Field> columns, Optional<String> fault) {
  /** The rows that decide which columns are numbers. */
  private static final int ROWS = 1000;

  /**
   * A column.
   *
   * @param name the text in the header
   * @param number whether all values of the first rows are numbers
   * @param otherDecimal whether they would all be numbers with the other decimal character, and are
   *     not with the one that was given
   */
  public record Field(String name, boolean number, boolean otherDecimal) {}

  /** Copies the list. */
  public CsvHeader {
    columns = List.copyOf(columns);
  }

  /**
   * Reads the header of {@code file} and the kinds of its columns; {@code -} is standard input.
   *
   * @param numericNames whether names may be numbers, such as years
   * @throws CsvRows.HeaderException if the first line is no header, or has a name twice
   * @throws IOException if the file cannot be read
   */
  public static CsvHeader read(String file, CsvOptions options, boolean numericNames)
      throws IOException {
    try (CsvFile opened = CsvFile.open(file, options)) {
      List<String> names = opened.names().stream().filter(name -> !name.isEmpty()).toList();
      check(file, names, numericNames);
      Map<String, Integer> indexOf = opened.indexes();
      Kinds kinds = new Kinds(opened.names().size(), options.decimal());
      for (int rows = 0; rows < ROWS && opened.hasNext(); rows++) {
        kinds.addNext(opened);
      }
      List<Field> fields = new ArrayList<>();
      names.forEach(name -> fields.add(kinds.field(name, indexOf.get(name))));
      return new CsvHeader(fields, kinds.fault);
    }
  }

  private static void check(String file, List<String> names, boolean numericNames)
      throws CsvRows.HeaderException {
    // The first line may be a row, which must not be shown.
    if (names.isEmpty()) {
      throw new CsvRows.HeaderException(
          file + " has no names in its first line, which must be a header");
    }
    if (!numericNames && names.stream().anyMatch(NumberText::isValueLike)) {
      throw new CsvRows.HeaderException(
          file
              + " has a number or a date in its first line, which must be a header with the names of the"
              + " columns. If these are names, such as years, give --numeric-names");
    }
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new CsvRows.HeaderException(
            file
                + " has a name twice in its first line, for columns "
                + (names.indexOf(name) + 1)
                + " and "
                + (names.lastIndexOf(name) + 1)
                + " of those with a name: rename one of them");
      }
    }
  }

  /** Which columns hold numbers, with each of the two decimal characters. */
  private static final class Kinds {
    private final char decimal;
    private final boolean[] text;
    private final boolean[] textByOther;
    private Optional<String> fault = Optional.empty();

    Kinds(int columns, char decimal) {
      this.decimal = decimal;
      this.text = new boolean[columns];
      this.textByOther = new boolean[columns];
    }

    void addNext(CsvFile file) throws IOException {
      try {
        add(file.next());
      } catch (RowRejectedException e) {
        fault = fault.or(() -> Optional.of("line " + file.line() + ": " + e.getMessage()));
      }
    }

    private void add(CsvCells cells) {
      for (int i = 0; i < text.length; i++) {
        String value = cells.value(i);
        if (!value.isEmpty() && !value.equals("NA")) {
          text[i] |= CsvNumber.of(value, decimal).isEmpty();
          textByOther[i] |= CsvNumber.of(value, decimal == ',' ? '.' : ',').isEmpty();
        }
      }
    }

    Field field(String name, int column) {
      return new Field(name, !text[column], text[column] && !textByOther[column]);
    }
  }
}

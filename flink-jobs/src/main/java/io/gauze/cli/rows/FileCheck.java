package io.gauze.cli.rows;

import io.gauze.config.StreamConfig;
import io.gauze.report.Columns;
import io.gauze.report.Figures;
import io.gauze.report.Report;
import io.gauze.row.Column;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowCounts;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.file.CsvOptions;
import io.gauze.source.file.CsvRows;
import io.gauze.source.json.JsonRowDecoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code sketch} would do with the rows of a file. The numbers are exact, so that only the
 * holder of the rows may see them; no value of a row is in them.
 */
public final class FileCheck {
  private static final int MOST_REASONS = 20;
  private static final String SHORTENED = "the row is longer than the row bound, and is shortened";
  private static final Columns<LeftOutRows.Reason> LEFT_OUT =
      Columns.<LeftOutRows.Reason>create()
          .add("rows", "rows", LeftOutRows.Reason::rows)
          .add("firstLine", "first line", LeftOutRows.Reason::first)
          .add("reason", "left out because", LeftOutRows.Reason::reason);
  private static final Columns<Changed> CHANGED =
      Columns.<Changed>create()
          .add("rows", "rows", Changed::rows)
          .add("firstLine", "first line", Changed::first)
          .add("what", "changed", Changed::what);

  private final String csv;
  private final RowSchema schema;
  private final boolean encodes;
  private final boolean choosesBounds;
  private final LeftOutRows leftOut = new LeftOutRows();
  private final Map<String, Long> firstLines = new LinkedHashMap<>(); // by what is changed
  private final RowEncoder encoder;
  private final long[] yes; // rows whose indicator is 1, by column
  private long sketched;

  /** Rows that the encoding changes in one way. */
  private record Changed(String what, long rows, long first) {}

  private FileCheck(String csv, StreamConfig stream) {
    this.csv = csv;
    this.schema = stream.schema();
    this.encodes = stream.estimates().isEmpty();
    this.choosesBounds = stream.choosesBounds();
    this.encoder = new RowEncoder(schema);
    this.yes = new long[schema.columns().size()];
  }

  /**
   * Reads a file.
   *
   * @throws IOException if the file cannot be read, or its header lacks a field of a column
   */
  public static FileCheck read(String csv, CsvOptions options, StreamConfig stream)
      throws IOException {
    try (CsvRows rows = CsvRows.open(csv, options, CsvRows.Reader.of(stream.schema()))) {
      FileCheck check = new FileCheck(csv, stream);
      check.read(rows);
      return check;
    }
  }

  private void read(CsvRows rows) throws IOException {
    RowFields fields = RowFields.of(schema, List.of());
    RowImage image = new RowImage(fields, encoder);
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    EncodedRow encoded = new EncodedRow(schema.dimension());
    while (rows.hasNext()) {
      try {
        decoder.decode(rows.next(), image);
        if (encodes) {
          image.encode(encoded);
          countIndicators(encoded);
        } else {
          image.accept(); // ranges are not known yet
        }
        sketched++;
        remember(rows.line());
      } catch (RowRejectedException e) {
        leftOut.add(e.getMessage(), rows.line());
      }
    }
  }

  private void countIndicators(EncodedRow row) {
    for (int c = 0; c < yes.length; c++) {
      boolean indicator = schema.columns().get(c).isIndicator();
      yes[c] += indicator && row.values()[schema.offset(c)] > 0 ? 1 : 0;
    }
  }

  /** Names indicators that are the same in all rows: the text is probably written otherwise. */
  private List<String> constantIndicators() {
    List<String> lines = new ArrayList<>();
    for (int c = 0; encodes && sketched > 0 && c < yes.length; c++) {
      Column column = schema.columns().get(c);
      if (column.isIndicator() && (yes[c] == 0 || yes[c] == sketched)) {
        lines.add(
            String.format(
                Locale.ROOT,
                "- Column %s: %s row is \"%s\". See how the file writes it.",
                column.name(),
                yes[c] == 0 ? "no" : "each",
                column.texts().get(0)));
      }
    }
    return lines;
  }

  /** Remembers the line of the first row that was changed in each way. */
  private void remember(long line) {
    List<Column> columns = schema.columns();
    for (int c = 0; c < columns.size(); c++) {
      if (encoder.clamped(c) == 1) {
        firstLines.putIfAbsent(clamped(columns.get(c).name()), line);
      }
      if (encoder.withoutValue(c) == 1) {
        firstLines.putIfAbsent(missing(columns.get(c).name()), line);
      }
    }
    if (encoder.clipped() == 1) {
      firstLines.putIfAbsent(SHORTENED, line);
    }
  }

  private static String clamped(String column) {
    return "column " + column + ": the value is moved to an end of its range";
  }

  private static String missing(String column) {
    return "column " + column + ": the value is missing, and counts as 0";
  }

  private List<Changed> changed() {
    RowCounts counts = encoder.counts();
    List<Changed> all = new ArrayList<>();
    counts.clamped().forEach((column, count) -> add(all, clamped(column), count));
    counts.missing().forEach((column, count) -> add(all, missing(column), count));
    add(all, SHORTENED, choosesBounds ? 0 : counts.clipped());
    return all;
  }

  private void add(List<Changed> all, String what, long count) {
    if (count > 0) {
      all.add(new Changed(what, count, firstLines.get(what)));
    }
  }

  /** Adds what was found to a report. */
  public void addTo(Report report) {
    List<LeftOutRows.Reason> reasons = leftOut.reasons();
    List<Changed> changed = changed();
    long all = sketched + leftOut.rows();
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("rows", all);
    file.put("sketched", sketched);
    file.put("leftOut", leftOut.rows());
    file.put("reasons", LEFT_OUT.objects(reasons));
    file.put("changed", CHANGED.objects(changed));
    report
        .field("file", file)
        .gap()
        .line("file", csv.equals("-") ? "standard input" : csv)
        .line("rows", count(all, all))
        .line("would be sketched", count(sketched, all))
        .line("would be left out", count(leftOut.rows(), all));
    if (!reasons.isEmpty()) {
      report.gap().table(LEFT_OUT, reasons.subList(0, Math.min(reasons.size(), MOST_REASONS)));
    }
    if (!changed.isEmpty()) {
      report.gap().table(CHANGED, changed);
    }
    report.gap();
    leftOut.advice(sketched).forEach(report::text);
    constantIndicators().forEach(report::text);
    report.text(
        "These numbers are exact and for you alone: no promise covers them. Mend the file by them,"
            + " or how it is read. Do not choose ranges by them, or whether to release.");
  }

  private static String count(long some, long all) {
    return some == all || some == 0
        ? Figures.rows(some)
        : String.format(Locale.ROOT, "%,d (%s %%)", some, LeftOutRows.percent(some, all));
  }
}

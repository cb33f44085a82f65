package io.gauze.config;

import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.ranges.ColumnRanges;
import io.gauze.mechanism.ranges.EstimatedRanges;
import io.gauze.plan.StreamPlan;
import io.gauze.row.Column;
import io.gauze.row.EstimatedColumn;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The columns of a config whose ranges are to be chosen from noisy counts before its sketches can
 * be made. Until then the config has the range [0, 1] in place of theirs, by which costs are
 * planned and nothing is encoded.
 *
 * @param counted the schema of the rows as they are counted
 * @param share the share of the budget that pays for the counts, in (0, 1)
 * @param file the name of the config
 * @param text its text
 */
public record RangeEstimates(RowSchema counted, double share, String file, String text) {
  /** The share if the config does not say. */
  static final double DEFAULT_SHARE = 0.1;

  static final double LEAST_SHARE = 0.001;
  static final double LARGEST_SHARE = 0.9;

  /** The name of the release of the counts. */
  public static final String SKETCH = "ranges";

  static Column placeholder(EstimatedColumn column) {
    return new NumericColumn(column.name(), column.source(), 0.0, 1.0);
  }

  /** Returns the schema in which the columns of unknown range are counted. */
  static RowSchema counted(RowSchema schema, List<EstimatedColumn> unknown) {
    List<Column> columns =
        schema.columns().stream()
            .map(
                column ->
                    unknown.stream()
                        .filter(each -> each.name().equals(column.name()))
                        .map(Column.class::cast)
                        .findFirst()
                        .orElse(column))
            .toList();
    double intercept = 0.5;
    return RowSchema.of(
        columns, intercept, RowSchema.largestNorm(columns, intercept), schema.missing());
  }

  /** Whether the config gives another share than the default. */
  public boolean hasOwnShare() {
    return share != DEFAULT_SHARE;
  }

  /** The columns of unknown range. */
  public List<EstimatedColumn> columns() {
    return counted.columns().stream()
        .filter(EstimatedColumn.class::isInstance)
        .map(EstimatedColumn.class::cast)
        .toList();
  }

  /** The names of the columns. */
  public List<String> columnNames() {
    return columns().stream().map(EstimatedColumn::name).toList();
  }

  /** The names of the columns, in words. */
  public String names() {
    return String.join(", ", columnNames());
  }

  /**
   * Says what will happen.
   *
   * @param plan of the sketches
   */
  public String sentence(StreamPlan plan) {
    if (!plan.request().ranges().ownEpochs()) {
      return String.format(
          Locale.ROOT,
          "counted first for %s with a share of %s of the budget, then chosen; by gauze sketch alone",
          names(),
          share);
    }
    return "of "
        + names()
        + " chosen from counts of the first epoch, whose rows are in no other release, "
        + (plan.request().rangeShare() == 0.0
            ? "with the whole budget, as the later epochs have it"
            : String.format(
                Locale.ROOT,
                "with a share of %s of the budget, which the later epochs have less",
                share));
  }

  /** Returns the request of the counts, which have their share of the budget of the sketches. */
  public StreamRequest request(StreamRequest sketches) {
    return sketches
        .withSketches(List.of(new SketchRequest(SKETCH, ColumnRanges.NAME, 1.0, Map.of())))
        .withSchema(counted);
  }

  /**
   * Returns the schema of the sketches.
   *
   * @param ranges the chosen ranges, by the names of the columns
   * @param typical whether the chosen typical values and spreads are taken, too
   * @throws ConfigException if other keys of the config do not fit these ranges
   */
  public RowSchema schema(Map<String, EstimatedRanges.Range> ranges, boolean typical)
      throws ConfigException {
    return StreamConfig.parse(file, text, new Chosen(ranges, typical)).schema();
  }

  private record Chosen(Map<String, EstimatedRanges.Range> ranges, boolean typical)
      implements UnknownRanges {
    @Override
    public Column column(EstimatedColumn column) {
      EstimatedRanges.Range range = ranges.get(column.name());
      double middle = Column.middle(range.lower(), range.upper());
      return new NumericColumn(
          column.name(),
          column.source(),
          range.lower(),
          range.upper(),
          typical ? range.typical() : middle);
    }

    @Override
    public OptionalDouble spread(Column column) {
      return typical
          ? OptionalDouble.of(ranges.get(column.name()).spread())
          : OptionalDouble.empty();
    }

    @Override
    public boolean areChosen() {
      return true;
    }
  }
}

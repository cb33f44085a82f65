package io.gauze.report;

import io.gauze.internal.Checks;
import io.gauze.mechanism.ranges.EstimatedRanges;
import io.gauze.message.Message;
import io.gauze.payload.Payload;
import io.gauze.release.Release;
import io.gauze.row.Column;
import io.gauze.row.RangeGrid;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ranges that are chosen from a release of counts.
 *
 * @param chosen by the names of the columns, in the order of the schema
 * @param missing the columns of which no count stands out of the noise
 * @param lines an entry of a config for each column that has a range
 */
public record ChosenRanges(
    Map<String, EstimatedRanges.Range> chosen, List<String> missing, List<String> lines) {

  /** Chooses them; nothing if the release has no such counts. */
  public static Optional<ChosenRanges> of(Release release) {
    return release.payload() instanceof Payload.RangeCounts counts
        ? Optional.of(of(release, counts))
        : Optional.empty();
  }

  private static ChosenRanges of(Release release, Payload.RangeCounts counts) {
    Map<String, EstimatedRanges.Range> chosen = new LinkedHashMap<>();
    List<String> missing = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    int from = 0;
    for (Column column : release.schema().columns()) {
      if (column.isEstimated()) {
        int first = from;
        Optional<EstimatedRanges.Range> range =
            EstimatedRanges.choose(
                cell -> release.value(first + cell), counts.sigma(), counts.columns());
        range.ifPresentOrElse(
            found -> {
              chosen.put(column.name(), found);
              lines.add(line(column, found));
            },
            () -> missing.add(column.name()));
        from += RangeGrid.CELLS;
      }
    }
    return new ChosenRanges(chosen, List.copyOf(missing), List.copyOf(lines));
  }

  private static String line(Column column, EstimatedRanges.Range range) {
    String source =
        column.source().equals(column.name()) ? "" : ", source: " + quoted(column.source());
    return "  - {name: "
        + quoted(column.name())
        + source
        + ", lower: "
        + Checks.number(range.lower())
        + ", upper: "
        + Checks.number(range.upper())
        + ", typical: "
        + Checks.number(range.typical())
        + ", spread: "
        + rounded(range.spread())
        + "}";
  }

  private static String rounded(double spread) {
    return Checks.number(new BigDecimal(spread).round(new MathContext(3)).doubleValue());
  }

  /** Returns a text as YAML reads it back. */
  private static String quoted(String text) {
    return text.matches("[A-Za-z][A-Za-z0-9_]*") ? text : "'" + text.replace("'", "''") + "'";
  }

  /** Returns what must be said of ranges that reach the end of the grid. */
  public List<Message> warnings() {
    List<Message> warnings = new ArrayList<>();
    chosen.forEach(
        (name, range) -> {
          if (range.reachesTheEnd()) {
            warnings.add(RangeMessage.GRIDEND.of(name));
          }
          if (range.isAboutZero()) {
            warnings.add(RangeMessage.ABOUTZERO.of(name));
          }
          if (range.isFarFromZero()) {
            warnings.add(RangeMessage.FARFROMZERO.of(name));
          }
        });
    return warnings;
  }

  /** Returns why there is no range of some column; empty if all have one. */
  public Optional<Message> refusal() {
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(RangeMessage.NORANGE.of(String.join(", ", missing)));
  }
}

package io.gauze.release;

import io.gauze.privacy.Budget;
import io.gauze.row.Grid;
import io.gauze.row.RowSchema;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * What a stream's owner asks for; {@link StreamPlan#of} turns it into noise.
 *
 * @param stream the stream's name, a part of a {@link ReleaseId}
 * @param schema the public description of its rows
 * @param budget for all sketches of one group and epoch together
 * @param unit what the guarantee protects; {@code row}
 * @param expectedRows a public guess of the rows in an epoch and group, in [1, 2^33 - 2^20]
 * @param assumptions what else must hold for the guarantee, each a clause after "assumes that"
 * @param sketches at least one, of distinct names
 */
public record StreamRequest(
    String stream,
    RowSchema schema,
    Budget budget,
    String unit,
    long expectedRows,
    List<String> assumptions,
    List<SketchRequest> sketches)
    implements Serializable {
  /** The unit of privacy: one row. */
  public static final String ROW = "row";

  /**
   * Checks names, unit and expected rows.
   *
   * @throws IllegalArgumentException if one of them is out of range
   */
  public StreamRequest {
    ReleaseId.checkPart("stream name", stream);
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(budget, "budget");
    if (!unit.equals(ROW)) {
      throw new IllegalArgumentException("unit must be row. Provided value: " + unit);
    }
    if (expectedRows < 1 || expectedRows > Grid.MAX_ROWS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expectedRows must be in [1, %d]. Provided value: %d",
              Grid.MAX_ROWS,
              expectedRows));
    }
    assumptions = List.copyOf(assumptions);
    sketches = List.copyOf(sketches);
    if (sketches.isEmpty()) {
      throw new IllegalArgumentException("sketches must not be empty. Provided value: []");
    }
    Set<String> seen = new HashSet<>();
    for (SketchRequest sketch : sketches) {
      if (!seen.add(sketch.name())) {
        throw new IllegalArgumentException(
            "sketch names must be distinct. Provided value: " + sketch.name() + " twice");
      }
    }
  }

  /** The same for other sketches. */
  public StreamRequest withSketches(List<SketchRequest> others) {
    return new StreamRequest(stream, schema, budget, unit, expectedRows, assumptions, others);
  }

  /** The same for another number of rows. */
  public StreamRequest withExpectedRows(long rows) {
    return new StreamRequest(stream, schema, budget, unit, rows, assumptions, sketches);
  }
}

package io.gauze.report;

import io.gauze.accounting.Guarantee;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.mechanism.twostage.TransformedStrata;
import io.gauze.payload.FitMethod;
import io.gauze.payload.Payload;
import io.gauze.plan.ColumnForm;
import io.gauze.release.GuaranteeJson;
import io.gauze.release.Release;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** A report of the header of a release; it never shows the payload's numbers. */
public final class ReleaseReport {
  /**
   * A release in a list of releases.
   *
   * @param kind the kind of the payload
   * @param numbers the number of the payload's numbers
   * @param bytes the size of the release's record
   */
  public record Listed(
      ReleaseId id, String mechanism, String kind, int numbers, Guarantee guarantee, int bytes) {
    public static Listed of(Release release, int bytes) {
      return new Listed(
          release.id(),
          release.mechanism(),
          release.payload().kind(),
          release.payload().length(),
          release.guarantee(),
          bytes);
    }
  }

  /** The columns of a list. */
  public static final Columns<Listed> LIST =
      Columns.<Listed>create()
          .add("id", "release", listed -> listed.id().toString())
          .field("stream", listed -> listed.id().stream())
          .field("group", listed -> listed.id().group())
          .field("epoch", listed -> listed.id().epoch())
          .field("sketch", listed -> listed.id().sketch())
          .add("mechanism", "mechanism", Listed::mechanism)
          .add("contents", "contents", Listed::kind)
          .field("numbers", Listed::numbers)
          .add(
              "epsilon",
              "epsilon",
              listed -> listed.guarantee().epsilon(),
              listed ->
                  (listed.guarantee().isPrivate() ? "" : "NOT PRIVATE, would be ")
                      + listed.guarantee().epsilon())
          .add("delta", "delta", listed -> listed.guarantee().delta())
          .add("neighbours", "neighbours", listed -> listed.guarantee().neighbours().label())
          .field("private", listed -> listed.guarantee().isPrivate())
          .add("bytes", "bytes", Listed::bytes);

  private ReleaseReport() {}

  /** Returns a report of the whole header. */
  public static Report header(Release release, int bytes) {
    RowSchema schema = release.schema();
    Columns<Integer> columns =
        Columns.<Integer>create()
            .add("name", "column", schema.encodedNames()::get)
            .add("lower", "lower", schema::lower)
            .add("upper", "upper", schema::upper)
            .add("typical", "encoded as 0", schema::mid)
            .field("column", encoded -> form(schema, encoded).name())
            .field("source", encoded -> form(schema, encoded).source())
            .field("kind", encoded -> form(schema, encoded).kind());
    List<Integer> encoded = IntStream.range(1, schema.dimension()).boxed().toList();
    Report report =
        new Report()
            .fields(LIST.object(Listed.of(release, bytes)))
            .line("release", release.id().toString())
            .line("mechanism", release.mechanism())
            .line("contents", release.payload().length() + " numbers: " + release.payload().kind())
            .line("bytes", Integer.toString(bytes))
            .field("encodingVersion", release.encodingVersion())
            .field("parameters", release.parameters())
            .field("settings", release.settings());
    release.parameters().forEach((name, value) -> report.line(name, Double.toString(value)));
    release.settings().forEach(report::line);
    ChosenRanges.of(release)
        .ifPresent(ranges -> ranges.lines().forEach(line -> report.line("range", line.strip())));
    return report
        .add("unit", "unit", release.stepSize())
        .add("sigma", "sigma", release.sigma())
        .add("noiseLaw", "noise", release.noiseLaw())
        .line("row bound", Figures.rowBound(schema, choosesBound(release.payload())))
        .field("columns", columns.objects(encoded))
        .field("intercept", schema.intercept())
        .field("rowBound", schema.rowBound())
        .field("responses", schema.responses().columns())
        .field("responseBound", schema.responses().bound())
        .add("missing", "missing", schema.missing().name().toLowerCase(Locale.ROOT))
        .line("encoding", release.encodingVersion())
        .gap()
        .table(columns, encoded)
        .gap()
        .text(release.guarantee().sentence())
        .field("guarantee", GuaranteeJson.write(release.guarantee()));
  }

  /** Whether the row bound is that of its first sums only. */
  private static boolean choosesBound(Payload payload) {
    return payload instanceof TransformedMoments
        || payload instanceof TransformedStrata
        || (payload instanceof Payload.Model model && model.origin() instanceof FitMethod.Steps);
  }

  /** Returns the column that an encoded column is of. */
  private static ColumnForm form(RowSchema schema, int encoded) {
    int column = 0;
    while (column + 1 < schema.columns().size() && schema.offset(column + 1) <= encoded) {
      column++;
    }
    return ColumnForm.of(schema.columns().get(column));
  }
}

package io.gauze.plan;

import io.gauze.internal.Fingerprint;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ranges.EstimatedRanges;
import io.gauze.row.Column;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.util.List;

/**
 * Fingerprints of encodings and series. The hashed values and their order are part of the stored
 * form and never change.
 */
public final class StreamFingerprints {
  /** As in the series that were stored first. */
  private static final String LOGISTIC = "logistic";

  private StreamFingerprints() {}

  /**
   * Returns the fingerprint of everything that decides how a record becomes a row. Schemas of equal
   * fingerprints encode equally.
   */
  public static String encoding(RowSchema schema) {
    Fingerprint print = new Fingerprint();
    print.text("gauze-encoding-1").number(schema.columns().size());
    for (Column column : schema.columns()) {
      ColumnForm form = ColumnForm.of(column);
      print.text(column.isCentred() ? form.kind() : form.kind() + " around");
      print.text(form.name()).text(form.source());
      print.number(form.lower()).number(form.upper());
      if (!column.isCentred()) {
        print.number(form.typical());
      }
      form.texts().forEach(print.number(form.texts().size())::text);
      form.ranks().forEach(print.number(form.ranks().size())::number);
    }
    print.number(schema.intercept()).number(schema.rowBound());
    print.number(schema.grid().fractionBits()).text(schema.missing().name());
    ResponseBound responses = schema.responses();
    if (!responses.isEmpty()) {
      responses.columns().forEach(print.number(responses.columns().size())::text);
      print.number(responses.bound());
    }
    if (schema.isScaled()) {
      schema.factors().forEach(print.text("factors")::number);
    }
    return print.hex();
  }

  /**
   * Returns the fingerprint of everything that decides the releases of a stream: columns, budget,
   * sketches and epochs. It covers the request and not the noise that follows from it, since the
   * last bits of the noise may differ between machines.
   */
  static String series(StreamPlan plan, String epochs) {
    Fingerprint print = new Fingerprint().text("gauze-series-2").text(plan.stream());
    print.text(plan.encodingVersion()).text(epochs).text(plan.request().scope().fingerprint());
    print.number(plan.budget().epsilon()).number(plan.budget().delta());
    print.text(plan.budget().neighbours().label()).number(plan.sketches().size());
    for (SketchPlan sketch : plan.sketches()) {
      Mechanism mechanism = sketch.mechanism();
      print.text(sketch.name()).text(mechanism.name());
      print.number(mechanism.spec().stateLength()).number(sketch.weight());
      mechanism.settings().forEach((name, value) -> print.text(name).text(value));
      mechanism.shape().forEach(print::number);
    }
    if (plan.request().checkpointLeaks() > 0) {
      print.text("checkpointLeaks").number(plan.request().checkpointLeaks());
    }
    if (plan.request().rangeShare() > 0.0) {
      print.text("rangeShare").number(plan.request().rangeShare());
    }
    if (plan.request().ranges().ownEpochs()) {
      print.text("ranges of earlier epochs").number(EstimatedRanges.VERSION);
      List<String> columns = plan.request().ranges().columns();
      columns.forEach(print.number(columns.size())::text);
      if (plan.sketches().stream().anyMatch(s -> s.mechanism().name().equals(LOGISTIC))) {
        print.text("one share"); // before, the share depended on the chosen ranges
      }
    }
    return print.hex();
  }
}

package io.gauze.fit;

import io.gauze.fit.PredictionReport.Interval;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.Fit;
import io.gauze.regression.FitSummary.Estimate;
import io.gauze.regression.Loss;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.row.UserUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Predicts rows by one fit, one at a time or many at once. Not thread-safe. */
public final class Predictor {
  private final BestFit.Attempt attempt;
  private final Fit fit;
  private final double level;
  private final FeatureRows features;
  private final Optional<Estimate> scale; // of single responses, if intervals are for them

  /**
   * Prepares predictions.
   *
   * @param attempt with a fit
   * @param level the probability of each interval, in (0, 1)
   * @param interval what it holds
   */
  public Predictor(BestFit.Attempt attempt, double level, Interval interval) {
    this.attempt = attempt;
    this.fit = attempt.fit().orElseThrow();
    this.level = level;
    this.features = new FeatureRows(attempt.source().schema(), fit.problem());
    this.scale = interval == Interval.CONFIDENCE ? Optional.empty() : Optional.of(scale());
  }

  /** The encoder of the rows. */
  public FeatureRows features() {
    return features;
  }

  /**
   * Predicts a row.
   *
   * @param row returns the value of a field, as {@link FeatureRows#encode(Function)} takes it
   * @throws RowRejectedException if the row cannot be encoded
   */
  public Predicted predict(Function<String, Object> row) throws RowRejectedException {
    return predict(List.of(features.encode(row))).get(0);
  }

  /** Predicts encoded rows, in their order. */
  List<Predicted> predict(List<FeatureRows.Encoded> rows) {
    RowSchema schema = attempt.source().schema();
    CoefficientTable table = fit.predict(rows.stream().map(FeatureRows.Encoded::values).toList());
    List<CoefficientTable.Interval> means = table.intervals(level);
    int response = fit.problem().response();
    double unit = isLabel() ? 1.0 : schema.half(response);
    double middle = isLabel() ? 0.0 : schema.mid(response);
    double apart = Predicted.half(level) * scale.map(Estimate::value).orElse(0.0);
    List<Predicted> all = new ArrayList<>();
    for (int k = 0; k < rows.size(); k++) {
      double value = table.estimates().get(k) * unit + middle;
      double below = value - (means.get(k).lower() * unit + middle);
      double above = means.get(k).upper() * unit + middle - value;
      all.add(
          new Predicted(
              shown(value),
              table.standardErrors().get(k) * unit,
              table.samplingErrors().get(k) * unit,
              table.privacyStandardErrors().get(k) * unit,
              shown(value - wider(below, apart)),
              shown(value + wider(above, apart)),
              rows.get(k).clamped()));
    }
    return all;
  }

  // Intervals need not be around the estimate.
  /** Returns how far the end of an interval is, where single responses are spread around means. */
  private static double wider(double end, double apart) {
    return apart == 0.0 ? end : Math.hypot(Math.max(0.0, end), apart);
  }

  /** The deviation of residuals, in the unit of the response. */
  private Estimate scale() {
    FitSource source = attempt.source();
    double unit = UserUnits.of(source.schema(), fit.problem().response()).responseScale();
    return source.summary(fit).residualScale().times(unit);
  }

  private boolean isLabel() {
    return fit.problem().loss().equals(Loss.LOGISTIC);
  }

  private double shown(double value) {
    return isLabel() ? 1.0 / (1.0 + Math.exp(-value)) : value;
  }

  /** Returns why intervals are withheld, if they are. */
  String whyWithheld() {
    return scale
        .flatMap(Estimate::reason)
        .map(reason -> "the spread of single responses is not known: " + reason)
        .orElse(
            "the standard error of a coefficient, or the intervals of all of them, are withheld,"
                + " and with them that of the prediction; the warnings say why");
  }
}

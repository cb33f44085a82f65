package io.gauze.fit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.regression.Fit;
import io.gauze.regression.Loss;
import io.gauze.row.RowRejectedException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Predictions of a fit, with the words of R's {@code predict}.
 *
 * @param attempt the fit
 * @param level the probability of each interval
 * @param interval what it holds
 * @param rows the predictions, in the order of the rows
 * @param withheld why some intervals are withheld, if they are
 */
public record PredictionReport(
    BestFit.Attempt attempt,
    double level,
    Interval interval,
    List<Predicted> rows,
    Optional<String> withheld) {
  /** What an interval holds. */
  public enum Interval {
    /** The mean response of all rows like this one. */
    CONFIDENCE,
    /** The response of one further row, if residuals are normal and of one variance. */
    PREDICTION;

    /** The word for it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the interval of a word.
     *
     * @param what the name of the word in messages
     * @throws IllegalArgumentException if there is none
     */
    public static Interval of(String what, String word) {
      for (Interval each : values()) {
        if (each.word().equals(word)) {
          return each;
        }
      }
      throw new IllegalArgumentException(
          what + " must be confidence or prediction. Provided value: " + word);
    }
  }

  /** Copies the rows. */
  public PredictionReport {
    rows = List.copyOf(rows);
  }

  /**
   * Predicts.
   *
   * @param fit a fit that was found
   * @param rows objects with the fields of the features; a missing node is a row of which nothing
   *     is known, and has no prediction
   * @throws RowRejectedException if a row cannot be encoded
   */
  public static PredictionReport of(
      BestFit fit, List<? extends JsonNode> rows, double level, Interval interval)
      throws RowRejectedException {
    BestFit.Attempt attempt = fit.best().orElseThrow();
    Predictor predictor = new Predictor(attempt, level, interval);
    FeatureRows encoder = predictor.features();
    List<FeatureRows.Encoded> encoded = new ArrayList<>();
    for (int k = 0; k < rows.size(); k++) {
      if (rows.get(k).isMissingNode()) {
        continue;
      }
      try {
        encoded.add(encoder.encode(rows.get(k)));
      } catch (RowRejectedException e) {
        throw new RowRejectedException("row " + (k + 1) + ": " + e.getMessage());
      }
    }
    List<Predicted> known = predictor.predict(encoded);
    boolean isComplete = known.stream().noneMatch(each -> Double.isNaN(each.lower()));
    Iterator<Predicted> next = known.iterator();
    List<Predicted> all = new ArrayList<>();
    rows.forEach(row -> all.add(row.isMissingNode() ? Predicted.NONE : next.next()));
    return new PredictionReport(
        attempt,
        level,
        interval,
        all,
        isComplete ? Optional.empty() : Optional.of(predictor.whyWithheld()));
  }

  /** The fit. */
  public Fit fit() {
    return attempt.fit().orElseThrow();
  }

  /** Returns a new object with the guarantee of the releases. */
  public ObjectNode guarantee() {
    return attempt.source().guarantee();
  }

  /** Returns a new object with the keys that docs/reference/http.md lists. */
  public ObjectNode json() {
    ObjectNode top = JsonNodeFactory.instance.objectNode();
    Fit fit = fit();
    top.put("response", fit.problem().responseName());
    top.put("loss", fit.loss());
    top.put("lambda", fit.lambda());
    top.put("level", level);
    top.put("interval", interval.word());
    top.put("scale", fit.problem().loss().equals(Loss.LOGISTIC) ? "probability" : "user");
    ArrayNode all = top.putArray("predictions");
    for (Predicted row : rows) {
      ObjectNode each = all.addObject();
      FitJson.putOrNull(each, "fit", row.fit());
      FitJson.putOrNull(each, "stdError", row.stdError());
      FitJson.putOrNull(each, "samplingError", row.samplingError());
      FitJson.putOrNull(each, "privacyError", row.privacyError());
      FitJson.putOrNull(each, "lower", row.lower());
      FitJson.putOrNull(each, "upper", row.upper());
      row.clamped().forEach(each.putArray("clamped")::add);
    }
    withheld.ifPresent(reason -> top.put("withheld", reason));
    top.set("guarantee", guarantee());
    FitJson.putMessages(top, fit.warnings());
    return top;
  }
}

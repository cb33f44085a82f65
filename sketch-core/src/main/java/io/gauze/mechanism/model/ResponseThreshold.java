package io.gauze.mechanism.model;

import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.SketchRequest;
import io.gauze.model.ModelLoss;
import io.gauze.row.RowSchema;
import java.util.Locale;
import java.util.OptionalDouble;

/** The threshold of a loss that a config gives, in the response's own unit. */
public final class ResponseThreshold {
  /** The name of the option, and of the parameter of releases, there in the encoded scale. */
  public static final String NAME = "threshold";

  /** The option of models. */
  public static final MechanismOption OPTION =
      MechanismOption.number(NAME, Double.MIN_NORMAL, Double.MAX_VALUE)
          .means(
              "The residual from which the loss is linear, no longer square; in the response's own"
                  + " unit.");

  private static final double LARGEST = 1024.0;

  private ResponseThreshold() {}

  /**
   * Returns the threshold in the encoded scale; empty if the config gives none.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public static OptionalDouble of(RowSchema schema, ModelColumns columns, SketchRequest sketch) {
    OptionalDouble given = sketch.number(NAME);
    if (given.isEmpty()) {
      return given;
    }
    double half = schema.half(columns.response());
    double threshold = given.getAsDouble() / half;
    if (!(threshold >= ModelLoss.LEAST_THRESHOLD && threshold <= LARGEST)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "threshold must be in [%.4g, %.4g], in units of %s. Provided value: %s",
              ModelLoss.LEAST_THRESHOLD * half,
              LARGEST * half,
              columns.responseName(),
              given.getAsDouble()));
    }
    return OptionalDouble.of(threshold);
  }
}

package io.gauze.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.descent.DescentModel;
import io.gauze.mechanism.model.HuberTrack;
import io.gauze.mechanism.papers.GradientBounds;
import io.gauze.mechanism.papers.SquaresModel;
import io.gauze.model.ModelLoss;
import io.gauze.model.ObjectiveCalibration;
import io.gauze.model.ObjectiveNoise;
import io.gauze.model.ObjectiveSpec;
import io.gauze.model.SquaresPerturbation;
import io.gauze.model.SquaresSpec;
import io.gauze.model.track.ModelTrack;
import java.util.Collections;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Models by objective perturbation, against objective_noise.py. */
final class ObjectiveNoiseTest {
  private static final double ROUNDING = 1e-7;

  /** Of the quantiles: the threshold is cut, and its multiple rounded, to the grid of 2^-30. */
  private static final double OF_GRIDS = 1e-8;

  /** The numbers that a reader of a release sees; none is smaller than the reference. */
  @ParameterizedTest
  @CsvFileSource(resources = "/io/gauze/accounting/objective-noise.csv")
  void ridgeAndNoiseAreThoseOfReferenceNumbers(ArgumentsAccessor line) {
    String mechanism = line.getString(0);
    if (mechanism.equals(SquaresModel.NAME)) {
      SquaresPerturbation squares = squares(line);
      assertNumbers(line, 0.0, squares.lambda(), squares.scale());
    } else if (mechanism.equals(HuberTrack.NAME)) {
      ModelTrack track =
          ModelTrack.of(
              new ModelLoss.Huber(line.getDouble(5)),
              line.getDouble(4),
              line.getInteger(3),
              0.1,
              budget(line));
      ObjectiveCalibration fit = track.calibration();
      assertNumbers(line, track.count().scale(), fit.lambda(), fit.scale());
    } else {
      ObjectiveSpec spec =
          ObjectiveSpec.of(line.getInteger(3), line.getDouble(4), loss(line), budget(line));
      ObjectiveCalibration fit = ObjectiveCalibration.of(spec.withNoise(noise(line)));
      assertNumbers(line, 0.0, fit.lambda(), fit.scale());
    }
  }

  private static void assertNumbers(
      ArgumentsAccessor line, double count, double ridge, double scale) {
    assertNumber(count, line.getDouble(8));
    assertNumber(ridge, line.getDouble(9));
    assertNumber(scale, line.getDouble(10));
  }

  private static void assertNumber(double number, double expected) {
    assertThat(number).isBetween(expected * (1.0 - OF_GRIDS), expected * (1.0 + ROUNDING));
  }

  /** Noise depends on the slope of a loss: that of a quantile is that of a wider Huber's loss. */
  private static ModelLoss loss(ArgumentsAccessor line) {
    double parameter = line.getDouble(5);
    return switch (line.getString(0)) {
      case DescentModel.HUBER -> new ModelLoss.Huber(parameter);
      case DescentModel.QUANTILE -> new ModelLoss.Huber(0.2 * Math.max(parameter, 1.0 - parameter));
      default -> new ModelLoss.Logistic();
    };
  }

  private static Budget budget(ArgumentsAccessor line) {
    return new Budget(line.getDouble(6), line.getDouble(7), Neighbours.parse(line.getString(1)));
  }

  private static ObjectiveNoise noise(ArgumentsAccessor line) {
    return line.getString(2).equals(ObjectiveNoise.PURE.label())
        ? ObjectiveNoise.PURE
        : ObjectiveNoise.GAUSSIAN;
  }

  /** Rows bounded as a whole, and responses by 1; features have no other bound. */
  private static SquaresPerturbation squares(ArgumentsAccessor line) {
    int features = line.getInteger(3);
    double bound = line.getDouble(4);
    double radius = line.getDouble(5);
    Budget budget = budget(line);
    GradientBounds rows =
        new GradientBounds(
            bound, bound, Collections.nCopies(features, bound), 1.0, budget.neighbours(), 1);
    return SquaresPerturbation.of(
        new SquaresSpec(
            features,
            radius,
            rows.row(radius),
            rows.squaredFeatures(),
            0x1p-40,
            budget,
            noise(line)));
  }
}

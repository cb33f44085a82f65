package io.gauze.regression.model;

import io.gauze.linalg.DoubleVector;
import io.gauze.model.ModelLoss;
import io.gauze.model.track.PublishedTrack;
import io.gauze.model.track.ResidualTrack;
import io.gauze.model.track.TrackedModel;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.ExcessRange;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.regression.twostage.ExpectedDescent;
import io.gauze.row.RowSchema;
import java.util.Optional;
import java.util.OptionalDouble;

/** Fits of a release that is a fitted model. */
public final class ModelPayloadFits implements PayloadFits<Payload.Model> {
  /** A released threshold is that of the config but for rounding, or a wider one. */
  private static final double WIDENED = 1.001;

  @Override
  public Class<Payload.Model> payload() {
    return Payload.Model.class;
  }

  @Override
  public FitInput input(Payload.Model model, ReleasedNumbers numbers) {
    int size = model.features().size();
    DoubleVector coefficients = DoubleVector.generate(size, numbers::value);
    Optional<PublishedTrack> tracked = Optional.empty();
    Payload.Model known = model;
    boolean isOfRoundLoss = false;
    if (model.origin() instanceof FitMethod.Track) {
      TrackedModel track = TrackedModel.of(numbers.all());
      known = model.with(new FitMethod.Track(track.variance()));
      tracked = Optional.of(track);
    } else if (model.origin() instanceof FitMethod.Residuals origin) {
      ResidualTrack track = ResidualTrack.of(size, numbers.all());
      double variance = track.variance(origin.gradientSigma());
      known =
          model
              .with(new FitMethod.Residuals(size, variance, origin.gradientSigma()))
              .with(new FittedLoss(track.threshold(), model.loss().quantile()));
      tracked = Optional.of(track);
    } else if (model.origin() instanceof FitMethod.Steps steps && steps.hasThreshold()) {
      FittedLoss asked = model.loss();
      double taken =
          Math.max(ModelLoss.LEAST_THRESHOLD, numbers.value(size + FitMethod.Steps.THRESHOLD));
      boolean isWidened = taken > WIDENED * asked.threshold();
      isOfRoundLoss = !isWidened && asked.quantile() == 0.5;
      known = isWidened ? model.with(new FittedLoss(taken, asked.quantile())) : model;
    }
    return new ReleasedModel(
        known,
        coefficients,
        tracked,
        numbers.schema().half(model.response()),
        0.5 * numbers.schema().lower(model.response())
            + 0.5 * numbers.schema().upper(model.response()),
        numbers.intercept(),
        expected(known, coefficients, numbers),
        ignorance(known, coefficients, numbers),
        isOfRoundLoss);
  }

  @Override
  public Prospect prospect(Payload.Model fitted, AssumedDataModel model) {
    Optional<Prospect.Way> way =
        Optional.of(
            new Prospect.Way(
                () -> likely(fitted, model),
                "one model of one response; nothing else can be asked of it"));
    if (fitted.loss().isLogistic()) {
      return new Prospect(Optional.empty(), Optional.empty(), way, Prospect.USELESS);
    }
    return fitted.loss().isSquared()
        ? new Prospect(
            way,
            Optional.empty(),
            fitted.origin() instanceof FitMethod.Descent ? Prospect.FEW : Prospect.USELESS)
        : new Prospect(Optional.empty(), way, Prospect.USELESS);
  }

  private static double likely(Payload.Model fitted, AssumedDataModel model) {
    return fitted.origin() instanceof FitMethod.Steps steps
        ? new ExpectedDescent(steps, fitted.loss(), model).excess()
        : ExpectedModel.of(model, fitted).likely();
  }

  private static ExcessRange expected(
      Payload.Model known, DoubleVector coefficients, ReleasedNumbers numbers) {
    RowSchema schema = numbers.schema();
    if (known.origin() instanceof FitMethod.Steps steps) {
      AssumedDataModel rows = new DataModelOfFit(schema, known, coefficients).rows();
      return SteppedModel.of(coefficients.size(), numbers)
          .expected(new ExpectedDescent(steps, known.loss(), rows).excess());
    }
    AssumedDataModel rows =
        known.origin().isFromMoments()
            ? AssumedDataModel.of(
                schema, Math.max(1.0, known.expectedRows()), AssumedDataModel.EXPLAINED)
            : new DataModelOfFit(schema, known, coefficients).rows();
    return ExpectedModel.of(rows, known);
  }

  private static OptionalDouble ignorance(
      Payload.Model known, DoubleVector coefficients, ReleasedNumbers numbers) {
    if (known.origin() instanceof FitMethod.Steps) {
      return OptionalDouble.of(SteppedModel.of(coefficients.size(), numbers).ignorance());
    }
    RowSchema schema = numbers.schema();
    return known.origin().isFromMoments()
        ? OptionalDouble.empty()
        : OptionalDouble.of(new DataModelOfFit(schema, known, coefficients).ignorance());
  }
}

package io.gauze.regression;

import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.FittedLoss;
import io.gauze.mechanism.ModelOrigin;
import io.gauze.mechanism.Payload;
import io.gauze.model.PublishedTrack;
import io.gauze.model.ResidualTrack;
import io.gauze.model.TrackedModel;
import io.gauze.row.RowSchema;
import java.util.Optional;
import java.util.OptionalDouble;

/** Fits of a release that is a fitted model. */
public final class ModelPayloadFits implements PayloadFits<Payload.Model> {
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
    if (model.origin() instanceof ModelOrigin.Track) {
      TrackedModel track = TrackedModel.of(numbers.all());
      known = model.with(new ModelOrigin.Track(track.variance()));
      tracked = Optional.of(track);
    } else if (model.origin() instanceof ModelOrigin.Residuals origin) {
      ResidualTrack track = ResidualTrack.of(size, numbers.all());
      double variance = track.variance(origin.gradientSigma());
      known =
          model
              .with(new ModelOrigin.Residuals(size, variance, origin.gradientSigma()))
              .with(new FittedLoss(track.threshold(), model.loss().quantile()));
      tracked = Optional.of(track);
    }
    return new ReleasedModel(
        known,
        coefficients,
        tracked,
        numbers.schema().half(model.response()),
        0.5 * numbers.schema().lower(model.response())
            + 0.5 * numbers.schema().upper(model.response()),
        numbers.intercept(),
        expected(known, coefficients, numbers.schema()),
        ignorance(known, coefficients, numbers.schema()));
  }

  @Override
  public Prospect prospect(Payload.Model fitted, NominalModel model) {
    Optional<Prospect.Way> way =
        Optional.of(
            new Prospect.Way(
                () -> ExpectedModel.of(model, fitted).likely(),
                "one model of one response; nothing else can be asked of it"));
    if (fitted.loss().isLogistic()) {
      return new Prospect(Optional.empty(), Optional.empty(), way, Prospect.USELESS);
    }
    return fitted.loss().isSquared()
        ? new Prospect(
            way,
            Optional.empty(),
            fitted.origin() instanceof ModelOrigin.Descent ? Prospect.FEW : Prospect.USELESS)
        : new Prospect(Optional.empty(), way, Prospect.USELESS);
  }

  private static ExcessRange expected(
      Payload.Model known, DoubleVector coefficients, RowSchema schema) {
    NominalModel rows =
        known.origin().isFromMoments()
            ? NominalModel.of(schema, Math.max(1.0, known.expectedRows()), NominalModel.EXPLAINED)
            : new ImpliedModel(schema, known, coefficients).rows();
    return ExpectedModel.of(rows, known);
  }

  private static OptionalDouble ignorance(
      Payload.Model known, DoubleVector coefficients, RowSchema schema) {
    return known.origin().isFromMoments()
        ? OptionalDouble.empty()
        : OptionalDouble.of(new ImpliedModel(schema, known, coefficients).ignorance());
  }
}

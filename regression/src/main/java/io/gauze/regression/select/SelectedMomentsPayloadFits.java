package io.gauze.regression.select;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.payload.MomentNoise;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.regression.moments.ExpectedError;
import io.gauze.regression.moments.ReleasedMoments;
import java.util.ArrayList;
import java.util.List;

/** Fits of the moments of selected columns. */
public final class SelectedMomentsPayloadFits implements PayloadFits<Payload.SelectedMoments> {
  @Override
  public Class<Payload.SelectedMoments> payload() {
    return Payload.SelectedMoments.class;
  }

  @Override
  public FitInput input(Payload.SelectedMoments selected, ReleasedNumbers numbers) {
    List<Integer> columns = new ArrayList<>();
    for (int k = 0; k < selected.selected(); k++) {
      columns.add(column(numbers.value(k)));
    }
    SymmetricMatrix moments = numbers.triangle(selected.selected() + 2, selected.selected());
    return new ReleasedSelection(
        selected.dimension(),
        selected.response(),
        columns,
        new ReleasedMoments(moments, selected.sigma(), numbers.intercept()));
  }

  // The columns that explain most are selected, and what the others explain is lost. Where all are
  // selected, there is nothing to choose, and moments of any response are there to be had.
  @Override
  public Prospect prospect(Payload.SelectedMoments selected, AssumedDataModel model) {
    AssumedDataModel few = model.among(Math.min(selected.selected(), model.features()));
    double lost = Math.sqrt((1.0 - few.explained()) / (1.0 - model.explained()));
    MomentNoise noise = new MomentNoise.Gaussian(selected.sigma());
    return Prospect.ofBoth(
        () ->
            selected.selected() == selected.dimension() - 2
                ? Double.POSITIVE_INFINITY
                : lost * (1.0 + ExpectedError.moments(few, noise)) - 1.0,
        Prospect.SQUARES_FOR_LAD,
        "moments of a few columns of many, for one response; better than this if only these matter",
        Prospect.FEW);
  }

  private static int column(double value) {
    if (value != Math.rint(value)) {
      throw new IllegalArgumentException(
          "a selected column must be a whole number. Provided value: " + value);
    }
    return (int) value;
  }
}

package io.gauze.regression;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.FittedLoss;
import io.gauze.mechanism.ModelOrigin;
import io.gauze.mechanism.Payload;
import io.gauze.model.PublishedTrack;
import io.gauze.model.ResidualTrack;
import io.gauze.model.TrackedModel;
import io.gauze.release.Release;
import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.NumericColumn;
import io.gauze.row.OrdinalColumn;
import io.gauze.sketch.ResidualStrataSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Converts the payloads of releases to inputs of solvers. */
final class ReleaseReader implements Payload.Reader<FitInput> {
  private final Release release;
  private final double intercept;

  private ReleaseReader(Release release) {
    this.release = release;
    this.intercept = 1.0 / release.schema().half(0);
  }

  static FitInput read(Release release) {
    return release.payload().accept(new ReleaseReader(release));
  }

  @Override
  public FitInput moments(Payload.Moments moments) {
    return ReleasedMoments.debiased(triangle(moments.dimension(), 0), moments.noise(), intercept);
  }

  @Override
  public FitInput buckets(Payload.Buckets buckets) {
    return ReleasedRows.of(
        buckets.rows(), buckets.dimension(), values(), buckets.sigma(), intercept);
  }

  @Override
  public FitInput projection(Payload.Projection projection) {
    return ReleasedRows.projection(
        projection.rows(), projection.dimension(), values(), projection.ridge(), intercept);
  }

  @Override
  public FitInput inverseMoments(Payload.InverseMoments inverse) {
    return ReleasedInverse.of(
        triangle(inverse.dimension(), 0), inverse.degrees(), inverse.ridge(), intercept);
  }

  @Override
  public FitInput strata(Payload.Strata strata) {
    ReleasedStrata all = ReleasedStrata.of(strata.spec(), values(), strata.sigma(), intercept);
    for (int c = 0; c < release.schema().columns().size(); c++) {
      Column column = release.schema().columns().get(c);
      int encoded = release.schema().offset(c);
      if (encoded == all.column()
          && (column instanceof NumericColumn || column instanceof OrdinalColumn)) {
        return all.within(
            Math.max(-1.0, release.schema().encoded(encoded, column.lower())),
            Math.min(1.0, release.schema().encoded(encoded, column.upper())));
      }
    }
    return all;
  }

  @Override
  public FitInput residualStrata(Payload.ResidualStrata residual) {
    int dimension = residual.dimension();
    int triangle = SymmetricMatrix.length(dimension);
    double[] weights = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      double most = ResidualStrataSpec.MOST_WEIGHT;
      weights[i] = Checks.within("weight", release.value(residual.weightsAt() + i), -most, most);
    }
    List<SymmetricMatrix> strata = new ArrayList<>();
    for (int k = 0; k < residual.strata(); k++) {
      strata.add(triangle(dimension, residual.strataAt() + k * triangle));
    }
    StrataNoise noise =
        new StrataNoise(residual.strataSigma(), residual.strata(), residual.momentsSigma());
    return ReleasedStrata.ofResiduals(
        StrataAxis.of(residual.response(), weights),
        triangle(dimension, 0),
        strata,
        noise,
        intercept);
  }

  @Override
  public FitInput weightedBuckets(Payload.WeightedBuckets buckets) {
    return ReleasedL1Rows.of(buckets.spec(), values(), buckets.sigma(), intercept);
  }

  @Override
  public FitInput rangeCounts(Payload.RangeCounts counts) {
    throw new IllegalArgumentException(
        "a release of ranges has counts of each column alone, from which nothing can be fitted: fit"
            + " one of the stream that uses these ranges");
  }

  @Override
  public FitInput counts(Payload.Counts counts) {
    return ReleasedCounts.of(binValues(counts), values(), counts.scale(), intercept);
  }

  /**
   * Returns the values of the bins of each encoded column: their middles, or the possible values.
   */
  private double[][] binValues(Payload.Counts counts) {
    double[][] values = new double[counts.spec().axes().size()][];
    int next = 0;
    for (Column column : release.schema().columns()) {
      for (int i = 0; i < column.width(); i++) {
        values[next] = binValues(column, counts.spec().axes().get(next).bins());
        removeImpossible(values[next], next + 1, column);
        next++;
      }
    }
    return values;
  }

  /** Marks bins beyond the range of a number, which a typical value can leave empty. */
  private void removeImpossible(double[] values, int encoded, Column column) {
    if (column instanceof NumericColumn || column instanceof OrdinalColumn) {
      double lower = release.schema().encoded(encoded, column.lower());
      double upper = release.schema().encoded(encoded, column.upper());
      double half = 1.0 / values.length;
      for (int k = 0; k < values.length; k++) {
        boolean possible = values[k] + half > lower && values[k] - half <= upper;
        values[k] = possible ? values[k] : Double.NaN;
      }
    }
  }

  private static double[] binValues(Column column, int bins) {
    double[] values = new double[bins];
    for (int k = 0; k < bins; k++) {
      double middle = -1.0 + (2.0 * k + 1.0) / bins;
      values[k] = column instanceof IndicatorColumn ? -1.0 + 2.0 * k / (bins - 1.0) : middle;
    }
    // 0 is in the middle bin, 1 in the last, nothing in the first
    if (column instanceof CategoryColumn) {
      values = new double[] {Double.NaN, 0.0, 1.0};
    }
    return values;
  }

  @Override
  public FitInput adaptiveRidgeProjection(Payload.AdaptiveRidgeProjection gated) {
    int free = Checks.within("number of rows", (int) Math.rint(release.value(0)), 0, gated.rows());
    int rows = free == 0 ? gated.rows() : free;
    double[] values = new double[rows * gated.dimension()];
    for (int i = 0; i < values.length; i++) {
      values[i] = release.value(1 + i);
    }
    double ridge = free == 0 ? gated.ridge() : 0.0;
    return ReleasedRows.projection(rows, gated.dimension(), values, ridge, intercept);
  }

  @Override
  public FitInput statistics(Payload.SufficientStatistics statistics) {
    int features = statistics.dimension() - 1;
    int triangle = SymmetricMatrix.length(features);
    return new ReleasedStatistics(
        statistics.response(),
        new ReleasedMoments(triangle(features, 0), statistics.momentsSigma(), intercept),
        DoubleVector.generate(features, k -> release.value(triangle + k)),
        release.value(triangle + features),
        statistics.productsSigma(),
        statistics.eigenvalueSigma(),
        ExpectedSquares.of(release.schema()).get(statistics.response() - 1));
  }

  @Override
  public FitInput selectedMoments(Payload.SelectedMoments selected) {
    List<Integer> columns = new ArrayList<>();
    for (int k = 0; k < selected.selected(); k++) {
      columns.add(column(release.value(k)));
    }
    SymmetricMatrix moments = triangle(selected.selected() + 2, selected.selected());
    return new ReleasedSelection(
        selected.dimension(),
        selected.response(),
        columns,
        new ReleasedMoments(moments, selected.sigma(), intercept));
  }

  @Override
  public FitInput model(Payload.Model model) {
    int size = model.features().size();
    DoubleVector coefficients = DoubleVector.generate(size, release::value);
    Optional<PublishedTrack> tracked = Optional.empty();
    Payload.Model known = model;
    if (model.origin() instanceof ModelOrigin.Track) {
      TrackedModel track = TrackedModel.of(release.numbers());
      known = model.with(new ModelOrigin.Track(track.variance()));
      tracked = Optional.of(track);
    } else if (model.origin() instanceof ModelOrigin.Residuals origin) {
      ResidualTrack track = ResidualTrack.of(size, release.numbers());
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
        release.schema().half(model.response()),
        0.5 * release.schema().lower(model.response())
            + 0.5 * release.schema().upper(model.response()),
        intercept,
        expected(known, coefficients),
        ignorance(known, coefficients));
  }

  private ExcessRange expected(Payload.Model known, DoubleVector coefficients) {
    NominalModel rows =
        known.origin().isFromMoments()
            ? NominalModel.of(
                release.schema(), Math.max(1.0, known.expectedRows()), NominalModel.EXPLAINED)
            : new ImpliedModel(release.schema(), known, coefficients).rows();
    return ExpectedModel.of(rows, known);
  }

  private OptionalDouble ignorance(Payload.Model known, DoubleVector coefficients) {
    return known.origin().isFromMoments()
        ? OptionalDouble.empty()
        : OptionalDouble.of(new ImpliedModel(release.schema(), known, coefficients).ignorance());
  }

  private static int column(double value) {
    if (value != Math.rint(value)) {
      throw new IllegalArgumentException(
          "a selected column must be a whole number. Provided value: " + value);
    }
    return (int) value;
  }

  private SymmetricMatrix triangle(int dimension, int from) {
    double[] upper = new double[SymmetricMatrix.length(dimension)];
    for (int i = 0; i < upper.length; i++) {
      upper[i] = release.value(from + i);
    }
    return SymmetricMatrix.ofUpperTriangle(dimension, upper);
  }

  private double[] values() {
    double[] values = new double[release.payload().length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = release.value(i);
    }
    return values;
  }
}

package io.gauze.regression.twostage;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.CutRows;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Merge;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.moments.AdditiveLaw;
import io.gauze.regression.moments.NoiseLaw;
import io.gauze.regression.moments.NoisyMomentsInput;
import io.gauze.regression.moments.TransformedLaw;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Second moments of rows that a public transform has centred, whitened and shortened.
 *
 * <p>A ridge that the fit may choose is one on coordinates in which the noise is isotropic, see
 * {@link WhitenedQuestion}; a given penalty, and one with an l1 part, is one on encoded columns.
 *
 * @param releases at least one
 * @param intercept the constant of encoded rows
 * @param measured what was cut off transformed rows
 * @param ends how far each encoded column reaches in a row that is as long as its bound lets it be;
 *     0 for the constant
 */
record TransformedInput(
    List<TransformedMatrix> releases, double intercept, CutRows measured, DoubleVector ends)
    implements NoisyMomentsInput {
  TransformedInput {
    releases = List.copyOf(releases);
  }

  /** Those of the encoded rows, as they were shortened after the transform. */
  @Override
  public SymmetricMatrix moments() {
    return sum(release -> release.under(release.inverse()));
  }

  private SymmetricMatrix sum(Function<TransformedMatrix, DMatrixRMaj> of) {
    DMatrixRMaj sum = of.apply(releases.get(0)).createLike();
    releases.forEach(release -> CommonOps_DDRM.addEquals(sum, of.apply(release)));
    return SymmetricMatrix.of(sum);
  }

  @Override
  public NoiseLaw law(int... columns) {
    return new TransformedLaw(
        releases.stream()
            .map(release -> new TransformedLaw.Part(release.noise(), release.shape(columns)))
            .toList());
  }

  // The counts of norms do not show a single row. Where a transform has made a direction wide, such
  // a row may be far longer there than all others, and is shortened; it would decide the fit. How
  // long rows are that matter is what the row bound says: moments of one stage shorten to it, too.
  /**
   * For each feature a row at the end of its range, shortened to the row bound; all else, the
   * response too, is typical.
   */
  @Override
  public DMatrixRMaj guard(int... columns) {
    DMatrixRMaj guard = new DMatrixRMaj(columns.length - 1, columns.length);
    for (int k = 0; k < columns.length - 1; k++) {
      guard.set(k, k, ends.get(columns[k]));
    }
    return guard;
  }

  @Override
  public Optional<CutRows> cut() {
    return Optional.of(measured);
  }

  @Override
  public boolean addsUp() {
    return true;
  }

  /**
   * Returns the moments of the rows of both releases, whose noises are independent and whose
   * transforms may differ.
   *
   * @throws IllegalArgumentException if dimension or intercept differ
   */
  @Override
  public TransformedInput plus(FitInput input) {
    TransformedInput other = Merge.same(TransformedInput.class, this, input);
    return new TransformedInput(
        Stream.concat(releases.stream(), other.releases.stream()).toList(),
        intercept,
        measured.plus(other.measured),
        ends);
  }

  @Override
  public FitOutcome solve(RegressionProblem problem) {
    if (!problem.loss().isSquared()) {
      return NoisyMomentsInput.super.solve(problem);
    }
    if (problem.lambda().isPresent() || problem.penalty().alpha() < 1.0) {
      return new Encoded(this).solve(problem);
    }
    WhitenedQuestion question = new WhitenedQuestion(problem, releases, intercept);
    FitOutcome outcome = new Whitened(this, question).solve(question.problem()).map(question::fit);
    return isSilent(outcome) ? new Encoded(this).solve(problem) : outcome;
  }

  // Without signal, what a ridge draws to is the noise of the first moments.
  private static boolean isSilent(FitOutcome outcome) {
    return outcome instanceof FitOutcome.Fitted fitted
        && Double.isNaN(fitted.fit().predictedExcess());
  }

  /**
   * Moments of the coordinates of a question.
   *
   * @param of the release
   */
  private record Whitened(TransformedInput of, WhitenedQuestion question)
      implements NoisyMomentsInput {
    @Override
    public double intercept() {
      return question.constant();
    }

    @Override
    public SymmetricMatrix moments() {
      return question.moments();
    }

    @Override
    public NoiseLaw law(int... columns) {
      return new AdditiveLaw(question.noise());
    }

    @Override
    public DMatrixRMaj guard(int... columns) {
      return question.rows(of.guard(question.columns()), columns);
    }
  }

  /**
   * The same moments without negative eigenvalues, which only the transformed ones show.
   *
   * @param of the release
   */
  private record Encoded(TransformedInput of) implements NoisyMomentsInput {
    @Override
    public double intercept() {
      return of.intercept;
    }

    @Override
    public SymmetricMatrix moments() {
      return of.sum(
          release ->
              TransformedMatrix.under(
                  release.inverse(),
                  Spectrum.of(release.under(CommonOps_DDRM.identity(of.dimension())))
                      .map(value -> Math.max(0.0, value))));
    }

    @Override
    public NoiseLaw law(int... columns) {
      return of.law(columns);
    }

    @Override
    public DMatrixRMaj guard(int... columns) {
      return of.guard(columns);
    }
  }
}

package io.gauze.regression.twostage;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.message.Message;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.Clipping;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.moments.AdditiveLaw;
import io.gauze.regression.moments.NoiseLaw;
import io.gauze.regression.moments.NoisyMomentsInput;
import io.gauze.regression.moments.TransformedLaw;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Second moments of rows that a public transform has centred, whitened and shortened.
 *
 * <p>A ridge that the fit may choose is one on coordinates in which the noise is isotropic, see
 * {@link WhitenedQuestion}; a given penalty, and one with an l1 part, is one on encoded columns.
 */
final class TransformedInput implements NoisyMomentsInput {
  private final DMatrixRMaj inverse; // A, its rows in the order of the encoded columns
  private final SymmetricMatrix released; // of z
  private final MomentNoise.Gaussian noise;
  private final double intercept;
  private final CutRows cut;

  /**
   * Creates an input.
   *
   * @param transform of the rows
   * @param released the moments of transformed rows
   * @param noise the law of their error
   * @param intercept the constant of encoded rows
   * @param cut what was cut off transformed rows
   */
  TransformedInput(
      RowTransform transform,
      SymmetricMatrix released,
      MomentNoise.Gaussian noise,
      double intercept,
      CutRows cut) {
    DMatrixRMaj inOrder = transform.inverse();
    this.inverse = new DMatrixRMaj(inOrder.getNumRows(), inOrder.getNumCols());
    for (int place = 0; place < transform.dimension(); place++) {
      for (int j = 0; j < transform.dimension(); j++) {
        inverse.set(transform.order().get(place), j, inOrder.get(place, j));
      }
    }
    this.released = released;
    this.noise = noise;
    this.intercept = intercept;
    this.cut = cut;
  }

  @Override
  public double intercept() {
    return intercept;
  }

  /** Those of the encoded rows, as they were shortened after the transform. */
  @Override
  public SymmetricMatrix moments() {
    return encoded(released.select(IntStream.range(0, released.dimension()).toArray()));
  }

  private SymmetricMatrix encoded(DMatrixRMaj transformed) {
    DMatrixRMaj half = new DMatrixRMaj(inverse.getNumRows(), inverse.getNumCols());
    DMatrixRMaj moments = new DMatrixRMaj(inverse.getNumRows(), inverse.getNumCols());
    CommonOps_DDRM.mult(inverse, transformed, half);
    CommonOps_DDRM.multTransB(half, inverse, moments);
    return SymmetricMatrix.of(moments);
  }

  @Override
  public NoiseLaw law(int... columns) {
    DMatrixRMaj some = new DMatrixRMaj(columns.length, inverse.getNumCols());
    for (int i = 0; i < columns.length; i++) {
      for (int j = 0; j < inverse.getNumCols(); j++) {
        some.set(i, j, inverse.get(columns[i], j));
      }
    }
    DMatrixRMaj shape = new DMatrixRMaj(columns.length, columns.length);
    CommonOps_DDRM.multTransB(some, some, shape);
    return new TransformedLaw(noise, shape);
  }

  @Override
  public FitOutcome solve(RegressionProblem problem) {
    if (!problem.loss().isSquared()) {
      return NoisyMomentsInput.super.solve(problem);
    }
    if (problem.lambda().isPresent() || problem.penalty().alpha() < 1.0) {
      return new Encoded(this).solve(problem);
    }
    WhitenedQuestion question = new WhitenedQuestion(problem, inverse, released, intercept);
    return new Whitened(this, question).solve(question.problem()).map(question::fit);
  }

  @Override
  public Optional<Message> clippingWarning(Clipping clipping, int response) {
    return cut.warning();
  }

  @Override
  public Optional<Message> skewWarning(RegressionProblem problem) {
    return cut.warning();
  }

  @Override
  public double clippingExcess(RegressionProblem problem, DoubleVector coefficients) {
    return cut.excess();
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
      return new AdditiveLaw(of.noise);
    }

    @Override
    public double clippingExcess(RegressionProblem problem, DoubleVector coefficients) {
      return of.cut.excess();
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
      DMatrixRMaj all = of.released.select(IntStream.range(0, of.released.dimension()).toArray());
      return of.encoded(Spectrum.of(all).map(value -> Math.max(0.0, value)));
    }

    @Override
    public NoiseLaw law(int... columns) {
      return of.law(columns);
    }

    @Override
    public double clippingExcess(RegressionProblem problem, DoubleVector coefficients) {
      return of.cut.excess();
    }
  }
}

package io.gauze.regression.papers;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.Convergence;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.moments.AdditiveLaw;
import io.gauze.regression.moments.NoiseLaw;
import io.gauze.regression.moments.PenaltyBootstrap;
import io.gauze.regression.rows.RowsFit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Fits by AdaSSP: ridge regression whose penalty raises the least eigenvalue to the size of the
 * noise.
 *
 * <p>Y.-X. Wang, <a href="https://arxiv.org/abs/1803.02596">Revisiting differentially private
 * linear regression</a>, UAI 2018, algorithm 2, with rho = 0.05. Differs from the paper: the noise
 * off the diagonal of the moments takes the place of its noise in every entry. The penalty weighs
 * all columns equally and without scaling. Where the release holds hardly any signal the penalty is
 * larger: the one that a bootstrap chooses.
 */
final class AdaSspFit {
  /** The probability that the noise in the moments exceeds the part that the penalty covers. */
  private static final double RHO = 0.05;

  private final ReleasedStatistics input;
  private final RegressionProblem problem;
  private final DMatrixRMaj gram;
  private final DMatrixRMaj products;
  private final int features;
  private final List<Message> warnings = new ArrayList<>();

  AdaSspFit(ReleasedStatistics input, RegressionProblem problem) {
    this.input = input;
    this.problem = problem;
    int[] columns = problem.columns(input.dimension());
    this.features = columns.length - 1;
    int[] among = new int[features];
    this.products = new DMatrixRMaj(features, 1);
    if (problem.response() == input.response()) {
      for (int k = 0; k < features; k++) {
        among[k] = input.index(columns[k]);
        products.set(k, input.products().get(among[k]));
      }
      this.gram = input.moments().moments().select(among);
    } else {
      this.gram = new DMatrixRMaj(0, 0);
    }
  }

  FitOutcome fit() {
    if (problem.response() != input.response()) {
      return refused(
          "ada-ssp answers for the response %s alone; fit that, or release noisy-moments",
          problem.names().get(input.response()));
    }
    if (!problem.loss().isSquared() || problem.penalty().alpha() < 1.0) {
      return refused("ada-ssp is a ridge regression; use the loss ridge");
    }
    double sigma = ((MomentNoise.Gaussian) input.moments().noise()).sigma();
    double chosen = Math.max(penalty(sigma), bootstrapped(sigma));
    double lambda = problem.lambda().orElse(chosen);
    Spectrum spectrum = Spectrum.of(gram);
    double edge = edge();
    if (!(spectrum.largest() > edge)) {
      String reason =
          String.format(
              Locale.ROOT,
              "the release holds no signal above its noise: the largest eigenvalue is %.4g, pure"
                  + " noise reaches %.4g; make epochs longer, or spend a larger epsilon",
              spectrum.largest(),
              edge);
      if (!problem.mayShrink()) {
        return new FitOutcome.Refused(reason);
      }
      warnings.add(FitMessage.EMPTY.of(spectrum.largest(), edge));
    }
    double floor = 1e-10 * Math.max(spectrum.largest(), sigma);
    DMatrixRMaj inverse = inverse(spectrum, lambda + floor);
    DMatrixRMaj b = new DMatrixRMaj(features, 1);
    CommonOps_DDRM.mult(inverse, products, b);
    DMatrixRMaj free = new DMatrixRMaj(features, 1);
    CommonOps_DDRM.mult(inverse(spectrum, Math.min(lambda, chosen) + floor), products, free);
    double condition =
        (spectrum.largest() + lambda) / (Math.max(spectrum.smallest(), 0.0) + lambda + floor);
    DMatrixRMaj distance = distance(inverse, b, free, lambda);
    return new FitOutcome.Fitted(fit(spectrum, inverse, b, distance, lambda, condition));
  }

  /** The largest eigenvalue that pure noise reaches. */
  private double edge() {
    return new AdditiveLaw(input.moments().noise()).reach(features);
  }

  /** Whether nothing in the release stands out of its noise. */
  boolean isSilent() {
    return !(Spectrum.of(gram).largest() > edge());
  }

  // s sqrt(p ln(2 p^2 / rho)) - (least eigenvalue, less s' sqrt(ln(6 / rho))), at least 0.
  private double penalty(double sigma) {
    double entry = Math.sqrt(0.5) * sigma;
    double reach = entry * Math.sqrt(features * Math.log(2.0 * features * features / RHO));
    double least = input.leastEigenvalue() - input.eigenvalueSigma() * Math.sqrt(Math.log(6 / RHO));
    return Math.max(0.0, reach - Math.max(0.0, least));
  }

  // With the response multiplied by the ratio of the two noises, features and response have joint
  // moments of one noise. The square of the response is not released; it is at most the rows, and
  // the choice does not depend on it.
  private double bootstrapped(double sigma) {
    NoiseLaw law = new AdditiveLaw(input.moments().noise());
    double scale = Math.sqrt(0.5) * sigma / input.productsSigma();
    double rows = Math.max(1.0, gram.get(0, 0) / (input.intercept() * input.intercept()));
    DMatrixRMaj joint = new DMatrixRMaj(features + 1, features + 1);
    CommonOps_DDRM.insert(gram, joint, 0, 0);
    for (int k = 0; k < features; k++) {
      joint.set(k, features, scale * products.get(k));
      joint.set(features, k, scale * products.get(k));
    }
    joint.set(features, features, scale * scale * rows);
    return PenaltyBootstrap.choose(joint, law, problem, input.intercept());
  }

  private static DMatrixRMaj inverse(Spectrum spectrum, double more) {
    return spectrum.map(value -> 1.0 / (Math.max(value, 0.0) + more));
  }

  private Fit fit(
      Spectrum spectrum,
      DMatrixRMaj inverse,
      DMatrixRMaj b,
      DMatrixRMaj distance,
      double lambda,
      double condition) {
    warnings.add(FitMessage.SQUARE.of());
    double constant = input.intercept() * input.intercept();
    double rows = Math.max(0.0, input.moments().moments().get(0, 0)) / constant;
    DMatrixRMaj positive = spectrum.map(value -> Math.max(value, 0.0));
    double residual = residual(positive, b, rows);
    SymmetricMatrix sampling = RowsFit.sandwich(inverse, positive, variance(residual, rows));
    return new Fit(
            problem,
            input.intercept(),
            DoubleVector.of(b.getData()),
            sampling,
            SymmetricMatrix.of(distance),
            lambda,
            condition,
            rows,
            Double.NaN,
            Convergence.DIRECT,
            warnings)
        .withWithheld(IntStream.range(0, features).boxed().collect(Collectors.toUnmodifiableSet()));
  }

  // The release does not contain the square of the response; an encoded response is at most 1.
  private double residual(DMatrixRMaj positive, DMatrixRMaj b, double rows) {
    double explained = 2.0 * CommonOps_DDRM.dot(b, products);
    double fitted = SymmetricMatrix.of(positive).quadraticForm(b.getData());
    return Math.max(rows - explained + fitted, 1e-3 * Math.max(1.0, rows));
  }

  private double variance(double residual, double rows) {
    return residual / Math.max(1.0, rows - features);
  }

  // b - b0 = A^-1 (e - E b0 - lambda b0), as in ReleaseError: noise and the pull of the penalty.
  // Coefficients with a usual penalty stand for b0: those with a large one say little of it.
  private DMatrixRMaj distance(
      DMatrixRMaj inverse, DMatrixRMaj b, DMatrixRMaj free, double lambda) {
    double half = 0.5 * square(((MomentNoise.Gaussian) input.moments().noise()).sigma());
    double spread = half * CommonOps_DDRM.dot(b, b) + square(input.productsSigma());
    DMatrixRMaj meat = CommonOps_DDRM.identity(features);
    CommonOps_DDRM.scale(spread, meat);
    CommonOps_DDRM.multAddTransB(half, b, b, meat);
    CommonOps_DDRM.multAddTransB(lambda * lambda, free, free, meat);
    DMatrixRMaj middle = new DMatrixRMaj(features, features);
    DMatrixRMaj distance = new DMatrixRMaj(features, features);
    CommonOps_DDRM.mult(inverse, meat, middle);
    CommonOps_DDRM.mult(middle, inverse, distance);
    return distance;
  }

  private static double square(double x) {
    return x * x;
  }

  private static FitOutcome refused(String format, Object... values) {
    return new FitOutcome.Refused(String.format(Locale.ROOT, format, values));
  }
}

package io.gauze.solve;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.ejml.data.DMatrixRMaj;

/**
 * Finds columns whose values crowd at an end of their range, from what a release says and nothing
 * else.
 */
// Let W >= 0 be the distance of a value from the end. If values thin out toward it, the density of
// W being w g(w) with a log-concave g, then E[W^2] <= 3/2 E[W]^2: the moments M_p of g over
// Gamma(p + 1) are log-concave in p (R. Barlow, A. Marshall, F. Proschan, Annals of Mathematical
// Statistics 34 (1963)), so (M_2 / 2)^2 >= M_1 M_3 / 6, and E[W] = M_2 / M_1, E[W^2] = M_3 / M_1.
// The Gamma law of shape 2 attains it, a uniform one has 4/3, a bell inside the range near 1. A
// share p of all values at the end itself divides the ratio of the others by 1 - p. So a larger
// ratio says that values do not thin out: of a uniform law or a bell that the end cuts off it tells
// from a share of a ninth on, of an exponential law's tail from a fifth.
//
// Noise: let B, A and N be the sums of W^2, W and 1 over the rows. B / s + s N >= 2 sqrt(B N), with
// equality at s = sqrt(B / N). So B N <= r A^2 if and only if, for some s,
//   B - 2 sqrt(r) s A + s^2 N = sum (W - sqrt(r) s)^2 - (r - 1) s^2 sum 1 <= 0,
// two quadratic forms in a row, whose noise every law knows. A column is blamed if this is above
// LEVEL deviations for all s; if it is innocent one s alone has that by a chance of 3.2e-5 at most
// (Gaussian noise; s steps by 8 %, which lowers the ratio by .2 %). The least s is a tenth of the
// range: what is nearer than that, on the whole, is as good as at the end.
final class CrowdedEnds {
  private static final double RATIO = 1.5;
  private static final double LEVEL = 4.0;
  private static final double LEAST = 0.1; // of the width
  private static final double WIDTH = 2.0;
  private static final int STEPS = 30;

  private final SymmetricMatrix moments;
  private final NoiseLaw law;
  private final double intercept;

  private CrowdedEnds(SymmetricMatrix moments, NoiseLaw law, double intercept) {
    this.moments = moments;
    this.law = law;
    this.intercept = intercept;
  }

  private static CrowdedEnds of(MomentsInput input) {
    return new CrowdedEnds(input.moments(), NoiseLaw.of(input), input.intercept());
  }

  /** A warning for each end of the problem's columns; none if the input has no noisy moments. */
  static List<String> warnings(FitInput input, RegressionProblem problem) {
    Set<Integer> used = new HashSet<>(problem.features());
    used.add(problem.response());
    Predicate<RangeEnd> crowded = crowded(input);
    return problem.ends().stream()
        .filter(end -> used.contains(end.column()) && crowded.test(end))
        .map(end -> warning(problem.names().get(end.column()), end))
        .toList();
  }

  private static Predicate<RangeEnd> crowded(FitInput input) {
    if (input instanceof ReleasedStrata strata && strata.sigma() > 0.0) {
      CrowdedEnds pooled = of(strata.pooled());
      return end -> pooled.at(end.column(), end, WIDTH) || isStratumCrowded(strata, end);
    }
    if (input instanceof ReleasedStatistics known) {
      CrowdedEnds others = of(known.moments());
      return end ->
          end.column() != known.response() && others.at(known.index(end.column()), end, WIDTH);
    }
    if (input instanceof ReleasedMoments
        || input instanceof ReleasedRows
        || input instanceof ReleasedInverse) {
      CrowdedEnds all = of((MomentsInput) input);
      return end -> all.at(end.column(), end, WIDTH);
    }
    return end -> false;
  }

  /** What is left of a law that thins out thins out, too: the rows of the stratum at the end. */
  private static boolean isStratumCrowded(ReleasedStrata strata, RangeEnd end) {
    if (end.column() != strata.column()) {
      return false;
    }
    SymmetricMatrix last = strata.moments(end.upper() ? strata.strata() - 1 : 0);
    NoiseLaw law = new AdditiveLaw(new MomentNoise.Gaussian(strata.sigma()));
    return new CrowdedEnds(last, law, strata.intercept())
        .at(end.column(), end, WIDTH / strata.strata());
  }

  private static String warning(String name, RangeEnd end) {
    return String.format(
        Locale.ROOT,
        "values of %s crowd at the %s end of its range, %s, where what is %s is clamped: if there is"
            + " more than a little of that, coefficients are off; take a wider range from public"
            + " knowledge, in a new stream",
        name,
        end.upper() ? "upper" : "lower",
        BigDecimal.valueOf(end.value()).stripTrailingZeros().toPlainString(),
        end.upper() ? "above" : "below");
  }

  /** Of values in a part of the range of this width, at the end. */
  private boolean at(int column, RangeEnd end, double width) {
    double side = end.upper() ? 1.0 : -1.0; // W = 1 - side z
    Sum rows = sum(column, 1.0, 0.0);
    for (int k = 0; k <= STEPS; k++) {
      double s = width * Math.pow(LEAST, (double) k / STEPS);
      Sum squares = sum(column, 1.0 - Math.sqrt(RATIO) * s, -side);
      double factor = (RATIO - 1.0) * s * s;
      double excess = squares.value() - factor * rows.value();
      if (!(excess > LEVEL * (squares.deviation() + factor * rows.deviation()))) {
        return false;
      }
    }
    return true;
  }

  private record Sum(double value, double deviation) {}

  /** The sum over rows of {@code (constant + factor z)^2}. */
  private Sum sum(int column, double constant, double factor) {
    double first = constant / intercept;
    double value =
        first * first * moments.get(0, 0)
            + 2.0 * first * factor * moments.get(0, column)
            + factor * factor * moments.get(column, column);
    DMatrixRMaj weights = new DMatrixRMaj(2, 1, true, first, factor);
    return new Sum(value, law.deviation(Math.max(0.0, value), weights));
  }
}

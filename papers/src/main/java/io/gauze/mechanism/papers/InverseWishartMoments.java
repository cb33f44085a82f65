package io.gauze.mechanism.papers;

import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.ExactStateMechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Moments;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.noise.Entropy;
import io.gauze.noise.InverseWishartSampler;
import io.gauze.noise.OutputGrid;
import io.gauze.noise.RoundedGaussian;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A sample of the inverse Wishart law with scale matrix {@code M + psi I} and nu degrees of
 * freedom, where M are the second moments.
 *
 * <p>After O. Sheffet, <a href="https://proceedings.mlr.press/v98/sheffet19a.html">Old techniques
 * in differentially private linear regression</a>, ALT 2019, algorithm 3. Differs from the paper:
 * psi is exact, see {@code ProjectionPrivacy}; the degrees of freedom are public, where the paper
 * adds the number of rows, which differs between neighbours.
 *
 * @param spec the state: exact second moments, until they are released
 * @param cost the cost of a release: that of a projection with nu rows and ridge psi
 * @param ridge psi, in the encoded scale squared
 * @param momentUnit a step of the state in the encoded scale squared
 * @param grid the grid of the released numbers
 */
public record InverseWishartMoments(
    SecondMomentsSpec spec,
    MechanismCost.Projection cost,
    double ridge,
    double momentUnit,
    OutputGrid grid)
    implements ExactStateMechanism {
  static final String NAME = "inverse-wishart";
  private static final String DEGREES = "degreesOfFreedom";
  private static final String RIDGE = "ridge";

  /**
   * The default of nu. Sampling the law then adds 0.002 % of the mean square per column; the size
   * of a release does not depend on nu.
   */
  private static final int DEFAULT_DEGREES = 1 << 16;

  /**
   * The bits of precision that released numbers keep below psi / nu. Sums of 2^33 rows then stay
   * below 2^63.
   */
  private static final int BITS = 24;

  /**
   * The standard deviation of the filling over that of a diagonal entry without any rows. The
   * filling adds 2^-14 of the variance, and less than 2^-8 of it for the most degrees, 2^20, where
   * the filling is 2^10 steps, its least.
   */
  private static final double FILLING = 0x1p-7;

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              MechanismOption.whole(DEGREES, 1, ProjectionPrivacy.MOST_ROWS)
                  .or(DEFAULT_DEGREES)
                  .means("The degrees of freedom, at least D + 4 for D encoded columns.")),
          false,
          InverseWishartMoments::sized,
          Optional.of(InverseWishartMoments::calibration),
          InverseWishartMoments::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "the inverse of a sample is made of nu rows N(0, (M + psi I)^-1), and inverting turns"
                  + " round the eigenvalues by which neighbours differ, so it costs what r = nu rows N(0, M +"
                  + " psi I) do: leverage at most B^2 / psi, exact",
              List.of(Moments.NO_OVERFLOW),
              true));

  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    stream.requireOneRow(NAME);
    SecondMomentsSpec spec = new SecondMomentsSpec(stream.schema().dimension());
    int degrees = (int) sketch.whole(DEGREES).orElse(DEFAULT_DEGREES);
    // The mean of the law exists from D + 2 on, its variance from D + 4 on.
    int least = spec.dimension() + 4;
    if (degrees < least) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be at least %d for %d encoded columns. Provided value: %d",
              DEGREES,
              least,
              spec.dimension(),
              degrees));
    }
    return UncalibratedMechanism.projection(spec, degrees, cost -> of(stream, spec, cost));
  }

  private static InverseWishartMoments of(
      StreamRequest stream, SecondMomentsSpec spec, MechanismCost.Projection cost) {
    double ridge = Jl.ridge(cost, stream.schema().rowBound());
    return new InverseWishartMoments(
        spec, cost, ridge, stream.schema().grid().momentUnit(), grid(ridge, cost.rows()));
  }

  private static OutputGrid grid(double ridge, int degrees) {
    double step = Math.scalb(1.0, Math.getExponent(ridge / degrees) - BITS);
    double filling = FILLING * deviation(ridge, degrees) / step;
    return new OutputGrid(step, Math.max(RoundedGaussian.SMALLEST_SIGMA, filling));
  }

  private static Payload payload(PayloadParameters header) {
    int dimension = header.dimension();
    int degrees = header.whole(DEGREES, dimension + 4, ProjectionPrivacy.MOST_ROWS);
    return new Payload.InverseMoments(dimension, degrees, header.positive(RIDGE));
  }

  private static Calibration calibration(CalibrationRequest request) {
    int degrees = request.requireRows(NAME, request.columns(), ProjectionPrivacy.MOST_ROWS);
    return Calibration.ridge(
        NAME,
        request,
        Map.of("degreesOfFreedom", (double) degrees),
        "psi",
        "exact, as jl with as many rows as degrees of freedom: the inverse of a sample is made of that"
            + " many rows of N(0, (M + psi I)^-1)");
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public double stepSize() {
    return grid.step();
  }

  /** The standard deviation of a diagonal entry without any rows. */
  @Override
  public double sigma() {
    return deviation(ridge, cost.rows()) / grid.step();
  }

  /**
   * Returns {@code psi / nu sqrt(2 / nu)}, the approximate standard deviation of a diagonal entry
   * without any rows.
   */
  private static double deviation(double ridge, int degrees) {
    return ridge / degrees * Math.sqrt(2.0 / degrees);
  }

  @Override
  public long[] release(long[] state, Entropy entropy) {
    double[] moments = Moments.ridged(spec, state, momentUnit, ridge);
    return InverseWishartSampler.of(spec.dimension(), cost.rows(), moments, grid).sample(entropy);
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(Map.of(DEGREES, (double) cost.rows(), RIDGE, ridge));
  }

  /**
   * The degrees of freedom. A replaced row may affect the releases of two cells, which must have
   * the same law.
   */
  @Override
  public List<Integer> shape() {
    return List.of(cost.rows());
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "inverse Wishart with scale matrix M + %s I, M the second moments, and %d degrees of"
            + " freedom, under %s",
        ridge,
        cost.rows(),
        grid.law());
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

package io.gauze.mechanism.papers;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.ExactStateMechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Moments;
import io.gauze.mechanism.Noise;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.noise.Entropy;
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
 * Sufficient statistics for one response, with a ridge that adapts to the least eigenvalue of the
 * features' second moments. The release holds the moments, the products with the response and the
 * least eigenvalue, each with Gaussian noise.
 *
 * <p>After Y.-X. Wang, <a href="https://arxiv.org/abs/1803.02596">Revisiting differentially private
 * linear regression</a>, UAI 2018, algorithm 2. Differs from the paper: the three Gaussian
 * mechanisms share one budget, {@code mu^2 / 3} each, composed exactly; the noise in the moments is
 * isotropic in the Frobenius norm; a row and its response are bounded together, so that {@code |x|
 * |y| <= B^2 / 2}.
 *
 * @param spec the state: exact second moments, until they are released
 * @param response the index of the encoded column that is the response
 * @param responseName the name of that column
 * @param mu the mu that the three mechanisms spend together
 * @param momentUnit a step of the state in the encoded scale squared
 * @param moments the noise in the features' moments
 * @param products the noise in the products of features and response
 * @param eigenvalue the noise in the least eigenvalue
 */
public record AdaSsp(
    SecondMomentsSpec spec,
    int response,
    String responseName,
    double mu,
    double momentUnit,
    SymmetricNoise moments,
    RoundedGaussian products,
    RoundedGaussian eigenvalue)
    implements ExactStateMechanism {
  static final String NAME = "ada-ssp";
  private static final String RESPONSE = "response";
  private static final String MOMENTS_SIGMA = "momentsSigma";
  private static final String PRODUCTS_SIGMA = "productsSigma";
  private static final String EIGENVALUE_SIGMA = "eigenvalueSigma";

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              MechanismOption.column(RESPONSE)
                  .or("the last column")
                  .means("The response: what is explained.")),
          false,
          AdaSsp::sized,
          Optional.of(AdaSsp::calibration),
          AdaSsp::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "one row of norm at most B changes the features' moments by at most B^2 in Frobenius norm"
                  + " (replaced: sqrt 2 B^2), their products with the response by B^2 / 2 (B^2), and the least"
                  + " eigenvalue by B^2",
              List.of(Moments.NO_OVERFLOW),
              false));

  // Sensitivities, for |x|^2 + y^2 <= B^2.
  // - Features' moments, in Frobenius norm: B^2 (add-remove), sqrt 2 B^2 (replace-one), as for
  //   noisy-moments.
  // - Products: |x y| = |x| |y| <= B^2 / 2 (add-remove), twice that (replace-one).
  // - Least eigenvalue: the matrix of each neighbour is the matrix of the common rows plus a matrix
  //   of rank one and norm at most B^2. By Weyl's inequality both eigenvalues are between that of
  //   the common rows and B^2 above it, so the sensitivity is B^2 under both relations. The
  //   eigenvalue is computed in doubles and rounded down to whole steps, which adds u: twice the
  //   error of LeastEigenvalue and one step, together less than B^2 / 3 (for ten features B^2 /
  //   1000). Below u is in units of B^2.
  // Each of the three spends mu / sqrt 3, together mu (Dong, Roth and Su, corollary 3.3).
  //
  // A replaced row may move to another group or epoch. Then two eigenvalues change, which costs
  // more than the B^2 above, but the products change by less. Let |x|^2 = t B^2 for one of the two
  // rows, so that y^2 <= (1 - t) B^2. In units of mu^2 / 3 the row spends
  //   t^2 / 2 in the moments,
  //   t (1 - t) in the products,
  //   t^2 in the eigenvalue (with u: at most ((t + u) / (1 + u))^2).
  // The sum grows with t, up to 3/2. Both rows together spend at most 3, which is mu^2.
  //
  // A unit of k rows, in units of B^2. Let m of the rows be in one cell, and let T be the sum of
  // their |x|^2. They contribute T to the moments, sqrt(T (m - T)) to the products (the sum of the
  // concave sqrt(t (1 - t))), and T + u to the eigenvalue. A cell changes by the difference of two
  // such contributions p and q: for moments |p - q|^2 <= |p|^2 + |q|^2, since both are positive
  // semidefinite; for products |p - q|^2 <= 2 |p|^2 + 2 |q|^2; for eigenvalues by the larger of the
  // two, whose square is at most the sum of both squares. With the sensitivities sqrt 2 k, k and
  // k + u of a replaced unit, each side of a cell spends, over k^2,
  //   T^2 / 2 + 2 T (m - T) + ((T + u) k / (k + u))^2,
  // which grows with T up to T = m, where it is m^2 (3/2) / k^2 for u = 0. Over the cells,
  // sum m^2 <= k^2, and sum (m + u)^2 <= (k + u)^2 for u <= 1, since the sum of m m' over pairs
  // of G cells is at least G (G - 1). So one side spends at most 3/2, both together at most 3.
  // Add-remove: T^2 / k^2 + 4 T (m - T) / k^2 + ((T + u) / (k + u))^2, for products of sensitivity
  // k / 2, which is at most 2 m^2 / k^2 for u = 0, and 2.03 with u, of the 3 that are paid for.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    SecondMomentsSpec spec = new SecondMomentsSpec(stream.schema().dimension());
    List<String> names = stream.schema().encodedNames();
    String name = sketch.word(RESPONSE, names.get(names.size() - 1));
    int response = stream.schema().encodedIndex(name);
    if (response == 0) {
      throw new IllegalArgumentException(
          "response must not be the intercept. Provided value: " + name);
    }
    return UncalibratedMechanism.gaussian(
        spec, spec.stateLength() + 1, mu -> of(stream, spec, response, mu));
  }

  private static AdaSsp of(StreamRequest stream, SecondMomentsSpec spec, int response, double mu) {
    Sensitivities reach =
        Sensitivities.ofRow(stream.schema().rowBound(), stream.budget().neighbours())
            .ofUnit(stream);
    double stepSize = stream.schema().grid().momentUnit();
    double each = share(mu);
    double computing = LeastEigenvalue.spread(spec.dimension() - 1) * stepSize;
    return new AdaSsp(
        spec,
        response,
        stream.schema().encodedNames().get(response),
        mu,
        stepSize,
        SymmetricNoise.of(NAME, spec.dimension() - 1, reach.moments() / each, stepSize),
        RoundedGaussian.of(Noise.sigma(NAME, reach.products() / each, stepSize, 1.0)),
        RoundedGaussian.of(
            Noise.sigma(NAME, (reach.eigenvalue() + computing) / each, stepSize, 1.0)));
  }

  private static Payload payload(PayloadParameters header) {
    String name = header.settings().getOrDefault(RESPONSE, "");
    int response = header.schema().encodedIndex(name);
    if (response == 0) {
      throw new IllegalArgumentException(
          "response must not be the intercept. Provided value: " + name);
    }
    return new Payload.SufficientStatistics(
        header.dimension(),
        response,
        header.positive(MOMENTS_SIGMA),
        header.positive(PRODUCTS_SIGMA),
        header.positive(EIGENVALUE_SIGMA));
  }

  private static Calibration calibration(CalibrationRequest request) {
    Budget budget = request.budget(NAME);
    double each = share(GaussianDp.mu(budget.epsilon(), budget.delta()));
    Calibration.checkAttainable(NAME, 1.0 / each);
    Sensitivities row = Sensitivities.ofRow(request.bound(), request.neighbours());
    return new Calibration(
        NAME,
        Map.of(),
        Map.of(
            MOMENTS_SIGMA,
            Math.nextUp(row.moments() / each),
            PRODUCTS_SIGMA,
            Math.nextUp(row.products() / each),
            EIGENVALUE_SIGMA,
            Math.nextUp(row.eigenvalue() / each)),
        GaussianDp.delta(budget.epsilon(), Math.sqrt(3.0) * each),
        "three Gaussians of mu / sqrt 3 each, composed exactly: moments of the features, B^2 (add-remove)"
            + " or sqrt 2 B^2 (replace-one), sigma on the diagonal; their products with the response, B^2 /"
            + " 2 or B^2; the least eigenvalue, B^2");
  }

  /** The mu that each of the three mechanisms may spend. */
  static double share(double mu) {
    return Math.nextDown(mu / Math.sqrt(3.0));
  }

  /**
   * The largest l2 distance between neighbours in each part, in the encoded scale squared.
   *
   * @param moments in Frobenius norm
   * @param products of the products with the response
   * @param eigenvalue of the least eigenvalue, its computation included
   */
  private record Sensitivities(double moments, double products, double eigenvalue) {
    static Sensitivities ofRow(double rowBound, Neighbours neighbours) {
      double square = Math.nextUp(rowBound * rowBound);
      double moments = new SecondMomentsSpec(1).sensitivity(rowBound, neighbours);
      double products = neighbours == Neighbours.ADD_REMOVE ? 0.5 * square : square;
      return new Sensitivities(moments, products, square);
    }

    Sensitivities ofUnit(StreamRequest stream) {
      return new Sensitivities(
          stream.unitSensitivity(moments),
          stream.unitSensitivity(products),
          stream.unitSensitivity(eigenvalue));
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Gaussian(mu);
  }

  @Override
  public double stepSize() {
    return momentUnit;
  }

  @Override
  public double sigma() {
    return Math.max(moments.diagonal().sigma(), eigenvalue.sigma());
  }

  @Override
  public long[] release(long[] state, Entropy entropy) {
    int features = spec.dimension() - 1;
    int triangle = features * (features + 1) / 2;
    long[] upper = new long[triangle];
    long[] payload = new long[triangle + features + 1];
    int next = 0;
    for (int i = 0; i < features; i++) {
      int row = LeastEigenvalue.skip(i, response);
      for (int j = i; j < features; j++) {
        upper[next++] = state[spec.index(row, LeastEigenvalue.skip(j, response))];
      }
      payload[triangle + i] = state[spec.index(row, response)] + products.sample(entropy);
    }
    moments.add(upper, 0, triangle, entropy);
    System.arraycopy(upper, 0, payload, 0, triangle);
    payload[triangle + features] =
        (long) Math.floor(LeastEigenvalue.of(spec, state, response)) + eigenvalue.sample(entropy);
    return payload;
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            "mu",
            mu,
            MOMENTS_SIGMA,
            moments.diagonal().sigma() * momentUnit,
            PRODUCTS_SIGMA,
            products.sigma() * momentUnit,
            EIGENVALUE_SIGMA,
            eigenvalue.sigma() * momentUnit));
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(RESPONSE, responseName);
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "%s, in the features' moments; %s in their products with %s; %s in the least eigenvalue",
        moments.law(momentUnit),
        products.sigma() * momentUnit,
        responseName,
        eigenvalue.sigma() * momentUnit);
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

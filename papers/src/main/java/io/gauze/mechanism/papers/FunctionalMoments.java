package io.gauze.mechanism.papers;

import io.gauze.accounting.LaplaceDp;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.LaplaceMechanism;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Noise;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.noise.RoundedLaplace;
import io.gauze.payload.MomentNoise;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Second moments with one Laplace variable for each unordered pair of columns: the functional
 * mechanism, which serves every loss that is a quadratic function of the coefficients.
 *
 * <p>After J. Zhang, Z. Zhang, X. Xiao, Y. Yang and M. Winslett, <a
 * href="https://doi.org/10.14778/2350229.2350253">Functional mechanism: regression analysis under
 * differential privacy</a>, PVLDB 5 (2012), and A. Dandekar, D. Basu and S. Bressan (2018). Differs
 * from the papers: an entry and its mirror image are one number; columns are scaled by public
 * ranges; the sensitivity counts the intercept and the columns of categories by the values that
 * they can take.
 *
 * @param spec the sketch
 * @param sensitivity in l1, in the encoded scale
 * @param epsilon the epsilon that one release spends
 * @param stepSize a squared grid step in the encoded scale
 * @param noise the noise in each entry, in squared grid steps
 */
public record FunctionalMoments(
    SecondMomentsSpec spec,
    double sensitivity,
    double epsilon,
    double stepSize,
    RoundedLaplace noise)
    implements LaplaceMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "functional";

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(),
          false,
          FunctionalMoments::sized,
          Optional.of(FunctionalMoments::calibration),
          FunctionalMoments::payload,
          FunctionalMoments::warnings,
          new MechanismKind.Proof(
              "Laplace noise after Dwork, McSherry, Nissim and Smith, Calibrating noise to"
                  + " sensitivity in private data analysis, TCC 2006, for the l1 norm of the"
                  + " products of a row's columns",
              List.of(),
              false));

  /**
   * Checks that the noise is large enough.
   *
   * @throws IllegalArgumentException if it is not
   */
  public FunctionalMoments {
    Noise.checkLaplace(sensitivity, epsilon, noise.scale() * stepSize);
  }

  // Noise: Laplace(sensitivity / epsilon) in each entry, the Laplace mechanism of C. Dwork, F.
  // McSherry, K. Nissim and A. Smith, TCC 2006. The state is whole, so x + round(Z) = round(x + Z).
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    SecondMomentsSpec spec = new SecondMomentsSpec(stream.schema().dimension());
    return UncalibratedMechanism.laplace(spec, epsilon -> calibrate(stream, spec, epsilon));
  }

  private static FunctionalMoments calibrate(
      StreamRequest stream, SecondMomentsSpec spec, double epsilon) {
    double sensitivity =
        stream.unitSensitivity(sensitivity(stream.schema(), stream.budget().neighbours()));
    double stepSize = stream.schema().grid().momentUnit();
    RoundedLaplace noise = Noise.laplace(NAME, sensitivity / epsilon, stepSize);
    return new FunctionalMoments(spec, sensitivity, epsilon, stepSize, noise);
  }

  private static Payload payload(PayloadParameters header) {
    double scale = header.laplaceScale();
    return new Payload.Moments(header.dimension(), new MomentNoise.Laplace(scale, scale));
  }

  private static List<Message> warnings(StreamRequest stream, String sketch, Mechanism mechanism) {
    return List.of(
        PlanMessage.ENTRYWISE.of(
            sketch, mechanism.sigma() * mechanism.stepSize(), mechanism.spec().stateLength()));
  }

  /**
   * Calibrates for any D columns in [-1, 1]. The columns of a particular stream may need less
   * noise, see {@link #sensitivity(RowSchema, Neighbours)}.
   */
  private static Calibration calibration(CalibrationRequest request) {
    double sensitivity =
        LaplaceDp.sensitivity(request.columns(), request.bound(), request.neighbours());
    return Calibration.laplace(
        NAME,
        request,
        Map.of("columns", (double) request.columns(), "sensitivity", sensitivity),
        sensitivity,
        "Laplace on each of the D (D + 1) / 2 sums of products of columns in [-1, 1]; l1"
            + " sensitivity the smaller of D (D + 1) / 2 and B^2 (D + 1) / 2, twice for"
            + " replace-one");
  }

  /**
   * Returns the largest l1 distance between the moments of neighbours, in the encoded scale,
   * rounded up. It is at most {@code LaplaceDp.normSensitivity} for D encoded columns, and at most
   * {@code LaplaceDp.entrySensitivity} if the intercept is at most 1.
   */
  // A row (a_0, ..., a_p) adds |a_i a_j| to each of the unordered pairs:
  //   sum_{i <= j} |a_i a_j| = (S^2 + Q) / 2, S = sum |a_i|, Q = sum a_i^2.
  // Let there be C columns. The entries of each have absolute values that add up to at most 1, and
  // so do their squares: a column is one number in [-1, 1], or categories, of which at most one is
  // 1 and the others are 0 (none is 1 for the baseline and for a missing value). The intercept is
  // c0, which may exceed 1. Clipping to norm B and rounding toward zero only shrink entries, so
  //   S <= c0 + C and Q <= min(c0^2 + C, B^2).
  // At most C + 1 entries are not 0: by Cauchy and Schwarz S <= sqrt(C + 1) B as well. A replaced
  // row leaves one cell and enters one: both norms add up, attained if the cells differ.
  static double sensitivity(RowSchema schema, Neighbours neighbours) {
    double columns = schema.columns().size();
    double intercept = schema.intercept();
    double bound = schema.rowBound();
    double sum = Math.min(intercept + columns, Math.sqrt(columns + 1.0) * bound);
    double squares = Math.min(intercept * intercept + columns, bound * bound);
    double one = 0.5 * (sum * sum + squares) * (1.0 + 0x1p-48); // covers a dozen roundings
    return neighbours == Neighbours.ADD_REMOVE ? one : 2.0 * one;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(Map.of("epsilon", epsilon, "sensitivity", sensitivity));
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "independent Laplace noise, rounded to whole steps of %s: scale %s in every entry",
        stepSize,
        noise.scale() * stepSize);
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

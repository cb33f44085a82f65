package io.gauze.mechanism;

import io.gauze.accounting.BoundedRange;
import io.gauze.accounting.MechanismCost;
import io.gauze.noise.Entropy;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A few columns, selected by how much they explain of one response, and their second moments with
 * Gaussian noise. With many columns of which few matter, the noise of the moments of all of them
 * drowns a fit; that of a few columns does not.
 *
 * <p>After D. Kifer, A. Smith and A. Thakurta, <a
 * href="https://proceedings.mlr.press/v23/kifer12.html">Private convex empirical risk minimization
 * and high-dimensional regression</a>, COLT 2012, and T. Dick, J. Gillenwater and M. Joseph, <a
 * href="https://arxiv.org/abs/2208.07353">Better private linear regression through better private
 * feature selection</a>, NeurIPS 2023. Differs from both: scores are products of columns and
 * residual from moments, and columns are selected in rounds; selection and noise compose exactly,
 * see {@link BoundedRange}.
 *
 * @param selection selects the columns; its state is exact until the release
 * @param responseName the name of the response
 * @param mu the mu that selection and moments spend together
 * @param noise the noise of the moments that are released: of the intercept, the selected columns
 *     and the response
 */
public record SelectFit(
    ColumnSelection selection, String responseName, double mu, SymmetricNoise noise)
    implements ExactStateMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "select-fit";

  // Each draw is private given the draws and noisy moments before it, so mechanisms of mu_i
  // compose adaptively to one of sqrt(sum mu_i^2) (Dong, Roth and Su, corollary 3.3).
  //
  // Draws. If neighbours change each score by at most d, the exponential mechanism of scale
  // 2 d / r has bounded range r. The model between rounds is post-processing of noisy moments; the
  // bound d depends on it, and on nothing else.
  //
  // Moments. The entries of a row in the selected columns have norm at most B' <= B, and change the
  // moments as in NoisyMoments.
  //
  // Two cells. A replaced row may move to another group or epoch. In each cell one row is then
  // added or removed: each score changes by d / 2, so the range of each draw is r / 2. Two cells
  // spend 2 (mu_i / 2)^2, half of what the draw has. Moments are as in NoisyMoments.
  //
  // A unit of k rows changes cell i by those of its m_i rows there, before and after: each score by
  // at most the part m_i / k of d (add-remove), or (m_i + m_i') / 2k (replace-one). The squares of
  // these parts add up to at most 1. Moments are as in StreamRequest.
  static UncalibratedMechanism sized(StreamRequest stream, int response, int selected, int rounds) {
    SecondMomentsSpec spec = new SecondMomentsSpec(stream.schema().dimension());
    return UncalibratedMechanism.gaussian(
        spec,
        SelectFitKind.samples(selected, rounds),
        mu -> of(stream, response, selected, rounds, mu));
  }

  private static SelectFit of(
      StreamRequest stream, int response, int selected, int rounds, double mu) {
    RowSchema schema = stream.schema();
    SelectionBounds bounds = SelectionBounds.of(stream, response);
    double unit = schema.grid().momentUnit();
    List<SymmetricNoise> fits = new ArrayList<>();
    for (int round = 0; round < rounds - 1; round++) {
      double each = SelectFitKind.ofFit(mu, rounds);
      fits.add(noise(bounds, SelectionRounds.after(round, rounds, selected), each, unit));
    }
    double last = SelectFitKind.ofMoments(mu, rounds);
    double range = BoundedRange.range(SelectFitKind.ofDraw(mu, selected));
    SecondMomentsSpec spec = new SecondMomentsSpec(schema.dimension());
    return new SelectFit(
        new ColumnSelection(spec, bounds, selected, range, fits, unit),
        schema.encodedNames().get(response),
        mu,
        noise(bounds, selected, last, unit));
  }

  private static SymmetricNoise noise(SelectionBounds bounds, int size, double mu, double unit) {
    return SymmetricNoise.of(NAME, size + 2, bounds.moments(size) / mu, unit);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SecondMomentsSpec spec() {
    return selection.spec();
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Gaussian(mu);
  }

  @Override
  public double stepSize() {
    return selection.momentUnit();
  }

  @Override
  public double sigma() {
    return noise.diagonal().sigma();
  }

  @Override
  public long[] release(long[] state, Entropy entropy) {
    return selection.of(state).release(noise, stepSize(), entropy);
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            "mu",
            mu,
            SelectFitKind.SELECTED,
            (double) selection.size(),
            SelectFitKind.ROUNDS,
            selection.fits().size() + 1.0,
            "range",
            selection.range()));
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(SelectFitKind.RESPONSE, responseName);
  }

  /** The number of rounds: releases of other rounds have another law. */
  @Override
  public List<Integer> shape() {
    return List.of(selection.size(), selection.fits().size() + 1);
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "%d columns drawn by the exponential mechanism, each of range %s; in their moments %s",
        selection.size(),
        selection.range(),
        noise.law(stepSize()));
  }
}

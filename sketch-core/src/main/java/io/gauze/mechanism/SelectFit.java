package io.gauze.mechanism;

import io.gauze.accounting.BoundedRange;
import io.gauze.accounting.MechanismCost;
import io.gauze.internal.Checks;
import io.gauze.noise.Entropy;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
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

  static final String SELECTED = "selected";
  static final int MOST_SELECTED = 256;
  private static final String RESPONSE = "response";
  private static final String ROUNDS = "rounds";
  private static final int DEFAULT_SELECTED = 12;
  private static final int MOST_ROUNDS = 8;
  private static final int PLANNED_ROUNDS = 3;

  // Parts of mu^2; the last moments have the rest.
  private static final double SELECTION = 0.4;
  private static final double FITS = 0.2; // those between rounds

  /** Several rounds pay if the mean square of a column over its noise is at least so large. */
  private static final double CLEAR = 800.0;

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              MechanismOption.column(RESPONSE),
              MechanismOption.whole(SELECTED, 1, MOST_SELECTED),
              MechanismOption.whole(ROUNDS, 1, MOST_ROUNDS).orPlanned()),
          false,
          SelectFit::sized,
          Optional.empty(),
          SelectFit::payload,
          SelectFit::warnings,
          new MechanismKind.Proof(
              "columns are drawn by the exponential mechanism, whose bounded range r is sqrt(2 pi) r / 4"
                  + " Gaussian-DP; one row of norm at most B changes the moments of the selected columns by"
                  + " at most B^2 in Frobenius norm (replaced: sqrt 2 B^2)",
              List.of(Moments.NO_OVERFLOW),
              false));

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
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    RowSchema schema = stream.schema();
    int response = ResidualStrataNoise.response(schema, sketch);
    int selected = selected(schema, sketch);
    int rounds = rounds(stream, sketch, size, selected);
    SecondMomentsSpec spec = new SecondMomentsSpec(schema.dimension());
    int samples = selected + (rounds - 1) * triangle(selected) + triangle(selected);
    return UncalibratedMechanism.gaussian(
        spec, samples, mu -> of(stream, response, selected, rounds, mu));
  }

  private static int selected(RowSchema schema, SketchRequest sketch) {
    int candidates = schema.dimension() - 2;
    if (candidates < 1) {
      throw new IllegalArgumentException(
          NAME + " needs a column beside the response. Provided value: " + schema.encodedNames());
    }
    long selected = sketch.whole(SELECTED).orElse(Math.min(DEFAULT_SELECTED, candidates));
    if (selected > candidates) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "selected must be at most %d, the encoded columns beside the response. Provided value:"
                  + " %d",
              candidates,
              selected));
    }
    return (int) selected;
  }

  private static int rounds(StreamRequest stream, SketchRequest sketch, double mu, int selected) {
    double square = ExpectedSquares.mean(stream.schema());
    boolean isClear = stream.expectedRows() * square * mu >= CLEAR;
    long planned = isClear ? Math.min(PLANNED_ROUNDS, selected) : 1;
    long rounds = sketch.whole(ROUNDS).orElse(planned);
    if (rounds > selected) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "rounds must be at most selected, %d. Provided value: %d",
              selected,
              rounds));
    }
    return (int) rounds;
  }

  private static SelectFit of(
      StreamRequest stream, int response, int selected, int rounds, double mu) {
    RowSchema schema = stream.schema();
    SelectionBounds bounds = SelectionBounds.of(stream, response);
    double unit = schema.grid().momentUnit();
    List<SymmetricNoise> fits = new ArrayList<>();
    for (int round = 0; round < rounds - 1; round++) {
      double each = share(mu, FITS / (rounds - 1));
      fits.add(noise(bounds, ColumnSelection.after(round, rounds, selected), each, unit));
    }
    double last = share(mu, rounds == 1 ? 1.0 - SELECTION : 1.0 - SELECTION - FITS);
    double range = BoundedRange.range(share(mu, SELECTION / selected));
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

  /** Returns the mu that spends a part of mu^2, rounded down. */
  private static double share(double mu, double part) {
    return mu * Math.sqrt(part) * (1.0 - 0x1p-45);
  }

  private static int triangle(int selected) {
    return (selected + 2) * (selected + 3) / 2;
  }

  private static Payload payload(PayloadParameters header) {
    String name = header.settings().getOrDefault(RESPONSE, "");
    int response = header.schema().encodedIndex(name);
    Checks.within("response", response, 1, header.dimension() - 1);
    int most = Math.min(MOST_SELECTED, header.dimension() - 2);
    return new Payload.SelectedMoments(
        header.dimension(), response, header.whole(SELECTED, 1, most), header.encodedSigma());
  }

  private static List<String> warnings(StreamRequest stream, Mechanism mechanism) {
    int candidates = stream.schema().dimension() - 2;
    SelectFit planned = (SelectFit) mechanism;
    return planned.selection().size() < candidates
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "all %d columns beside the response are selected, which costs budget and gains"
                    + " nothing: lower selected, or release noisy-moments",
                candidates));
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
    SortedSet<Integer> selected = selection.select(state, entropy);
    long[] upper = selection.upper(state, selection.columns(selected));
    noise.add(upper, 0, upper.length, entropy);
    long[] payload = new long[selected.size() + upper.length];
    int next = 0;
    for (int column : selected) {
      payload[next++] = Math.round(column / stepSize()); // exact: the step is a power of two
    }
    System.arraycopy(upper, 0, payload, next, upper.length);
    return payload;
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            "mu",
            mu,
            SELECTED,
            (double) selection.size(),
            ROUNDS,
            selection.fits().size() + 1.0,
            "range",
            selection.range()));
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(RESPONSE, responseName);
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

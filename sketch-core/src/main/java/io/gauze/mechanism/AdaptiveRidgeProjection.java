package io.gauze.mechanism;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.noise.Entropy;
import io.gauze.noise.GaussianRows;
import io.gauze.noise.OutputGrid;
import io.gauze.noise.RoundedLaplace;
import io.gauze.sketch.SecondMomentsSpec;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A Gaussian projection without a ridge where the data are rich enough in every direction to hide a
 * row, which is tested privately first; with the ridge where not.
 *
 * <p>What R. Das, G. Nayak and D. Dasgupta, private sketches for linear regression, algorithm 1,
 * sets out to do. Differs from the paper, whose sketch is a projection scaled by a number from the
 * data: that adds no privacy, and gives the number away. The test and its proof stand in the
 * source.
 *
 * @param spec the state: exact second moments, until they are released
 * @param cost what it spends, a quarter of it on the test
 * @param rows the most rows
 * @param test the noise in the least eigenvalue, in steps of the state
 * @param margin by which the noisy eigenvalue is lowered, in steps of the state
 * @param ridge w^2 of the rows that have one, in the encoded scale squared
 * @param gates how many rows need no ridge from which bound on; rising
 * @param momentUnit a step of the state in the encoded scale squared
 * @param grid where the numbers are
 */
public record AdaptiveRidgeProjection(
    SecondMomentsSpec spec,
    MechanismCost.Approximate cost,
    int rows,
    RoundedLaplace test,
    double margin,
    double ridge,
    List<Gate> gates,
    double momentUnit,
    OutputGrid grid)
    implements ExactStateMechanism {
  static final String NAME = "jl-unregularised";

  /** The part of epsilon and of delta for tests. */
  private static final double TEST = 0.25;

  /**
   * A number of rows that need no ridge.
   *
   * @param rows how many
   * @param bound on the least eigenvalue from which on, in the encoded scale squared
   */
  public record Gate(int rows, double bound) implements Serializable {}

  private static final String ROWS = "rows";
  private static final String RIDGE = "ridge";

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(MechanismOption.whole(ROWS, 1, Jl.MOST_ROWS)),
          false,
          AdaptiveRidgeProjection::sized,
          Optional.empty(),
          AdaptiveRidgeProjection::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "a quarter of epsilon and delta (an eighth if rows are replaced, which two groups or epochs can"
                  + " see) buys a lower bound on the least eigenvalue of the moments, which a row moves by B^2"
                  + " at most, and the rest a projection whose ridge, added or found"
                  + " by that bound, is exact for it",
              List.of(Moments.NO_OVERFLOW),
              true));

  // The guarantee. Let L be the least eigenvalue of M; a row more or less, or another in place of
  // one, changes L by at most B^2 (Weyl). The test publishes b = L + Lap(B^2 / e1): e1-private. Put
  // l = b - (B^2 / e1) ln(1 / (2 d1)): L < l with probability d1. With all that is left, e2 and d2,
  // r rows N(0, M) cost what the projection with ridge w^2 = L - B^2 does at most: the rows that
  // both data sets have alone hold C >= (L - B^2) I in the Loewner order, and the leverage of a row
  // is at most B^2 / (L - B^2). So if w^2(r; e2, d2) + B^2 <= l <= L, r rows are (e2, d2)-private;
  // the largest such r of a public list is taken, and rows with the full ridge if there is none.
  // Which branch and which r
  // depends on b alone. All together: (e1 + e2, d1 + d2).
  //
  // A replaced row may leave one group or epoch for another: then two tests see it. So under
  // replace-one each test has half of e1 and of d1, and both together, or the one, e1 and d1.
  // The rows of one cell lose a direction and those of the other gain one; with r rows in both,
  // of leverage at most lambda, that is the worst case of a replaced row itself, (e2, d2). With
  // different r it would be a product that is not accounted for: so under replace-one the gate
  // opens for all rows or for none.
  //
  // L is computed in doubles, off by e at most, see LeastEigenvalue, and rounded down to whole
  // steps of the state, which adds 2 e and one step to its sensitivity; and e to l's distance
  // from b.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    stream.requireOneRow(NAME);
    SecondMomentsSpec spec = new SecondMomentsSpec(stream.schema().dimension());
    int rows = Jl.rows(sketch, spec.dimension());
    if (rows < spec.dimension()) {
      throw new IllegalArgumentException(
          ROWS + " must be at least " + spec.dimension() + ". Provided value: " + rows);
    }
    double all = stream.sketches().stream().mapToDouble(SketchRequest::weight).sum();
    // What several snapshots leave over pays for composing their epsilons.
    int releases = stream.releases().freshReleases();
    double own = releases == 1 ? 1.0 - 1e-6 : 0.5 / releases;
    double delta = stream.budget().delta() * sketch.weight() / all * own;
    return new UncalibratedMechanism(
        spec,
        new BudgetSplit.Approximate(delta),
        2.0 * RoundedLaplace.TOTAL_VARIATION,
        cost -> of(stream, spec, rows, (MechanismCost.Approximate) cost));
  }

  private static AdaptiveRidgeProjection of(
      StreamRequest stream, SecondMomentsSpec spec, int rows, MechanismCost.Approximate cost) {
    double bound = stream.schema().rowBound();
    Neighbours neighbours = stream.budget().neighbours();
    double share = testShare(neighbours);
    RoundedLaplace test = test(stream, bound, share * cost.epsilon());
    Budget rest = rest(cost, neighbours);
    double ridge = Math.nextUp(ProjectionPrivacy.ridge(rest, rows) * Math.nextUp(bound * bound));
    return new AdaptiveRidgeProjection(
        spec,
        cost,
        rows,
        test,
        test.scale() * Math.log(0.5 / (share * cost.delta()))
            + LeastEigenvalue.error(spec.dimension()),
        ridge,
        gates(rest, spec.dimension(), rows, bound),
        stream.schema().grid().momentUnit(),
        Jl.grid(bound));
  }

  private static RoundedLaplace test(StreamRequest stream, double bound, double epsilon) {
    // more than the row bound squared, since eigenvalues are computed in doubles and rounded down
    double stepSize = stream.schema().grid().momentUnit();
    double computing = LeastEigenvalue.spread(stream.schema().dimension());
    double steps = Math.nextUp(Math.nextUp(Math.nextUp(bound * bound) / stepSize) + computing);
    double scale = Math.nextUp(steps / epsilon);
    if (!(scale <= RoundedLaplace.LARGEST_SCALE)) { // NaN too
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "scale of the test of %s must be at most %.4g squared grid steps."
                  + " Provided value: %.4g; give it more of epsilon",
              NAME,
              RoundedLaplace.LARGEST_SCALE,
              scale));
    }
    return RoundedLaplace.of(scale);
  }

  /** For D rows, twice that and so on, and for the most; for these alone under replace-one. */
  private static List<Gate> gates(Budget rest, int dimension, int rows, double bound) {
    double square = Math.nextUp(bound * bound);
    List<Gate> gates = new ArrayList<>();
    int first = rest.neighbours() == Neighbours.ADD_REMOVE ? dimension : rows;
    for (int count = first; ; count = Math.min(rows, 2 * count)) {
      double needed = ProjectionPrivacy.ridge(rest, count) * square + square;
      gates.add(new Gate(count, Math.nextUp(Math.nextUp(needed))));
      if (count == rows) {
        return List.copyOf(gates);
      }
    }
  }

  private static Payload payload(PayloadParameters header) {
    int dimension = header.dimension();
    int rows = header.whole(ROWS, dimension, Jl.MOST_ROWS);
    return new Payload.AdaptiveRidgeProjection(rows, dimension, header.positive(RIDGE));
  }

  /** The part of epsilon and delta of the test of one group and epoch. */
  private static double testShare(Neighbours neighbours) {
    return neighbours == Neighbours.ADD_REMOVE ? TEST : 0.5 * TEST;
  }

  private static Budget rest(MechanismCost.Approximate cost, Neighbours neighbours) {
    return new Budget((1.0 - TEST) * cost.epsilon(), (1.0 - TEST) * cost.delta(), neighbours);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public double stepSize() {
    return grid.step();
  }

  /** That of a row of the ridge, where there is one. */
  @Override
  public double sigma() {
    return Math.sqrt(ridge) / grid.step();
  }

  @Override
  public long[] release(long[] state, Entropy entropy) {
    OptionalInt free = freeRows(lowerBound(LeastEigenvalue.of(spec, state, -1), entropy));
    double added = free.isPresent() ? 0.0 : ridge;
    double[] moments = Moments.ridged(spec, state, momentUnit, added);
    long[] sample =
        GaussianRows.of(spec.dimension(), moments, grid).sample(free.orElse(rows), entropy);
    long[] payload = new long[1 + rows * spec.dimension()];
    // as all numbers, in units of the grid
    payload[0] = free.isPresent() ? Math.round(free.getAsInt() / grid.step()) : 0L;
    System.arraycopy(sample, 0, payload, 1, sample.length);
    return payload;
  }

  /**
   * l, a lower bound on the least eigenvalue, in the encoded scale squared, that is wrong with the
   * test's delta.
   *
   * @param leastEigenvalue in steps of the state
   */
  public double lowerBound(double leastEigenvalue, Entropy entropy) {
    long noisy = (long) Math.floor(leastEigenvalue) + test.sample(entropy);
    // one step less, for the rounding of the noise
    return (noisy - 1.0 - margin) * momentUnit;
  }

  /** The most rows that need no ridge if the least eigenvalue is at least this. */
  private OptionalInt freeRows(double lowerBound) {
    return gates.stream().filter(gate -> gate.bound() <= lowerBound).mapToInt(Gate::rows).max();
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(Map.of(ROWS, (double) rows, RIDGE, ridge));
  }

  /**
   * The rows: a replaced row may be seen by the releases of two cells, which have to be of one law.
   */
  @Override
  public List<Integer> shape() {
    return List.of(rows);
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "first a number r; if it is not 0, r independent rows N(0, M), M the second moments, and"
            + " zeros; else %d rows N(0, M + %s I); under %s",
        rows,
        ridge,
        grid.law());
  }
}

package io.gauze.mechanism.papers;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.mechanism.ExactStateMechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Moments;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.noise.Entropy;
import io.gauze.noise.GaussianRows;
import io.gauze.noise.OutputGrid;
import io.gauze.noise.RoundedLaplace;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
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
 * A Gaussian projection that needs no ridge if the data are rich enough in every direction to hide
 * a row. A private test of the least eigenvalue decides; if it fails, the projection has the full
 * ridge.
 *
 * <p>Pursues the aim of R. Das, G. Nayak and D. Dasgupta, private sketches for linear regression,
 * algorithm 1. Differs from the paper, whose sketch is a projection scaled by a number from the
 * data: the scaling adds no privacy and discloses the number. The source contains the test and its
 * proof.
 *
 * @param spec the state: exact second moments, until they are released
 * @param cost the cost of a release, a quarter of it for the test
 * @param rows the largest number of projected rows
 * @param test the noise in the least eigenvalue, in steps of the state
 * @param margin the amount by which the noisy eigenvalue is lowered, in steps of the state
 * @param ridge w^2 of the rows that have a ridge, in the encoded scale squared
 * @param gates the numbers of rows that may go without a ridge, each with its bound; ascending
 * @param momentUnit a step of the state in the encoded scale squared
 * @param grid the grid of the released numbers
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
  public static final String NAME = "jl-unregularised";

  /**
   * A number of rows that may go without a ridge.
   *
   * @param rows the number of rows
   * @param bound the smallest lower bound on the least eigenvalue that permits it, in the encoded
   *     scale squared
   */
  public record Gate(int rows, double bound) implements Serializable {}

  private static final String ROWS = "rows";
  private static final String RIDGE = "ridge";

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(Jl.rowsOption()),
          false,
          AdaptiveRidgeProjection::sized,
          Optional.empty(),
          AdaptiveRidgeProjection::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "a quarter of epsilon and delta (an eighth if rows are replaced, which two groups or"
                  + " epochs can see) buys a lower bound on the least eigenvalue of the moments,"
                  + " which a row moves by B^2 at most, and the rest a projection whose ridge,"
                  + " added or found by that bound, is exact for it",
              List.of(Moments.NO_OVERFLOW),
              true));

  // The guarantee. Let L be the least eigenvalue of M. Adding, removing or replacing a row changes
  // L by at most B^2 (Weyl). The test publishes b = L + Lap(B^2 / e1), which is e1-private. Let
  // l = b - (B^2 / e1) ln(1 / (2 d1)): L < l with probability d1. With the rest of the budget, e2
  // and d2, r rows N(0, M) cost at most what the projection with ridge w^2 = L - B^2 costs: the
  // rows that both data sets share already give C >= (L - B^2) I in the Loewner order, so the
  // leverage of a row is at most B^2 / (L - B^2). If w^2(r; e2, d2) + B^2 <= l <= L, then r rows
  // are (e2, d2)-private. The mechanism takes the largest such r of a public list, and the full
  // ridge if there is none. The branch and r depend on b alone. The total is (e1 + e2, d1 + d2).
  //
  // A replaced row may move to another group or epoch, where a second test depends on it. So under
  // replace-one each test gets half of e1 and of d1, and both tests together cost e1 and d1.
  // The rows of one cell lose a direction and those of the other gain one. With r rows in both
  // cells, of leverage at most lambda, that is the worst case of a replaced row itself, (e2, d2).
  // With a different r in each cell it would be a product that the accounting does not cover, so
  // under replace-one the only gate is that of all rows.
  //
  // L is computed in doubles with an error of at most e, see LeastEigenvalue, and rounded down to
  // whole steps of the state. This adds 2 e and one step to its sensitivity, and e to the distance
  // of l from b.
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
    // Several snapshots leave half of the delta for composing their epsilons.
    int releases = stream.releases().freshReleases();
    double own = releases == 1 ? 1.0 - 1e-6 : 0.5 / releases;
    double delta = stream.ownDelta() * sketch.weight() / all * own;
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
    // More than the row bound squared, since eigenvalues are computed in doubles and rounded down.
    double stepSize = stream.schema().grid().momentUnit();
    double computing = LeastEigenvalue.spread(stream.schema().dimension());
    double steps = Math.nextUp(Math.nextUp(Math.nextUp(bound * bound) / stepSize) + computing);
    double scale = Math.nextUp(steps / epsilon);
    if (!(scale <= RoundedLaplace.LARGEST_SCALE)) { // also refuses NaN
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

  /**
   * Returns the gates: for add-remove those of D, 2 D, 4 D and so on rows and of all rows; for
   * replace-one only that of all rows.
   */
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

  /** Returns the part of epsilon and delta that the test of one group and epoch spends. */
  private static double testShare(Neighbours neighbours) {
    return neighbours == Neighbours.ADD_REMOVE ? Tuning.TEST : 0.5 * Tuning.TEST;
  }

  private static Budget rest(MechanismCost.Approximate cost, Neighbours neighbours) {
    return new Budget(
        (1.0 - Tuning.TEST) * cost.epsilon(), (1.0 - Tuning.TEST) * cost.delta(), neighbours);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public double stepSize() {
    return grid.step();
  }

  /** The standard deviation of an entry of a row of the ridge. */
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
    // in units of the grid, like all numbers of the payload
    payload[0] = free.isPresent() ? Math.round(free.getAsInt() / grid.step()) : 0L;
    System.arraycopy(sample, 0, payload, 1, sample.length);
    return payload;
  }

  /**
   * Returns l, a lower bound on the least eigenvalue, in the encoded scale squared. The bound is
   * wrong with the delta of the test.
   *
   * @param leastEigenvalue in steps of the state
   * @param entropy random bits for the noise of the test
   */
  public double lowerBound(double leastEigenvalue, Entropy entropy) {
    long noisy = (long) Math.floor(leastEigenvalue) + test.sample(entropy);
    // one step less, for the rounding of the noise
    return (noisy - 1.0 - margin) * momentUnit;
  }

  /**
   * Returns the largest number of rows that need no ridge if the least eigenvalue is at least the
   * argument; empty if there is none.
   */
  private OptionalInt freeRows(double lowerBound) {
    return gates.stream().filter(gate -> gate.bound() <= lowerBound).mapToInt(Gate::rows).max();
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(Map.of(ROWS, (double) rows, RIDGE, ridge));
  }

  /**
   * The number of rows. A replaced row may affect the releases of two cells, which must have the
   * same law.
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

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

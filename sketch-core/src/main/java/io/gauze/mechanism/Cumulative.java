package io.gauze.mechanism;

import io.gauze.accounting.SquareRootToeplitz;
import io.gauze.internal.Checks;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.noise.CumulativeNoise;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A mechanism over cumulative sums. After each of K epochs it releases the sum over the rows of all
 * epochs so far. All K releases together cost what one release of the inner mechanism costs. {@link
 * CumulativeNoise} makes their noise and is kept beside the sums, so {@link #release} is not
 * supported.
 *
 * @param inner the mechanism of one release alone
 * @param releases K, in [1, 4096]
 * @param releaseIndex the index of the release that this object describes, in [0, K); in a plan
 *     that of the last release, whose noise is the widest
 * @param firstEpoch the label of the epoch of release 0; empty in a plan
 */
// Statement. Let x_j be the sketch of epoch j's rows in one group, A the K x K lower triangle of
// ones, and C its square root: lower triangular Toeplitz, with entries >= 0, and no column longer
// than the first, whose norm is c. The releases are A x + C z = C (C x + z), z ~ N(0, (c sigma)^2),
// a function of C x + z. Let d and d' be the mechanism's sensitivities under add-remove and
// replace-one; sqrt 2 d <= d' for all of these mechanisms. Then |C x - C x'| is at most
// - c d under add-remove: the row changes one x_j, so C x changes by column j times the change;
// - c d' under replace-one, where the row may move from epoch j to k, whatever its hashes are:
//   x_j changes by u and x_k by v with |u|, |v| <= d, and with columns C_j, C_k
//     |C_j|^2 |u|^2 + |C_k|^2 |v|^2 + 2 <C_j, C_k> <u, v>
//   is at most 2 c^2 d^2 if <u, v> <= 0, as <C_j, C_k> >= 0; else, as <C_j, C_k> <= c^2, at most
//   c^2 |u + v|^2, where u + v is the change of a row that stays in its epoch: |u + v| <= d'. For
//   moments d' = sqrt 2 d, and u = a a' and v = -b b' have <u, v> <= 0, and so it is for counts of
//   ranges, where u >= 0 and v <= 0 in each entry; for sums of rows d' = 2 d.
// If the row moves to another group, x changes in both groups, with independent noise: again
// 2 c^2 d^2. So the sigma of one release alone gives mu = d / sigma for all K releases.
//
// Adaptivity. Rows may be chosen after earlier releases; the second half of a replaced row may be
// chosen after releases that contain its first half. Let y_t = (C x + z)_t. As C is lower
// triangular with ones on its diagonal, releases 0..t determine y_0..y_t and nothing else. An
// adversary who chooses rows after seeing the releases fixes x_t and x'_t, those of both
// neighbours, as functions of y_0..y_(t-1). So m_t = (C x - C x')_t, which is C_tj u from epoch j
// on and C_tj u + C_tk v from k on, is a function of y_0..y_(t-1), and given these y_t is normal
// with variance (c sigma)^2 and with means that differ by m_t. (For several groups and sketches,
// all are in one vector, each divided by its own c sigma.) On every path sum |m_t|^2 is the square
// above, at most (c d)^2, or (c d')^2.
//
// Let mu = d / sigma (or d' / sigma). Let the mechanism release one more number, whose means
// differ by what is left of mu; this only helps the adversary. With w_t the noise divided by
// c sigma and g_t = m_t / (c sigma), sum |g_t|^2 = mu^2 always, and the privacy loss is
// sum <g_t, w_t> + mu^2 / 2. As exp(i a <g_t, w_t> + a^2 |g_t|^2 / 2) has mean 1 given the past,
// the sum has the characteristic function exp(-a^2 mu^2 / 2): it is N(0, mu^2), and the loss is
// that of one Gaussian mechanism.
//
// For rows that do not move this is theorem 2.1 of Denisov et al. (see SquareRootToeplitz). The
// composition of Gaussians with a budget that every path keeps is A. Smith and A. Thakurta, Fully
// adaptive composition for Gaussian differential privacy, arXiv 2210.17520 (2022). All statements
// hold given the rows' secret hashes, each drawn independently of all rows and releases.
public record Cumulative(AdditiveMechanism inner, int releases, int releaseIndex, String firstEpoch)
    implements DerivedMechanism, ExactStateMechanism {
  /** The name of the parameter that holds K. Only cumulative releases have it. */
  public static final String RELEASES = "cumulative";

  /** The name of the parameter that holds the number of the release, from 1. */
  public static final String RELEASE_NUMBER = "turn";

  public static final String FIRST = "firstEpoch";

  /**
   * The size of the stored draws, in bytes, above which the owner is warned. Draws are kept until
   * the last release.
   */
  private static final long MUCH_STATE = 256L << 20;

  private static final int DRAW_BYTES = 16;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range, or the noise of the releases
   *     is too wide for a sampler
   */
  public Cumulative {
    Objects.requireNonNull(firstEpoch, "firstEpoch");
    range("releases", releases, 1, ReleaseSchedule.CumulativeSums.MOST);
    range("releaseIndex", releaseIndex, 0, releases - 1);
    double norm = SquareRootToeplitz.of(releases).columnNorm();
    double drawn = Math.nextUp(inner.sigma() * norm);
    if (!(drawn <= RoundedGaussian.LARGEST_SIGMA)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sigma of %s must be at most %.4g grid steps, of one release alone, for %d cumulative"
                  + " ones. Provided value: %.4g steps; give it more of epsilon",
              inner.name(),
              RoundedGaussian.LARGEST_SIGMA / norm,
              releases,
              inner.sigma()));
    }
  }

  /** Creates the mechanism of a plan. */
  Cumulative(AdditiveMechanism inner, int releases) {
    this(inner, releases, releases - 1, "");
  }

  private static void range(String name, int value, int least, int most) {
    Checks.within(name, value, least, most);
  }

  /**
   * Returns the mechanism of another release of this series.
   *
   * @param otherIndex the index of that release
   * @param first the label of the epoch of release 0
   * @throws IllegalArgumentException if the index is not in [0, K)
   */
  public Cumulative at(int otherIndex, String first) {
    return new Cumulative(inner, releases, otherIndex, first);
  }

  /**
   * Returns the mechanism of the release that a header names; that of this release if the header
   * names none of this series.
   */
  public Cumulative like(Map<String, Double> parameters, Map<String, String> settings) {
    double named = parameters.getOrDefault(RELEASE_NUMBER, Double.NaN);
    boolean known = named >= 1 && named <= releases && named == Math.rint(named);
    return at(known ? (int) named - 1 : releaseIndex, settings.getOrDefault(FIRST, ""));
  }

  /**
   * Creates the noise of all releases for a part of the state, before the first release.
   *
   * @param from index in the state of the first entry
   * @param length the number of entries
   * @throws IndexOutOfBoundsException if the part reaches beyond the state
   */
  public CumulativeNoise noise(int from, int length) {
    Objects.checkFromIndexSize(from, length, spec().stateLength());
    return CumulativeNoise.create(releases, length, i -> inner.noiseScale(from + i));
  }

  /**
   * Returns a warning for the owner if the state of a stream becomes large.
   *
   * @param sketches the mechanisms of the stream; those that are not cumulative do not count
   * @param groups the number of groups of the stream
   */
  public static Optional<Message> warning(List<Mechanism> sketches, int groups) {
    long bytes = groups * sketches.stream().mapToLong(Cumulative::drawBytes).sum();
    return bytes <= MUCH_STATE ? Optional.empty() : Optional.of(PlanMessage.STATE.of(bytes >> 20));
  }

  private static long drawBytes(Mechanism sketch) {
    return sketch instanceof Cumulative series
        ? (long) DRAW_BYTES * series.spec().stateLength() * series.releases()
        : 0;
  }

  /** The standard deviation of the noise of this release. */
  @Override
  public double sigma() {
    return inner.sigma() * SquareRootToeplitz.of(releases).noiseFactor(releaseIndex);
  }

  /**
   * Not supported: a sum gets its noise from {@link #noise}, in the order of the releases.
   *
   * @throws UnsupportedOperationException always, so that no exact sum is published by mistake
   */
  @Override
  public long[] release(long[] state, Entropy entropy) {
    throw new UnsupportedOperationException(
        "cumulative sums get their noise as a series, not one by one");
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new TreeMap<>(inner.parameters());
    parameters.put(RELEASES, (double) releases);
    parameters.put(RELEASE_NUMBER, releaseIndex + 1.0);
    return parameters;
  }

  @Override
  public Map<String, String> settings() {
    if (firstEpoch.isEmpty()) {
      return inner.settings();
    }
    Map<String, String> settings = new TreeMap<>(inner.settings());
    settings.put(FIRST, firstEpoch);
    return settings;
  }

  /** The law of the noise of all releases. It leaves out sigma, which a header holds separately. */
  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "release k of %d has f_0 z_k + f_1 z_(k-1) + ... + f_(k-1) z_1, rounded, where f_0 = 1, f_j"
            + " = (1 - 1/(2j)) f_(j-1), and each z is normal, %s times as wide as that of one"
            + " release alone, which is: %s",
        releases,
        SquareRootToeplitz.of(releases).columnNorm(),
        inner.noiseLaw());
  }
}

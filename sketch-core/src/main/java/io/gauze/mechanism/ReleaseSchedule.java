package io.gauze.mechanism;

import io.gauze.accounting.SquareRootToeplitz;
import io.gauze.accounting.UnitKind;
import io.gauze.internal.Checks;
import io.gauze.noise.CumulativeNoise;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The schedule of releases: which releases contain the data of one unit, and how their noise is
 * related. Immutable.
 */
public sealed interface ReleaseSchedule extends Serializable {
  /** The kinds of units whose data can be released on this schedule; immutable. */
  List<UnitKind> units();

  /**
   * The number of epochs that are released, from the first one on; {@link Integer#MAX_VALUE} if
   * there is no end.
   */
  int epochs();

  /**
   * The number of releases with independent noise that contain the data of one unit and share the
   * budget: 1, or the number of snapshots.
   */
  default int freshReleases() {
    return 1;
  }

  /**
   * Returns the mu of the whole noise of one release, for a share of the budget's mu.
   *
   * @param checkpointLeaks the number of checkpoints that may be stolen; each adds one noise of the
   *     same size
   */
  default double muPerRelease(double mu, int checkpointLeaks) {
    return mu / Math.sqrt(freshReleases() * (1.0 + checkpointLeaks));
  }

  /**
   * Returns the total variation between the sampled noise of one cell and its law.
   *
   * @param own that of one release alone
   * @param stateLength the number of entries of a state
   */
  default double samplerDistance(double own, int stateLength) {
    return own;
  }

  /**
   * Converts the mechanism of one release alone to one that adds its noise when this schedule needs
   * it.
   */
  default Mechanism place(Mechanism mechanism) {
    return mechanism;
  }

  /** Returns true if each release contains the rows of all epochs so far. */
  default boolean isCumulative() {
    return false;
  }

  /**
   * The part of the config that keeps sums without noise until they are released, for an error
   * message; empty if none does.
   */
  default Optional<String> exactSums() {
    return Optional.empty();
  }

  /**
   * Describes in a sentence what a checkpoint holds of sums without noise; empty if all sums have
   * noise.
   */
  default Optional<String> checkpoint() {
    return Optional.empty();
  }

  /** Describes the schedule in words. */
  String description();

  /** The options of the schedule by their name in the config. */
  default Map<String, Object> settings() {
    return Map.of();
  }

  /** The end of a unit's fingerprint. Never changes. */
  default String fingerprint() {
    return "";
  }

  /**
   * Returns a clause that extends a proof for one release to all of them; empty for a single
   * release.
   */
  default String basis() {
    return "";
  }

  /** Each epoch is released once and contains only its own rows. */
  record PerEpoch() implements ReleaseSchedule {
    @Override
    public List<UnitKind> units() {
      return List.of(UnitKind.ROW, UnitKind.USER);
    }

    @Override
    public int epochs() {
      return Integer.MAX_VALUE;
    }

    @Override
    public String description() {
      return "an epoch";
    }
  }

  /**
   * Snapshots of a table. Accumulators hold exact sums, and each snapshot gets fresh noise; the
   * budget covers all snapshots together.
   *
   * @param count K, the number of all snapshots that will ever be released, in [1, 10000]
   */
  record Snapshots(int count) implements ReleaseSchedule {
    /** The largest number of snapshots. */
    public static final int MOST = 10_000;

    private static final String EXACT_TABLE =
        "NOT COVERED: a checkpoint or savepoint holds the exact sums of all sketches without noise,"
            + " and of each key, by a hash, its row and when it changed last, also after a deletion,"
            + " and secret seeds; protect it like the rows.";

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the count is out of range
     */
    public Snapshots {
      Checks.within("snapshots", count, 1, MOST);
    }

    @Override
    public List<UnitKind> units() {
      return List.of(UnitKind.KEY);
    }

    @Override
    public int epochs() {
      return count;
    }

    @Override
    public int freshReleases() {
      return count;
    }

    @Override
    public Mechanism place(Mechanism mechanism) {
      return mechanism.noiseInState() ? new NoiseAtRelease(mechanism) : mechanism;
    }

    @Override
    public Optional<String> exactSums() {
      return Optional.of("for unit key");
    }

    @Override
    public Optional<String> checkpoint() {
      return Optional.of(EXACT_TABLE);
    }

    @Override
    public String description() {
      return "all " + count + " snapshots";
    }

    @Override
    public Map<String, Object> settings() {
      return Map.of("snapshots", count);
    }

    @Override
    public String fingerprint() {
      return " " + count;
    }

    @Override
    public String basis() {
      return String.format(
          Locale.ROOT,
          "what is released is the table as it stands, in which a key has one row at most, %d times,"
              + " each with noise of its own that is so large that all %d together keep epsilon and"
              + " delta; ",
          count,
          count);
    }
  }

  /**
   * Cumulative sums: the release after an epoch contains the rows of all epochs so far. A row is in
   * many releases, whose noise is correlated so that the budget covers all of them together, see
   * {@link Cumulative}. Accumulators hold exact sums.
   *
   * @param count K, the number of all releases that will ever be made, in [1, 4096]
   */
  record CumulativeSums(int count) implements ReleaseSchedule {
    /** The largest number of releases. */
    public static final int MOST = 4096;

    private static final String EXACT_TOTALS =
        "NOT COVERED: until the last release a checkpoint or savepoint holds the exact sums of all"
            + " sketches without noise, and what was drawn for the noise of the releases so far, with"
            + " which it can be taken away from them; protect it like the rows.";

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the count is out of range
     */
    public CumulativeSums {
      Checks.within("cumulative", count, 1, MOST);
    }

    @Override
    public List<UnitKind> units() {
      return List.of(UnitKind.ROW);
    }

    @Override
    public int epochs() {
      return count;
    }

    /** Returns the mu of the last release, which has the widest noise. */
    @Override
    public double muPerRelease(double mu, int checkpointLeaks) {
      return mu / SquareRootToeplitz.of(count).noiseFactor();
    }

    @Override
    public double samplerDistance(double own, int stateLength) {
      return stateLength * CumulativeNoise.totalVariation(count);
    }

    @Override
    public Mechanism place(Mechanism mechanism) {
      return new Cumulative((AdditiveMechanism) mechanism, count);
    }

    @Override
    public boolean isCumulative() {
      return true;
    }

    @Override
    public Optional<String> exactSums() {
      return Optional.of("with cumulative");
    }

    @Override
    public Optional<String> checkpoint() {
      return Optional.of(EXACT_TOTALS);
    }

    @Override
    public String description() {
      return "all " + count + " cumulative releases";
    }

    @Override
    public Map<String, Object> settings() {
      return Map.of("cumulative", count);
    }

    @Override
    public String fingerprint() {
      return " cumulative " + count;
    }

    @Override
    public String basis() {
      return String.format(
          Locale.ROOT,
          "what is released is the sum of all epochs so far, %d times, with noise that is correlated"
              + " by the square root of the lower triangle of ones and so large that all %d together"
              + " keep epsilon and delta (Henzinger, Upadhyay and Upadhyay, Almost tight error bounds"
              + " on differentially private continual counting, SODA 2023), also if later rows depend"
              + " on earlier releases (Denisov, McMahan, Rush, Smith and Guha Thakurta, Improved"
              + " differential privacy for SGD via optimal private linear operators on adaptive"
              + " streams, NeurIPS 2022, theorem 2.1); ",
          count,
          count);
    }
  }
}

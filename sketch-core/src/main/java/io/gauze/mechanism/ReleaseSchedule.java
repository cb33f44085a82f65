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

/** Which releases hold the data of one unit, and how their noise belongs together. Immutable. */
public sealed interface ReleaseSchedule extends Serializable {
  /** Whose data can be released in this way; immutable. */
  List<UnitKind> units();

  /** How many epochs are released, from the first one on; {@link Integer#MAX_VALUE}: no end. */
  int epochs();

  /**
   * How often the data of one unit are released on the budget, with fresh noise each time: 1, or
   * the number of snapshots.
   */
  default int freshReleases() {
    return 1;
  }

  /**
   * The mu of the whole noise of one release, of a share of the budget's mu.
   *
   * @param checkpointLeaks how many checkpoints may be stolen: as many more noises of the same size
   */
  default double muPerRelease(double mu, int checkpointLeaks) {
    return mu / Math.sqrt(freshReleases() * (1.0 + checkpointLeaks));
  }

  /**
   * The distance between the noise of one cell as it is sampled and its law.
   *
   * @param own that of one release alone
   * @param stateLength the entries of a state
   */
  default double samplerDistance(double own, int stateLength) {
    return own;
  }

  /** The mechanism of one release alone, with its noise where these releases need it. */
  default Mechanism place(Mechanism mechanism) {
    return mechanism;
  }

  /** Whether each release holds the rows of all epochs so far. */
  default boolean isCumulative() {
    return false;
  }

  /** Which config has sums without noise until they are released, for an error; empty if none. */
  default Optional<String> exactSums() {
    return Optional.empty();
  }

  /** What a checkpoint holds of such sums, as a sentence; empty if they have noise. */
  default Optional<String> checkpoint() {
    return Optional.empty();
  }

  /** In words. */
  String description();

  /** The options of a config, by name. */
  default Map<String, Object> settings() {
    return Map.of();
  }

  /** What a unit's fingerprint ends with. Never changes. */
  default String fingerprint() {
    return "";
  }

  /** How a proof for one release is a proof for all of them, as a clause; empty for one. */
  default String basis() {
    return "";
  }

  /** Each epoch is released once, with its own rows. */
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
   * Snapshots of a table. Accumulators hold exact sums, and each snapshot gets noise of its own;
   * the budget covers all snapshots together.
   *
   * @param count K, how many there will ever be, in [1, 10000]
   */
  record Snapshots(int count) implements ReleaseSchedule {
    /** The most snapshots. */
    public static final int MOST = 10_000;

    private static final String EXACT_TABLE =
        "NOT COVERED: a checkpoint or savepoint holds the exact sums of all sketches without noise,"
            + " and of each key, by a hash, its row and when it changed last, also after a deletion,"
            + " and secret seeds; protect it like the rows.";

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the number is out of range
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
   * Sums that only grow: what is released after an epoch holds the rows of all epochs so far. A row
   * shows in many releases, whose noise is correlated so that the budget covers all of them
   * together, see {@link Cumulative}. Accumulators hold exact sums.
   *
   * @param count K, how many releases there will ever be, in [1, 4096]
   */
  record CumulativeSums(int count) implements ReleaseSchedule {
    /** The most releases. */
    public static final int MOST = 4096;

    private static final String EXACT_TOTALS =
        "NOT COVERED: until the last release a checkpoint or savepoint holds the exact sums of all"
            + " sketches without noise, and what was drawn for the noise of the releases so far, with"
            + " which it can be taken away from them; protect it like the rows.";

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the number is out of range
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

    /** Of the last release, which has the widest noise. */
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

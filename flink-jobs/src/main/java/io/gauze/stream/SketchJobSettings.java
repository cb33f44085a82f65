package io.gauze.stream;

import io.gauze.accounting.Budget;
import io.gauze.accounting.PrivacyUnit;
import io.gauze.accounting.UnitKind;
import io.gauze.config.EpochSchedule;
import io.gauze.config.RowTime;
import io.gauze.ledger.HeldReleases;
import io.gauze.ledger.LedgerRequest;
import io.gauze.ledger.LedgerTerms;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Randomness;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Topics;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The settings of the sketch job's operators. They travel in the job graph and contain no secret of
 * the stream's randomness. Immutable.
 *
 * @param spec what the config says
 * @param found what the start found in the topics
 * @param randomness the source of noise and secrets
 * @param probe for tests
 */
public record SketchJobSettings(
    StreamSpec spec, StartState found, Randomness randomness, FaultInjection probe)
    implements Serializable {
  private static final long serialVersionUID = 3L;

  /** The group of a stream without groups. */
  public static final String NO_GROUP = ReleaseId.ALL;

  public SketchJobSettings {
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(found, "found");
    Objects.requireNonNull(randomness, "randomness");
    Objects.requireNonNull(probe, "probe");
  }

  /** Returns the settings of a production job, before its start looks at the topics. */
  public static SketchJobSettings of(StreamSpec spec) {
    return new SketchJobSettings(spec, StartState.NONE, Randomness.SYSTEM, FaultInjection.NONE);
  }

  /** Returns settings for JSON rows, whose total budget is the plan's own budget. */
  public static SketchJobSettings of(
      StreamPlan plan, EpochSchedule schedule, KafkaAccess kafka, Topics topics) {
    return of(new StreamSpec(plan, schedule, RowInput.JSON, kafka, topics, plan.budget()));
  }

  private SketchJobSettings with(StreamSpec other) {
    return new SketchJobSettings(other, found, randomness, probe);
  }

  /** Returns a copy with what the start found. */
  public SketchJobSettings with(StartState other) {
    return new SketchJobSettings(spec, other, randomness, probe);
  }

  /** Returns a copy with another total budget. */
  public SketchJobSettings withTotalBudget(Budget other) {
    return with(spec.with(other));
  }

  /** Returns a copy with another format, key or grouping of the records. */
  public SketchJobSettings withInput(RowInput other) {
    return with(spec.with(other));
  }

  /** Returns a copy with another first epoch. */
  public SketchJobSettings from(long epoch) {
    return with(spec.with(schedule().from(epoch)));
  }

  /** Returns a copy with other published releases. */
  public SketchJobSettings withPublished(Set<String> ids) {
    return with(found.withPublished(ids));
  }

  /** Returns a copy with other randomness; for tests. */
  public SketchJobSettings withRandomness(Randomness other) {
    return new SketchJobSettings(spec, found, other, probe);
  }

  /** Returns a copy with a probe; for tests. */
  public SketchJobSettings withProbe(FaultInjection other) {
    return new SketchJobSettings(spec, found, randomness, other);
  }

  /** The sketches and their noise. */
  public StreamPlan plan() {
    return spec.plan();
  }

  /** The budget that all releases over the same topic of rows may spend together, ever. */
  public Budget totalBudget() {
    return spec.totalBudget();
  }

  /** The epochs of the stream. */
  public EpochSchedule schedule() {
    return spec.schedule();
  }

  /** How records become rows. */
  public RowInput input() {
    return spec.input();
  }

  /** The broker. */
  public KafkaAccess kafka() {
    return spec.kafka();
  }

  /** The topics. */
  public Topics topics() {
    return spec.topics();
  }

  /** Returns whether the job ends. */
  public boolean bounded() {
    return found.end().bounded();
  }

  /** The offsets at which each partition ends, for a job that ends. */
  public Offsets ends() {
    return found.end().offsets();
  }

  /** The last epoch that a job that ends cuts; it was over when the ends were read. */
  public long lastEpoch() {
    return found.end().lastEpoch();
  }

  /**
   * The ids that the ledger held when the job was submitted. Their releases are skipped, unless the
   * state holds their epochs.
   */
  public HeldReleases published() {
    return found.published();
  }

  /** Returns whether a release is one of {@link #published}. */
  public boolean isPublished(Cell cell, long epoch) {
    return published()
        .contains(plan().stream(), cell.group(), schedule().label(epoch), cell.sketch());
  }

  /** Returns whether all releases of an epoch are in {@link #published}. */
  public boolean isPublished(long epoch) {
    return areIn(published(), epoch);
  }

  /** Returns whether all releases of an epoch are among some. */
  public boolean areIn(HeldReleases some, long epoch) {
    List<String> sketches = plan().sketches().stream().map(SketchPlan::name).toList();
    return some.containsAll(plan().stream(), input().groups(), schedule().label(epoch), sketches);
  }

  /** Those of {@link #published} that were charged and not sent. */
  public Set<String> unsent() {
    return found.unsent();
  }

  /** The time of the job's submission, by the submitter's clock. */
  public Instant submission() {
    return found.submission();
  }

  private PrivacyUnit unit() {
    return plan().request().unit();
  }

  /** Returns whether releases are snapshots of a table with one row a key. */
  public boolean keepsTable() {
    return unit().kind() == UnitKind.KEY;
  }

  /** Returns whether each release holds the rows of all epochs so far. */
  public boolean isCumulative() {
    return plan().request().releases().isCumulative();
  }

  /** The field that holds the user of a row; empty if the unit is no user. */
  public Optional<String> userField() {
    return unit().field();
  }

  /** The number of rows of a user that count in an epoch. */
  public int rowsPerEpoch() {
    return unit().rows();
  }

  /** Returns whether operators must know the earlier records of the same key. */
  public boolean isKeyed() {
    return unit().isKeyed();
  }

  /** The last epoch with a release, ever; {@link Long#MAX_VALUE} if their number has no limit. */
  public long lastRelease(EpochSchedule epochs) {
    if (countsRanges()) {
      return epochs.firstEpoch();
    }
    int number = plan().request().releases().epochs();
    return number == Integer.MAX_VALUE ? Long.MAX_VALUE : epochs.firstEpoch() + number - 1;
  }

  /** The index, from 0, of an epoch's release in a cumulative series. */
  public int releaseIndex(long epoch) {
    return Math.toIntExact(epoch - schedule().firstEpoch());
  }

  /** Returns every cell of the stream: groups x sketches x blocks. */
  public List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (String group : input().groups()) {
      for (SketchPlan sketch : plan().sketches()) {
        int blocks = Block.count(sketch.mechanism().spec().stateLength());
        for (int block = 0; block < blocks; block++) {
          cells.add(new Cell(group, sketch.name(), block));
        }
      }
    }
    return cells;
  }

  /** The sketches and models for which rows are read again; none in most streams. */
  public List<SketchPlan> readAgain() {
    return plan().sketches().stream()
        .filter(sketch -> SketchParts.of(sketch.mechanism()).ofRows().isPresent())
        .toList();
  }

  /** Returns the ids of all releases of the epochs in [first, last]. */
  public List<String> releaseIds(long first, long last) {
    List<Cell> cells = cells().stream().filter(cell -> cell.block() == 0).toList();
    List<String> ids = new ArrayList<>();
    for (long epoch = first; epoch <= last; epoch++) {
      for (Cell cell : cells) {
        ids.add(releaseId(cell, epoch).toString());
      }
    }
    return ids;
  }

  /**
   * Returns, by sketch, the standard deviation of noise that the state of open epochs holds. Empty
   * for cumulative releases, whose state holds the whole law of their noise.
   */
  public Map<String, Double> noiseInState() {
    Map<String, Double> widths = new TreeMap<>();
    if (!keepsTable() && !isCumulative()) {
      for (SketchPlan sketch : plan().sketches()) {
        if (sketch.mechanism().noiseInState()) {
          widths.put(sketch.name(), sketch.mechanism().sigma());
        }
      }
    }
    return widths;
  }

  /** Returns whether this job counts the ranges of columns for a later job of the stream. */
  public boolean countsRanges() {
    return spec.ranges() instanceof RangePhase.Counting;
  }

  /** The first epoch that this job may release: later than a calibration epoch. */
  public long firstPossible() {
    return spec.ranges() instanceof RangePhase.Chosen chosen ? chosen.epoch() + 1 : Long.MIN_VALUE;
  }

  /**
   * The fingerprint of everything that the releases in the ledger depend on; of a stream whose
   * ranges are estimated as the config has it, which is the same in all of its jobs.
   */
  public String series() {
    return spec.ranges() instanceof RangePhase.Estimated estimated
        ? estimated.sketches().series(schedule().fingerprint() + place(estimated.input()))
        : ownSeries("");
  }

  /** The fingerprint of everything that the state depends on, with the ranges as they are now. */
  public String stateSeries() {
    String keys = isKeyed() ? input().keyState() : "";
    return countsRanges()
        ? ownSeries(keys + " counts of " + schedule().label(schedule().firstEpoch()))
        : ownSeries(keys);
  }

  private String ownSeries(String purpose) {
    String keys = isKeyed() ? " keyed by " + input().keyFingerprint() : "";
    String first = isCumulative() ? " from " + schedule().label(schedule().firstEpoch()) : "";
    return plan().series(schedule().fingerprint() + first + place(input()) + keys + purpose);
  }

  /**
   * Describes what decides in which group and epoch a record's row is, and whose. Under another
   * layout the same record is in another epoch, or is of another user.
   */
  // The first rows of a user count: whether a record is a row at all hangs on all of its fields.
  private String place(RowInput input) {
    Set<String> placing = new HashSet<>();
    if (input.hasGroups()) {
      placing.add(input.groupField());
    }
    if (schedule().time().kind() == RowTime.Kind.EVENT) {
      placing.add(schedule().time().field());
    }
    boolean byContent = isKeyed() || !placing.isEmpty();
    return input.fingerprint()
        + (byContent ? input.format().layout(field -> isKeyed() || placing.contains(field)) : "");
  }

  /**
   * Describes the topics of the rows and of the ledger, and whether the noise is private. Part of
   * the savepoint format: never change the words.
   */
  public String origin() {
    String kind = randomness.isPrivate() ? "private" : "not private";
    return String.join(", ", topics().rows(), topics().ledger(), kind);
  }

  /** The ids that Kafka gave the topics of rows and of the ledger; empty if they are not known. */
  public String topicIds() {
    return found.topicIds();
  }

  /** The account on which releases are charged, and the charge of each. */
  public LedgerTerms terms() {
    StreamPlan charged =
        spec.ranges() instanceof RangePhase.Estimated estimated ? estimated.sketches() : plan();
    return LedgerTerms.of(charged, topics().rows(), totalBudget()).of(isKeyed() ? whose() : "");
  }

  /** The kind of users or keys that the unit counts; one account can add up only one kind. */
  private String whose() {
    return userField().map(field -> "field " + field).orElseGet(input()::keyFingerprint);
  }

  /** Returns what the job asks of its account before its first release. */
  public LedgerRequest charge() {
    return LedgerRequest.of(firstRelease(), series(), plan().guarantee(randomness), terms());
  }

  public ReleaseId firstRelease() {
    return releaseId(cells().get(0), schedule().firstEpoch());
  }

  /** Returns the id under which a cell's sketch of {@code epoch} is published. */
  public ReleaseId releaseId(Cell cell, long epoch) {
    return new ReleaseId(plan().stream(), cell.group(), schedule().label(epoch), cell.sketch());
  }

  /** Returns the name of the stream only, since everything else is long. */
  @Override
  public String toString() {
    return "SketchJobSettings[" + plan().stream() + "]";
  }
}

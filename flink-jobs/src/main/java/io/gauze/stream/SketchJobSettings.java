package io.gauze.stream;

import io.gauze.accounting.Budget;
import io.gauze.accounting.PrivacyUnit;
import io.gauze.accounting.UnitKind;
import io.gauze.config.EpochSchedule;
import io.gauze.kafka.KafkaAccess;
import io.gauze.kafka.Topics;
import io.gauze.ledger.LedgerRequest;
import io.gauze.ledger.LedgerTerms;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchPlan;
import io.gauze.mechanism.StreamPlan;
import io.gauze.noise.Randomness;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * All that the sketch job's operators need to know; travels in the job graph and holds no secret of
 * the stream's randomness. Immutable.
 *
 * @param spec what the config says
 * @param found what the start found
 * @param randomness where noise and secrets come from
 * @param probe for tests
 */
public record SketchJobSettings(
    StreamSpec spec, StartFindings found, Randomness randomness, FaultInjection probe)
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

  /** Settings of a production job, before its start looks at the topics. */
  public static SketchJobSettings of(StreamSpec spec) {
    return new SketchJobSettings(spec, StartFindings.NONE, Randomness.SYSTEM, FaultInjection.NONE);
  }

  /** Settings of JSON rows, whose total budget is the plan's own budget. */
  public static SketchJobSettings of(
      StreamPlan plan, EpochSchedule schedule, KafkaAccess kafka, Topics topics) {
    return of(new StreamSpec(plan, schedule, RowInput.JSON, kafka, topics, plan.budget()));
  }

  private SketchJobSettings with(StreamSpec other) {
    return new SketchJobSettings(other, found, randomness, probe);
  }

  /** This job, which knows what its start found. */
  public SketchJobSettings with(StartFindings other) {
    return new SketchJobSettings(spec, other, randomness, probe);
  }

  /** This job under another total budget. */
  public SketchJobSettings withTotalBudget(Budget other) {
    return with(new StreamSpec(plan(), schedule(), input(), kafka(), topics(), other));
  }

  /** This job of rows that are written otherwise, or grouped. */
  public SketchJobSettings withInput(RowInput other) {
    return with(new StreamSpec(plan(), schedule(), other, kafka(), topics(), totalBudget()));
  }

  /** This job, with another first epoch. */
  public SketchJobSettings from(long epoch) {
    EpochSchedule other = schedule().from(epoch);
    return with(new StreamSpec(plan(), other, input(), kafka(), topics(), totalBudget()));
  }

  /** This job, knowing what is published. */
  public SketchJobSettings withPublished(Set<String> ids) {
    return with(found.withPublished(ids));
  }

  /** This job with other randomness: for tests. */
  public SketchJobSettings withRandomness(Randomness other) {
    return new SketchJobSettings(spec, found, other, probe);
  }

  /** This job with a probe: for tests. */
  public SketchJobSettings withProbe(FaultInjection other) {
    return new SketchJobSettings(spec, found, randomness, other);
  }

  /** What is sketched and with which noise. */
  public StreamPlan plan() {
    return spec.plan();
  }

  /** What all releases over the same topic of rows may spend together, ever. */
  public Budget totalBudget() {
    return spec.totalBudget();
  }

  /** How the stream is cut into epochs. */
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

  /** Whether the job ends. */
  public boolean bounded() {
    return found.end().bounded();
  }

  /** Where each partition ends, for a job that ends there. */
  public Offsets ends() {
    return found.end().offsets();
  }

  /** The last epoch that a job that ends cuts: over when the ends were read. */
  public long lastEpoch() {
    return found.end().lastEpoch();
  }

  /**
   * The ids that the ledger held when the job was submitted; their epochs are skipped unless the
   * state knows them.
   */
  public Set<String> published() {
    return found.published();
  }

  /** When the job was submitted, by the clock of who did. */
  public Instant submission() {
    return found.submission();
  }

  private PrivacyUnit unit() {
    return plan().request().unit();
  }

  /** Whether releases are snapshots of a table with one row a key. */
  public boolean keepsTable() {
    return unit().kind() == UnitKind.KEY;
  }

  /** Whether each release holds the rows of all epochs so far. */
  public boolean isCumulative() {
    return plan().request().releases().isCumulative();
  }

  /** The field that says whose a row is; empty if the unit is no user. */
  public Optional<String> userField() {
    return unit().field();
  }

  /** How many rows of a user count in an epoch. */
  public int rowsPerEpoch() {
    return unit().rows();
  }

  /** Whether operators must know what came before under the same key. */
  public boolean isKeyed() {
    return unit().isKeyed();
  }

  /** The last epoch of which there is a release; there is none after it, ever. */
  public long lastRelease(EpochSchedule epochs) {
    int number = plan().request().releases().epochs();
    return number == Integer.MAX_VALUE ? Long.MAX_VALUE : epochs.firstEpoch() + number - 1;
  }

  /** Which of the cumulative releases that of an epoch is, from 0. */
  public int releaseIndex(long epoch) {
    return Math.toIntExact(epoch - schedule().firstEpoch());
  }

  /** Every cell of the stream: groups x sketches x blocks. */
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

  /** The ids of all releases of the epochs in [first, last]. */
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
   * The standard deviation of the noise of each sketch whose open epochs have it in them, but for
   * cumulative releases, which keep the whole law of theirs.
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

  /** The fingerprint of all that state and releases depend on. */
  public String series() {
    String keys = isKeyed() ? " keyed by " + input().keyFingerprint() : "";
    String first = isCumulative() ? " from " + schedule().label(schedule().firstEpoch()) : "";
    return plan().series(schedule().fingerprint() + first + input().fingerprint() + keys);
  }

  /**
   * Whose rows the state holds, which ledger knows of its noise, and of which kind that is; in
   * words that never change.
   */
  public String origin() {
    String kind = randomness.isPrivate() ? "private" : "not private";
    return String.join(", ", topics().rows(), topics().ledger(), kind);
  }

  /** The ids that Kafka gave the topics of rows and of the ledger; empty if they are not known. */
  public String topicIds() {
    return found.topicIds();
  }

  /** On which account releases are charged, and with what. */
  public LedgerTerms terms() {
    return LedgerTerms.of(plan(), topics().rows(), totalBudget()).of(isKeyed() ? whose() : "");
  }

  /** Which users or keys the unit is of; on one account only one kind of them can be added up. */
  private String whose() {
    return userField().map(field -> "field " + field).orElseGet(input()::keyFingerprint);
  }

  /** What the job asks of its account before its first release. */
  public LedgerRequest charge() {
    return LedgerRequest.of(firstRelease(), series(), plan().guarantee(randomness), terms());
  }

  public ReleaseId firstRelease() {
    return releaseId(cells().get(0), schedule().firstEpoch());
  }

  /** The id under which a cell's sketch of {@code epoch} is published. */
  public ReleaseId releaseId(Cell cell, long epoch) {
    return new ReleaseId(plan().stream(), cell.group(), schedule().label(epoch), cell.sketch());
  }

  /** The stream alone: the rest is long. */
  @Override
  public String toString() {
    return "SketchJobSettings[" + plan().stream() + "]";
  }
}

package io.gauze.stream;

import io.gauze.accounting.Budget;
import io.gauze.accounting.PrivacyUnit;
import io.gauze.accounting.UnitKind;
import io.gauze.kafka.KafkaAccess;
import io.gauze.ledger.Charge;
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
import java.util.function.Consumer;

/**
 * All that the sketch job's operators need to know; travels in the job graph and holds no secret of
 * the stream's randomness. Immutable.
 */
public final class SketchJobSettings implements Serializable {
  private static final long serialVersionUID = 2L;

  /** The group of a stream without groups. */
  public static final String NO_GROUP = ReleaseId.ALL;

  /** The names of the job's topics. */
  public record Topics(String rows, String releases, String ledger, String deadLetters, String late)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  private final StreamPlan plan;
  private final KafkaAccess kafka;
  private final Topics topics;

  // What follows is set before an instance is shared, and never after.
  private EpochSchedule schedule;
  private RowInput input = RowInput.JSON;
  private Budget lifetime;
  private Randomness randomness = Randomness.SYSTEM;
  private boolean bounded;
  private Offsets ends = Offsets.of(Map.of());
  private long lastEpoch = Long.MAX_VALUE;
  private Set<String> published = Set.of();
  private String topicIds = "";
  private String gap = "";
  private String backlog = "";
  private Instant submission = Instant.EPOCH;
  private FaultInjection probe = FaultInjection.NONE;

  private SketchJobSettings(
      StreamPlan plan, EpochSchedule schedule, KafkaAccess kafka, Topics topics) {
    this.plan = Objects.requireNonNull(plan, "plan");
    this.schedule = Objects.requireNonNull(schedule, "schedule");
    this.kafka = Objects.requireNonNull(kafka, "kafka");
    this.topics = Objects.requireNonNull(topics, "topics");
    this.lifetime = plan.budget();
    if (isCumulative() && (schedule.isAll() || !schedule.explicitFirst())) {
      throw new IllegalArgumentException(
          "schedule of cumulative releases must have epochs and name the first. Provided value: "
              + schedule);
    }
  }

  /** Settings of a production job of JSON rows, whose lifetime is the plan's own budget. */
  public static SketchJobSettings of(
      StreamPlan plan, EpochSchedule schedule, KafkaAccess kafka, Topics topics) {
    return new SketchJobSettings(plan, schedule, kafka, topics);
  }

  private SketchJobSettings with(Consumer<SketchJobSettings> change) {
    SketchJobSettings copy = new SketchJobSettings(plan, schedule, kafka, topics);
    copy.input = input;
    copy.lifetime = lifetime;
    copy.randomness = randomness;
    copy.bounded = bounded;
    copy.ends = ends;
    copy.lastEpoch = lastEpoch;
    copy.published = published;
    copy.topicIds = topicIds;
    copy.gap = gap;
    copy.backlog = backlog;
    copy.submission = submission;
    copy.probe = probe;
    change.accept(copy);
    return copy;
  }

  /** The same job under another lifetime. */
  public SketchJobSettings withLifetime(Budget other) {
    Objects.requireNonNull(other, "lifetime");
    return with(copy -> copy.lifetime = other);
  }

  /** The same job of rows that are written otherwise, or grouped. */
  public SketchJobSettings withInput(RowInput other) {
    Objects.requireNonNull(other, "input");
    return with(copy -> copy.input = other);
  }

  /** The same job, ending at {@code stops}, where epoch {@code last} is over. */
  public SketchJobSettings boundedAt(Offsets stops, long last) {
    Objects.requireNonNull(stops, "stops");
    return with(
        copy -> {
          copy.bounded = true;
          copy.ends = stops;
          copy.lastEpoch = last;
        });
  }

  /** The same job, with another first epoch. */
  public SketchJobSettings from(long epoch) {
    return with(copy -> copy.schedule = schedule.from(epoch));
  }

  /** The same job, knowing which topics its rows and ledger are, whatever their names. */
  public SketchJobSettings withTopicIds(String ids) {
    Objects.requireNonNull(ids, "ids");
    return with(copy -> copy.topicIds = ids);
  }

  /** The same job, knowing why the log may lack rows of its next release; empty if it does not. */
  public SketchJobSettings withGap(String reason) {
    Objects.requireNonNull(reason, "reason");
    return with(copy -> copy.gap = reason);
  }

  /** The same job, knowing why it has too many past epochs to release; empty if it has not. */
  public SketchJobSettings withBacklog(String reason) {
    Objects.requireNonNull(reason, "reason");
    return with(copy -> copy.backlog = reason);
  }

  /** The same job, submitted at a time. */
  public SketchJobSettings withSubmission(Instant time) {
    Objects.requireNonNull(time, "time");
    return with(copy -> copy.submission = time);
  }

  /** The same job, knowing what is published. */
  public SketchJobSettings withPublished(Set<String> ids) {
    Set<String> held = Set.copyOf(ids);
    return with(copy -> copy.published = held);
  }

  /** The same job with other randomness: for tests. */
  public SketchJobSettings withRandomness(Randomness other) {
    Objects.requireNonNull(other, "randomness");
    return with(copy -> copy.randomness = other);
  }

  public SketchJobSettings withProbe(FaultInjection other) {
    Objects.requireNonNull(other, "probe");
    return with(copy -> copy.probe = other);
  }

  /** What is sketched and with which noise. */
  public StreamPlan plan() {
    return plan;
  }

  /** What all releases over the same topic of rows may spend together, ever. */
  public Budget lifetime() {
    return lifetime;
  }

  /** How the stream is cut into epochs. */
  public EpochSchedule schedule() {
    return schedule;
  }

  /** How records become rows. */
  public RowInput input() {
    return input;
  }

  /** The broker. */
  public KafkaAccess kafka() {
    return kafka;
  }

  /** The topics. */
  public Topics topics() {
    return topics;
  }

  /** Where noise and secrets come from. */
  public Randomness randomness() {
    return randomness;
  }

  /** Whether the job ends. */
  public boolean bounded() {
    return bounded;
  }

  /** Where each partition ends, for a job that ends there. */
  public Offsets ends() {
    return ends;
  }

  /** The last epoch that a job that ends cuts: over when the ends were read. */
  public long lastEpoch() {
    return lastEpoch;
  }

  /**
   * The ids that the ledger held when the job was submitted; their epochs are skipped unless the
   * state knows them.
   */
  public Set<String> published() {
    return published;
  }

  /** Why a job without state could lack rows of its next release; empty if it does not. */
  public String gap() {
    return gap;
  }

  /** Why a job without state has too many past epochs to release; empty if it has not. */
  public String backlog() {
    return backlog;
  }

  /** When the job was submitted, by the clock of who did. */
  public Instant submission() {
    return submission;
  }

  public FaultInjection probe() {
    return probe;
  }

  private PrivacyUnit unit() {
    return plan.request().unit();
  }

  /** Whether releases are snapshots of a table with one row a key. */
  public boolean keepsTable() {
    return unit().kind() == UnitKind.KEY;
  }

  /** Whether each release holds the rows of all epochs so far. */
  public boolean isCumulative() {
    return plan.request().releases().isCumulative();
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
    int number = plan.request().releases().epochs();
    return number == Integer.MAX_VALUE ? Long.MAX_VALUE : epochs.firstEpoch() + number - 1;
  }

  /** Which of the cumulative releases that of an epoch is, from 0. */
  public int releaseIndex(long epoch) {
    return Math.toIntExact(epoch - schedule.firstEpoch());
  }

  /** Every cell of the stream: groups x sketches x blocks. */
  public List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (String group : input.groups()) {
      for (SketchPlan sketch : plan.sketches()) {
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
      for (SketchPlan sketch : plan.sketches()) {
        if (sketch.mechanism().noiseInState()) {
          widths.put(sketch.name(), sketch.mechanism().sigma());
        }
      }
    }
    return widths;
  }

  /** The fingerprint of all that state and releases depend on. */
  public String series() {
    String keys = isKeyed() ? " keyed by " + input.keyFingerprint() : "";
    String first = isCumulative() ? " from " + schedule.label(schedule.firstEpoch()) : "";
    return plan.series(schedule.fingerprint() + first + input.fingerprint() + keys);
  }

  /**
   * Whose rows the state holds, which ledger knows of its noise, and of which kind that is; in
   * words that never change.
   */
  public String origin() {
    String kind = randomness.isPrivate() ? "private" : "not private";
    return String.join(", ", topics.rows(), topics.ledger(), kind);
  }

  /** The ids that Kafka gave the topics of rows and of the ledger; empty if they are not known. */
  public String topicIds() {
    return topicIds;
  }

  /** On which account releases are charged, and with what. */
  public LedgerTerms terms() {
    return LedgerTerms.of(plan, topics.rows(), lifetime).of(isKeyed() ? whose() : "");
  }

  /** Which users or keys the unit is of; on one account only one kind of them can be added up. */
  private String whose() {
    return userField().map(field -> "field " + field).orElseGet(input::keyFingerprint);
  }

  /** What the job asks of its account before its first release. */
  public Charge charge() {
    return Charge.of(firstRelease(), series(), plan.guarantee(randomness), terms());
  }

  public ReleaseId firstRelease() {
    return releaseId(cells().get(0), schedule.firstEpoch());
  }

  /** The id under which a cell's sketch of {@code epoch} is published. */
  public ReleaseId releaseId(Cell cell, long epoch) {
    return new ReleaseId(plan.stream(), cell.group(), schedule.label(epoch), cell.sketch());
  }
}

package io.gauze.pipeline;

import io.gauze.privacy.Budget;
import io.gauze.privacy.Randomness;
import io.gauze.release.Charge;
import io.gauze.release.LedgerTerms;
import io.gauze.release.ReleaseId;
import io.gauze.release.SketchPlan;
import io.gauze.release.StreamPlan;
import io.gauze.source.KafkaAccess;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * All that the sketch job's operators need to know; travels in the job graph and holds no secret of
 * the stream's randomness.
 *
 * @param plan what is sketched and with which noise
 * @param lifetime what all releases over the same topic of rows may spend together, ever
 * @param bounded whether the job ends
 * @param ends where each partition ends, for a job that ends there
 * @param lastEpoch the last epoch that a job that ends cuts: over when the ends were read
 * @param published ids that the ledger held when the job was submitted; their epochs are skipped
 *     unless the state knows them
 */
public record SketchJobSettings(
    StreamPlan plan,
    Budget lifetime,
    EpochSchedule schedule,
    KafkaAccess kafka,
    Topics topics,
    Randomness randomness,
    boolean bounded,
    Offsets ends,
    long lastEpoch,
    Set<String> published,
    Probe probe)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The group of a stream without groups. */
  static final String NO_GROUP = ReleaseId.ALL;

  /** The names of the job's topics. */
  public record Topics(String rows, String releases, String ledger, String deadLetters, String late)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** Nothing is missing. */
  public SketchJobSettings {
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(lifetime, "lifetime");
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(kafka, "kafka");
    Objects.requireNonNull(topics, "topics");
    Objects.requireNonNull(randomness, "randomness");
    Objects.requireNonNull(ends, "ends");
    Objects.requireNonNull(probe, "probe");
    published = Set.copyOf(published);
  }

  /** Settings of a production job, whose lifetime is the plan's own budget. */
  public static SketchJobSettings of(
      StreamPlan plan, EpochSchedule schedule, KafkaAccess kafka, Topics topics) {
    return new SketchJobSettings(
        plan,
        plan.budget(),
        schedule,
        kafka,
        topics,
        Randomness.SYSTEM,
        false,
        Offsets.of(Map.of()),
        Long.MAX_VALUE,
        Set.of(),
        Probe.NONE);
  }

  /** The same job under another lifetime. */
  public SketchJobSettings withLifetime(Budget other) {
    return new SketchJobSettings(
        plan,
        other,
        schedule,
        kafka,
        topics,
        randomness,
        bounded,
        ends,
        lastEpoch,
        published,
        probe);
  }

  /** The same job, ending at {@code stops}, where epoch {@code last} is over. */
  public SketchJobSettings boundedAt(Offsets stops, long last) {
    return new SketchJobSettings(
        plan, lifetime, schedule, kafka, topics, randomness, true, stops, last, published, probe);
  }

  /** The same job, knowing what is published. */
  public SketchJobSettings withPublished(Set<String> ids) {
    return new SketchJobSettings(
        plan, lifetime, schedule, kafka, topics, randomness, bounded, ends, lastEpoch, ids, probe);
  }

  /** The same job with other randomness: for tests. */
  public SketchJobSettings withRandomness(Randomness other) {
    return new SketchJobSettings(
        plan, lifetime, schedule, kafka, topics, other, bounded, ends, lastEpoch, published, probe);
  }

  SketchJobSettings withProbe(Probe other) {
    return new SketchJobSettings(
        plan,
        lifetime,
        schedule,
        kafka,
        topics,
        randomness,
        bounded,
        ends,
        lastEpoch,
        published,
        other);
  }

  /** Every cell of the stream: groups x sketches x blocks. */
  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (SketchPlan sketch : plan.sketches()) {
      int blocks = Block.count(sketch.mechanism().spec().stateLength());
      for (int block = 0; block < blocks; block++) {
        cells.add(new Cell(NO_GROUP, sketch.name(), block));
      }
    }
    return cells;
  }

  /** The ids of all releases of the epochs in [first, last]. */
  List<String> releaseIds(long first, long last) {
    List<String> ids = new ArrayList<>();
    for (long epoch = first; epoch <= last; epoch++) {
      for (Cell cell : cells()) {
        if (cell.block() == 0) {
          ids.add(releaseId(cell, epoch).toString());
        }
      }
    }
    return ids;
  }

  /** The fingerprint of all that state and releases depend on. */
  String series() {
    return plan.series(
        schedule.isAll() ? EpochSchedule.ALL : Long.toString(schedule.lengthMillis()));
  }

  /**
   * Whose rows the state holds, which ledger knows of its noise, and of which kind that is; in
   * words that never change.
   */
  String origin() {
    String kind = randomness.isPrivate() ? "private" : "not private";
    return String.join(", ", topics.rows(), topics.ledger(), kind);
  }

  /** On which account releases are charged, and with what. */
  LedgerTerms terms() {
    return LedgerTerms.of(plan, topics.rows(), lifetime);
  }

  /** What the job asks of its account before its first release. */
  public Charge charge() {
    ReleaseId first = releaseId(cells().get(0), schedule.firstEpoch());
    return Charge.of(first, series(), plan.guarantee(randomness), terms());
  }

  /** The id under which a cell's sketch of {@code epoch} is published. */
  ReleaseId releaseId(Cell cell, long epoch) {
    return new ReleaseId(plan.stream(), cell.group(), schedule.label(epoch), cell.sketch());
  }
}

package io.gauze.job;

import io.gauze.config.EpochSchedule;
import io.gauze.config.RowTime;
import io.gauze.kafka.DeadLetterSchema;
import io.gauze.ledger.CompleteEpoch;
import io.gauze.ledger.HeldReleases;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import io.gauze.pipeline.RequiredState;
import io.gauze.publish.EpochBegin;
import io.gauze.publish.Ledger;
import io.gauze.publish.LedgerComparison;
import io.gauze.publish.LiveJobs;
import io.gauze.publish.PublishedReleases;
import io.gauze.publish.ReleaseProducer;
import io.gauze.stream.JobEnd;
import io.gauze.stream.JobMessage;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.Offsets;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.RangePhase;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StartBlocker;
import io.gauze.stream.StartState;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import io.gauze.topic.Topics;
import io.gauze.topic.VisibleEnds;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.util.ExceptionUtils;

/**
 * The preparation of the sketch job before it is submitted: checks the topics, reads the ledger,
 * and looks up where a bounded job ends.
 */
public final class SketchPreflight {
  /**
   * A job that is ready to be submitted.
   *
   * @param skipped ids in the range of a bounded job that the ledger holds already
   * @param unsent the skipped ids whose release may never have been sent
   * @param left how many releases a bounded job still has to make; empty for a job without end
   * @param warnings the warnings for the owner
   * @param begin the first epoch, to be written to the ledger before the job is submitted
   */
  public record Prepared(
      SketchJobSettings settings,
      List<String> skipped,
      List<String> unsent,
      Optional<Long> left,
      List<Message> warnings,
      EpochBegin begin) {
    /** Returns a warning for each release of counts for ranges that may never have been sent. */
    public List<Message> lostCounts() {
      return unsent.stream()
          .map(id -> JobMessage.LOSTCOUNTS.of().with("They are " + id + "."))
          .toList();
    }

    /** Returns whether the job would have nothing to release; the caller must refuse it then. */
    public boolean nothingLeft() {
      return left.isPresent() && left.get() == 0;
    }
  }

  private SketchPreflight() {}

  /**
   * Does all checks of a start without state. Creates no topic and reads no row.
   *
   * @param bounded whether the job will end where the topic ends
   * @param backfill how many past epochs that the ledger does not hold the job may have to release
   * @param patience how long the broker may take for an answer about topics
   * @throws TopicException if topics are missing, or their settings are not suitable: a line for
   *     each
   * @throws IllegalArgumentException if there are more past epochs than {@code backfill}, or if a
   *     bounded job would end before the last of its cumulative releases
   * @throws PrivacyConflictException if the ledger holds releases of the stream under another
   *     config, or lacks some that are in the topic of releases, or if the account of the rows does
   *     not cover the stream
   * @throws IOException if the broker does not answer
   */
  public static TopicAdmin.Checked check(
      SketchJobSettings settings,
      boolean bounded,
      long backfill,
      Optional<TopicAdmin.Creation> creation,
      Duration patience)
      throws IOException {
    TopicAdmin.Checked topics = lookAtTopics(settings, creation, Optional.of(patience));
    List<Message> warnings = new ArrayList<>(topics.warnings());
    LedgerBook book = LedgerComparison.check(settings, topics.missing(), warnings);
    LiveJobs.warning(settings, patience).ifPresent(warnings::add);
    unsent(book, settings).ifPresent(warnings::add);
    boolean noRows = topics.missing().contains(settings.topics().rows());
    SketchJobSettings job =
        begin(
                book,
                settings,
                noRows
                    ? PublishedReleases.inLedger(book, settings)
                    : PublishedReleases.withRest(book, settings),
                warnings)
            .job();
    long last = lastEpochNow(job);
    backlog(job, last, backfill)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException(reason.line());
            });
    if (bounded) {
      checkAllOver(job, last);
    }
    if (!noRows) {
      LogHistory.gap(job, bounded, System.currentTimeMillis()).ifPresent(warnings::add);
    }
    return new TopicAdmin.Checked(topics.missing(), warnings);
  }

  /**
   * Checks or creates the topics, and completes {@code settings}. If anything is wrong with an
   * existing topic, none is created.
   *
   * @param bounded whether the job ends where the topic ends now
   * @param backfill how many past epochs that the ledger does not hold a job without state may have
   *     to release, see {@link RequiredState}
   * @throws TopicException if topics are missing, or their settings are not suitable: a line for
   *     each
   * @throws IllegalArgumentException if a bounded job would end before the last of its cumulative
   *     releases
   * @throws PrivacyConflictException if the ledger holds releases of the stream under another
   *     config, or lacks some that are in the topic of releases, or if the account of the rows does
   *     not cover the stream
   * @throws IOException if the broker does not answer
   */
  public static Prepared prepare(
      SketchJobSettings settings,
      boolean bounded,
      long backfill,
      Optional<TopicAdmin.Creation> creation)
      throws IOException {
    Topics topics = settings.topics();
    TopicAdmin.Checked found = lookAtTopics(settings, creation, Optional.empty());
    List<Message> warnings = new ArrayList<>(found.warnings());
    LedgerBook book = LedgerComparison.check(settings, found.missing(), warnings);
    if (!found.missing().isEmpty()) {
      try (TopicAdmin admin = new TopicAdmin(settings.kafka(), creation)) {
        checkTopics(settings, admin);
      }
    }
    unsent(book, settings).ifPresent(warnings::add);
    EpochBegin begin = begin(book, settings, PublishedReleases.withRest(book, settings), warnings);
    SketchJobSettings job = begin.job();
    String topicIds = topicIds(settings);
    // The time is read first: every epoch that is over at that time ends before the offsets that
    // are looked up after it.
    long last = lastEpochNow(job);
    StartState findings =
        new StartState(
            job.published(),
            PublishedReleases.unsent(book, settings),
            topicIds,
            Instant.now(),
            blockers(job, bounded, last, backfill),
            JobEnd.NEVER);
    if (!bounded) {
      return new Prepared(
          job.with(findings), List.of(), List.of(), Optional.empty(), warnings, begin);
    }
    checkAllOver(job, last);
    Offsets ends = Offsets.of(VisibleEnds.now(job.kafka(), topics.rows()));
    SketchJobSettings ending = job.with(findings.withEnd(JobEnd.at(ends, last)));
    List<String> ids = ending.releaseIds(begin.first(), last);
    List<String> skipped = ids.stream().filter(ending.published()::contains).toList();
    List<String> unsent = skipped.stream().filter(findings.unsent()::contains).toList();
    long left = (long) ids.size() - skipped.size();
    return new Prepared(ending, skipped, unsent, Optional.of(left), warnings, begin);
  }

  /**
   * Returns a warning if a job ended between the charge of its last releases and their publication.
   */
  private static Optional<Message> unsent(LedgerBook book, SketchJobSettings settings) {
    if (settings.spec().ranges() instanceof RangePhase.Counting) {
      return Optional.empty(); // the command that counts tells what it does about them
    }
    EpochSchedule schedule = settings.schedule();
    String stream = settings.plan().stream();
    List<LedgerEntry> entries = book.entries(stream);
    long sent =
        Stream.concat(
                book.complete(stream).stream().map(CompleteEpoch::epoch),
                entries.stream()
                    .filter(entry -> entry.state() == LedgerEntry.State.PUBLISHED)
                    .map(entry -> entry.id().epoch()))
            .flatMapToLong(label -> schedule.epochOf(label).stream())
            .max()
            .orElse(Long.MIN_VALUE);
    List<ReleaseId> unsent =
        entries.stream()
            .filter(entry -> entry.state() == LedgerEntry.State.SPENT)
            .map(LedgerEntry::id)
            .filter(id -> schedule.epochOf(id.epoch()).stream().anyMatch(epoch -> epoch >= sent))
            .toList();
    return unsent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            JobMessage.UNSENT
                .of(unsent.size())
                .with("The last is " + unsent.get(unsent.size() - 1) + "."));
  }

  /**
   * Checks that a bounded job can make all its cumulative releases. Their noise depends on that of
   * the releases before, which is lost with the state at the job's end.
   */
  private static void checkAllOver(SketchJobSettings job, long last) {
    long end = job.lastRelease(job.schedule());
    if (job.isCumulative() && last < end) {
      throw new IllegalArgumentException(
          "kafka.rows.bounded: all cumulative releases must be due when a bounded job starts, since"
              + " its end is theirs: that of "
              + job.schedule().label(end)
              + " is due from "
              + Instant.ofEpochMilli(job.schedule().cutMillis(end))
              + " on. Start the job after that; or set kafka.rows.bounded: false.");
    }
  }

  /**
   * Checks that the ledgers leave room for all streams of one job together, after each was checked
   * alone.
   *
   * @param missing the {@link #place} of each topic that does not exist yet
   * @throws PrivacyConflictException if a ledger does not
   * @throws IOException if the broker does not answer
   */
  public static void checkTogether(List<SketchJobSettings> streams, Set<String> missing)
      throws IOException {
    Map<String, List<SketchJobSettings>> byLedger =
        streams.stream()
            .collect(Collectors.groupingBy(each -> place(each.kafka(), each.topics().ledger())));
    for (List<SketchJobSettings> sharing : byLedger.values()) {
      SketchJobSettings any = sharing.get(0);
      if (missing.contains(place(any.kafka(), any.topics().ledger()))) {
        Ledger.checkTogether(sharing, LedgerBook.of(List.of()));
        continue;
      }
      try (Ledger ledger = new Ledger(any.kafka(), any.topics().ledger())) {
        ledger.refresh();
        Ledger.checkTogether(sharing, ledger.book());
      }
    }
  }

  /** Returns a text for a topic and its brokers; the streams of one job may have several. */
  public static String place(KafkaAccess kafka, String topic) {
    return kafka.brokers() + "/" + topic;
  }

  private static TopicAdmin.Checked lookAtTopics(
      SketchJobSettings settings,
      Optional<TopicAdmin.Creation> creation,
      Optional<Duration> patience)
      throws IOException {
    try (TopicAdmin admin = TopicAdmin.readOnly(settings.kafka(), creation, patience)) {
      List<Message> warnings = checkTopics(settings, admin);
      return new TopicAdmin.Checked(admin.wouldCreate(), warnings);
    }
  }

  private static String topicIds(SketchJobSettings settings) throws IOException {
    Topics topics = settings.topics();
    try (TopicAdmin admin =
        TopicAdmin.readOnly(settings.kafka(), Optional.empty(), Optional.empty())) {
      return admin.ids(List.of(topics.rows(), topics.ledger()));
    }
  }

  private static List<Message> checkTopics(SketchJobSettings settings, TopicAdmin admin)
      throws IOException {
    Topics topics = settings.topics();
    EpochSchedule schedule = settings.schedule();
    List<Message> warnings = new ArrayList<>();
    List<TopicAdmin.Demand> demands = new ArrayList<>();
    demands.add(() -> admin.rows(topics.rows(), schedule.needsAppendTime(), settings.keepsTable()));
    if (schedule.time().kind() == RowTime.Kind.PRODUCER) {
      Duration length = Duration.ofMillis(schedule.lengthMillis());
      demands.add(
          () -> admin.producerTime(topics.rows(), length.multipliedBy(EpochSchedule.MOST_OPEN)));
    }
    demands.add(
        () ->
            warnings.addAll(
                admin.releases(topics.releases(), ReleaseProducer.largestRecord(settings.plan()))));
    demands.add(() -> checkLedger(settings, admin));
    demands.add(() -> admin.letters(topics.deadLetters(), DeadLetterSchema.MAX_BYTES));
    demands.add(() -> admin.letters(topics.late(), DeadLetterSchema.MAX_BYTES));
    TopicAdmin.all(demands);
    warnings.addAll(admin.durability(List.of(topics.ledger(), topics.releases())));
    return warnings;
  }

  private static void checkLedger(SketchJobSettings settings, TopicAdmin admin) throws IOException {
    String ledger = settings.topics().ledger();
    try {
      admin.ledger(ledger);
    } catch (TopicException.Missing e) { // it is not to be made anew if the releases show a loss
      LedgerComparison.check(settings, List.of(ledger), new ArrayList<>());
      throw e;
    }
  }

  /** Finds the first epoch, and checks that the ledger allows the job. */
  private static EpochBegin begin(
      LedgerBook book, SketchJobSettings settings, Set<String> published, List<Message> warnings) {
    EpochBegin begin = EpochBegin.of(book, settings.withPublished(published));
    Ledger.check(book, settings, begin.job().charge());
    begin.warning().ifPresent(warnings::add);
    return begin;
  }

  private static long lastEpochNow(SketchJobSettings settings) {
    return Math.min(
        settings.schedule().lastCuttable(System.currentTimeMillis()),
        settings.lastRelease(settings.schedule()));
  }

  /** Returns why the job must not begin without state. */
  private static List<StartBlocker> blockers(
      SketchJobSettings job, boolean bounded, long last, long backfill) throws IOException {
    List<StartBlocker> blockers = new ArrayList<>();
    LogHistory.gap(job, bounded, System.currentTimeMillis())
        .map(reason -> new StartBlocker(StartBlocker.Kind.LOST_ROWS, reason.line()))
        .ifPresent(blockers::add);
    backlog(job, last, backfill)
        .map(reason -> new StartBlocker(StartBlocker.Kind.BACKLOG, reason.line()))
        .ifPresent(blockers::add);
    return blockers;
  }

  /** Returns the reason if there are too many past epochs. */
  private static Optional<Message> backlog(SketchJobSettings job, long last, long backfill) {
    if (job.schedule().isAll()) {
      return Optional.empty(); // the only epoch is the current one
    }
    long open = 0;
    int groups = job.input().groups().size();
    for (long epoch = job.schedule().firstEpoch(); epoch <= last; epoch++) {
      open += job.isPublished(epoch) ? 0 : groups;
      if (open > backfill) {
        return Optional.of(
            tooMany(job.schedule(), (last - epoch + 1) * groups + backfill, backfill));
      }
    }
    return Optional.empty();
  }

  private static Message tooMany(EpochSchedule schedule, long most, long backfill) {
    String first = schedule.label(schedule.firstEpoch());
    return schedule.explicitFirst()
        ? JobMessage.FARFROM.of(first, backfill)
        : JobMessage.BACKLOG.of(backfill, most, first);
  }

  /**
   * Returns the releases of a finished bounded job that the ledger does not hold as published,
   * without those that it held when the job was prepared. The result is empty once the job has run
   * to its end. When this returns, readers of committed records see all others.
   *
   * @param job the result of {@link #prepare} for a bounded job
   * @param restored whether the job went on from a savepoint: it then ends where it was to end when
   *     it first began, which is the last epoch that the ledger knows of
   * @throws IOException if the ledger cannot be read
   */
  static List<String> unpublished(Prepared job, boolean restored) throws IOException {
    SketchJobSettings settings = job.settings();
    LedgerBook book = Ledger.read(settings.kafka(), settings.topics().ledger());
    HeldReleases held = book.held(settings.plan().stream(), entry -> true);
    HeldReleases sent =
        book.held(settings.plan().stream(), entry -> entry.state() == LedgerEntry.State.PUBLISHED);
    // Waits for the transaction to end in all partitions of the topic, which happens one by one.
    VisibleEnds.now(settings.kafka(), settings.topics().releases());
    long first = settings.schedule().firstEpoch();
    long last = settings.lastEpoch();
    if (restored && !held.isEmpty()) {
      while (last > first && settings.releaseIds(last, last).stream().noneMatch(held::contains)) {
        last--;
      }
    }
    Set<String> skipped = Set.copyOf(job.skipped());
    return settings.releaseIds(first, last).stream()
        .filter(id -> !sent.contains(id) && !skipped.contains(id))
        .toList();
  }

  /** Returns why a finished bounded job is not done, by {@link #unpublished}; empty if it is. */
  public static Optional<Message> unfinished(Prepared job, boolean restored) throws IOException {
    List<String> lacking = unpublished(job, restored);
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of(
            JobMessage.UNFINISHED
                .of(job.settings().plan().stream(), lacking.size())
                .with("The first is " + lacking.get(0) + "."));
  }

  /** Returns the message of a {@link PrivacyConflictException} that made a job fail. */
  public static Optional<String> conflict(Throwable failure) {
    return ExceptionUtils.findSerializedThrowable(
            failure, PrivacyConflictException.class, SketchPreflight.class.getClassLoader())
        .map(Throwable::getMessage);
  }

  /** Returns the message of a {@link LastingFaultException} that made a job fail. */
  public static Optional<String> lastingFault(Throwable failure) {
    return ExceptionUtils.findSerializedThrowable(
            failure, LastingFaultException.class, SketchPreflight.class.getClassLoader())
        .map(Throwable::getMessage);
  }
}

package io.gauze.publish;

import io.gauze.config.EpochSchedule;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerTerms;
import io.gauze.mechanism.ReleaseId;
import io.gauze.publish.ReleaseBatch.Pending;
import io.gauze.release.Release;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.RangePhase;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.metrics.MetricGroup;

/**
 * Sends releases in batches, each in two transactions: the first enters the budget of all of them
 * into the ledger as {@code spent}, the second holds all of them and their entries {@code
 * published}. The transactional id is the stream's, so a second job of the same stream fences this
 * one. Reading the ledger and writing {@code spent} is therefore one step, and only one body of an
 * id is ever sent, however many jobs or leftovers of crashed workers try.
 *
 * <p>Another stream over the same rows has its own transactional id and is not fenced. So the
 * account is asked twice: before {@code spent} is written, and again after the ledger was read to
 * its end with that entry in it. Of two streams, at least one then sees the other, and {@link
 * io.gauze.ledger.LedgerBook} decides which of them stops; its entries stay counted.
 *
 * <p>After that, the entries of epochs whose releases are all published are replaced by one for the
 * whole epoch, see {@link EpochCompaction}.
 *
 * <p><b>Order.</b> If a release belongs to another config, nothing is sent. If the ledger or the
 * account forbids a release, the releases before it are sent, and it and all after it are not.
 *
 * <p><b>Failures.</b> Every failure ends this committer; Flink restarts the job, and the next
 * committer gets the same releases. When its producer opens, Kafka aborts the transaction that this
 * one left open, or completes it if its commit had begun, even if this one never learned the
 * outcome of the commit. Kafka also aborts the open transaction of a fenced producer, and one that
 * takes longer than a minute. The ledger, which is read after that, then tells which releases are
 * published: the entry {@code published} is in the same transaction as the release. The others were
 * never committed, and are sent again with the same bytes.
 */
final class ReleaseCommitter implements Committer<ReleaseCommittable> {
  private final SketchJobSettings settings;
  private final String series;
  private final LedgerTerms terms;
  private final Optional<StreamLease> lease;
  private final ReleaseMetrics metrics;
  private final EpochCompaction compaction;

  private Optional<Connection> connection = Optional.empty();

  private record Connection(ReleaseProducer producer, Ledger ledger) {
    void close() {
      try {
        producer.close();
      } finally {
        ledger.close();
      }
    }
  }

  /**
   * A release that is not published, with its entry; {@code inLedger} if the ledger holds the
   * entry.
   */
  private record Unsent(ReleaseCommittable release, LedgerEntry spent, boolean inLedger) {}

  /** Creates a committer without a lease, so that other jobs do not see it. */
  ReleaseCommitter(SketchJobSettings settings, MetricGroup metrics) {
    this(settings, metrics, Optional.empty());
  }

  ReleaseCommitter(SketchJobSettings settings, MetricGroup metrics, Optional<StreamLease> lease) {
    this.settings = settings;
    this.lease = lease;
    this.series = settings.series();
    this.terms = settings.terms();
    this.metrics = new ReleaseMetrics(settings, metrics);
    this.compaction = new EpochCompaction(settings);
  }

  @Override
  public void commit(Collection<CommitRequest<ReleaseCommittable>> requests)
      throws IOException, InterruptedException {
    List<Pending> all = new ArrayList<>();
    for (CommitRequest<ReleaseCommittable> request : inOrder(requests)) {
      all.add(checked(request.getCommittable()));
    }
    for (ReleaseBatch batch : ReleaseBatch.of(all)) {
      if (connection.isEmpty()) {
        connection = Optional.of(connect());
      }
      publish(batch, connection.get());
    }
    if (connection.isPresent()) {
      compaction.run(connection.get().ledger(), connection.get().producer());
    }
  }

  private Pending checked(ReleaseCommittable release) {
    Release body = Release.fromBytes(release.body());
    // The release may come from a restored state. The other operators refuse another config, too,
    // but perhaps later than this one.
    if (!release.isOf(settings.topics().rows()) || !isOfJob(body)) {
      throw anotherState();
    }
    return Pending.of(release, body, series, terms);
  }

  private PrivacyConflictException anotherState() {
    return PrivacyConflictException.anotherState(settings.plan().stream());
  }

  private boolean isOfJob(Release body) {
    if (!body.isOf(settings.plan())) {
      return false;
    }
    EpochSchedule schedule = settings.schedule();
    long first = schedule.firstEpoch();
    return !settings.isCumulative()
        || body.isCumulativeRelease(epoch(body.id()) - first, schedule.label(first));
  }

  private long epoch(ReleaseId id) {
    return settings.schedule().epochOf(id.epoch()).orElseThrow(this::anotherState);
  }

  /**
   * Sorts releases by epoch, so that none is published before one that it was made of. If an old
   * state made a cumulative series again, the first published release differs, so none after it is
   * sent.
   *
   * @throws PrivacyConflictException if an epoch is not one of the job's
   */
  List<CommitRequest<ReleaseCommittable>> inOrder(
      Collection<CommitRequest<ReleaseCommittable>> requests) {
    SortedMap<Long, List<CommitRequest<ReleaseCommittable>>> byEpoch = new TreeMap<>();
    for (CommitRequest<ReleaseCommittable> request : requests) {
      byEpoch
          .computeIfAbsent(
              epoch(ReleaseId.parse(request.getCommittable().id())), any -> new ArrayList<>())
          .add(request);
    }
    return byEpoch.values().stream().flatMap(List::stream).toList();
  }

  /**
   * Connects to Kafka. The ledger is read only after earlier producers can no longer write to it.
   */
  private Connection connect() throws IOException, InterruptedException {
    if (lease.isPresent()) {
      lease.get().requireFirst();
    }
    requireSameTopics();
    ReleaseProducer producer = ReleaseProducer.open(settings);
    try {
      return new Connection(producer, openLedger());
    } catch (IOException | RuntimeException e) {
      producer.close();
      throw e;
    }
  }

  private Ledger openLedger() throws IOException {
    Ledger ledger = new Ledger(settings.kafka(), settings.topics().ledger());
    try {
      ledger.refresh();
      metrics.known(ledger.book());
      return ledger;
    } catch (IOException | RuntimeException e) {
      ledger.close();
      throw e;
    }
  }

  /**
   * Refuses to go on with a ledger that is another one than the start compared with the releases.
   */
  private void requireSameTopics() throws IOException {
    if (settings.topicIds().isEmpty()) {
      return; // the broker is too old to have them
    }
    Topics topics = settings.topics();
    try (TopicAdmin admin =
        TopicAdmin.readOnly(settings.kafka(), Optional.empty(), Optional.empty())) {
      if (!admin.ids(List.of(topics.rows(), topics.ledger())).equals(settings.topicIds())) {
        throw PrivacyConflictException.replacedTopics(settings);
      }
    }
  }

  private void publish(ReleaseBatch batch, Connection kafka)
      throws IOException, InterruptedException {
    Ledger ledger = kafka.ledger();
    checkLedger(batch, ledger);
    Optional<PrivacyConflictException> conflict = Optional.empty();
    List<Unsent> unsent = new ArrayList<>();
    LedgerBook book = ledger.book();
    for (Pending next : batch.releases()) {
      ReleaseId id = next.wanted().id();
      Optional<LedgerEntry> known = book.entry(id);
      conflict = book.holds(id) ? conflict(next, ledger) : countedTwice(id, book);
      if (conflict.isPresent()) {
        break;
      }
      if (book.isPublished(id)) {
        metrics.repeated();
      } else {
        // The entry in the ledger stays: it states the guarantee that was promised first.
        unsent.add(new Unsent(next.release(), known.orElse(next.wanted()), known.isPresent()));
      }
    }
    if (!unsent.isEmpty()) {
      spend(unsent, kafka.producer());
      checkLedger(batch, ledger);
      send(unsent, kafka.producer());
    }
    if (conflict.isPresent()) {
      throw conflict.get();
    }
  }

  private Optional<PrivacyConflictException> conflict(Pending next, Ledger ledger)
      throws IOException {
    ReleaseId id = next.wanted().id();
    if (!ledger.holds(id, next.wanted().sha256())) {
      return Optional.of(PrivacyConflictException.anotherBody(next.release().id(), settings));
    }
    return ledger
        .book()
        .entry(id)
        .filter(known -> known.state() == LedgerEntry.State.SPENT)
        .filter(known -> !known.terms().account().equals(terms.account()))
        .map(known -> anotherState());
  }

  /**
   * Refuses a sketch of an epoch whose rows were counted for ranges, and counts of an epoch that
   * has a sketch: the budget is that of rows which are in one of both.
   */
  private Optional<PrivacyConflictException> countedTwice(ReleaseId next, LedgerBook book) {
    if (!settings.plan().request().ranges().ownEpochs()) {
      return Optional.empty();
    }
    ReleaseId counts = new ReleaseId(next.stream(), ReleaseId.ALL, next.epoch(), RangePhase.SKETCH);
    Optional<ReleaseId> other =
        next.equals(counts)
            ? book.anyOf(next.stream(), next.epoch())
            : book.entry(counts).map(LedgerEntry::id);
    return other.map(held -> PrivacyConflictException.countedTwice(next, held, settings));
  }

  private void checkLedger(ReleaseBatch batch, Ledger ledger) throws IOException {
    ledger.refresh();
    Ledger.check(ledger.book(), settings, series, batch.charge());
  }

  /**
   * Enters the budget of all releases into the ledger as spent, and returns when it is committed.
   */
  private void spend(List<Unsent> releases, ReleaseProducer producer)
      throws IOException, InterruptedException {
    releases.forEach(each -> settings.probe().reached(FaultInjection.Step.BEFORE_SPENT));
    List<Unsent> missing = releases.stream().filter(each -> !each.inLedger()).toList();
    if (!missing.isEmpty()) {
      producer.begin();
      missing.forEach(each -> sendEntry(each.spent(), producer));
      producer.awaitAcknowledged();
      producer.commit();
    }
    releases.forEach(each -> settings.probe().reached(FaultInjection.Step.AFTER_SPENT));
  }

  private void send(List<Unsent> releases, ReleaseProducer producer)
      throws IOException, InterruptedException {
    producer.begin();
    for (Unsent each : releases) {
      ReleaseCommittable release = each.release();
      producer.send(settings.topics().releases(), key(release.id()), release.body());
      settings.probe().reached(FaultInjection.Step.DURING_SEND);
    }
    // The ledger's entries are sent last: readers of the ledger wait from the first of them until
    // the transaction ends.
    producer.awaitAcknowledged();
    releases.forEach(
        each -> sendEntry(each.spent().withState(LedgerEntry.State.PUBLISHED), producer));
    producer.awaitAcknowledged();
    releases.forEach(each -> settings.probe().reached(FaultInjection.Step.AFTER_SEND));
    producer.commit();
    for (Unsent each : releases) {
      metrics.published(each.release(), System.currentTimeMillis());
      compaction.published(each.spent().id());
      settings.probe().reached(FaultInjection.Step.AFTER_PUBLISHED);
    }
  }

  private void sendEntry(LedgerEntry entry, ReleaseProducer producer) {
    byte[] value = entry.toJson().getBytes(StandardCharsets.UTF_8);
    producer.send(settings.topics().ledger(), key(entry.id().toString()), value);
  }

  private static byte[] key(String id) {
    return id.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      connection.ifPresent(Connection::close);
    } finally {
      lease.ifPresent(StreamLease::close);
    }
  }
}

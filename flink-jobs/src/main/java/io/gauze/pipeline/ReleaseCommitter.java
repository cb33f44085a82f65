package io.gauze.pipeline;

import io.gauze.release.Charge;
import io.gauze.release.LedgerEntry;
import io.gauze.release.Release;
import io.gauze.release.ReleaseId;
import io.gauze.source.KafkaAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Sends one release at a time: {@code spent} to the ledger, then the release, then {@code
 * published}, each in a transaction of its own and acknowledged. The transactional id is the
 * stream's, so that a second job over the same stream fences this one: reading the ledger and
 * writing {@code spent} then happen as one step, and only one body of an id is ever sent, however
 * many jobs or leftovers of crashed workers try.
 *
 * <p>Another stream over the same rows has an id of its own and is not fenced. So the account is
 * asked twice: before {@code spent} is written, and again after the ledger was read to its end with
 * that entry in it. Of two streams at least one then sees the other, and {@link
 * io.gauze.release.LedgerBook} says which of them stops; what it wrote stays counted.
 */
final class ReleaseCommitter implements Committer<FinishedRelease> {
  private final SketchJobSettings settings;
  private final Counter published;
  private final Counter repeated;
  private volatile long sealToPublishMillis;

  private KafkaProducer<byte[], byte[]> producer;
  private Ledger ledger;

  ReleaseCommitter(SketchJobSettings settings, MetricGroup metrics) {
    this.settings = settings;
    this.published = metrics.counter("publishedReleases");
    this.repeated = metrics.counter("repeatedReleases");
    metrics.gauge("sealToPublishMillis", () -> sealToPublishMillis);
  }

  @Override
  public void commit(Collection<CommitRequest<FinishedRelease>> requests)
      throws IOException, InterruptedException {
    for (CommitRequest<FinishedRelease> request : inOrder(requests)) {
      FinishedRelease release = request.getCommittable();
      Release body = Release.fromBytes(release.body());
      // From a restored state: the other operators refuse it too, but perhaps later than this.
      if (!release.mayBeOf(settings.topics().rows()) || !isOfJob(body)) {
        throw anotherState();
      }
      if (producer == null) {
        connect();
      }
      publish(release, body);
    }
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
    return !settings.isCumulative() || body.isTurn(epoch(body.id()) - first, schedule.label(first));
  }

  private long epoch(ReleaseId id) {
    return settings.schedule().epochOf(id.epoch()).orElseThrow(this::anotherState);
  }

  /**
   * Epoch by epoch, so that of a cumulative series that an old state made again nothing is sent: it
   * differs from the first release on that is out already.
   *
   * @throws PrivacyConflictException if an epoch is none of the job's
   */
  List<CommitRequest<FinishedRelease>> inOrder(
      Collection<CommitRequest<FinishedRelease>> requests) {
    List<CommitRequest<FinishedRelease>> all = new ArrayList<>(requests);
    if (settings.isCumulative()) {
      all.sort(
          Comparator.comparing(request -> epoch(ReleaseId.parse(request.getCommittable().id()))));
    }
    return all;
  }

  private void connect() throws IOException {
    int largest = SketchJob.maxRequestSize(settings);
    String stream = settings.plan().stream();
    Map<String, String> ours = new HashMap<>(KafkaAccess.transactional("gauze-releases-" + stream));
    ours.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
    ours.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(largest));
    ours.put(
        ProducerConfig.BUFFER_MEMORY_CONFIG,
        Long.toString(Math.max(KafkaAccess.BUFFER_BYTES, 2L * largest)));
    producer = settings.kafka().producer(ours);
    producer.initTransactions();
    ledger = new Ledger(settings.kafka(), settings.topics().ledger());
  }

  private void publish(FinishedRelease release, Release body)
      throws IOException, InterruptedException {
    LedgerEntry wanted =
        LedgerEntry.of(body, release.body(), LedgerEntry.State.SPENT, settings.series())
            .withTerms(settings.terms());
    checkLedger(wanted);
    Optional<LedgerEntry> known = ledger.book().entry(ReleaseId.parse(release.id()));
    if (known.isPresent() && !known.get().sha256().equals(wanted.sha256())) {
      throw PrivacyConflictException.anotherBody(release.id(), settings);
    }
    if (known.isPresent() && known.get().state() == LedgerEntry.State.PUBLISHED) {
      repeated.inc();
      return;
    }
    byte[] key = release.id().getBytes(StandardCharsets.UTF_8);
    // What was promised first stays, and an entry of the first format gets its account.
    Optional<LedgerEntry> onAccount = known.filter(entry -> entry.terms().isPresent());
    if (onAccount.isPresent() && !isOnAccount(onAccount.get())) {
      throw anotherState();
    }
    LedgerEntry spent = onAccount.orElse(wanted);
    settings.probe().reached(Probe.Step.BEFORE_SPENT);
    if (onAccount.isEmpty()) {
      send(entry(key, spent), Optional.empty());
    }
    settings.probe().reached(Probe.Step.AFTER_SPENT);
    checkLedger(wanted);
    send(
        new ProducerRecord<>(settings.topics().releases(), key, release.body()),
        Optional.of(Probe.Step.DURING_SEND));
    settings.probe().reached(Probe.Step.AFTER_SEND);
    send(entry(key, spent.withState(LedgerEntry.State.PUBLISHED)), Optional.empty());
    published.inc();
    if (release.sealedMillis() > 0) {
      sealToPublishMillis = System.currentTimeMillis() - release.sealedMillis();
    }
    settings.probe().reached(Probe.Step.AFTER_PUBLISHED);
  }

  private boolean isOnAccount(LedgerEntry entry) {
    return entry.terms().orElseThrow().account().equals(settings.topics().rows());
  }

  private void checkLedger(LedgerEntry wanted) throws IOException {
    ledger.refresh();
    Charge asked = Charge.of(wanted.id(), wanted.series(), wanted.guarantee(), settings.terms());
    Ledger.check(ledger.book(), settings, asked);
  }

  private ProducerRecord<byte[], byte[]> entry(byte[] key, LedgerEntry entry) {
    return new ProducerRecord<>(
        settings.topics().ledger(), key, entry.toJson().getBytes(StandardCharsets.UTF_8));
  }

  private void send(ProducerRecord<byte[], byte[]> record, Optional<Probe.Step> underway)
      throws IOException, InterruptedException {
    producer.beginTransaction();
    Future<RecordMetadata> acknowledged = producer.send(record);
    underway.ifPresent(settings.probe()::reached);
    try {
      acknowledged.get();
    } catch (ExecutionException e) {
      throw new IOException(
          "the broker did not take a record for topic "
              + record.topic()
              + ": "
              + e.getCause().getMessage(),
          e);
    }
    producer.commitTransaction();
  }

  @Override
  public void close() {
    if (producer != null) {
      producer.close(java.time.Duration.ZERO);
    }
    if (ledger != null) {
      ledger.close();
    }
  }
}

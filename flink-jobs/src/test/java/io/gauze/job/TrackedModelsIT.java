package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.gauze.config.EpochSchedule;
import io.gauze.config.ModelMemory;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.local.JobHandle;
import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.mechanism.model.HuberTrack;
import io.gauze.mechanism.model.IrlsTrack;
import io.gauze.mechanism.twostage.ResidualWeights;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.StrataSums;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.mechanism.twostage.TwoStageMoments;
import io.gauze.mechanism.twostage.TwoStageStrata;
import io.gauze.model.ResidualStatisticsSpec;
import io.gauze.model.track.PreviousModel;
import io.gauze.model.track.PublishedTrack;
import io.gauze.model.track.ResidualFilter;
import io.gauze.model.track.ResidualTrack;
import io.gauze.model.track.TrackedModel;
import io.gauze.noise.Randomness;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.FaultInjection.Step;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.Effort;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models that begin with the published one of the epoch before, on a real broker. */
@ExtendWith(SharedCluster.class)
final class TrackedModelsIT {
  private static final int EPOCHS = 5;
  private static final int ROWS = 300; // of each epoch
  private static final int MANY_ROWS = 6000; // so that a release tells where they lie

  private StreamFixture stream;
  private SketchJobSettings settings;

  private void start(String mechanism, Randomness randomness) throws Exception {
    EpochSchedule past = PastEpochs.of(EPOCHS);
    stream = StreamFixture.tracked(past, randomness, mechanism);
    settings = stream.settings();
    SplittableRandom random = new SplittableRandom(4);
    int rows =
        Set.of(TwoStageMoments.NAME, TwoStageStrata.NAME).contains(mechanism) ? MANY_ROWS : ROWS;
    // With several requests at once, the second may come to a new topic before the first.
    Map<String, Object> inTurn = Map.of("max.in.flight.requests.per.connection", 1);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(inTurn)) {
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        for (int i = 0; i < rows; i++) {
          sent.add(
              producer.send(
                  new ProducerRecord<>(
                      settings.topics().rows(),
                      random.nextInt(StreamFixture.PARTITIONS),
                      (past.firstEpoch() + epoch) * past.lengthMillis() + i,
                      null,
                      StreamFixture.row(random).getBytes(UTF_8))));
        }
      }
    }
    for (Future<RecordMetadata> each : sent) {
      each.get();
    }
  }

  private String id(int epoch) {
    Cell cell = new Cell(SketchJobSettings.NO_GROUP, "model", 0);
    return settings.releaseId(cell, settings.schedule().firstEpoch() + epoch).toString();
  }

  private List<String> ids() {
    List<String> ids = new ArrayList<>();
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      ids.add(id(epoch));
    }
    return ids;
  }

  /** What is released without noise, each model begun with the one before. */
  private Map<String, List<Long>> expected() {
    TrackingMechanism mechanism = (TrackingMechanism) settings.plan().sketch("model").mechanism();
    Map<String, List<Long>> expected = new TreeMap<>();
    Optional<PreviousRelease> last = Optional.empty();
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      EpochFitter fit = mechanism.begin(last, settings.randomness().entropy("model"));
      ExpectedSums.addRows(settings, rows(epoch), fit);
      long[] numbers = fit.numbers();
      expected.put(id(epoch), StreamFixture.longs(numbers));
      last = Optional.of(PreviousRelease.of(numbers, 1));
    }
    return expected;
  }

  private List<ConsumerRecord<byte[], byte[]>> rows(int epoch) {
    EpochSchedule schedule = settings.schedule();
    return TopicReader.all(settings.topics().rows()).stream()
        .filter(row -> schedule.epochOf(row.timestamp()) == schedule.firstEpoch() + epoch)
        .toList();
  }

  private static JobHandle submit(SketchJobSettings job, Configuration extra) throws IOException {
    return submit(job, 1, extra);
  }

  private void await(StreamFixture.Output output) {
    StreamFixture.awaitReleases(settings.kafka(), output.topics().releases(), ids());
  }

  /** In the second reading, in a fit, between a model and its publication, and after that. */
  @ParameterizedTest
  @CsvSource({
    "huber-track, FIT",
    "huber-track, ASSEMBLE",
    "huber-track, BEFORE_SPENT",
    "huber-track, AFTER_SEND",
    "irls-track, SECOND_READ",
    "irls-track, FIT",
    "irls-track, ASSEMBLE",
    "irls-track, BEFORE_SPENT",
    "irls-track, AFTER_SEND",
    "two-stage-moments, FIT",
    "two-stage-moments, ASSEMBLE",
    "two-stage-moments, AFTER_SEND",
    "residual-strata, ASSEMBLE"
  })
  void eachModelBeginsWithThePublishedOneBeforeWhateverCrashes(String mechanism, Step step)
      throws Exception {
    Effort.skipIfLong(step == Step.BEFORE_SPENT || step == Step.AFTER_SEND);
    start(mechanism, Randomness.noiseFreeForTests(12));
    Map<String, List<Long>> expected = expected();
    StreamFixture.Output output = stream.newOutput();
    int before = CrashPlan.crashes();
    CrashPlan crash = new CrashPlan(mechanism + step).at(step, 3);
    JobHandle job =
        submit(stream.prepare(output, false).settings().withProbe(crash), new Configuration());
    await(output);
    job.cancel().get();
    assertThat(CrashPlan.crashes()).isEqualTo(before + 1);
    assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
    assertThat(output.committed()).containsExactlyInAnyOrderElementsOf(expected.keySet());
  }

  /** As above, with noise: what was drawn before the crash is in no release but its own. */
  @ParameterizedTest
  @CsvSource({
    "irls-track, SECOND_READ",
    "irls-track, FIT",
    "irls-track, ASSEMBLE",
    "irls-track, DURING_SEND",
    "irls-track, AFTER_PUBLISHED",
    "two-stage-moments, SECOND_READ",
    "two-stage-moments, FIT",
    "two-stage-moments, ASSEMBLE",
    "two-stage-moments, DURING_SEND",
    "two-stage-moments, AFTER_PUBLISHED",
    "residual-strata, FIT",
    "residual-strata, ASSEMBLE"
  })
  void statisticsWithNoiseArePublishedOnceWhateverCrashes(String mechanism, Step step)
      throws Exception {
    Effort.skipIfLong(step != Step.ASSEMBLE);
    start(mechanism, Randomness.SYSTEM);
    StreamFixture.Output output = stream.newOutput();
    int before = CrashPlan.crashes();
    CrashPlan crash = new CrashPlan("noisy " + mechanism + step).at(step, 3);
    JobHandle job =
        submit(stream.prepare(output, false).settings().withProbe(crash), new Configuration());
    await(output);
    job.cancel().get();
    assertThat(CrashPlan.crashes()).isEqualTo(before + 1);
    assertThat(output.committed()).containsExactlyInAnyOrderElementsOf(ids());
    isOneChain(output.bodies());
  }

  /** One body of each epoch, which is made of its statistics and of the one body before it. */
  private void isOneChain(Map<String, Set<List<Long>>> bodies) {
    assertThat(bodies.keySet()).containsExactlyInAnyOrderElementsOf(ids());
    assertThat(bodies.values()).allSatisfy(numbers -> assertThat(numbers).hasSize(1));
    Mechanism made = settings.plan().sketch("model").mechanism();
    if (made instanceof TwoStageMoments moments) {
      isOneChainOfTransforms(moments::numbers, bodies);
      return;
    }
    if (made instanceof TwoStageStrata strata) {
      isOneChainOfTransforms(strata::numbers, bodies);
      return;
    }
    IrlsTrack mechanism = (IrlsTrack) settings.plan().sketch("model").mechanism();
    Optional<ResidualTrack> last = Optional.empty();
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      ResidualTrack track = (ResidualTrack) model(bodies, epoch);
      assertThat(track).isEqualTo(following(mechanism.statistics(), last, track));
      last = Optional.of(track);
    }
  }

  /**
   * Each release follows from the one body before, and from its own counts and moments; or that
   * body says too little, and it has a first stage of its own.
   */
  private void isOneChainOfTransforms(
      BiFunction<SumsOf, Optional<PreviousRelease>, long[]> made,
      Map<String, Set<List<Long>>> bodies) {
    int followed = 0;
    for (int epoch = 1; epoch < EPOCHS; epoch++) {
      Optional<PreviousRelease> before =
          Optional.of(PreviousRelease.of(numbers(bodies, epoch - 1), 1));
      long[] numbers = numbers(bodies, epoch);
      SumsOf sums = new SumsOf(settings.plan().schema().dimension(), numbers);
      if (numbers[0] < 0) {
        followed++;
        assertThat(made.apply(sums, before)).as("epoch %d", epoch).containsExactly(numbers);
      } else {
        assertThatIllegalStateException().isThrownBy(() -> made.apply(sums, before));
      }
    }
    assertThat(followed).isPositive();
  }

  private long[] numbers(Map<String, Set<List<Long>>> bodies, int epoch) {
    return bodies.get(id(epoch)).iterator().next().stream().mapToLong(each -> each).toArray();
  }

  /** The sums of a release that began with an earlier one. */
  private static final class SumsOf implements RowSums, StrataSums {
    private final TransformedMoments payload;
    private final long[] numbers;

    SumsOf(int dimension, long... numbers) {
      this.payload =
          new TransformedMoments(
              dimension, dimension - 1, List.of(1.0, 1.0), 1.0, List.of(1.0, 1.0, 1.0));
      this.numbers = numbers;
    }

    @Override
    public SymmetricMatrix encoded() {
      throw new IllegalStateException("the first stage of a release is not in it");
    }

    @Override
    public RowSums moments() {
      return this;
    }

    @Override
    public long[] strata(RowTransform transform, ResidualWeights weights) {
      int from = payload.length() + payload.dimension();
      return Arrays.copyOfRange(numbers, from, numbers.length);
    }

    @Override
    public long[] norms(RowTransform transform, int round) {
      return Arrays.copyOfRange(numbers, payload.countsAt(), payload.momentsAt());
    }

    @Override
    public long[] moments(RowTransform transform, int round, boolean isLast) {
      return Arrays.copyOfRange(numbers, payload.momentsAt(), payload.length());
    }
  }

  /** What follows from the statistics of a release and from that of the epoch before. */
  static ResidualTrack following(
      ResidualStatisticsSpec spec, Optional<ResidualTrack> before, ResidualTrack release) {
    int at = 2 * spec.features() + 5; // after the coefficients, the centre and five other numbers
    long[] statistics = Arrays.copyOfRange(release.numbers(), at, at + spec.entries());
    return ResidualFilter.of(spec, before.map(track -> new PreviousModel<>(track, 1)))
        .next(statistics);
  }

  /**
   * Rows that are not kept in memory are read for each pass of the fit; in one of them is a crash.
   */
  @Test
  void aCrashInAPassOfAFitChangesNoModel() throws Exception {
    start("huber-track", Randomness.noiseFreeForTests(12));
    Map<String, List<Long>> expected = expected();
    StreamFixture.Output output = stream.newOutput();
    Configuration tight = new Configuration();
    tight.set(ModelMemory.LIMIT, MemorySize.ZERO);
    CrashInAPass crash = new CrashInAPass("tracked");
    JobHandle job = submit(stream.prepare(output, false).settings().withProbe(crash), tight);
    await(output);
    job.cancel().get();
    assertThat(crash.slices()).as("slices of passes").isGreaterThan(3);
    assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
    assertThat(output.committed()).containsExactlyInAnyOrderElementsOf(expected.keySet());
  }

  /**
   * A savepoint is restored with another parallelism; once more, when later models are published;
   * and when all are, with a third parallelism. Then a job without state.
   */
  @ParameterizedTest
  @CsvSource({"huber-track, 1, 3", "irls-track, 3, 1", "two-stage-moments, 1, 2"})
  void anOldSavepointAndANewJobGoOnFromWhatIsPublished(String mechanism, int before, int after)
      throws Exception {
    start(mechanism, Randomness.SYSTEM);
    StreamFixture.Output output = stream.newOutput();
    JobHandle first = submit(output, before, new Configuration());
    awaitOne(output, 1);
    Configuration restored = new Configuration();
    restored.set(StateRecoveryOptions.SAVEPOINT_PATH, SharedCluster.stopWithSavepoint(first));
    SketchJobSettings held = stream.prepare(output, false).settings();
    int fits = EPOCHS - held.published().size();
    JobHandle second = submit(held.withProbe(new Held(Step.FIT, fits)), after, restored);
    awaitOne(output, 3);
    second.cancel().get();
    JobHandle third = submit(output, after, restored);
    await(output);
    third.cancel().get();
    Map<String, Set<List<Long>>> bodies = output.bodies();
    assertThat(bodies.keySet()).containsExactlyInAnyOrderElementsOf(ids());
    assertThat(output.committed()).containsExactlyInAnyOrderElementsOf(ids());
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      assertThat(bodies.get(id(epoch))).as("one body").hasSize(1);
      if (!mechanism.equals(TwoStageMoments.NAME)) {
        assertThat(model(bodies, epoch).epochsBefore()).isEqualTo(epoch == 0 ? 0 : 1);
      }
    }
    if (!mechanism.equals(HuberTrack.NAME)) {
      isOneChain(bodies);
    }
    for (Configuration again : List.of(restored, new Configuration())) {
      JobHandle fourth = submit(output, 2, again);
      SharedCluster.checkpoint(fourth);
      SharedCluster.checkpoint(fourth);
      assertThat(fourth.result()).isNotDone();
      fourth.cancel().get();
      assertThat(output.bodies()).as("no second noise").isEqualTo(bodies);
    }
  }

  /** Its body is lost with the job, and another one must not be made: the owner is told. */
  @Test
  void aReleaseThatWasChargedAndNotSentIsNamed() throws Exception {
    start("huber-track", Randomness.noiseFreeForTests(12));
    StreamFixture.Output output = stream.newOutput();
    assertThat(stream.prepare(output, false).warnings()).isEmpty();
    Held held = new Held(Step.AFTER_SPENT, 2);
    JobHandle job =
        submit(stream.prepare(output, false).settings().withProbe(held), 1, new Configuration());
    ProcessCluster.await("a charged release", held::isHeld);
    job.cancel().get();
    assertThat(stream.prepare(output, false).warnings())
        .singleElement()
        .asString()
        .contains("GZ-UNSENT", "not sent before their job ended: 1.", "The last is " + id(1));
  }

  /**
   * Holds a job at the n-th time of a step until it is cancelled. If a job is cancelled when a
   * release is charged and not yet sent, no job without its state makes that release again.
   */
  private static final class Held implements FaultInjection {
    private static final long serialVersionUID = 1L;
    private static final Set<String> HELD = ConcurrentHashMap.newKeySet();

    private final String name = UUID.randomUUID().toString();
    private final Step step;
    private int left; // counted by the one thread that comes to the step

    Held(Step step, int nth) {
      this.step = step;
      this.left = nth;
    }

    boolean isHeld() {
      return HELD.contains(name);
    }

    @Override
    public void reached(Step reached) {
      if (reached == step && --left == 0) {
        HELD.add(name);
        while (!Thread.currentThread().isInterrupted()) {
          LockSupport.park();
        }
        throw new IllegalStateException("the job ends");
      }
    }
  }

  private JobHandle submit(StreamFixture.Output output, int parallelism, Configuration extra)
      throws IOException {
    return submit(stream.prepare(output, false).settings(), parallelism, extra);
  }

  private static JobHandle submit(SketchJobSettings job, int parallelism, Configuration extra)
      throws IOException {
    return StreamFixture.submit(SharedCluster.cluster(), job, parallelism, extra);
  }

  private void awaitOne(StreamFixture.Output output, int epoch) {
    StreamFixture.awaitReleases(settings.kafka(), output.topics().releases(), List.of(id(epoch)));
  }

  private PublishedTrack model(Map<String, Set<List<Long>>> bodies, int epoch) {
    long[] numbers =
        bodies.get(id(epoch)).iterator().next().stream().mapToLong(Long::longValue).toArray();
    Mechanism mechanism = settings.plan().sketch("model").mechanism();
    return mechanism instanceof IrlsTrack irls
        ? ResidualTrack.of(irls.statistics().features(), numbers)
        : TrackedModel.of(numbers);
  }

  /** Transforms follow each other within the job, since nothing is published before it ends. */
  @Test
  void aJobThatEndsGoesOnFromItsOwnTransforms() throws Exception {
    start(TwoStageMoments.NAME, Randomness.SYSTEM);
    StreamFixture.Output output = stream.newOutput();
    stream.run(stream.prepare(output, true).settings(), 2);
    isOneChain(output.bodies());
  }

  /** A job that ends begins with what was published when it was started, whatever comes later. */
  @ParameterizedTest
  @ValueSource(strings = {"huber-track", "irls-track"})
  void aJobThatEndsTakesWhatWasPublishedBefore(String mechanism) throws Exception {
    start(mechanism, Randomness.noiseFreeForTests(12));
    StreamFixture.Output output = stream.newOutput();
    stream.run(stream.prepare(output, true).settings(), 2);
    Map<String, Set<List<Long>>> bodies = output.bodies();
    assertThat(bodies.keySet()).containsExactlyInAnyOrderElementsOf(ids());
    assertThat(bodies.get(id(0))).isEqualTo(Set.of(expected().get(id(0))));
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      assertThat(model(bodies, epoch).epochsBefore()).isZero();
    }
  }
}

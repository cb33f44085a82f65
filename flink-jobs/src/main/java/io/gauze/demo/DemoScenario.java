package io.gauze.demo;

import io.gauze.cli.LocalExecution;
import io.gauze.cli.PrivacyRefusalException;
import io.gauze.cli.Progress;
import io.gauze.cli.RangeLines;
import io.gauze.cli.ReleaseFiles;
import io.gauze.cli.RunCommand;
import io.gauze.cli.SketchJobName;
import io.gauze.cli.SolverCommand;
import io.gauze.config.ConfigException;
import io.gauze.config.EpochSchedule;
import io.gauze.config.RowsSettings;
import io.gauze.config.StreamConfig;
import io.gauze.demo.DemoResult.DemoFit;
import io.gauze.job.SketchJob;
import io.gauze.job.SketchRun;
import io.gauze.kafka.KafkaAccess;
import io.gauze.kafka.TopicAdmin;
import io.gauze.linalg.DoubleVector;
import io.gauze.local.EmbeddedBroker;
import io.gauze.local.JobHandle;
import io.gauze.local.JobMetrics;
import io.gauze.local.LocalCluster;
import io.gauze.mechanism.SketchPlan;
import io.gauze.mechanism.StreamPlan;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.release.Release;
import io.gauze.solver.ReleaseTopic;
import io.gauze.solver.SolverClient;
import io.gauze.solver.SolverJob;
import io.gauze.solver.SolverRun;
import io.gauze.solver.SolverSettings;
import io.gauze.source.CsvRows;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StreamSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs the demo: broker and cluster in this process, rows, sketch job, solver job, comparison. */
final class DemoScenario {
  private static final int SLOTS_BESIDE = 1; // for the solver job
  private static final Duration CHECKPOINTS = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final TopicAdmin.Creation TOPICS = new TopicAdmin.Creation(4, (short) 1);

  /**
   * Where the rows come from.
   *
   * @param csv a file of rows; the rest is for made-up ones
   * @param out the folder for releases
   * @param all whether every mechanism is shown
   */
  record Input(Optional<String> csv, long rows, double faulty, long seed, Path out, boolean all) {}

  private final StreamConfig config;
  private final StreamPlan plan;
  private final String response;
  private final Input input;
  private final Progress progress;
  private final Optional<Alternatives> alternatives;
  private CompletableFuture<String> failure = new CompletableFuture<>();

  DemoScenario(StreamConfig config, String response, Input input, Progress progress)
      throws PrivacyRefusalException, ConfigException {
    config.requirePlainRows("demo");
    this.config = config.withEpochs(EpochSchedule.all()).withRows(RowsSettings.JSON);
    this.plan = RunCommand.plan(this.config);
    this.response = response;
    this.input = input;
    this.progress = progress;
    this.alternatives =
        input.all() ? Optional.of(new Alternatives(plan.request(), response)) : Optional.empty();
  }

  DemoResult run() throws Exception {
    ReleaseFiles.prepareFolder("--out", input.out());
    progress.stage("starting a Kafka broker and a Flink cluster in this process");
    plan.warnings().forEach(warning -> progress.stage("warning: " + warning));
    int parallelism = parallelism();
    CompletableFuture<LocalCluster> starting =
        CompletableFuture.supplyAsync(() -> cluster(parallelism + SLOTS_BESIDE));
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      KafkaAccess kafka = new KafkaAccess(broker.bootstrapServers(), Map.of());
      failure = broker.failure();
      RowFeed.Sent sent = feed(kafka);
      RangeLines.of(sent.counts()).forEach(progress::stage);
      return sketch(kafka, started(starting), parallelism, sent);
    } finally {
      starting.handle((cluster, problem) -> problem == null ? close(cluster) : null).join();
    }
  }

  private static LocalCluster started(CompletableFuture<LocalCluster> starting) throws IOException {
    try {
      return starting.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof UncheckedIOException known
          ? known.getCause()
          : new IOException(e.getCause());
    }
  }

  /** A broker that died, for example on a full disk, would otherwise look like a long silence. */
  private void checkBroker() throws IOException {
    if (failure.isDone()) {
      throw new IOException("the Kafka broker in this process ended: " + failure.join());
    }
  }

  private int parallelism() {
    return Configuration.fromMap(config.flink())
        .getOptional(CoreOptions.DEFAULT_PARALLELISM)
        .orElse(2);
  }

  private static LocalCluster cluster(int slots) {
    try {
      return LocalCluster.start(1, slots, JobMetrics.settings(new Configuration()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Void close(LocalCluster cluster) {
    try {
      cluster.close();
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RowFeed.Sent feed(KafkaAccess kafka) throws IOException {
    String topic = config.kafka().topics().rows();
    try (TopicAdmin admin = new TopicAdmin(kafka, Optional.of(TOPICS))) {
      admin.rows(topic, false, false);
    }
    progress.stage(
        input
                .csv()
                .map(file -> "sending the rows of " + file)
                .orElse("sending made-up meter readings")
            + " to topic "
            + topic);
    RowFeed feed = new RowFeed(kafka, topic, config.schema(), alternatives);
    if (input.csv().isEmpty()) {
      return feed.send(new SmartMeters(input.rows(), input.faulty(), input.seed()), this::sent);
    }
    try (CsvRows rows = CsvRows.open(input.csv().get(), config.schema())) {
      return feed.send(rows, this::sent);
    } catch (UncheckedIOException e) {
      String file = input.csv().get();
      throw new IOException(file + " cannot be read to its end: " + e.getCause().getMessage(), e);
    }
  }

  private void sent(long rows) throws IOException {
    checkBroker();
    progress.count("rows sent", rows);
  }

  private DemoResult sketch(
      KafkaAccess kafka, LocalCluster cluster, int parallelism, RowFeed.Sent sent)
      throws Exception {
    progress.stage(String.format(Locale.ROOT, "sketching %,d rows in Flink", sent.rows()));
    StreamConfig here = config.withBootstrap(kafka.bootstrap());
    SketchJobSettings job = StreamSettings.job(here, plan, Instant.now());
    SketchRun.Prepared prepared = SketchRun.prepare(job, true, 0, Optional.of(TOPICS));
    prepared.begin().write();
    SolverSettings answering =
        SolverRun.prepare(SolverCommand.settings(here), Optional.of(TOPICS)).settings();
    long start = System.nanoTime();
    JobHandle sketches =
        cluster.submit(
            environment(prepared.settings(), parallelism),
            SketchJobName.of(List.of(config.stream())));
    JobHandle solver = cluster.submit(solver(answering), SolverCommand.jobName(config.stream()));
    awaitEnd(sketches);
    double seconds = (System.nanoTime() - start) / 1e9;
    progress.stage("released; waiting for the fits");
    DemoAnswers answers = answers(kafka);
    solver.cancel().get();
    List<Path> files = writeReleases(kafka);
    List<DemoFit> fits =
        fits(sent, answers, plan.guarantee(prepared.settings().randomness()).sentence());
    return new DemoResult(
        sent.rows(),
        sent.rejected(),
        seconds,
        response,
        input.csv().isPresent() ? Map.of() : truth(),
        fits,
        alternatives(sent, fits),
        plan.guarantee(prepared.settings().randomness()).promise(),
        files,
        input.csv().isPresent());
  }

  private Map<String, Double> truth() {
    return response.equals("kwh") ? SmartMeters.truth() : Map.of();
  }

  private StreamExecutionEnvironment environment(SketchJobSettings settings, int parallelism) {
    Configuration user = Configuration.fromMap(config.flink());
    user.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINTS);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(SketchJob.configuration(user));
    env.setParallelism(parallelism);
    SketchJob.build(env, settings);
    return env;
  }

  private static StreamExecutionEnvironment solver(SolverSettings settings) {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(
            SolverJob.configuration(new Configuration()));
    env.setParallelism(1);
    SolverJob.build(env, settings);
    return env;
  }

  private void awaitEnd(JobHandle job) throws Exception {
    while (true) {
      try {
        job.result().get(100, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        checkBroker();
        progress.count("rows sketched", JobMetrics.sum("rows"));
      } catch (ExecutionException e) {
        throw LocalExecution.reason(e);
      }
    }
  }

  private DemoAnswers answers(KafkaAccess kafka) throws IOException {
    String requests = config.kafka().topics().requests();
    String answers = config.kafka().topics().answers();
    try (SolverClient client = new SolverClient(kafka, requests, answers)) {
      return DemoAnswers.ask(client, plan, response, PATIENCE);
    }
  }

  private List<Path> writeReleases(KafkaAccess kafka) throws IOException {
    Map<String, Path> files = new LinkedHashMap<>();
    plan.sketches()
        .forEach(sketch -> files.put(sketch.name(), input.out().resolve(sketch.name() + ".avro")));
    List<Release> found = new ArrayList<>();
    try (ReleaseTopic topic = new ReleaseTopic(kafka, config.kafka().topics().releases())) {
      while (found.size() < files.size()) {
        topic.readOn(into(found), Duration.ofMillis(100));
      }
    }
    for (Release release : found) {
      Files.write(files.get(release.id().sketch()), release.toBytes());
    }
    return new ArrayList<>(files.values());
  }

  private static ReleaseTopic.Reader into(List<Release> found) {
    return new ReleaseTopic.Reader() {
      @Override
      public void release(Release release, ReleaseTopic.Place place) {
        found.add(release);
      }

      @Override
      public void damaged(ReleaseTopic.Damage damage) {
        throw new IllegalStateException("topic of releases, " + damage);
      }
    };
  }

  private List<DemoFit> alternatives(RowFeed.Sent sent, List<DemoFit> fits) {
    if (alternatives.isEmpty()) {
      return List.of();
    }
    progress.stage("one release of every mechanism, and a fit on each");
    Optional<Double> best =
        fits.stream().filter(fit -> fit.guarantee().isEmpty()).findFirst().flatMap(DemoFit::rmse);
    return alternatives.get().fits(sent.moments(), best);
  }

  private List<DemoFit> fits(RowFeed.Sent sent, DemoAnswers answers, String guarantee) {
    RegressionProblem problem = RegressionProblem.of(config.schema(), response);
    List<DemoFit> fits = new ArrayList<>();
    Optional<Double> best = Optional.empty();
    if (Regression.fit(sent.moments(), problem) instanceof FitOutcome.Fitted fitted) {
      CoefficientTable user = fitted.fit().inUserUnits(config.schema());
      best =
          Optional.of(sent.moments().rmse(fitted.fit()) * config.schema().half(problem.response()));
      fits.add(
          new DemoFit(
              "non-private",
              "ols",
              DemoResult.byName(user.names(), user.estimates()),
              DemoResult.byName(user.names(), user.standardErrors()),
              best,
              Optional.of(0.0),
              Optional.empty(),
              fitted.fit().warnings()));
    }
    for (SketchPlan sketch : plan.sketches()) {
      Optional<Double> rmse =
          answers.fitted(sketch.name())
              ? Optional.of(
                  rmse(answers.coefficients(sketch.name(), false), sent, problem)
                      * config.schema().half(problem.response()))
              : Optional.empty();
      fits.add(fit(sketch.name(), answers, rmse, best, guarantee));
    }
    return fits;
  }

  private static DemoFit fit(
      String sketch,
      DemoAnswers answers,
      Optional<Double> rmse,
      Optional<Double> best,
      String guarantee) {
    return new DemoFit(
        sketch,
        answers.loss(sketch),
        answers.coefficients(sketch, true),
        answers.standardErrors(sketch),
        rmse,
        rmse.flatMap(error -> best.map(least -> error / least - 1)),
        Optional.of(guarantee),
        answers.warnings(sketch));
  }

  /** Of coefficients whose intercept column is 1. */
  private double rmse(Map<String, Double> encoded, RowFeed.Sent sent, RegressionProblem problem) {
    double[] coefficients = new double[problem.features().size()];
    for (int k = 0; k < coefficients.length; k++) {
      double scale = problem.features().get(k) == 0 ? config.schema().half(0) : 1.0;
      coefficients[k] = scale * encoded.get(problem.featureNames().get(k));
    }
    return sent.moments().rmse(problem, DoubleVector.of(coefficients));
  }
}

package io.gauze.demo;

import io.gauze.accounting.Guarantee;
import io.gauze.answer.ReleaseTopic;
import io.gauze.cli.LocalStack;
import io.gauze.cli.RunCommand;
import io.gauze.cli.SketchJobPlan;
import io.gauze.cli.flink.LocalExecution;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.cli.release.ReleaseFiles;
import io.gauze.config.ConfigException;
import io.gauze.config.EpochSchedule;
import io.gauze.config.JobStreams;
import io.gauze.config.RowsSettings;
import io.gauze.config.StreamConfig;
import io.gauze.demo.DemoResult.DemoFit;
import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.linalg.DoubleVector;
import io.gauze.local.JobHandle;
import io.gauze.local.JobMetrics;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.release.Release;
import io.gauze.report.Figures;
import io.gauze.report.RangeLines;
import io.gauze.solver.SolverClient;
import io.gauze.source.file.CsvRows;
import io.gauze.source.file.SmartMeters;
import io.gauze.summary.Progress;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;

/** Runs the demo: broker and cluster in this process, rows, sketch job, solver job, comparison. */
final class DemoScenario {
  private static final Duration CHECKPOINTS = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int PARALLELISM = 2;

  /**
   * The source of the rows, and the output.
   *
   * @param csv a file of rows; the next three are for made-up rows
   * @param out the folder for releases
   * @param all whether every mechanism is shown
   */
  record Input(
      Optional<CsvInput> csv, long rows, double faulty, long seed, Path out, boolean all) {}

  private final StreamConfig config;
  private final StreamPlan plan;
  private final String response;
  private final Input input;
  private final Progress progress;
  private final PrintWriter err;
  private final Optional<Alternatives> alternatives;

  DemoScenario(StreamConfig config, String response, Input input, PrintWriter err)
      throws PrivacyRefusalException, ConfigException {
    config.requirePlainRows("demo");
    this.config = config.withEpochs(EpochSchedule.all()).withRows(RowsSettings.JSON);
    this.plan = RunCommand.plan(this.config);
    this.response = response;
    this.input = input;
    this.progress = new Progress(err);
    this.err = err;
    this.alternatives =
        input.all() ? Optional.of(new Alternatives(plan.request(), response)) : Optional.empty();
  }

  DemoResult run() throws Exception {
    ReleaseFiles.prepareFolder("--out", input.out());
    progress.stage("starting a Kafka broker and a Flink cluster in this process");
    progress.warn("", plan.warnings());
    JobStreams job = JobStreams.of(config);
    try (LocalStack stack = LocalStack.start(job, flink(), 0, err)) {
      RowFeed.Sent sent = feed(stack);
      RangeLines.of(sent.counts(), config.choosesBounds()).forEach(progress::stage);
      return sketch(stack, SketchJobPlan.of(job, plan).withPlainBroker(stack.bootstrap()), sent);
    }
  }

  /** Returns the config's settings, with short intervals between checkpoints. */
  private Map<String, String> flink() {
    Configuration flink = Configuration.fromMap(config.flink());
    if (flink.getOptional(CoreOptions.DEFAULT_PARALLELISM).isEmpty()) {
      flink.set(CoreOptions.DEFAULT_PARALLELISM, PARALLELISM);
    }
    flink.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINTS);
    return flink.toMap();
  }

  private RowFeed.Sent feed(LocalStack stack) throws IOException {
    KafkaAccess kafka = new KafkaAccess(stack.bootstrap(), Map.of());
    Optional<TopicAdmin.Creation> creation = Optional.of(LocalStack.creation(config.kafka()));
    String topic = config.kafka().topics().rows();
    try (TopicAdmin admin = new TopicAdmin(kafka, creation)) {
      admin.rows(topic, false, false);
    }
    progress.stage(
        input
                .csv()
                .map(file -> "sending the rows of " + file.file())
                .orElse("sending made-up meter readings")
            + " to topic "
            + topic);
    RowFeed feed = new RowFeed(kafka, topic, config.schema(), alternatives);
    if (input.csv().isEmpty()) {
      return feed.send(
          RowFeed.Rows.of(new SmartMeters(input.rows(), input.faulty(), input.seed())),
          sent -> sent(stack, sent));
    }
    try (CsvRows rows = input.csv().get().open(config.schema())) {
      return feed.send(RowFeed.Rows.of(rows), sent -> sent(stack, sent));
    }
  }

  private void sent(LocalStack stack, long rows) throws IOException {
    stack.checkBroker();
    progress.count("rows sent", rows);
  }

  private DemoResult sketch(LocalStack stack, SketchJobPlan planned, RowFeed.Sent sent)
      throws Exception {
    progress.stage("sketching " + Figures.rows(sent.rows()) + " in Flink");
    KafkaAccess kafka = new KafkaAccess(stack.bootstrap(), Map.of());
    LocalStack.Running running = stack.submit(planned);
    awaitEnd(running.sketches(), stack);
    double seconds = (System.nanoTime() - running.startNanos()) / 1e9;
    progress.stage("released; waiting for the fits");
    DemoAnswers answers = answers(kafka);
    for (JobHandle solver : running.solvers()) {
      solver.cancel().get();
    }
    List<Path> files = writeReleases(kafka);
    Guarantee guarantee =
        plan.guarantee(running.plan().streams().get(0).ready().settings().randomness());
    List<DemoFit> fits = fits(sent, answers, guarantee.sentence());
    return new DemoResult(
        sent.rows(),
        sent.rejected(),
        seconds,
        response,
        input.csv().isPresent() ? Map.of() : truth(),
        fits,
        alternatives(sent, fits),
        guarantee,
        files,
        config.schema(),
        DemoQuestions.commands(files, response, fits.get(fits.size() - plan.sketches().size())),
        input.csv().isPresent());
  }

  private Map<String, Double> truth() {
    return response.equals("kwh") ? SmartMeters.truth() : Map.of();
  }

  private void awaitEnd(JobHandle job, LocalStack stack) throws Exception {
    while (true) {
      try {
        job.result().get(100, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        stack.checkBroker();
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
    if (files.values().stream().anyMatch(Files::exists)) {
      progress.stage("replacing the releases of an earlier demo in " + input.out());
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
    double unit = config.schema().half(problem.response());
    List<DemoFit> fits = new ArrayList<>();
    Optional<Double> best = Optional.empty();
    if (Regression.fit(sent.moments(), problem) instanceof FitOutcome.Fitted fitted) {
      best = Optional.of(sent.moments().rmse(fitted.fit()) * unit);
      fits.add(
          new DemoFit(
              "non-private",
              "ols",
              FitReport.terms(fitted.fit().inUserUnits(config.schema()), Term.USUAL_LEVEL),
              best,
              Optional.of(0.0),
              Optional.empty(),
              fitted.fit().warnings()));
    }
    for (SketchPlan sketch : plan.sketches()) {
      String name = sketch.name();
      Optional<FitReport> encoded = answers.report(name, false);
      Optional<FitReport> user = answers.report(name, true);
      fits.add(
          encoded.isPresent() && user.isPresent()
              ? DemoFit.of(
                  name,
                  user.get(),
                  rmse(encoded.get().terms(), sent, problem) * unit,
                  best,
                  guarantee)
              : DemoFit.none(name, answers.refusal(name), Optional.of(guarantee)));
    }
    return fits;
  }

  /** Returns the RMSE of encoded coefficients, which are for an intercept column of 1. */
  private double rmse(List<Term> encoded, RowFeed.Sent sent, RegressionProblem problem) {
    Map<String, Double> estimates = new HashMap<>();
    encoded.forEach(term -> estimates.put(term.name(), term.estimate()));
    double[] coefficients = new double[problem.features().size()];
    for (int k = 0; k < coefficients.length; k++) {
      double scale = problem.features().get(k) == 0 ? config.schema().half(0) : 1.0;
      coefficients[k] = scale * estimates.get(problem.featureNames().get(k));
    }
    return sent.moments().rmse(problem, DoubleVector.of(coefficients));
  }
}

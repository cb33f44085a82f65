package io.gauze.demo;

import io.gauze.accounting.Guarantee;
import io.gauze.cli.LocalStack;
import io.gauze.cli.SketchJobPlan;
import io.gauze.cli.flink.LocalExecution;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.cli.release.ReleaseFiles;
import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.demo.DemoResult.DemoFit;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitReport;
import io.gauze.fit.FitSource;
import io.gauze.fit.Term;
import io.gauze.linalg.DoubleVector;
import io.gauze.local.JobHandle;
import io.gauze.local.JobMetrics;
import io.gauze.plan.SketchPlan;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.release.Release;
import io.gauze.report.Figures;
import io.gauze.report.RangeLines;
import io.gauze.row.RowSchema;
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
  private static final int PARALLELISM = 2;
  private static final String MERGED = "all sites";

  /**
   * The source of the rows, and the output.
   *
   * @param csv a file of rows; the next three are for made-up rows
   * @param sites over how many streams the rows are dealt out
   * @param out the folder for releases
   * @param all whether every mechanism is shown
   */
  record Input(
      Optional<CsvInput> csv,
      long rows,
      double faulty,
      long seed,
      int sites,
      Path out,
      boolean all) {}

  private final List<DemoSite> sites;
  private final String response;
  private final Input input;
  private final Progress progress;
  private final PrintWriter err;
  private final Optional<Alternatives> alternatives;

  DemoScenario(StreamConfig config, String response, Input input, PrintWriter err)
      throws PrivacyRefusalException, ConfigException {
    config.requirePlainRows("demo");
    this.sites = DemoSite.of(config, input.sites(), input.out());
    this.response = response;
    this.input = input;
    this.progress = new Progress(err);
    this.err = err;
    this.alternatives =
        input.all()
            ? Optional.of(new Alternatives(first().plan().request(), response))
            : Optional.empty();
  }

  /** Returns the first stream, of which encoding, budget and settings are those of all. */
  private DemoSite first() {
    return sites.get(0);
  }

  private RowSchema schema() {
    return first().config().schema();
  }

  DemoResult run() throws Exception {
    for (DemoSite site : sites) {
      ReleaseFiles.prepareFolder("--out", site.out());
    }
    progress.stage("starting a Kafka broker and a Flink cluster in this process");
    progress.warn("", first().plan().warnings());
    JobStreams job = job();
    try (LocalStack stack = LocalStack.start(job, flink(), 0, err)) {
      RowFeed.Sent sent = feed(stack);
      RangeLines.of(sent.counts(), first().config().choosesBounds()).forEach(progress::stage);
      return sketch(stack, SketchJobPlan.of(job).withPlainBroker(stack.bootstrap()), sent);
    }
  }

  private JobStreams job() {
    List<StreamConfig> configs = sites.stream().map(DemoSite::config).toList();
    return new JobStreams(configs.stream().map(each -> Path.of(each.stream())).toList(), configs);
  }

  /** Returns the config's settings, with short intervals between checkpoints. */
  private Map<String, String> flink() {
    Configuration flink = Configuration.fromMap(first().config().flink());
    if (flink.getOptional(CoreOptions.DEFAULT_PARALLELISM).isEmpty()) {
      flink.set(CoreOptions.DEFAULT_PARALLELISM, PARALLELISM);
    }
    flink.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINTS);
    return flink.toMap();
  }

  private RowFeed.Sent feed(LocalStack stack) throws IOException {
    KafkaAccess kafka = new KafkaAccess(stack.bootstrap(), Map.of());
    TopicAdmin.Creation creation = LocalStack.creation(first().config().kafka());
    List<String> topics =
        sites.stream().map(site -> site.config().kafka().topics().rows()).toList();
    try (TopicAdmin admin = new TopicAdmin(kafka, Optional.of(creation))) {
      for (String topic : topics) {
        admin.rows(topic, false, false);
      }
    }
    progress.stage(
        input
                .csv()
                .map(file -> "sending the rows of " + file.file())
                .orElse("sending made-up meter readings")
            + (topics.size() == 1 ? " to topic " : " in turn to topics ")
            + String.join(", ", topics));
    RowFeed feed = new RowFeed(kafka, topics, schema(), alternatives);
    if (input.csv().isEmpty()) {
      return feed.send(
          RowFeed.Rows.of(new SmartMeters(input.rows(), input.faulty(), input.seed())),
          sent -> sent(stack, sent));
    }
    try (CsvRows rows = input.csv().get().open(schema())) {
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
    List<DemoAnswers> answers = new ArrayList<>();
    for (DemoSite site : sites) {
      answers.add(site.ask(kafka, response));
    }
    for (JobHandle solver : running.solvers()) {
      solver.cancel().get();
    }
    List<List<Path>> files = new ArrayList<>();
    for (DemoSite site : sites) {
      files.add(site.writeReleases(kafka, progress));
    }
    Guarantee guarantee =
        first().plan().guarantee(running.plan().streams().get(0).ready().settings().randomness());
    List<DemoFit> fits = fits(sent, answers, guarantee.sentence());
    DemoPromise promise = DemoPromise.of(guarantee);
    List<Path> asked = files.stream().map(each -> each.get(0)).toList();
    FitSource source = source(asked);
    if (sites.size() > 1) {
      fits.add(merged(source, sent, best(fits)));
      promise = DemoPromise.of(guarantee, source);
    }
    return new DemoResult(
        sent.rows(),
        sent.rejected(),
        seconds,
        response,
        input.csv().isPresent() ? Map.of() : truth(),
        fits,
        alternatives(sent, fits),
        promise,
        files.stream().flatMap(List::stream).toList(),
        schema(),
        DemoQuestions.commands(
            input.out(), asked, source, response, DemoResult.answer(fits, promise)),
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

  private static FitSource source(List<Path> files) throws IOException {
    List<Release> releases = new ArrayList<>();
    for (Path file : files) {
      releases.add(Release.fromBytes(Files.readAllBytes(file)));
    }
    return FitSource.of(releases);
  }

  private List<DemoFit> alternatives(RowFeed.Sent sent, List<DemoFit> fits) {
    if (alternatives.isEmpty()) {
      return List.of();
    }
    progress.stage("one release of every mechanism, and a fit on each");
    return alternatives.get().fits(sent.moments(), best(fits));
  }

  /** Returns the RMSE of the non-private fit, if there is one. */
  private static Optional<Double> best(List<DemoFit> fits) {
    return fits.stream()
        .filter(fit -> fit.guarantee().isEmpty())
        .findFirst()
        .flatMap(DemoFit::rmse);
  }

  private List<DemoFit> fits(RowFeed.Sent sent, List<DemoAnswers> answers, String guarantee) {
    List<DemoFit> fits = new ArrayList<>();
    RegressionProblem problem = problem();
    if (Regression.fit(sent.moments(), problem) instanceof FitOutcome.Fitted fitted) {
      fits.add(
          new DemoFit(
              "non-private",
              "ols",
              FitReport.terms(fitted.fit().inUserUnits(schema()), Term.USUAL_LEVEL),
              Optional.of(sent.moments().rmse(fitted.fit()) * unit()),
              Optional.of(0.0),
              Optional.empty(),
              fitted.fit().warnings()));
    }
    Optional<Double> best = best(fits);
    for (int i = 0; i < sites.size(); i++) {
      for (SketchPlan sketch : sites.get(i).plan().sketches()) {
        String name = sketch.name();
        String source = sites.size() == 1 ? name : sites.get(i).config().stream();
        Optional<FitReport> encoded = answers.get(i).report(name, false);
        Optional<FitReport> user = answers.get(i).report(name, true);
        fits.add(
            encoded.isPresent() && user.isPresent()
                ? DemoFit.of(source, user.get(), rmse(encoded.get().terms(), sent), best, guarantee)
                : DemoFit.none(source, answers.get(i).refusal(name), Optional.of(guarantee)));
      }
    }
    return fits;
  }

  /** Returns the fit of the releases of all sites. */
  private DemoFit merged(FitSource source, RowFeed.Sent sent, Optional<Double> best) {
    String guarantee = source.guarantee().path("sentence").asText();
    BestFit fit = BestFit.of(List.of(source), FitQuestion.byAllOthers(response));
    if (fit.best().isEmpty()) {
      return DemoFit.none(MERGED, fit.reasons("; "), Optional.of(guarantee));
    }
    List<Term> encoded = fit.report(false, Term.USUAL_LEVEL).terms();
    FitReport report = fit.report(true, Term.USUAL_LEVEL);
    return DemoFit.of(MERGED, report, rmse(encoded, sent), best, guarantee);
  }

  private RegressionProblem problem() {
    return RegressionProblem.of(schema(), response);
  }

  /** Returns the response's unit of the encoded scale. */
  private double unit() {
    return schema().half(problem().response());
  }

  /** Returns the RMSE of encoded coefficients, which are for an intercept column of 1. */
  private double rmse(List<Term> encoded, RowFeed.Sent sent) {
    RegressionProblem problem = problem();
    Map<String, Double> estimates = new HashMap<>();
    encoded.forEach(term -> estimates.put(term.name(), term.estimate()));
    double[] coefficients = new double[problem.features().size()];
    for (int k = 0; k < coefficients.length; k++) {
      double scale = problem.features().get(k) == 0 ? schema().half(0) : 1.0;
      coefficients[k] = scale * estimates.get(problem.featureNames().get(k));
    }
    return sent.moments().rmse(problem, DoubleVector.of(coefficients)) * unit();
  }
}

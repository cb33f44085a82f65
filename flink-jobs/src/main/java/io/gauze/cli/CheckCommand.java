package io.gauze.cli;

import io.gauze.cli.flink.BrokerCheck;
import io.gauze.cli.option.ConfigLocation;
import io.gauze.cli.option.ConfigsOption;
import io.gauze.cli.option.CsvFileOptions;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FormatOption;
import io.gauze.cli.option.GuaranteeOption;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.cli.release.ReleaseFiles;
import io.gauze.cli.rows.FileCheck;
import io.gauze.config.ConfigException;
import io.gauze.config.EncodingFile;
import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.job.SketchPreflight;
import io.gauze.ledger.LedgerBook;
import io.gauze.message.Message;
import io.gauze.plan.EncodingDifference;
import io.gauze.plan.StreamPlan;
import io.gauze.publish.EpochBegin;
import io.gauze.publish.Ledger;
import io.gauze.release.Release;
import io.gauze.report.Messages;
import io.gauze.report.Report;
import io.gauze.solver.SolverPreflight;
import io.gauze.solver.SolverSettings;
import io.gauze.source.file.CsvOptions;
import io.gauze.stream.BudgetedEpochs;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StreamSettings;
import io.gauze.summary.ConfigSummary;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code check}: checks configs and their topics, and prints a summary. */
@Command(
    name = "check",
    description = {
      "Checks a config, up to its first fault, and then all of its topics, and sums it up. Sketches"
          + " no row, creates no topic.",
      "Of several configs, also whether they can be one job; in JSON, a line for each."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze check --offline --config examples/wine.yaml",
      "  ./gauze check --config examples/meters.yaml",
      "  ./gauze check --config examples/wine.yaml --csv winequality-white.csv"
    })
public final class CheckCommand implements Callable<Integer> {
  private static final String OFFLINE = " With --offline only the file is checked.";

  private final BrokerCheck brokers = new BrokerCheck(BrokerCheck.OF_PEOPLE);

  @Mixin private ConfigsOption configs;

  @Mixin private FormatOption format;

  @Option(names = "--offline", description = "Check the file alone: ask no broker for its topics.")
  private boolean offline;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = {
        "Read this file, too, and say how many rows sketch would leave out, clamp and shorten, and"
            + " why. For you alone: the numbers are exact. Asks no broker."
      })
  private Optional<String> csv;

  @Option(
      names = "--write-encoding",
      paramLabel = "FILE",
      description = {
        "Write the encoding of the config's rows to this file, with the planned row bound and"
            + " intercept. Configs that name it with encoding: have releases that add up. Asks no"
            + " broker."
      })
  private Optional<Path> encoding;

  @Option(
      names = "--same-as",
      paramLabel = "RELEASE",
      description =
          "Check that the encoding of the config is that of this release, a file, and name the"
              + " columns and keys that differ. Asks no broker.")
  private Optional<Path> sameAs;

  @Mixin private CsvFileOptions csvOptions;

  @Mixin private GuaranteeOption guarantee;

  @Spec private CommandSpec spec;

  private Optional<FileCheck> rows = Optional.empty();

  @Override
  public Integer call() throws ConfigException, PrivacyRefusalException, IOException {
    csv.ifPresent(file -> CsvFileOptions.requireReadable(spec, file));
    CsvOptions written = csvOptions.read(spec);
    JobStreams job = configs.read();
    if (csv.isPresent() && !job.isOne()) {
      throw new ParameterException(
          spec.commandLine(), "--csv goes with one --config: that of the rows of the file");
    }
    if ((encoding.isPresent() || sameAs.isPresent()) && !job.isOne()) {
      throw new ParameterException(
          spec.commandLine(), "--write-encoding and --same-as go with one --config");
    }
    offline |= encoding.isPresent() || sameAs.isPresent();
    Optional<Release> other = Optional.empty();
    if (sameAs.isPresent()) {
      other = Optional.of(ReleaseFiles.read(spec, "--same-as", sameAs.get()));
    }
    if (csv.isPresent()) {
      offline = true;
      rows = Optional.of(FileCheck.read(csv.get(), written, job.configs().get(0)));
    }
    SketchJobPlan planned = SketchJobPlan.of(job);
    ReadableConfig flink = RunCommand.environment(job, Optional.empty()).getConfiguration();
    ShortEpochs.warn(planned, flink, spec.commandLine().getErr());
    UnknownKeys.warn(job, spec.commandLine().getErr());
    List<String> wrong = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    Set<String> missing = new HashSet<>();
    for (SketchJobPlan.Planned stream : planned.streams()) {
      try {
        missing.addAll(check(stream, job));
      } catch (ConfigException e) {
        wrong.add(e.getMessage());
      } catch (PrivacyRefusalException e) {
        refused.add(job.prefix(stream.config()) + e.getMessage());
      }
    }
    if (!wrong.isEmpty()) {
      wrong.addAll(refused);
      throw new ConfigException(String.join(System.lineSeparator(), wrong));
    }
    if (!refused.isEmpty()) {
      throw new PrivacyRefusalException(String.join(System.lineSeparator(), refused), null);
    }
    if (other.isPresent()) {
      requireSame(job.configs().get(0), other.get());
    }
    if (encoding.isPresent()) {
      writeEncoding(job.configs().get(0), encoding.get());
    }
    boolean known = job.configs().stream().allMatch(CheckCommand::canRun);
    if (known && !offline && !job.isOne()) {
      checkTogether(planned, missing);
    }
    return ExitStatus.DONE;
  }

  private void requireSame(StreamConfig config, Release release) throws ConfigException {
    List<String> lines =
        EncodingDifference.lines(config.schema(), "the config", release.schema(), "the release");
    if (!lines.isEmpty()) {
      throw new ConfigException(
          config.places().file()
              + ": its encoding is not that of release "
              + release.id()
              + ", so that their releases do not add up; give both configs one file with encoding:"
              + System.lineSeparator()
              + "  "
              + String.join(System.lineSeparator() + "  ", lines));
    }
    say(
        "the encoding is that of "
            + release.id()
            + ": releases of one mechanism, with the same options, sizes, unit and neighbours, add"
            + " up");
  }

  private void writeEncoding(StreamConfig config, Path file) throws ConfigException, IOException {
    boolean isNew = EncodingFile.write(config, file);
    say(
        (isNew ? "wrote " : "is this encoding already: ")
            + file
            + "; configs take it with encoding: "
            + file.getFileName()
            + " in place of columns and row bound");
  }

  private void say(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  private static void checkTogether(SketchJobPlan planned, Set<String> missing)
      throws ConfigException, PrivacyRefusalException {
    List<SketchJobSettings> streams = new ArrayList<>();
    for (SketchJobPlan.Planned stream : planned.streams()) {
      if (stream.config().kafka().bootstrap().isPresent()) {
        streams.add(StreamSettings.job(stream.config(), stream.plan(), Instant.now()));
      }
    }
    try {
      SketchPreflight.checkTogether(streams, missing);
    } catch (PrivacyConflictException e) {
      throw new PrivacyRefusalException(SketchJobPlan.NOT_TOGETHER + e.getMessage(), e);
    } catch (LastingFaultException e) {
      throw new ConfigException(e.getMessage(), e);
    } catch (IOException | KafkaException e) {
      throw unchecked(planned.streams().get(0).config(), e);
    }
  }

  /** Returns whether the config is for streams, and not only for a file with ranges to choose. */
  private static boolean canRun(StreamConfig config) {
    return config.estimates().isEmpty() || !config.epochs().isAll();
  }

  /** Checks one stream. Returns the {@link SketchPreflight#place} of each missing topic. */
  private List<String> check(SketchJobPlan.Planned stream, JobStreams job)
      throws ConfigException, PrivacyRefusalException {
    Optional<TopicAdmin.Checked> topics = Optional.empty();
    Instant now = Instant.now();
    Optional<BudgetedEpochs> covered = BudgetedEpochs.of(stream.config(), stream.plan(), now);
    try {
      if (canRun(stream.config()) && !offline && stream.config().kafka().bootstrap().isPresent()) {
        Found found = found(stream, covered);
        topics = Optional.of(found.topics());
        covered = found.covered();
      }
    } finally {
      report(stream, job, topics, covered); // also if only the topics are wrong
    }
    if (topics.isEmpty()) {
      return List.of();
    }
    KafkaAccess kafka = SolverCommand.settings(stream.config()).kafka();
    return topics.get().missing().stream()
        .map(topic -> SketchPreflight.place(kafka, topic))
        .toList();
  }

  /**
   * The findings at the broker: the topics, and how many epochs the total budget of a stream of
   * users covers.
   */
  private record Found(TopicAdmin.Checked topics, Optional<BudgetedEpochs> covered) {}

  private Found found(SketchJobPlan.Planned stream, Optional<BudgetedEpochs> covered)
      throws ConfigException, PrivacyRefusalException {
    try {
      brokers.reach(stream.config());
    } catch (IOException e) {
      throw new ConfigException(e.getMessage() + OFFLINE, e);
    }
    try {
      TopicAdmin.Checked topics =
          StillWaiting.during(
              SketchJobPlan.topics(stream.config()),
              spec.commandLine().getErr(),
              () -> find(stream.config(), stream.plan()));
      return new Found(topics, less(stream, covered, topics.missing()));
    } catch (TopicException e) {
      throw ConfigLocation.topics(stream.config(), e);
    } catch (IllegalArgumentException e) {
      throw ConfigLocation.argument(stream.config(), e);
    } catch (PrivacyConflictException e) {
      throw new PrivacyRefusalException(e.getMessage(), e);
    } catch (LastingFaultException e) {
      throw new ConfigException(e.getMessage(), e);
    } catch (IOException | KafkaException e) {
      throw unchecked(stream.config(), e);
    }
  }

  /** Subtracts the epochs that the ledger holds. */
  private static Optional<BudgetedEpochs> less(
      SketchJobPlan.Planned stream, Optional<BudgetedEpochs> covered, List<String> missing)
      throws IOException, ConfigException {
    StreamConfig config = stream.config();
    String ledger = config.kafka().topics().ledger();
    if (covered.isEmpty() || missing.contains(ledger)) {
      return covered;
    }
    LedgerBook book = Ledger.read(SolverCommand.settings(config).kafka(), ledger);
    SketchJobSettings settings = StreamSettings.job(config, stream.plan(), Instant.now());
    return Optional.of(covered.get().less(book, settings, EpochBegin.of(book, settings).first()));
  }

  private static ConfigException unchecked(StreamConfig config, Exception e) {
    Throwable cause = e instanceof KafkaException && e.getCause() != null ? e.getCause() : e;
    return new ConfigException(BrokerCheck.unreachable(config, cause) + OFFLINE, e);
  }

  private static TopicAdmin.Checked find(StreamConfig stream, StreamPlan plan)
      throws IOException, ConfigException {
    Optional<TopicAdmin.Creation> creation = stream.kafka().create();
    SketchJobSettings job = StreamSettings.job(stream, plan, Instant.now());
    SolverSettings solver = SolverCommand.settings(stream);
    List<TopicAdmin.Checked> found = new ArrayList<>();
    TopicAdmin.all(
        List.of(
            () ->
                found.add(
                    SketchPreflight.check(
                        job,
                        stream.kafka().bounded(),
                        stream.backfill(),
                        creation,
                        BrokerCheck.OF_JOBS)),
            () -> found.add(SolverPreflight.check(solver, creation, BrokerCheck.OF_JOBS))));
    return new TopicAdmin.Checked(
        found.stream().flatMap(each -> each.missing().stream()).toList(),
        found.stream().flatMap(each -> each.warnings().stream()).toList());
  }

  private void report(
      SketchJobPlan.Planned stream,
      JobStreams job,
      Optional<TopicAdmin.Checked> topics,
      Optional<BudgetedEpochs> covered) {
    ConfigSummary summary =
        new ConfigSummary(
            stream.config(), stream.plan(), topics.map(TopicAdmin.Checked::missing), covered);
    Report report = summary.report(guarantee.whole());
    rows.ifPresent(file -> file.addTo(report));
    format.print(job.isOne() ? report : report.gap());
    PrintWriter err = spec.commandLine().getErr();
    String prefix = "warning: " + job.prefix(stream.config());
    List<Message> messages =
        new ArrayList<>(StreamSettings.warnings(stream.config(), stream.plan()));
    topics.ifPresent(found -> messages.addAll(found.warnings()));
    Messages.all(prefix, messages).forEach(err::println);
    err.flush();
    stream.config().hint().ifPresent(hint -> format.hint(job.prefix(stream.config()) + hint));
  }
}

package io.gauze.cli;

import io.gauze.cli.option.ConfigLocation;
import io.gauze.cli.option.GuaranteeOption;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.job.SketchJob;
import io.gauze.job.SketchPreflight;
import io.gauze.message.Message;
import io.gauze.pipeline.RequiredState;
import io.gauze.plan.StreamPlan;
import io.gauze.publish.ReleaseProducer;
import io.gauze.report.Messages;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.StreamSettings;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The streams of one sketch job with their noise and, once prepared, with their topics. Immutable.
 */
public final class SketchJobPlan {
  /**
   * A stream of the job.
   *
   * @param plan what the stream releases; if it is counts, the plan of the sketches after them
   * @param form which job of the stream this is
   * @param prepared empty before {@link #prepare}
   */
  public record Planned(
      StreamConfig config,
      StreamPlan plan,
      StreamForm form,
      Optional<SketchPreflight.Prepared> prepared) {
    /** Returns another job of the same stream, which is not prepared. */
    Planned as(StreamForm other) {
      return new Planned(config, plan, other, Optional.empty());
    }

    public SketchPreflight.Prepared ready() {
      return prepared.orElseThrow();
    }
  }

  /** Returns how the missing topics of a stream are created. */
  interface Creations {
    Optional<TopicAdmin.Creation> of(StreamConfig config);
  }

  static final String NOT_TOGETHER =
      "the streams of one job do not fit on their account together: ";

  private final JobStreams job;
  private final List<Planned> streams;

  private SketchJobPlan(JobStreams job, List<Planned> streams) {
    this.job = job;
    this.streams = List.copyOf(streams);
  }

  /**
   * Plans the noise of all sketches.
   *
   * @throws PrivacyRefusalException if the noise of a stream cannot be calibrated, naming the
   *     stream
   */
  public static SketchJobPlan of(JobStreams job) throws PrivacyRefusalException {
    List<Planned> streams = new ArrayList<>();
    for (StreamConfig config : job.configs()) {
      streams.add(new Planned(config, plan(job, config), StreamForm.ONLY, Optional.empty()));
    }
    return new SketchJobPlan(job, streams);
  }

  /** Returns a job of one stream. */
  static SketchJobPlan of(Planned stream) {
    return new SketchJobPlan(JobStreams.of(stream.config()), List.of(stream));
  }

  /** Returns a copy with other plans of the same streams. */
  SketchJobPlan with(List<Planned> others) {
    return new SketchJobPlan(job, others);
  }

  private static StreamPlan plan(JobStreams job, StreamConfig config)
      throws PrivacyRefusalException {
    try {
      return RunCommand.plan(config);
    } catch (PrivacyRefusalException e) {
      throw new PrivacyRefusalException(job.prefix(config) + e.getMessage(), e);
    }
  }

  /** Returns a copy with a broker that needs no properties of Kafka's clients. */
  public SketchJobPlan withPlainBroker(String address) {
    return with(config -> config.withPlainBroker(address));
  }

  /** Returns a copy whose streams begin with this epoch. */
  SketchJobPlan beginningWith(long epoch) {
    return with(config -> config.beginningWith(epoch));
  }

  private SketchJobPlan with(UnaryOperator<StreamConfig> change) {
    List<Planned> there = new ArrayList<>();
    for (Planned stream : streams) {
      StreamConfig config = change.apply(stream.config());
      there.add(new Planned(config, stream.plan(), stream.form(), Optional.empty()));
    }
    List<StreamConfig> configs = there.stream().map(Planned::config).toList();
    return new SketchJobPlan(new JobStreams(job.files(), configs), there);
  }

  JobStreams job() {
    return job;
  }

  public List<Planned> streams() {
    return streams;
  }

  /** Prints the warnings of each stream: those of its preparation, or else those of its plan. */
  void warn(PrintWriter err) {
    for (Planned stream : streams) {
      List<Message> warnings =
          stream
              .prepared()
              .map(SketchPreflight.Prepared::warnings)
              .orElseGet(() -> StreamSettings.warnings(stream.config(), stream.plan()));
      Messages.all("warning: " + job.prefix(stream.config()), warnings).forEach(err::println);
    }
  }

  /** Does {@link #prepare(Creations)}, and says now and then what it waits for. */
  SketchJobPlan prepare(Creations creations, PrintWriter err)
      throws IOException, ConfigException, PrivacyRefusalException {
    String first = topics(streams.get(0).config());
    String more = streams.size() == 1 ? "" : " and " + (streams.size() - 1) + " more";
    return StillWaiting.during(first + more, err, () -> prepare(creations));
  }

  /**
   * Returns a copy whose topics exist and are checked, and whose ledgers leave room for all streams
   * together.
   */
  SketchJobPlan prepare(Creations creations)
      throws IOException, ConfigException, PrivacyRefusalException {
    // The stream with the largest releases is first, since it creates a topic that streams share.
    List<Planned> order = new ArrayList<>(streams);
    order.sort(Comparator.comparing(SketchJobPlan::largestRelease).reversed());
    List<Planned> ready = new ArrayList<>(streams);
    for (Planned stream : order) {
      SketchPreflight.Prepared prepared = prepare(stream, creations.of(stream.config()));
      ready.set(
          streams.indexOf(stream),
          new Planned(stream.config(), stream.plan(), stream.form(), Optional.of(prepared)));
    }
    if (!job.isOne()) {
      checkTogether(ready);
    }
    return new SketchJobPlan(job, ready);
  }

  /** Describes what is read of a stream's broker before its job begins. */
  static String topics(StreamConfig config) throws ConfigException {
    return "Kafka at "
        + config.kafka().requireBootstrap()
        + ": topics, ledger and releases of stream "
        + config.stream();
  }

  private static int largestRelease(Planned stream) {
    return ReleaseProducer.largestRecord(stream.plan());
  }

  private SketchPreflight.Prepared prepare(Planned stream, Optional<TopicAdmin.Creation> creation)
      throws IOException, ConfigException, PrivacyRefusalException {
    StreamConfig config = stream.config();
    try {
      return SketchPreflight.prepare(
          stream.form().settings(config, stream.plan()),
          stream.form().bounded(config),
          config.backfill(),
          creation);
    } catch (TopicException e) {
      throw ConfigLocation.topics(config, e);
    } catch (IllegalArgumentException e) {
      throw ConfigLocation.argument(config, e);
    } catch (PrivacyConflictException e) {
      throw new PrivacyRefusalException(job.prefix(config) + e.getMessage(), e);
    }
  }

  private static void checkTogether(List<Planned> ready)
      throws IOException, PrivacyRefusalException {
    try {
      SketchPreflight.checkTogether(
          ready.stream().map(stream -> stream.ready().settings()).toList(), Set.of());
    } catch (PrivacyConflictException e) {
      throw new PrivacyRefusalException(NOT_TOGETHER + e.getMessage(), e);
    }
  }

  /**
   * Refuses to begin without the state that a stream needs.
   *
   * @param restored the streams that go on from a savepoint
   * @throws PrivacyRefusalException if the ledger holds releases of a cumulative series, or if the
   *     log may lack rows
   * @throws ConfigException if there are more past epochs than {@code epochs.backfill}
   */
  void requireState(Set<String> restored) throws PrivacyRefusalException, ConfigException {
    for (Planned stream : streams) {
      try {
        RequiredState.check(stream.ready().settings(), restored.contains(stream.config().stream()));
      } catch (IllegalArgumentException e) {
        throw ConfigLocation.argument(stream.config(), e);
      } catch (PrivacyConflictException e) {
        throw new PrivacyRefusalException(job.prefix(stream.config()) + e.getMessage(), e);
      }
    }
  }

  /**
   * Writes the first epochs of the streams to their ledgers; the last step before the job is
   * submitted.
   *
   * @throws IOException if a broker does not take the record
   */
  void writeBegins() throws IOException {
    for (Planned stream : streams) {
      stream.ready().begin().write();
    }
  }

  /** Adds all streams to one job. */
  void build(StreamExecutionEnvironment env) {
    streams.forEach(stream -> SketchJob.build(env, stream.ready().settings()));
  }

  /** Prints the guarantee of each stream, one on a line. */
  void promise(PrintWriter err, GuaranteeOption length) {
    for (Planned stream : streams) {
      err.println(
          job.prefix(stream.config())
              + length.of(stream.plan().guarantee(stream.ready().settings().randomness())));
    }
  }
}

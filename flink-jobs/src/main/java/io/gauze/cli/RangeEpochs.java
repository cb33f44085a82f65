package io.gauze.cli;

import io.gauze.cli.flink.FlinkClientContext;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.config.ConfigException;
import io.gauze.config.EpochSchedule;
import io.gauze.config.JobStreams;
import io.gauze.config.RangeEstimates;
import io.gauze.local.CloseAtExit;
import io.gauze.message.Message;
import io.gauze.plan.CalibrationEpochs;
import io.gauze.plan.StreamPlan;
import io.gauze.publish.CountedRanges;
import io.gauze.release.Release;
import io.gauze.report.ChosenRanges;
import io.gauze.report.Messages;
import io.gauze.report.RangeMessage;
import io.gauze.stream.JobMessage;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Has the ranges of streams chosen before their job begins. As long as no published release of
 * counts gives a range for each column, the next epoch of the stream is a calibration epoch: once
 * it is over, a job of its own counts its rows, releases the counts and ends. The job of the
 * sketches begins with the epoch after it. Everything is decided by what is published, so a start
 * after a crash goes on where the last one was.
 */
// No row waits for a release: rows of later epochs stay in the log until the job of the sketches
// reads them, and the calibration job ends where the log ended when its epoch was over.
final class RangeEpochs {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final SketchJobPlan.Creations creations;
  private final Runner runner;
  private final Optional<String> savepoint;
  private final PrintWriter err;

  /** Runs a job that counts. */
  interface Runner {
    /**
     * Does what comes before the job, if it must wait for the end of its epoch: refuses a second
     * job, and writes the first epoch of the stream to the ledger.
     */
    void begin(SketchJobPlan counts) throws Exception;

    /** Runs the job to its end, after which its release is published. */
    void run(SketchJobPlan counts) throws Exception;
  }

  /**
   * Prepares.
   *
   * @param savepoint from which the job goes on
   */
  RangeEpochs(
      SketchJobPlan.Creations creations,
      Runner runner,
      Optional<String> savepoint,
      PrintWriter err) {
    this.creations = creations;
    this.runner = runner;
    this.savepoint = savepoint;
    this.err = err;
  }

  /**
   * Returns the job with all ranges. Waits for the end of calibration epochs and runs their jobs.
   *
   * @return empty if the savepoint was that of a job that counts, which has ended, or if the
   *     process is ending
   */
  Optional<SketchJobPlan> chosen(SketchJobPlan planned) throws Exception {
    List<SketchJobPlan.Planned> streams = new ArrayList<>();
    for (SketchJobPlan.Planned stream : planned.streams()) {
      Optional<SketchJobPlan.Planned> known =
          stream.config().estimates().isEmpty()
              ? Optional.of(stream)
              : chosen(planned.job(), stream);
      if (known.isEmpty()) {
        return Optional.empty();
      }
      streams.add(known.get());
    }
    return Optional.of(planned.with(streams));
  }

  private Optional<SketchJobPlan.Planned> chosen(JobStreams job, SketchJobPlan.Planned stream)
      throws Exception {
    String prefix = job.prefix(stream.config());
    boolean counted = false;
    while (!CloseAtExit.ending()) {
      SketchJobPlan counts =
          SketchJobPlan.of(stream.as(new StreamForm.Counts(savepoint.isPresent())));
      SketchJobPlan ready = counts.prepare(creations, err);
      Optional<SketchJobPlan.Planned> known = choose(stream, settings(ready), prefix);
      if (known.isPresent() && counted && savepoint.isPresent()) {
        say(prefix + "run again, without the savepoint, which was of the counts");
        return Optional.empty();
      }
      if (known.isPresent()) {
        return known;
      }
      requireOwnJob(stream, prefix);
      counted |= count(stream, ready, prefix);
    }
    return Optional.empty();
  }

  private static SketchJobSettings settings(SketchJobPlan ready) {
    return ready.streams().get(0).ready().settings();
  }

  /** Refuses to run a second job in a deployment, which goes on with the job that it knows. */
  private static void requireOwnJob(SketchJobPlan.Planned stream, String prefix)
      throws ConfigException {
    if (FlinkClientContext.isInCluster()) {
      throw new ConfigException(
          prefix
              + stream.config().place("columns")
              + "the ranges of columns "
              + stream.config().estimates().orElseThrow().names()
              + " are not chosen yet, which takes a job of its own, and a deployment in application"
              + " mode is one job. Run gauze run --config FILE until it says that the ranges are"
              + " chosen; then start this deployment");
    }
  }

  /** Counts the rows of the epoch if it is over, or else waits for its end. */
  private boolean count(SketchJobPlan.Planned stream, SketchJobPlan ready, String prefix)
      throws Exception {
    SketchJobSettings settings = settings(ready);
    EpochSchedule epochs = settings.schedule();
    long epoch = epochs.firstEpoch();
    long cut = epochs.cutMillis(epoch);
    ready.warn(err);
    warn(prefix, ready.streams().get(0).ready().lostCounts());
    tryLater(stream, epoch);
    if (System.currentTimeMillis() >= cut) {
      say(prefix + "counting the rows of calibration epoch " + epochs.label(epoch));
      runner.run(ready);
      return true;
    }
    if (stream.config().kafka().bounded()) {
      throw new IOException(
          prefix
              + JobMessage.CALIBRATION
                  .of(epochs.label(epoch), Instant.ofEpochMilli(cut).toString())
                  .line());
    }
    runner.begin(ready);
    say(
        prefix
            + "calibration epoch "
            + epochs.label(epoch)
            + ": its rows are counted for the ranges of "
            + stream.config().estimates().orElseThrow().names()
            + " and are in no other release; waiting for its end at "
            + Instant.ofEpochMilli(cut));
    await(cut);
    return false;
  }

  /** Checks what the job of the sketches would be refused for, before anything is spent. */
  private void tryLater(SketchJobPlan.Planned stream, long epoch)
      throws IOException, ConfigException, PrivacyRefusalException {
    StreamForm later = new StreamForm.Chosen(stream.plan(), epoch);
    SketchJobPlan.of(stream.as(later)).prepare(creations, err).requireState(Set.of());
  }

  private static void await(long until) {
    while (System.currentTimeMillis() < until && !CloseAtExit.ending()) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** Returns the stream with the ranges of the latest published counts that give all of them. */
  private Optional<SketchJobPlan.Planned> choose(
      SketchJobPlan.Planned stream, SketchJobSettings counts, String prefix)
      throws IOException, ConfigException {
    CountedRanges counted = CountedRanges.read(counts);
    for (Release release : counted.latestFirst()) {
      ChosenRanges ranges = ChosenRanges.of(release).orElseThrow();
      if (ranges.refusal().isEmpty()) {
        long last = counted.lastEpoch().orElseThrow();
        return Optional.of(with(stream, release, ranges, last, prefix));
      }
      String next = "The counts are " + release.id() + "; the next epoch is counted.";
      warn(prefix, List.of(ranges.refusal().get().with(next)));
    }
    return Optional.empty();
  }

  private SketchJobPlan.Planned with(
      SketchJobPlan.Planned stream,
      Release release,
      ChosenRanges ranges,
      long lastCounted,
      String prefix)
      throws IOException, ConfigException {
    say(prefix + "ranges are chosen from " + release.id() + ", as columns of a config:");
    ranges.lines().forEach(this::say);
    warn(prefix, ranges.warnings());
    RangeEstimates estimates = stream.config().estimates().orElseThrow();
    Optional<StreamPlan> plan = Optional.empty();
    for (boolean typical : new boolean[] {true, false}) {
      if (plan.isEmpty()) {
        plan =
            CalibrationEpochs.withRanges(
                stream.plan(), estimates.schema(ranges.chosen(), typical), release.id());
      }
    }
    if (plan.isEmpty()) {
      throw new IOException(prefix + RangeMessage.OTHERSIZE.of().line());
    }
    StreamForm form = new StreamForm.Chosen(stream.plan(), lastCounted);
    return new SketchJobPlan.Planned(stream.config(), plan.get(), form, Optional.empty());
  }

  private void warn(String prefix, List<Message> messages) {
    Messages.all("warning: " + prefix, messages).forEach(this::say);
  }

  private void say(String line) {
    err.println(line);
    err.flush();
  }
}

package io.gauze.job;

import io.gauze.config.EpochSchedule;
import io.gauze.noise.Randomness;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The sketch job without noise, as Flink's client runs it on a cluster; one of its sketches reads
 * the rows of an epoch twice. Only here is there a way to it: no config leads to such a job, and
 * its releases say that they are not private.
 */
public final class NoiseFreeJob {
  static final String NAME = "noise-free";
  static final Randomness NO_NOISE = Randomness.noiseFreeForTests(11);

  private NoiseFreeJob() {}

  /** In place of the first epoch: the job finds it. */
  static final String NO_FROM = "none";

  static SketchJobSettings settings(String bootstrap, String prefix, String from) {
    boolean named = !from.equals(NO_FROM);
    Instant first = named ? Instant.parse(from) : Instant.now();
    return SketchJobSettings.of(
            StreamFixture.planReadTwice(prefix),
            EpochSchedule.of(Duration.ofSeconds(2), first, named, Duration.ofSeconds(1)),
            new KafkaAccess(bootstrap, Map.of()),
            new Topics(
                prefix + "-rows",
                prefix + "-releases",
                prefix + "-ledger",
                "requests",
                "answers",
                prefix + "-dead",
                prefix + "-late"))
        .withRandomness(NO_NOISE);
  }

  /**
   * Arguments: the broker, the prefix of the topics, the first epoch or {@link #NO_FROM}, a folder
   * for {@link Trap}, the time between two checkpoints.
   */
  public static void main(String[] arguments) throws Exception {
    SketchJobSettings job = settings(arguments[0], arguments[1], arguments[2]);
    SketchPreflight.Prepared prepared = SketchPreflight.prepare(job, false, 1000, Optional.empty());
    prepared.begin().write();
    Configuration config = new Configuration();
    config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.parse(arguments[4]));
    // The client says what is restored and how parallel it is.
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(SketchJob.configuration(config));
    SketchJob.build(env, prepared.settings().withProbe(new Trap(arguments[3])));
    env.executeAsync(NAME);
  }

  /** Kills the process of the first task that comes to a step for which a file has been laid. */
  static final class Trap implements FaultInjection {
    private static final long serialVersionUID = 1L;
    private final String folder;

    Trap(String folder) {
      this.folder = folder;
    }

    static Path file(Path folder, Step step) {
      return folder.resolve("kill-at-" + step);
    }

    @Override
    public void reached(Step step) {
      if (step == Step.FOLD_ROW || step == Step.ACCUMULATE) {
        return; // too often to look for a file
      }
      try {
        if (Files.deleteIfExists(file(Path.of(folder), step))) {
          // As SIGKILL: no hook runs, nothing is flushed.
          Runtime.getRuntime().halt(137);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

package io.gauze.cli;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.plan.StreamPlan;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StreamSettings;
import java.time.Instant;

/** Which job of a stream is planned. */
public sealed interface StreamForm {
  /** The only job of a stream whose ranges are known. */
  StreamForm ONLY = new Only();

  /**
   * Returns the settings of the job.
   *
   * @param plan what the job releases; for counts the plan of the sketches
   */
  SketchJobSettings settings(StreamConfig config, StreamPlan plan) throws ConfigException;

  /** Whether the job ends where the topic ends. */
  boolean bounded(StreamConfig config);

  /** The only job of a stream whose ranges are known. */
  record Only() implements StreamForm {
    @Override
    public SketchJobSettings settings(StreamConfig config, StreamPlan plan) throws ConfigException {
      return StreamSettings.job(config, plan, Instant.now());
    }

    @Override
    public boolean bounded(StreamConfig config) {
      return config.kafka().bounded() || config.epochs().isAll();
    }
  }

  /**
   * The job that counts the rows of a calibration epoch.
   *
   * @param restored whether it goes on from a state
   */
  record Counts(boolean restored) implements StreamForm {
    @Override
    public SketchJobSettings settings(StreamConfig config, StreamPlan plan) throws ConfigException {
      return StreamSettings.counts(config, plan, Instant.now(), restored);
    }

    @Override
    public boolean bounded(StreamConfig config) {
      return true;
    }
  }

  /**
   * The job whose ranges were chosen from counts of a calibration epoch.
   *
   * @param sketches the plan before they were chosen
   * @param epoch the latest epoch that was counted
   */
  record Chosen(StreamPlan sketches, long epoch) implements StreamForm {
    @Override
    public SketchJobSettings settings(StreamConfig config, StreamPlan plan) throws ConfigException {
      return StreamSettings.chosen(config, sketches, plan, epoch);
    }

    @Override
    public boolean bounded(StreamConfig config) {
      return ONLY.bounded(config);
    }
  }
}

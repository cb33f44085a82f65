package io.gauze.cli;

import io.gauze.config.EpochSchedule;
import io.gauze.config.JobStreams;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.plan.SketchPlan;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ReadableConfig;

/** Warns of epochs that are shorter than the interval of checkpoints, after which they are sent. */
final class ShortEpochs {
  private ShortEpochs() {}

  /** Prints a warning for each such stream. */
  static void warn(SketchJobPlan planned, ReadableConfig flink, PrintWriter err) {
    JobStreams job = planned.job();
    Duration interval = flink.get(CheckpointingOptions.CHECKPOINTING_INTERVAL);
    for (SketchJobPlan.Planned stream : planned.streams()) {
      EpochSchedule epochs = stream.config().epochs();
      if (!epochs.isAll() && epochs.lengthMillis() < interval.toMillis()) {
        String place = job.prefix(stream.config()) + stream.config().place("epochs.length");
        err.println("warning: " + place + text(stream, epochs, interval));
      }
    }
    err.flush();
  }

  private static String text(
      SketchJobPlan.Planned stream, EpochSchedule epochs, Duration interval) {
    List<String> tracked =
        stream.plan().sketches().stream()
            .filter(sketch -> sketch.mechanism() instanceof TrackingMechanism)
            .map(SketchPlan::name)
            .toList();
    return "epochs of "
        + Duration.ofMillis(epochs.lengthMillis())
        + " are shorter than the checkpoint interval of "
        + interval
        + ", so releases come several at once"
        + (tracked.isEmpty()
            ? ""
            : ", and models that wait for their last release fall ever further behind: "
                + String.join(", ", tracked))
        + ". Make "
        + CheckpointingOptions.CHECKPOINTING_INTERVAL.key()
        + " shorter (flink.properties), or epochs.length longer";
  }
}

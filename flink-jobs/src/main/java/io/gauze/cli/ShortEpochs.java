package io.gauze.cli;

import io.gauze.config.EpochSchedule;
import io.gauze.config.JobStreams;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.message.Message;
import io.gauze.plan.SketchPlan;
import io.gauze.report.Messages;
import io.gauze.stream.JobMessage;
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
        Message message = message(stream, epochs, interval);
        Messages.all("warning: " + place, List.of(message)).forEach(err::println);
      }
    }
    err.flush();
  }

  private static Message message(
      SketchJobPlan.Planned stream, EpochSchedule epochs, Duration interval) {
    List<String> tracked =
        stream.plan().sketches().stream()
            .filter(
                sketch ->
                    sketch.mechanism() instanceof TrackingMechanism tracking
                        && tracking.waitsForPublished())
            .map(SketchPlan::name)
            .toList();
    Message message =
        JobMessage.SHORTEPOCHS.of(
            Duration.ofMillis(epochs.lengthMillis()).toString(), interval.toString());
    return tracked.isEmpty()
        ? message
        : message.with(
            "Models that wait for their last release fall ever further behind: "
                + String.join(", ", tracked)
                + ".");
  }
}

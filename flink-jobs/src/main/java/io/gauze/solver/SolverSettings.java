package io.gauze.solver;

import io.gauze.topic.KafkaAccess;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The settings of the solver job; they travel in the job graph.
 *
 * @param stream the stream whose latest epoch is used if a request names no release
 * @param starts the first offset of partitions of the requests topic, for a job without state;
 *     other partitions are read from their beginning
 */
public record SolverSettings(
    String stream, KafkaAccess kafka, Topics topics, Map<Integer, Long> starts)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The names of the job's topics. */
  public record Topics(String requests, String releases, String answers) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  public SolverSettings {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(kafka, "kafka");
    Objects.requireNonNull(topics, "topics");
    starts = new TreeMap<>(starts); // serializable
  }

  /** Creates the settings of a job that reads every request in the topic. */
  public SolverSettings(String stream, KafkaAccess kafka, Topics topics) {
    this(stream, kafka, topics, Map.of());
  }

  /** Returns a copy that begins at these offsets. */
  SolverSettings withStarts(Map<Integer, Long> offsets) {
    return new SolverSettings(stream, kafka, topics, offsets);
  }

  /** The consumer group under which the broker keeps the progress in the requests topic. */
  String group() {
    return "gauze-solver-" + stream;
  }
}

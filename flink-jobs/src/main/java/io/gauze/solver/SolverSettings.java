package io.gauze.solver;

import io.gauze.kafka.KafkaAccess;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * All that the solver job needs to know; travels in the job graph.
 *
 * @param stream whose latest epoch is taken if a request names no release
 * @param starts the first offset of partitions of the requests topic, for a job without state to
 *     restore; other partitions begin at their beginning
 */
public record SolverSettings(
    String stream, KafkaAccess kafka, Topics topics, Map<Integer, Long> starts)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The names of the job's topics. */
  public record Topics(String requests, String releases, String answers) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** Nothing is missing. */
  public SolverSettings {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(kafka, "kafka");
    Objects.requireNonNull(topics, "topics");
    starts = new TreeMap<>(starts); // serializable
  }

  /** Reading every request that there is. */
  public SolverSettings(String stream, KafkaAccess kafka, Topics topics) {
    this(stream, kafka, topics, Map.of());
  }

  /** A copy beginning elsewhere. */
  SolverSettings withStarts(Map<Integer, Long> offsets) {
    return new SolverSettings(stream, kafka, topics, offsets);
  }

  /** Under which name progress in the requests topic is kept at the broker. */
  String group() {
    return "gauze-solver-" + stream;
  }
}

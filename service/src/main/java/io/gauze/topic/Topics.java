package io.gauze.topic;

import java.io.Serializable;
import java.util.List;

/** The names of a stream's topics, all different. */
public record Topics(
    String rows,
    String releases,
    String ledger,
    String requests,
    String answers,
    String deadLetters,
    String late)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final List<String> PURPOSES =
      List.of("rows", "releases", "ledger", "requests", "answers", "deadLetters", "late");

  /** Returns the topics of a stream whose names are these after its own and a hyphen. */
  public Topics ofStream(String stream) {
    String prefix = stream + "-";
    return new Topics(
        prefix + rows,
        prefix + releases,
        prefix + ledger,
        prefix + requests,
        prefix + answers,
        prefix + deadLetters,
        prefix + late);
  }

  /**
   * Returns the key of the config that names a topic, such as {@code kafka.rows.topic}.
   *
   * @throws IllegalArgumentException if the stream has no such topic
   */
  public String keyOf(String topic) {
    List<String> names = List.of(rows, releases, ledger, requests, answers, deadLetters, late);
    int at = names.indexOf(topic);
    if (at < 0) {
      throw new IllegalArgumentException(
          "topic must be one of " + names + ". Provided value: " + topic);
    }
    return "kafka." + PURPOSES.get(at) + ".topic";
  }
}

package io.gauze.topic;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown if a topic is missing, if its settings are not suitable, or if Kafka refuses the client
 * properties. The message says what to change.
 */
public class TopicException extends IOException {
  private static final long serialVersionUID = 1L;

  private final ArrayList<Fault> faults;

  TopicException(List<Fault> faults) {
    super(faults.stream().map(Fault::problem).collect(Collectors.joining(System.lineSeparator())));
    this.faults = new ArrayList<>(faults);
  }

  TopicException(String topic, String problem) {
    this(List.of(new Fault(topic, problem)));
  }

  TopicException(String topic, String problem, Throwable cause) {
    this(topic, problem);
    initCause(cause);
  }

  /** All faults, at least one. */
  public List<Fault> faults() {
    return List.copyOf(faults);
  }

  /**
   * One fault.
   *
   * @param topic the topic; empty if the fault is not one of a topic
   * @param problem what to change; begins with the key of the config if there is no topic
   */
  public record Fault(String topic, String problem) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** Thrown if a topic is missing. */
  public static final class Missing extends TopicException {
    private static final long serialVersionUID = 1L;

    Missing(String topic, String problem) {
      super(topic, problem);
    }
  }
}

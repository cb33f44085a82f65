package io.gauze.kafka;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A topic that is missing, or whose settings do not do, or client properties that Kafka does not
 * take; the message says what to change.
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

  /** All that is wrong, at least one. */
  public List<Fault> faults() {
    return List.copyOf(faults);
  }

  /**
   * One thing that is wrong.
   *
   * @param topic whose it is; empty if it is not a topic's
   * @param problem what to change; begins with the key of the config if there is no topic
   */
  public record Fault(String topic, String problem) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** A topic that is missing. */
  public static final class Missing extends TopicException {
    private static final long serialVersionUID = 1L;

    Missing(String topic, String problem) {
      super(topic, problem);
    }
  }
}

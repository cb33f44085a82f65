package io.gauze.message;

import java.io.Serializable;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What to know before a result is used.
 *
 * @param code of its entry in the catalogue, such as {@code GZ-WEAK}; empty if an older program
 *     made it
 * @param message one sentence of what is, of at most {@link #LONGEST} characters
 * @param action one sentence of what to do, as long; empty if an older program made it
 * @param details names and places that a sentence has no room for; mostly empty
 */
public record Message(String code, String message, String action, String details)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The largest number of characters of a sentence. */
  public static final int LONGEST = 120;

  /** Checks that nothing is null. */
  public Message {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(action, "action");
    Objects.requireNonNull(details, "details");
  }

  /** Creates a message without details. */
  public Message(String code, String message, String action) {
    this(code, message, action, "");
  }

  /** Returns the same message with details. */
  public Message with(String names) {
    return new Message(code, message, action, names);
  }

  /** Returns whether this is an entry of the catalogue. */
  public boolean is(Entry entry) {
    return code.equals(entry.code());
  }

  /** Returns both sentences, and the details. */
  public String text() {
    return joined(message);
  }

  /** Returns the code, if there is one, both sentences, and the details. */
  public String line() {
    return joined(titled());
  }

  private String joined(String first) {
    return Stream.of(first, action, details)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(" "));
  }

  /** Returns the code, if there is one, and the sentence of what is. */
  public String titled() {
    return code.isEmpty() ? message : code + ": " + message;
  }
}

package io.gauze.message;

import java.util.Objects;

/**
 * What to know before a result is used.
 *
 * @param code of its entry in the catalogue, such as {@code GZ-WEAK}; empty if an older program
 *     made it
 * @param message one sentence of what is, of at most {@link #LONGEST} characters
 * @param action one sentence of what to do, as long; empty if an older program made it
 */
public record Message(String code, String message, String action) {
  /** The largest number of characters of a sentence. */
  public static final int LONGEST = 120;

  /** Checks that nothing is null. */
  public Message {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(action, "action");
  }

  /** Returns whether this is an entry of the catalogue. */
  public boolean is(Entry entry) {
    return code.equals(entry.code());
  }

  /** Returns both sentences. */
  public String text() {
    return (message + " " + action).strip();
  }

  /** Returns the code, if there is one, and both sentences. */
  public String line() {
    return (titled() + " " + action).strip();
  }

  /** Returns the code, if there is one, and the sentence of what is. */
  public String titled() {
    return code.isEmpty() ? message : code + ": " + message;
  }
}

package io.gauze.answer;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Thrown for a request that is answered by an error; the message says what to change. */
public final class RequestException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST_MESSAGE = 2000;

  private final ErrorCode code;

  /** Creates an error; a long message is cut. */
  public RequestException(ErrorCode code, String message) {
    super(whole(shortened(message, LONGEST_MESSAGE)));
    this.code = Objects.requireNonNull(code, "code");
  }

  /** Returns the kind of the error. */
  public ErrorCode code() {
    return code;
  }

  /** Replaces unpaired surrogates, which UTF-8 cannot hold, by question marks. */
  private static String whole(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /** Returns at most {@code most} characters of a text, and how many it had. */
  static String shortened(String text, int most) {
    return text.length() <= most
        ? text
        : text.substring(0, most) + "... (" + text.length() + " characters)";
  }
}

package io.gauze.http.protocol;

/**
 * A fault of the service as the log shows it: its classes and where they come from. Messages of
 * exceptions may hold what a client has sent, and a client's bytes are never in the log.
 */
public final class Fault extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int MOST_CAUSES = 20;

  private Fault(Throwable known, int causes) {
    super(
        known.getClass().getName(),
        known.getCause() == null || causes == 0 ? null : new Fault(known.getCause(), causes - 1),
        false,
        true);
    setStackTrace(known.getStackTrace());
  }

  /** Returns the fault without its messages. */
  public static Fault of(Throwable known) {
    return new Fault(known, MOST_CAUSES);
  }
}

package io.gauze.cli.flink;

import java.util.stream.Stream;

/**
 * Tells whether Flink has called this program. If so, the program must not end the JVM, which
 * belongs to Flink.
 */
public final class FlinkClientContext {
  private static final String CLIENT = "org.apache.flink.client.";
  private static final String COMMAND_LINE = CLIENT + "cli.CliFrontend";

  private FlinkClientContext() {}

  /**
   * Returns whether Flink's client called, on a user's machine or inside a cluster in application
   * mode.
   */
  public static boolean isGuest() {
    return called(CLIENT);
  }

  /** Returns whether {@code flink run} called, whose JVM runs only this program. */
  public static boolean isCommandLine() {
    return called(COMMAND_LINE);
  }

  /**
   * Returns whether a cluster in application mode called. It may not be the first call: after the
   * loss of a job manager, the job goes on from its newest checkpoint, which is not in the
   * settings.
   */
  public static boolean isInCluster() {
    return isGuest() && !isCommandLine();
  }

  private static boolean called(String by) {
    return StackWalker.getInstance().walk(frames -> callers(frames, by));
  }

  private static boolean callers(Stream<StackWalker.StackFrame> frames, String by) {
    return frames.anyMatch(frame -> frame.getClassName().startsWith(by));
  }
}

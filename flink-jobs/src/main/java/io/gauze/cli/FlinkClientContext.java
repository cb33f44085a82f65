package io.gauze.cli;

import java.util.stream.Stream;

/** Whether Flink has called this program, which then must not end the JVM that it is a guest of. */
public final class FlinkClientContext {
  private static final String CLIENT = "org.apache.flink.client.";
  private static final String COMMAND_LINE = CLIENT + "cli.CliFrontend";

  private FlinkClientContext() {}

  /** Flink's client called, on a user's machine or inside a cluster in application mode. */
  public static boolean isGuest() {
    return called(CLIENT);
  }

  /** {@code flink run} called, whose JVM is for this program alone. */
  public static boolean isCommandLine() {
    return called(COMMAND_LINE);
  }

  /**
   * A cluster in application mode called, maybe not for the first time: after the loss of a job
   * manager the job goes on from its newest checkpoint, which is not in the settings.
   */
  static boolean isInCluster() {
    return isGuest() && !isCommandLine();
  }

  private static boolean called(String by) {
    return StackWalker.getInstance().walk(frames -> callers(frames, by));
  }

  private static boolean callers(Stream<StackWalker.StackFrame> frames, String by) {
    return frames.anyMatch(frame -> frame.getClassName().startsWith(by));
  }
}

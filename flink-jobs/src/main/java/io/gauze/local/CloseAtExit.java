package io.gauze.local;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes all open resources when the JVM ends, also after Ctrl-C or SIGTERM. They are closed one
 * after the other, the last registered first, so a job ends before its cluster and the cluster
 * before the broker. Thread-safe.
 */
public final class CloseAtExit {
  private static final Logger LOG = LoggerFactory.getLogger(CloseAtExit.class);
  private static final CloseAtExit JVM = new CloseAtExit();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(CloseAtExit::end, "gauze-close-at-exit"));
  }

  private static volatile boolean signalsAreNormal;
  private static volatile boolean exiting;
  private static volatile boolean ending;

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  CloseAtExit() {}

  /**
   * Adds a resource, whose {@code close} must be idempotent and may be called by another thread.
   */
  public static void register(AutoCloseable resource) {
    JVM.add(resource);
  }

  /** Removes a resource, usually because it was closed; does nothing if it is not registered. */
  public static void forget(AutoCloseable resource) {
    JVM.remove(resource);
  }

  /**
   * Sets whether a signal that ends the JVM is the normal end of the program. If so, the exit
   * status is 0 once everything is closed, instead of 128 plus the signal's number.
   */
  public static void endNormallyBySignal(boolean normal) {
    signalsAreNormal = normal;
  }

  /** Closes what is open and ends the JVM with this status. */
  public static void exit(int status) {
    exiting = true;
    System.exit(status);
  }

  synchronized void add(AutoCloseable resource) {
    open.push(resource);
  }

  synchronized void remove(AutoCloseable resource) {
    open.removeIf(each -> each == resource);
  }

  /**
   * Closes everything registered; a failure is logged and the rest is still closed.
   *
   * @return whether there was no failure
   */
  boolean closeAll() {
    boolean well = true;
    for (Optional<AutoCloseable> next = pop(); next.isPresent(); next = pop()) {
      well &= close(next.get());
    }
    return well;
  }

  /** Returns whether the JVM is ending, which may be the cause of failures now. */
  public static boolean ending() {
    return ending;
  }

  private static void end() {
    ending = true;
    // Decided before closing: closing makes running work fail, which may call exit.
    boolean normal = signalsAreNormal && !exiting;
    boolean well = JVM.closeAll();
    if (normal) {
      // A shutdown hook has no other way to change the status.
      Runtime.getRuntime().halt(well ? 0 : 1);
    }
  }

  private synchronized Optional<AutoCloseable> pop() {
    return Optional.ofNullable(open.poll());
  }

  private static boolean close(AutoCloseable resource) {
    try {
      resource.close();
      return true;
    } catch (Exception e) {
      LOG.error("{} could not be closed", resource, e);
      return false;
    }
  }
}

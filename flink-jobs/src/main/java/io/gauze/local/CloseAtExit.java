package io.gauze.local;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes what is still open when the JVM ends, also after Ctrl-C or SIGTERM: one after the other,
 * the last registered first, so that a job ends before its cluster and the cluster before the
 * broker. Thread-safe.
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

  /** Adds a resource, whose {@code close} must be idempotent and may come from another thread. */
  public static void register(AutoCloseable resource) {
    JVM.add(resource);
  }

  /** Removes a resource, most often because it has been closed; does nothing if it is not there. */
  public static void forget(AutoCloseable resource) {
    JVM.remove(resource);
  }

  /**
   * Whether a signal that ends the JVM is the normal end of the program: its status is then 0
   * instead of 128 and the signal's number, once everything is closed.
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
   * Closes everything registered; a failure is logged and the rest is still closed. Returns whether
   * all went well.
   */
  boolean closeAll() {
    boolean well = true;
    for (Optional<AutoCloseable> next = pop(); next.isPresent(); next = pop()) {
      well &= close(next.get());
    }
    return well;
  }

  /** Whether the JVM is ending, so that what fails now fails because of it. */
  public static boolean ending() {
    return ending;
  }

  private static void end() {
    ending = true;
    // Decided first: closing makes what still runs fail, and that may call exit.
    boolean normal = signalsAreNormal && !exiting;
    boolean well = JVM.closeAll();
    if (normal) {
      // A shutdown hook cannot change the status in another way.
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

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
    Runtime.getRuntime().addShutdownHook(new Thread(JVM::closeAll, "gauze-close-at-exit"));
  }

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

  synchronized void add(AutoCloseable resource) {
    open.push(resource);
  }

  synchronized void remove(AutoCloseable resource) {
    open.removeIf(each -> each == resource);
  }

  /** Closes everything registered; a failure is logged and the rest is still closed. */
  void closeAll() {
    for (Optional<AutoCloseable> next = pop(); next.isPresent(); next = pop()) {
      close(next.get());
    }
  }

  private synchronized Optional<AutoCloseable> pop() {
    return Optional.ofNullable(open.poll());
  }

  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      LOG.error("{} could not be closed", resource, e);
    }
  }
}

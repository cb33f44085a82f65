package io.gauze;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What the current thread has allocated on the heap, asked through the platform's management beans.
 */
public final class Allocation {
  private Allocation() {}

  /** A piece of work that may throw. */
  public interface Work {
    /** Does it. */
    void run() throws Exception;
  }

  /**
   * The bytes that the current thread allocates by this work, and some hundreds more by being
   * asked.
   */
  public static long of(Work work) throws Exception {
    long before = allocated();
    work.run();
    return allocated() - before;
  }

  private static long allocated() throws JMException {
    Object[] thread = {Thread.currentThread().getId()};
    return (long)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                "getThreadAllocatedBytes",
                thread,
                new String[] {"long"});
  }
}

package io.gauze.benchmarks;

import com.sun.management.UnixOperatingSystemMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.Optional;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What another JVM holds, after a collection of its heap. */
final class Held implements AutoCloseable {
  private static final String CONSUMED =
      "kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*,topic=*,partition=*";
  private static final double MIB = 1 << 20;

  private final ChildProcess process;
  private Optional<JMXConnector> connector = Optional.empty();
  private long processorNanos;

  Held(ChildProcess process) {
    this.process = process;
  }

  // At the first question and not before: a JVM that is just starting refuses.
  private MBeanServerConnection connect() throws IOException {
    if (connector.isEmpty()) {
      try {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(process.id()));
        JMXServiceURL address = new JMXServiceURL(machine.startLocalManagementAgent());
        connector = Optional.of(JMXConnectorFactory.connect(address));
        machine.detach();
      } catch (AttachNotSupportedException e) {
        throw new IOException("JVM " + process.id() + " cannot be asked what it holds", e);
      }
    }
    return connector.get().getMBeanServerConnection();
  }

  /**
   * Returns the cells of a table: seconds of CPU since the last line, MiB of heap after a
   * collection, MiB beside it, loaded classes, threads, and open file descriptors.
   */
  String line() throws IOException {
    MBeanServerConnection beans = connect();
    MemoryMXBean memory = ManagementFactory.getPlatformMXBean(beans, MemoryMXBean.class);
    memory.gc();
    long direct = 0;
    for (BufferPoolMXBean pool :
        ManagementFactory.getPlatformMXBeans(beans, BufferPoolMXBean.class)) {
      direct += pool.getMemoryUsed();
    }
    UnixOperatingSystemMXBean system =
        ManagementFactory.getPlatformMXBean(beans, UnixOperatingSystemMXBean.class);
    ClassLoadingMXBean classes =
        ManagementFactory.getPlatformMXBean(beans, ClassLoadingMXBean.class);
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(beans, ThreadMXBean.class);
    long before = processorNanos;
    processorNanos = system.getProcessCpuTime();
    return String.format(
        Locale.ROOT,
        "%.1f | %.1f | %.1f | %,d | %d | %d",
        1e-9 * (processorNanos - before),
        memory.getHeapMemoryUsage().getUsed() / MIB,
        (memory.getNonHeapMemoryUsage().getUsed() + direct) / MIB,
        classes.getLoadedClassCount(),
        threads.getThreadCount(),
        system.getOpenFileDescriptorCount());
  }

  /** Returns how many records its Kafka consumers have not read yet. */
  long lag() throws IOException {
    MBeanServerConnection beans = connect();
    double lag = 0.0;
    try {
      for (ObjectName partition : beans.queryNames(new ObjectName(CONSUMED), null)) {
        // Metrics of a partition that tell something else, or of one that is not read yet.
        for (Attribute records :
            beans.getAttributes(partition, new String[] {"records-lag"}).asList()) {
          double value = (double) records.getValue();
          lag += Double.isNaN(value) ? 0.0 : value;
        }
      }
    } catch (JMException e) {
      throw new IOException("JVM " + process.id() + " does not say what it has read", e);
    }
    return Math.round(lag);
  }

  @Override
  public void close() throws IOException {
    if (connector.isPresent()) {
      connector.get().close();
    }
  }
}

package io.gauze.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.Locale;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The command line as a process that also tells what it holds: it answers each line of its input
 * with the cells of a table, after a collection of its heap.
 */
public final class Held {
  private static final String CONSUMED =
      "kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*,topic=*,partition=*";
  private static final double MIB = 1 << 20;

  private Duration processor = Duration.ZERO;

  private Held() {}

  /**
   * Runs a verb.
   *
   * @param args as those of {@code gauze}
   */
  public static void main(String[] args) throws Exception {
    Thread answers = new Thread(new Held()::answer, "held");
    answers.setDaemon(true);
    answers.start();
    Main.main(args);
  }

  private void answer() {
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.println(cells());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the records that its Kafka consumers have not read, seconds of CPU since the last line,
   * MiB of heap, MiB beside it, loaded classes, threads, and open file descriptors.
   */
  private String cells() throws JMException {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    long direct = 0;
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      direct += pool.getMemoryUsed();
    }
    Duration before = processor;
    processor = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    Object files =
        beans.getAttribute(
            new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME),
            "OpenFileDescriptorCount");
    return String.format(
        Locale.ROOT,
        "%,d | %.1f | %.1f | %.1f | %,d | %d | %s",
        lag(beans),
        1e-3 * processor.minus(before).toMillis(),
        memory.getHeapMemoryUsage().getUsed() / MIB,
        (memory.getNonHeapMemoryUsage().getUsed() + direct) / MIB,
        ManagementFactory.getClassLoadingMXBean().getLoadedClassCount(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        files);
  }

  private static long lag(MBeanServer beans) throws JMException {
    double lag = 0.0;
    for (ObjectName partition : beans.queryNames(new ObjectName(CONSUMED), null)) {
      // Some beans tell something else of a partition; and it is NaN until it is read.
      for (Attribute records :
          beans.getAttributes(partition, new String[] {"records-lag"}).asList()) {
        double value = (double) records.getValue();
        lag += Double.isNaN(value) ? 0.0 : value;
      }
    }
    return Math.round(lag);
  }
}

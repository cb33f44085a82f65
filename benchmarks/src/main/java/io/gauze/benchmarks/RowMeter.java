package io.gauze.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The CPU of this process a row while rows come, by what its Kafka consumers say they have read:
 * from the middle of the rows to nine tenths of them.
 */
final class RowMeter {
  private static final double FROM = 0.5;
  private static final double TO = 0.9;
  private static final long PAUSE_NANOS = 100_000_000;
  private static final String CONSUMERS =
      "kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*";
  private static final String CONSUMED = "records-consumed-total";

  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
  private final CompletableFuture<Double> result;

  private RowMeter(long rows) {
    result = CompletableFuture.supplyAsync(() -> measure(rows));
  }

  /** Begins to watch a job that will read so many rows; before its consumers are made. */
  static RowMeter start(long rows) {
    return new RowMeter(rows);
  }

  static long cpuMicros() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos() / 1000;
  }

  /** In microseconds; waits for the rows. */
  double microsARow() {
    return result.join();
  }

  private double measure(long rows) {
    double from = await(FROM * rows);
    long cpu = cpuMicros();
    double to = await(TO * rows);
    return (cpuMicros() - cpu) / (to - from);
  }

  /** How many rows had been read when there were at least so many. */
  private double await(double rows) {
    double read = consumed();
    while (read < rows) {
      LockSupport.parkNanos(PAUSE_NANOS);
      read = consumed();
    }
    return read;
  }

  /** Those of consumers that are about to come or go are not in it. */
  private double consumed() {
    double sum = 0;
    try {
      for (ObjectName name : beans.queryNames(new ObjectName(CONSUMERS), null)) {
        sum += (Double) beans.getAttribute(name, CONSUMED);
      }
    } catch (JMException e) {
      return 0;
    }
    return sum;
  }
}

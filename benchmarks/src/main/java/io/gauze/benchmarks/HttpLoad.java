package io.gauze.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * GET requests over connections that are kept, with one request at a time on each. It reads what
 * follows the headers by their Content-Length, and nothing else: it must cost less than the server.
 *
 * @param port of this machine
 * @param path of the n-th request
 * @param connections that send at once
 * @param rate requests a second, sent by the clock, and latencies count from when they were due; 0:
 *     as many as are answered
 */
record HttpLoad(int port, LongFunction<String> path, int connections, double rate) {
  private static final int BUFFER = 1 << 17;
  private static final byte[] LENGTH = "content-length: ".getBytes(StandardCharsets.ISO_8859_1);

  /**
   * What came of a load.
   *
   * @param rate answers a second
   * @param median latency in ms
   * @param p99 the 99th percentile of latencies in ms
   */
  record Result(double rate, double median, double p99) {}

  /**
   * Runs the load.
   *
   * @throws IOException if a connection breaks, or an answer is not 200
   */
  Result run(Duration time) throws IOException, InterruptedException {
    AtomicLong next = new AtomicLong();
    long begin = System.nanoTime();
    long end = begin + time.toNanos();
    ExecutorService threads = Executors.newFixedThreadPool(connections);
    try {
      List<Callable<long[]>> all = new ArrayList<>();
      for (int k = 0; k < connections; k++) {
        all.add(() -> latencies(next, begin, end));
      }
      List<long[]> parts = new ArrayList<>();
      for (Future<long[]> each : threads.invokeAll(all)) {
        parts.add(each.get());
      }
      double seconds = (System.nanoTime() - begin) * 1e-9;
      long[] sorted = parts.stream().flatMapToLong(Arrays::stream).sorted().toArray();
      return new Result(sorted.length / seconds, at(sorted, 0.5), at(sorted, 0.99));
    } catch (ExecutionException e) {
      throw new IOException("the load broke off: " + e.getCause().getMessage(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns a quantile in milliseconds; NaN if no request was answered in the time. */
  private static double at(long[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))] * 1e-6;
  }

  private long[] latencies(AtomicLong next, long begin, long end) throws IOException {
    long[] latencies = new long[1024];
    int count = 0;
    byte[] buffer = new byte[BUFFER];
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      InputStream in = socket.getInputStream();
      while (System.nanoTime() < end) {
        long number = next.getAndIncrement();
        long due = rate > 0 ? begin + (long) (number / rate * 1e9) : System.nanoTime();
        if (due >= end) {
          break;
        }
        awaitDue(due);
        String request = "GET " + path.apply(number) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        readAnswer(in, buffer);
        latencies = count < latencies.length ? latencies : Arrays.copyOf(latencies, 2 * count);
        latencies[count++] = System.nanoTime() - due;
      }
    }
    return Arrays.copyOf(latencies, count);
  }

  private static void awaitDue(long due) throws IOException {
    try {
      long left = due - System.nanoTime();
      if (left > 0) {
        TimeUnit.NANOSECONDS.sleep(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void readAnswer(InputStream in, byte[] buffer) throws IOException {
    int have = 0;
    int whole = Integer.MAX_VALUE;
    while (have < whole) {
      if (have == buffer.length) {
        throw new IOException("an answer has more than " + buffer.length + " bytes");
      }
      int more = in.read(buffer, have, buffer.length - have);
      if (more < 0) {
        throw new EOFException("the server closed a connection");
      }
      have += more;
      if (whole == Integer.MAX_VALUE) {
        whole = whole(buffer, have);
      }
    }
  }

  /**
   * Returns the length of the whole answer, or the largest number if its headers have no end yet.
   */
  private static int whole(byte[] buffer, int have) throws IOException {
    int length = 0;
    for (int i = 0; i + 3 < have; i++) {
      if (buffer[i] == '\n' && matches(buffer, i + 1, have)) {
        for (int k = i + 1 + LENGTH.length; buffer[k] >= '0'; k++) {
          length = 10 * length + buffer[k] - '0';
        }
      }
      if (buffer[i] == '\r' && buffer[i + 2] == '\r') {
        if (buffer[9] != '2') {
          throw new IOException(new String(buffer, 0, have, StandardCharsets.UTF_8));
        }
        return i + 4 + length;
      }
    }
    return Integer.MAX_VALUE;
  }

  private static boolean matches(byte[] buffer, int at, int have) {
    if (at + LENGTH.length >= have) {
      return false;
    }
    for (int k = 0; k < LENGTH.length; k++) {
      if (Character.toLowerCase(buffer[at + k]) != LENGTH[k]) {
        return false;
      }
    }
    return true;
  }
}

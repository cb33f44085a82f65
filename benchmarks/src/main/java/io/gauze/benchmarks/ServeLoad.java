package io.gauze.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/**
 * How many requests a second {@code gauze serve} answers, and how soon, beside the same resources
 * on the JDK's HTTP server: both in one process, and this load generator in another.
 */
public final class ServeLoad {
  private static final String RELEASE =
      "&release=" + LoadReleases.id(LoadReleases.NARROW, 0, "moments");
  private static final String FIT = "/v1/fit?response=c1" + RELEASE;

  private static final int CONNECTIONS = 16;
  private static final int CLIENTS = 1000;
  private static final double FITS_A_SECOND = 500;
  private static final int SAMPLES = 10;

  private final PrintStream out;
  private final Duration time;
  private final ChildProcess target;
  private final int jetty;
  private final int jdk;

  private ServeLoad(PrintStream out, Duration time, ChildProcess target) throws IOException {
    this.out = out;
    this.time = time;
    this.target = target;
    this.jetty = Integer.parseInt(target.line());
    this.jdk = Integer.parseInt(target.line());
  }

  /**
   * Runs all parts.
   *
   * @param args seconds of each part (10), and of the load under which memory is watched (60)
   */
  public static void main(String[] args) throws Exception {
    Duration time = Duration.ofSeconds(args.length > 0 ? Long.parseLong(args[0]) : 10);
    Duration memory = Duration.ofSeconds(args.length > 1 ? Long.parseLong(args[1]) : 60);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (TemporaryFolder folder = TemporaryFolder.create("gauze-serve-");
        ChildProcess target =
            ChildProcess.start(ServeTarget.class, List.of(folder.path().toString()))) {
      ServeLoad load = new ServeLoad(out, time, target);
      load.rates();
      load.newFits();
      load.events();
      load.memory(memory);
    }
  }

  private static String kept(long number) {
    return FIT;
  }

  private static String list(long number) {
    return "/v1/releases";
  }

  /** Each level is another question, whose fit is not kept. */
  private static String fresh(long number) {
    return FIT + "&level=" + (0.5 + (System.nanoTime() % 100_000_000_000L) * 1e-12);
  }

  private static String load() {
    double average = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return String.format(Locale.ROOT, "%.1f", average);
  }

  private void row(String format, Object... cells) {
    out.println(String.format(Locale.ROOT, format, cells));
  }

  private void rates() throws IOException, InterruptedException {
    out.println("| request | server | a second | median, ms | p99, ms | CPU, us | load average |");
    out.println("|---|---|---|---|---|---|---|");
    rates("kept fit", ServeLoad::kept);
    rates("list", ServeLoad::list);
    rates("new fit", ServeLoad::fresh);
    out.println();
  }

  private void rates(String name, LongFunction<String> path)
      throws IOException, InterruptedException {
    List<HttpLoad> loads =
        List.of(new HttpLoad(jetty, path, CONNECTIONS, 0), new HttpLoad(jdk, path, CONNECTIONS, 0));
    for (HttpLoad load : loads) {
      load.run(time); // what both need is compiled before either is measured
    }
    Measured[] both = {new Measured(), new Measured()};
    for (int k : new int[] {0, 1, 1, 0}) { // neither has the better place
      Duration before = target.processorTime();
      both[k].add(loads.get(k).run(time), target.processorTime().minus(before));
    }
    for (int k = 0; k < 2; k++) {
      row("| %s | %s | %s | %s |", name, k == 0 ? "gauze serve" : "JDK", both[k], load());
    }
    row("| %s | ratio | %.2f | | | | |", name, both[0].rate() / both[1].rate());
  }

  /** Runs of one load on one server. */
  private final class Measured {
    private final List<HttpLoad.Result> results = new ArrayList<>();
    private Duration used = Duration.ZERO;

    void add(HttpLoad.Result result, Duration processorTime) {
      results.add(result);
      used = used.plus(processorTime);
    }

    double rate() {
      return results.stream().mapToDouble(HttpLoad.Result::rate).average().orElseThrow();
    }

    /** Rate, mean of the medians, the worst 99th percentile, and processor time a request. */
    @Override
    public String toString() {
      double median = results.stream().mapToDouble(HttpLoad.Result::median).average().orElseThrow();
      double p99 = results.stream().mapToDouble(HttpLoad.Result::p99).max().orElseThrow();
      double requests = rate() * results.size() * time.toMillis() * 1e-3;
      return String.format(
          Locale.ROOT,
          "%,.0f | %.2f | %.2f | %.0f",
          rate(),
          median,
          p99,
          used.toNanos() * 1e-3 / requests);
    }
  }

  private void newFits() throws IOException, InterruptedException {
    HttpLoad.Result result =
        new HttpLoad(jetty, ServeLoad::fresh, CONNECTIONS, FITS_A_SECOND).run(time);
    row(
        "New fits, %.0f a second by the clock: %.0f a second, median %.2f ms, p99 %.2f ms; load"
            + " average %s",
        FITS_A_SECOND, result.rate(), result.median(), result.p99(), load());
  }

  private void events() throws IOException {
    try (EventLoad clients = EventLoad.connect(jetty, CLIENTS)) {
      for (int k = 0; k < ServeTarget.FURTHER; k++) {
        long since = System.nanoTime();
        target.ask("release");
        double[] seconds = clients.awaitEvent(since);
        row(
            "Event to %,d clients, after its file is there: median %.3f s, last %.3f s",
            CLIENTS, seconds[0], seconds[1]);
      }
    }
  }

  /** All kinds of requests in turn, with looks at the heap after a collection. */
  private void memory(Duration whole) throws IOException, InterruptedException {
    List<LongFunction<String>> requests =
        List.of(ServeLoad::kept, ServeLoad::list, ServeLoad::fresh);
    StringBuilder heaps = new StringBuilder();
    for (int k = 0; k < SAMPLES; k++) {
      for (LongFunction<String> path : requests) {
        new HttpLoad(jetty, path, CONNECTIONS, 0).run(whole.dividedBy(3L * SAMPLES));
      }
      heaps.append(String.format(Locale.ROOT, " %.1f", Long.parseLong(target.ask("heap")) * 1e-6));
    }
    row("Heap in use over %d s of load, MB:%s", whole.toSeconds(), heaps);
  }
}

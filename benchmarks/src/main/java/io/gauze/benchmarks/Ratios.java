package io.gauze.benchmarks;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs the benchmarks in one process tree and prints a table, then the ratios that matter. */
public final class Ratios {
  private final Map<String, RunResult> results = new TreeMap<>();
  private final PrintStream out;

  private Ratios(PrintStream out) {
    this.out = out;
  }

  /** Arguments are JMH's, and win over the settings here. */
  public static void main(String[] args) throws RunnerException, CommandLineOptionException {
    Options options =
        new OptionsBuilder()
            .parent(new CommandLineOptions(args))
            .addProfiler(GCProfiler.class)
            .build();
    Ratios ratios = new Ratios(new PrintStream(System.out, true, StandardCharsets.UTF_8));
    ratios.collect(new Runner(options).run());
    ratios.print();
  }

  private void collect(Collection<RunResult> runs) {
    for (RunResult run : runs) {
      results.put(name(run), run);
    }
  }

  private static String name(RunResult run) {
    String benchmark = run.getParams().getBenchmark();
    String method = benchmark.substring(benchmark.lastIndexOf('.') + 1);
    if (timed(run)) {
      return "solve " + method;
    }
    String dimension = run.getParams().getParam("dimension");
    if (dimension == null) {
      return "noise " + method;
    }
    String sketch = run.getParams().getParam("sketch");
    return dimension + " " + (sketch == null ? "plain loop" : sketch) + " " + method;
  }

  private static boolean timed(RunResult run) {
    return run.getParams().getMode() == Mode.AverageTime;
  }

  private void print() {
    printSpeeds();
    printTimes();
  }

  private void printTimes() {
    if (results.values().stream().anyMatch(Ratios::timed)) {
      out.println("\n| what | ms | ± (99.9 %) |");
      out.println("|---|---|---|");
      results.forEach(
          (name, run) -> {
            if (timed(run)) {
              double error = run.getPrimaryResult().getScoreError();
              out.printf(Locale.ROOT, "| %s | %.3f | %.3f |%n", name, speed(name), error);
            }
          });
      if (results.containsKey("solve smallLad") && results.containsKey("solve smallSimplex")) {
        double times = speed("solve smallSimplex") / speed("solve smallLad");
        out.printf(Locale.ROOT, "| time of the simplex solver / ours | %.1f | |%n", times);
      }
    }
  }

  private void printSpeeds() {
    if (results.values().stream().allMatch(Ratios::timed)) {
      return;
    }
    out.println(
        "\n| D, what, how | million rows or samples/s | ± (99.9 %) | bytes allocated for each |");
    out.println("|---|---|---|---|");
    results.forEach(
        (name, run) -> {
          if (!timed(run)) {
            out.printf(
                Locale.ROOT,
                "| %s | %.3f | %.3f | %.3f |%n",
                name,
                speed(name) / 1e6,
                run.getPrimaryResult().getScoreError() / 1e6,
                allocated(run));
          }
        });
    out.println("\n| ratio | D = 12 | D = 52 |");
    out.println("|---|---|---|");
    ratio("CountSketch batched / plain loop", "count-sketch batched", "plain loop countSketch");
    ratio("CountSketch row by row / plain loop", "count-sketch rowByRow", "plain loop countSketch");
    for (String loop : new String[] {"Lanes", "Tiles", "FourRows"}) {
      ratio(
          "moments batched / blocked loop, " + loop,
          "moments batched",
          "plain loop moments" + loop);
    }
    ratio("moments batched / row by row", "moments batched", "moments rowByRow");
    ratio(
        "moments batched / plain loop row by row", "moments batched", "plain loop momentsRowByRow");
    ratio("multilevel batched / CountSketch batched", "multilevel batched", "count-sketch batched");
    ratio("projection batched / naive loop", "projection batched", "plain loop naiveProjection");
  }

  private void ratio(String what, String one, String two) {
    String few = quotient("12", one, two);
    String many = quotient("52", one, two);
    if (!(few + many).isEmpty()) { // else these benchmarks were not asked for
      out.printf(Locale.ROOT, "| %s | %s | %s |%n", what, few, many);
    }
  }

  private String quotient(String dimension, String one, String two) {
    String above = dimension + " " + one;
    String below = dimension + " " + two;
    return results.containsKey(above) && results.containsKey(below)
        ? String.format(Locale.ROOT, "%.2f", speed(above) / speed(below))
        : "";
  }

  private double speed(String name) {
    return results.get(name).getPrimaryResult().getScore();
  }

  private static double allocated(RunResult run) {
    Result<?> bytes = run.getSecondaryResults().get("gc.alloc.rate.norm");
    if (bytes == null) {
      bytes = run.getSecondaryResults().get("·gc.alloc.rate.norm");
    }
    return bytes == null ? Double.NaN : bytes.getScore();
  }
}

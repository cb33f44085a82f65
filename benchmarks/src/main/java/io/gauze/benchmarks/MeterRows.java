package io.gauze.benchmarks;

import io.gauze.source.file.SmartMeters;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** The made-up meters of the demo and of {@code gauze up}, as CSV: the same rows at every call. */
final class MeterRows {
  /** What the config of {@code gauze up} expects in an epoch. */
  static final int ROWS = 20_000;

  private static final double FAULTY = 0.005;

  private MeterRows() {}

  static void write(PrintWriter out) {
    SmartMeters meters = new SmartMeters(ROWS, FAULTY, 1);
    for (int i = 0; i < ROWS; i++) {
      String pairs = new String(meters.next(), StandardCharsets.UTF_8).replaceAll("[{}\"\\s]", "");
      if (i == 0) {
        out.println(pairs.replaceAll(":[^,]*", ""));
      }
      out.println(pairs.replaceAll("[a-z_]+:", ""));
    }
  }
}

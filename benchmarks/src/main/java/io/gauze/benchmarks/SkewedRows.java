package io.gauze.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Made-up rows whose columns are skewed or have long tails, and whose response is not linear in its
 * features, under configs with typical values and spreads that a person might guess.
 */
enum SkewedRows {
  /** Costs of hospital stays: log-normal, with effects that multiply. */
  COSTS(
      "age 18 100 60 16, severity 0 5 1.2 1.1, bmi 15 45 27 5, distance 0 200 18 18,"
          + " emergency 0 1 0.3 0.46, cost 0 100 12 10") {
    @Override
    double[] row(SplittableRandom random) {
      double age = normal(random, 60, 16);
      double severity = exponential(random, 1.2);
      double bmi = normal(random, 27, 5);
      double emergency = random.nextDouble() < 0.3 ? 1.0 : 0.0;
      double log = 1.3 + 0.008 * age + 0.2 * severity + 0.01 * bmi + 0.15 * emergency;
      double cost = logNormal(random, log, 0.6);
      return new double[] {age, severity, bmi, logNormal(random, 2.5, 0.9), emergency, cost};
    }
  },
  /** Prices of flats and houses: as above, with skewed features that explain most of them. */
  PRICES(
      "area 0 600 80 45, rooms 0 15 3 2, age 0 150 25 35, distance 0 60 6 7, price 0 3000 200 180") {
    @Override
    double[] row(SplittableRandom random) {
      double area = logNormal(random, 4.4, 0.45);
      double age = exponential(random, 35);
      double distance = logNormal(random, 1.8, 0.8);
      double log = 1.2 + 0.95 * Math.log(area) - 0.12 * Math.log(distance) - 0.002 * age;
      double rooms = Math.rint(area / 25 + random.nextGaussian());
      return new double[] {area, rooms, age, distance, logNormal(random, log, 0.35)};
    }
  },
  /** Insured losses: exponential, of which the features explain hardly anything. */
  LOSSES(
      "age 18 100 45 18, bonus 50 230 55 15, power 0 400 90 35, density 0 27000 500 2500, loss 0 20000 700 900") {
    @Override
    double[] row(SplittableRandom random) {
      double age = 18 + 67 * random.nextDouble();
      double bonus = 50 + exponential(random, 10);
      double power = logNormal(random, 4.5, 0.35);
      double density = logNormal(random, 6, 1.5);
      double log = 5.9 + 0.004 * bonus + 0.003 * power - 0.004 * age + 0.03 * Math.log(density);
      return new double[] {age, bonus, power, density, exponential(random, Math.exp(log))};
    }
  },
  /** Delays, which are mostly those at departure: a quarter of these have a long tail. */
  DELAYS(
      "hour 0 24 14 5, distance 0 5000 700 600, wind 0 70 8 7, departure -30 900 0 25, arrival -80 1000 0 30") {
    @Override
    double[] row(SplittableRandom random) {
      double hour = 5 + 19 * random.nextDouble();
      double distance = logNormal(random, 6.5, 0.7);
      double wind = exponential(random, 5) + exponential(random, 5);
      double tail = random.nextDouble() < 0.25 ? exponential(random, 10 + 2 * hour + wind) : 0.0;
      double departure = normal(random, -2, 8) + tail;
      double more = 0.2 * wind + 0.4 * hour - 0.003 * distance + normal(random, 0, 12);
      return new double[] {hour, distance, wind, departure, departure * (1 + 0.002 * wind) + more};
    }
  },
  /** Symmetric columns and residuals with long tails, t laws of 4 degrees of freedom. */
  TAILS("a -15 15 0 1.4, b -15 15 0 1.4, c -15 15 0 1.4, d -15 15 0 1.4, y -20 20 0 1.5") {
    @Override
    double[] row(SplittableRandom random) {
      double[] x = DoubleStream.generate(() -> student(random)).limit(4).toArray();
      double y = 0.5 * x[0] + 0.3 * x[1] - 0.2 * x[2] + 0.05 * x[3] * Math.abs(x[3]);
      return new double[] {x[0], x[1], x[2], x[3], y + 0.8 * student(random)};
    }
  },
  /** Revenue of visits, by counts of a power law, whose variance has no end but the range. */
  VISITS("pages 1 200 2 6, seconds 0 7200 60 200, items 0 50 1 2, revenue 0 1000 20 25") {
    @Override
    double[] row(SplittableRandom random) {
      double pages = Math.min(200, Math.floor(Math.pow(random.nextDouble(), -1 / 1.6)));
      double seconds = Math.min(7200, pages * logNormal(random, 3, 0.8));
      double items = Math.floor(1 / Math.sqrt(random.nextDouble()) - 0.5);
      double mean = 4 * Math.sqrt(pages) + 0.01 * seconds + 7 * Math.min(50, items);
      return new double[] {pages, seconds, items, mean * logNormal(random, 0, 0.5)};
    }
  },
  /** Prices of few homes, more skewed than those above. */
  HOMES(
      4_000,
      "area 10 300 90 35, age 0 150 50 30, centre 0 1 0.2 0.4, garden 0 1 0.35 0.48,"
          + " price 20000 2000000 200000 120000") {
    @Override
    double[] row(SplittableRandom random) {
      double area = logNormal(random, 4.4, 0.5);
      double age = exponential(random, 45);
      double centre = random.nextDouble() < 0.2 ? 1.0 : 0.0;
      double garden = random.nextDouble() < 0.35 ? 1.0 : 0.0;
      double log = 7.4 + 1.1 * Math.log(area) - 0.003 * age + 0.5 * centre + 0.12 * garden;
      return new double[] {area, age, centre, garden, logNormal(random, log, 0.4)};
    }
  },
  /** Costs of few repairs, which grow faster than the hours of work. */
  REPAIRS(
      3_000,
      "age 0 30 6 5, mileage 0 300 80 60, insured 0 1 0.4 0.49, hours 0 20 3 2, cost 0 10000 400 500") {
    @Override
    double[] row(SplittableRandom random) {
      double age = exponential(random, 6);
      double mileage = normal(random, 12 * age, 20);
      double insured = random.nextDouble() < 0.4 ? 1.0 : 0.0;
      double hours = logNormal(random, 0.7, 0.6);
      double log = 4.7 + 0.02 * age + 0.001 * mileage + 0.15 * insured + 0.25 * hours;
      return new double[] {age, mileage, insured, hours, logNormal(random, log, 0.6)};
    }
  };

  private static final int MANY = 20_000;

  private final int rows;
  private final String columns;

  /** Columns are their names, ranges, typical values and spreads; the last one is the response. */
  SkewedRows(String columns) {
    this(MANY, columns);
  }

  SkewedRows(int rows, String columns) {
    this.rows = rows;
    this.columns = columns;
  }

  /** Returns a row; values may be beyond their ranges. */
  abstract double[] row(SplittableRandom random);

  private List<String[]> columns() {
    return Arrays.stream(columns.split(", ")).map(each -> each.split(" ")).toList();
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  AccuracyData data() throws IOException {
    Path file = AccuracyData.temporary();
    List<String[]> columns = columns();
    SplittableRandom random = new SplittableRandom(name().hashCode());
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      out.println(columns.stream().map(column -> column[0]).collect(Collectors.joining(",")));
      for (int i = 0; i < rows; i++) {
        out.println(line(columns, row(random)));
      }
    }
    return new AccuracyData(label(), config(), file, rows, rows);
  }

  private static String line(List<String[]> columns, double... row) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < row.length; c++) {
      double lower = Double.parseDouble(columns.get(c)[1]);
      double upper = Double.parseDouble(columns.get(c)[2]);
      line.append(c == 0 ? "" : ",").append((float) Math.min(upper, Math.max(lower, row[c])));
    }
    return line.toString();
  }

  private String config() {
    return columns().stream()
        .map(
            c ->
                String.format(
                    Locale.ROOT,
                    "  - {name: %s, lower: %s, upper: %s, typical: %s, spread: %s}%n",
                    (Object[]) c))
        .collect(
            Collectors.joining(
                "",
                "stream: " + label() + "\ncolumns:\n",
                """
                privacy: {epsilon: 1.0, delta: 1.0e-6, neighbours: replace-one}
                epochs: {length: all}
                expectedRows: ROWS
                sketches:
                  - {name: moments, mechanism: noisy-moments}
                """
                    .replace("ROWS", Integer.toString(rows))));
  }

  private static double normal(SplittableRandom random, double mean, double deviation) {
    return mean + deviation * random.nextGaussian();
  }

  private static double logNormal(SplittableRandom random, double mean, double deviation) {
    return Math.exp(normal(random, mean, deviation));
  }

  private static double exponential(SplittableRandom random, double mean) {
    return -mean * Math.log(1.0 - random.nextDouble());
  }

  private static double student(SplittableRandom random) {
    double chiSquare = 2.0 * (exponential(random, 1.0) + exponential(random, 1.0)); // of 4
    return random.nextGaussian() / Math.sqrt(chiSquare / 4.0);
  }
}

package io.gauze.source.file;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;

/**
 * Made-up readings of smart meters, with known coefficients. Faulty meters report the top of their
 * range. Repeatable for a seed: these are data, not privacy randomness.
 */
public final class SmartMeters implements Iterator<byte[]> {
  private static final double NOISE = 0.4;
  private static final double FAULTY_READING = 8.0;
  private static final List<String> TARIFFS = List.of("flat", "night", "solar");

  private static final double BASE = 1.2;
  private static final double PER_DEGREE = -0.03;
  private static final double PER_SQUARE_METRE = 0.008;
  private static final double PER_OCCUPANT = 0.15;
  private static final double SINE = 0.2;
  private static final double COSINE = -0.3;
  private static final double WEEKEND = 0.12;
  private static final double NIGHT = -0.1;
  private static final double SOLAR = -0.4;

  private final long rows;
  private final double faultyShare;
  private final SplittableRandom random;
  private final RowWriter writer = new RowWriter();
  private long made;

  /**
   * Creates readings.
   *
   * @param rows the number of readings
   * @param faultyShare the share of readings from faulty meters, in [0, 1]
   */
  public SmartMeters(long rows, double faultyShare, long seed) {
    this.rows = rows;
    this.faultyShare = faultyShare;
    this.random = new SplittableRandom(seed);
  }

  /**
   * The true coefficients of meters that are not faulty, by the encoded names of the demo's schema.
   */
  public static Map<String, Double> truth() {
    Map<String, Double> truth = new LinkedHashMap<>();
    truth.put("(intercept)", BASE);
    truth.put("outdoor_temperature", PER_DEGREE);
    truth.put("floor_area", PER_SQUARE_METRE);
    truth.put("occupants", PER_OCCUPANT);
    truth.put("hour_sin", SINE);
    truth.put("hour_cos", COSINE);
    truth.put("weekend", WEEKEND);
    truth.put("tariff=night", NIGHT);
    truth.put("tariff=solar", SOLAR);
    return truth;
  }

  @Override
  public boolean hasNext() {
    return made < rows;
  }

  @Override
  public byte[] next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    made++;
    double temperature = within(10 + 8 * random.nextGaussian(), -20, 40);
    double area = within(Math.exp(4.6 + 0.4 * random.nextGaussian()), 20, 300);
    double occupants = Math.min(8, 1 + (int) (-1.6 * Math.log(1 - random.nextDouble())));
    double angle = 2 * Math.PI * random.nextInt(24) / 24;
    boolean weekend = random.nextInt(7) < 2;
    int tariff = tariff(random.nextDouble());
    double kwh =
        BASE
            + PER_DEGREE * temperature
            + PER_SQUARE_METRE * area
            + PER_OCCUPANT * occupants
            + SINE * Math.sin(angle)
            + COSINE * Math.cos(angle)
            + (weekend ? WEEKEND : 0)
            + (tariff == 1 ? NIGHT : tariff == 2 ? SOLAR : 0)
            + NOISE * random.nextGaussian();
    boolean faulty = random.nextDouble() < faultyShare;
    return writer
        .begin()
        .number("meter", 1 + random.nextInt(50_000))
        .number("outdoor_temperature", rounded(temperature))
        .number("floor_area", rounded(area))
        .number("occupants", occupants)
        .number("hour_sin", rounded(Math.sin(angle)))
        .number("hour_cos", rounded(Math.cos(angle)))
        .text("day", weekend ? "weekend" : "weekday")
        .text("tariff", TARIFFS.get(tariff))
        .number("kwh", rounded(faulty ? FAULTY_READING : kwh))
        .end();
  }

  private static int tariff(double uniform) {
    return uniform < 0.6 ? 0 : uniform < 0.85 ? 1 : 2;
  }

  private static double within(double value, double lower, double upper) {
    return Math.min(Math.max(value, lower), upper);
  }

  private static double rounded(double value) {
    return Math.rint(value * 1e4) / 1e4;
  }
}

package io.gauze.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * The drawn part of an axis, and its ticks.
 *
 * @param low in the units of the axis
 * @param high above low
 */
record Span(double low, double high, Axis axis) {
  /** A place with a label. */
  record Tick(double value, String label) {}

  private static final double PADDING = 0.04;
  private static final int WANTED_TICKS = 6;
  private static final int MOST_DECADES = 7;
  private static final double LARGE = 1e6;
  private static final double SMALL = 1e-4;

  /** Returns the part that shows all values, or what the axis asks for. */
  static Span of(Axis axis, DoubleStream values) {
    if (axis.scale() == Axis.Scale.CATEGORIES) {
      return new Span(-0.5, axis.categories().size() - 0.5, axis);
    }
    if (axis.range().isPresent()) {
      return new Span(axis.range().get().low(), axis.range().get().high(), axis);
    }
    double[] all = values.toArray();
    double low = DoubleStream.of(all).min().orElseThrow();
    double high = DoubleStream.of(all).max().orElseThrow();
    return axis.scale() == Axis.Scale.LOG ? logarithmic(axis, low, high) : linear(axis, low, high);
  }

  private static Span logarithmic(Axis axis, double low, double high) {
    double padding = Math.max(PADDING * Math.log10(high / low), low == high ? 0.5 : 0.0);
    return new Span(low * Math.pow(10, -padding), high * Math.pow(10, padding), axis);
  }

  private static Span linear(Axis axis, double low, double high) {
    double size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-9 * size) { // labels cannot tell fewer digits apart
      double around = size == 0 ? 1 : 0.5 * size;
      return new Span(low - around, high + around, axis);
    }
    double padding = PADDING * (high - low);
    boolean isFromZero = low >= 0 && low <= 0.25 * high;
    return new Span(isFromZero ? 0 : low - padding, high + padding, axis);
  }

  /** Returns the place of a value, 0 at low and 1 at high; far outside it stays near. */
  double at(double value) {
    double at =
        axis.scale() == Axis.Scale.LOG
            ? Math.log10(value / low) / Math.log10(high / low)
            : (value - low) / (high - low);
    return Math.max(-10, Math.min(11, at));
  }

  private boolean holds(double value) {
    double at = at(value);
    return at > -1e-9 && at < 1 + 1e-9;
  }

  List<Tick> ticks() {
    if (axis.scale() == Axis.Scale.CATEGORIES) {
      List<Tick> ticks = new ArrayList<>();
      for (String name : axis.categories()) {
        ticks.add(new Tick(ticks.size(), name));
      }
      return ticks;
    }
    return axis.scale() == Axis.Scale.LOG && high / low >= 5 ? logTicks() : linearTicks();
  }

  private List<Tick> linearTicks() {
    double rough = (high - low) / WANTED_TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double times = rough / power;
    double step = power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
    List<Tick> ticks = new ArrayList<>();
    double first = Math.ceil(low / step - 1e-9);
    for (int i = 0; holds((first + i) * step); i++) {
      double value = (first + i) * step;
      ticks.add(new Tick(value, label(value, step)));
    }
    return ticks;
  }

  private List<Tick> logTicks() {
    int from = (int) Math.floor(Math.log10(low) - 1e-9);
    int to = (int) Math.ceil(Math.log10(high) + 1e-9);
    int every = Math.max(1, (to - from + MOST_DECADES - 1) / MOST_DECADES);
    int[] times = Math.log10(high / low) < 3.2 ? new int[] {1, 2, 5} : new int[] {1};
    List<Tick> ticks = new ArrayList<>();
    for (int decade = Math.floorDiv(from, every) * every; decade <= to; decade += every) {
      for (int factor : times) {
        double value = factor * Math.pow(10, decade);
        if (holds(value)) {
          ticks.add(new Tick(value, label(value, value)));
        }
      }
    }
    return ticks;
  }

  /** Writes a multiple of a step with as many digits as the step needs. */
  private static String label(double value, double step) {
    double size = Math.abs(value);
    if (size < step / 2) {
      return "0";
    }
    int digit = (int) Math.floor(Math.log10(step) + 1e-9);
    if (size >= LARGE || size < SMALL || step < SMALL) {
      int power = (int) Math.floor(Math.log10(size) + 1e-9);
      int decimals = Math.max(0, power - digit);
      return String.format(
          Locale.ROOT, "%." + decimals + "fe%d", value / Math.pow(10, power), power);
    }
    return String.format(Locale.ROOT, "%,." + Math.max(0, -digit) + "f", value);
  }
}

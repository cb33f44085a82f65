package io.gauze.benchmarks;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The cells of a line about models that are kept up to date, beside the figures of a prototype. */
final class TrackCells {
  /** Their titles. */
  static final String TITLES =
      "mean excess, % | aim | ratio | 2 epochs after the change (aim) | 5 | 10";

  private static final double PERCENT = 100.0;

  /** Which of {@link TrackRows#CHECKPOINTS} are so many epochs after a change. */
  private static final List<Integer> AFTER = List.of(2, 5, 10);

  private static final int FIRST_AFTER = 3;

  private final Aims aims;

  TrackCells() throws IOException {
    this.aims = Aims.of("tracks");
  }

  /**
   * Returns the cells.
   *
   * @param epsilon such as {@code 0.1} or {@code 1}
   * @param excesses of each run at the checkpoints, as shares
   */
  String of(String mechanism, TrackRows.Stream stream, String epsilon, List<double[]> excesses) {
    String budget = Double.toString(Double.parseDouble(epsilon));
    String name = stream.name().toLowerCase(Locale.ROOT).replace('_', '-');
    double mean = median(excesses, each -> Arrays.stream(each).average().orElseThrow());
    StringBuilder cells = new StringBuilder(aims.cells(mean, mechanism, name, budget, "mean"));
    for (int k = 0; k < AFTER.size(); k++) {
      int at = FIRST_AFTER + k;
      String aim = aims.plain(mechanism, name, budget, AFTER.get(k).toString());
      cells.append(" | ");
      if (stream.changesAtOnce()) {
        cells.append(String.format(Locale.ROOT, "%.3g", median(excesses, each -> each[at])));
        cells.append(aim.isEmpty() ? "" : " (" + aim + ")");
      }
    }
    return cells.toString();
  }

  /** The median over runs in percent. */
  static double median(List<double[]> runs, ToDoubleFunction<double[]> of) {
    return PERCENT * MeasuredFits.median(runs.stream().mapToDouble(of).toArray());
  }
}

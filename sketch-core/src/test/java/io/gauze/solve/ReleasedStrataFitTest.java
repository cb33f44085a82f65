package io.gauze.solve;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleasedStrataFitTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "wine_white",
        "wine_red",
        "adult_hours",
        "california",
        "diamonds",
        "flights",
        "flights_schedule"
      })
  void exact(String task) throws IOException {
    LadRows rows = LadRows.of(new ReferenceDesign(task));
    for (int k : new int[] {4, 8, 16}) {
      Fit fit =
          LadRows.fit(
              LadRows.release(rows.spec(k), rows.sums(rows.spec(k), false), 0.0, 0),
              rows.problem());
      System.err.println(
          "MEASURE " + task + " " + k + " " + rows.excess(fit) + " " + fit.convergence());
    }
  }

  @Test
  void privately() throws IOException {
    report("n1e4 d5", LadRows.simulated(10_000, 5, 1));
    report("n1e5 d10", LadRows.simulated(100_000, 10, 1));
    report("california", LadRows.of(new ReferenceDesign("california")));
  }

  private void report(String name, LadRows rows) {
    for (int k : new int[] {2, 4, 6, 8, 12}) {
      long t = System.nanoTime();
      List<Fit> fits = rows.fits(k, 1.0, 24);
      double s = (System.nanoTime() - t) / 24e9;
      System.err.println(
          "MEASURE "
              + name
              + " K "
              + k
              + " sigma "
              + rows.sigma(1)
              + " excess "
              + rows.medianExcess(fits)
              + " predicted "
              + fits.stream().mapToDouble(Fit::predictedExcess).sorted().toArray()[12]
              + " lambda "
              + fits.stream().mapToDouble(Fit::lambda).sorted().toArray()[12]
              + " s "
              + s
              + " "
              + fits.get(0).convergence()
              + fits.get(0).warnings());
    }
  }
}

package io.gauze.demo;

import io.gauze.accounting.Guarantee;
import io.gauze.fit.Term;
import io.gauze.linalg.DoubleVector;
import io.gauze.message.Message;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.CoefficientTable.Interval;
import io.gauze.row.RowSchema;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of the demo.
 *
 * @param rows rows that the job read
 * @param seconds the time of the sketch job, from its submission to its end
 * @param rejected rows that went to the dead letters
 * @param truth the true coefficients, if they are known
 * @param fits the fits, the non-private one first
 * @param alternatives a fit for each mechanism with the whole budget; empty if not asked for
 * @param guarantee the guarantee of all releases together
 * @param files the files of the releases
 * @param schema the columns
 * @param next commands that ask the release something else; empty if it cannot answer
 * @param csv whether the rows are the user's own
 */
record DemoResult(
    long rows,
    long rejected,
    double seconds,
    String response,
    Map<String, Double> truth,
    List<DemoFit> fits,
    List<DemoFit> alternatives,
    Guarantee guarantee,
    List<Path> files,
    RowSchema schema,
    List<String> next,
    boolean csv) {

  /**
   * A fit, which is one column of the table.
   *
   * @param source non-private, or the sketch's name
   * @param standardErrors of the coefficients whose standard error is not withheld
   * @param intervals of 95 %, of the coefficients whose interval is not withheld
   * @param rmse over all rows, in the response's unit; empty if there is no fit
   * @param excessRmse relative to the non-private fit
   * @param guarantee empty for the non-private fit
   */
  record DemoFit(
      String source,
      String loss,
      Map<String, Double> coefficients,
      Map<String, Double> standardErrors,
      Map<String, Interval> intervals,
      Optional<Double> rmse,
      Optional<Double> excessRmse,
      Optional<String> guarantee,
      List<Message> warnings) {}

  /** Returns the intervals of 95 % by their names. */
  static Map<String, Interval> intervals(CoefficientTable table) {
    List<Interval> all = table.intervals(Term.USUAL_LEVEL);
    Map<String, Interval> byName = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      if (!Double.isNaN(all.get(i).lower())) {
        byName.put(table.names().get(i), all.get(i));
      }
    }
    return byName;
  }

  /** Returns numbers by their names, in order. */
  static Map<String, Double> byName(List<String> names, DoubleVector values) {
    Map<String, Double> byName = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      if (!Double.isNaN(values.get(i))) { // a standard error that is withheld
        byName.put(names.get(i), values.get(i));
      }
    }
    return byName;
  }

  /** Returns how many rows are in the sketches. */
  long sketched() {
    return rows - rejected;
  }

  double rowsPerSecond() {
    return rows / seconds;
  }
}

package io.gauze.demo;

import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.message.Message;
import io.gauze.row.RowSchema;
import java.nio.file.Path;
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
 * @param promise what all releases together promise
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
    DemoPromise promise,
    List<Path> files,
    RowSchema schema,
    List<String> next,
    boolean csv) {

  /**
   * A fit, which is one column of the table.
   *
   * @param source non-private, or the sketch's name
   * @param loss none if there is no fit
   * @param terms in the user's units, with intervals of 95 %; empty if there is no fit
   * @param rmse over all rows, in the response's unit; empty if there is no fit
   * @param excessRmse relative to the non-private fit
   * @param guarantee empty for the non-private fit
   */
  record DemoFit(
      String source,
      String loss,
      List<Term> terms,
      Optional<Double> rmse,
      Optional<Double> excessRmse,
      Optional<String> guarantee,
      List<Message> warnings) {
    /**
     * Returns the fit of a release.
     *
     * @param best the RMSE of the non-private fit, if there is one
     */
    static DemoFit of(
        String source, FitReport report, double rmse, Optional<Double> best, String guarantee) {
      return new DemoFit(
          source,
          report.model().lossName(),
          report.terms(),
          Optional.of(rmse),
          best.map(least -> rmse / least - 1),
          Optional.of(guarantee),
          report.messages());
    }

    /** Returns what stands for a fit that there is not. */
    static DemoFit none(String source, String reason, Optional<String> guarantee) {
      return new DemoFit(
          source,
          "none",
          List.of(),
          Optional.empty(),
          Optional.empty(),
          guarantee,
          List.of(new Message("", reason, "")));
    }

    /** Returns a term. */
    Optional<Term> term(String name) {
      return terms.stream().filter(each -> each.name().equals(name)).findFirst();
    }
  }

  /** Returns the fit to look at: that of all sites, or else that of the first release. */
  static DemoFit answer(List<DemoFit> fits, DemoPromise promise) {
    List<DemoFit> ofReleases = fits.stream().filter(fit -> fit.guarantee().isPresent()).toList();
    return ofReleases.get(promise.sites() ? ofReleases.size() - 1 : 0);
  }

  DemoFit answer() {
    return answer(fits, promise);
  }

  /** Returns how many rows are in the sketches. */
  long sketched() {
    return rows - rejected;
  }

  double rowsPerSecond() {
    return rows / seconds;
  }
}

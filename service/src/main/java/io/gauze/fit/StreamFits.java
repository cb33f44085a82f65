package io.gauze.fit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/**
 * The fits of single streams beside the one of their sum: whether the streams tell the same. A
 * coefficient whose distances between streams exceed its standard errors is one that differs.
 *
 * @param streams the names of the streams, at least two
 * @param terms the coefficients of each, in the order of the sum's terms
 */
public record StreamFits(List<String> streams, List<List<Term>> terms) {
  /** A probability of Q below this one speaks against one coefficient for all streams. */
  private static final double UNLIKELY = 0.01;

  public StreamFits {
    streams = List.copyOf(streams);
    terms = List.copyOf(terms);
  }

  /**
   * Cochran's Q (Cochran, The combination of estimates from different experiments, 1954): the sum
   * of squared distances of estimates from their mean weighted by 1 / se^2, over se^2. Where the
   * streams have one coefficient it is about chi-squared distributed.
   *
   * @param q at least 0
   * @param degrees the number of streams with a standard error, less 1
   * @param pValue the probability of a larger Q if there is one coefficient
   */
  public record Heterogeneity(double q, int degrees, double pValue) {}

  static Optional<StreamFits> of(Map<String, List<Term>> each) {
    return each.size() < 2
        ? Optional.empty()
        : Optional.of(new StreamFits(List.copyOf(each.keySet()), List.copyOf(each.values())));
  }

  /** Returns the test of a term; empty if less than two streams have a standard error of it. */
  public Optional<Heterogeneity> heterogeneity(int term) {
    List<Term> known =
        terms.stream().map(all -> all.get(term)).filter(each -> each.stdError() > 0.0).toList();
    if (known.size() < 2) {
      return Optional.empty();
    }
    double weight = 0.0;
    double sum = 0.0;
    for (Term each : known) {
      weight += Math.pow(each.stdError(), -2.0);
      sum += each.estimate() * Math.pow(each.stdError(), -2.0);
    }
    double q = 0.0;
    for (Term each : known) {
      q += Math.pow((each.estimate() - sum / weight) / each.stdError(), 2.0);
    }
    int degrees = known.size() - 1;
    double pValue = ChiSquaredDistribution.of(degrees).survivalProbability(q);
    return Optional.of(new Heterogeneity(q, degrees, pValue));
  }

  /** Returns what the tests say, in a sentence. */
  public String sentence() {
    List<String> apart = new ArrayList<>();
    for (int k = 0; k < terms.get(0).size(); k++) {
      if (heterogeneity(k).filter(test -> test.pValue() < UNLIKELY).isPresent()) {
        apart.add(terms.get(0).get(k).name());
      }
    }
    return apart.isEmpty()
        ? "No coefficient differs between the streams by more than its standard errors (Cochran's Q,"
            + " p below 0.01)."
        : "The streams differ in "
            + String.join(", ", apart)
            + " (Cochran's Q, p below 0.01): the sum is a mean of different coefficients.";
  }

  /** Puts the keys {@code streams} and {@code heterogeneity}. */
  void putTo(ObjectNode top) {
    for (int s = 0; s < streams.size(); s++) {
      ObjectNode one = top.withArrayProperty("streams").addObject().put("stream", streams.get(s));
      ObjectNode estimates = one.putObject("coefficients");
      ObjectNode errors = one.putObject("standardErrors");
      for (Term term : terms.get(s)) {
        estimates.put(term.name(), term.estimate());
        FitJson.putOrNull(errors, term.name(), term.stdError());
      }
    }
    ObjectNode tests = top.putObject("heterogeneity");
    for (int k = 0; k < terms.get(0).size(); k++) {
      ObjectNode test = tests.putObject(terms.get(0).get(k).name());
      heterogeneity(k)
          .ifPresent(
              known ->
                  test.put("q", known.q())
                      .put("degrees", known.degrees())
                      .put("pValue", known.pValue()));
    }
  }

  /** Returns an estimate with its standard error, as a cell of a table. */
  public String cell(int stream, int term) {
    Term each = terms.get(stream).get(term);
    String estimate = String.format(Locale.ROOT, "%.4g", each.estimate());
    return Double.isNaN(each.stdError())
        ? estimate
        : estimate + String.format(Locale.ROOT, " (%.2g)", each.stdError());
  }
}

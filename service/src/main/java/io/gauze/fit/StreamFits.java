package io.gauze.fit;

import com.fasterxml.jackson.databind.JsonNode;
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
 * @param streams at least two
 * @param isDrawn whether a given penalty draws the coefficients of each stream to 0, those of a
 *     small one further: they are then not compared
 */
public record StreamFits(List<StreamFits.One> streams, boolean isDrawn) {
  /**
   * The fit of one stream.
   *
   * @param stream its name
   * @param verdict the word for its predicted excess; why there is no fit, without terms
   * @param terms the coefficients, in the order of the sum's terms; empty if there is no fit
   */
  public record One(String stream, String verdict, List<Term> terms) {
    public One {
      terms = List.copyOf(terms);
    }
  }

  /** A probability of Q below this one speaks against one coefficient for all streams. */
  private static final double UNLIKELY = 0.01;

  public StreamFits {
    streams = List.copyOf(streams);
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

  /** Returns the test of a term; empty if less than two streams have a standard error of it. */
  public Optional<Heterogeneity> heterogeneity(int term) {
    List<Term> known =
        streams.stream()
            .filter(one -> !one.terms().isEmpty())
            .map(one -> one.terms().get(term))
            .filter(each -> each.stdError() > 0.0)
            .toList();
    if (known.size() < 2 || isDrawn) {
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

  /**
   * Returns what the tests say, in a sentence.
   *
   * @param names of the terms
   */
  public String sentence(List<String> names) {
    if (isDrawn) {
      return "The streams are not compared: a given penalty draws small ones to 0 further than large"
          + " ones.";
    }
    List<String> apart = new ArrayList<>();
    int tested = 0;
    for (int k = 0; k < names.size(); k++) {
      Optional<Heterogeneity> test = heterogeneity(k);
      tested += test.isPresent() ? 1 : 0;
      if (test.filter(known -> known.pValue() < UNLIKELY).isPresent()) {
        apart.add(names.get(k));
      }
    }
    if (tested == 0) {
      return "The streams are not compared: less than two have standard errors.";
    }
    return apart.isEmpty()
        ? String.format(
            Locale.ROOT,
            "Of %d coefficients that were compared none differs between the streams by more than its"
                + " standard errors (Cochran's Q, p below 0.01).",
            tested)
        : "The streams differ in "
            + String.join(", ", apart)
            + " (Cochran's Q, p below 0.01): the sum is a mean of different coefficients.";
  }

  /** Puts the keys {@code streams} and {@code heterogeneity}. */
  void putTo(ObjectNode top, List<String> names) {
    for (One each : streams) {
      ObjectNode one = top.withArrayProperty("streams").addObject().put("stream", each.stream());
      one.put("verdict", each.verdict());
      ObjectNode estimates = one.putObject("coefficients");
      ObjectNode errors = one.putObject("standardErrors");
      for (Term term : each.terms()) {
        estimates.put(term.name(), term.estimate());
        FitJson.putOrNull(errors, term.name(), term.stdError());
      }
    }
    ObjectNode tests = top.putObject("heterogeneity");
    for (int k = 0; k < names.size(); k++) {
      ObjectNode test = tests.putObject(names.get(k));
      heterogeneity(k)
          .ifPresent(
              known ->
                  test.put("q", known.q())
                      .put("degrees", known.degrees())
                      .put("pValue", known.pValue()));
    }
  }

  /** Reads what {@link #putTo} has written. */
  static StreamFits read(JsonNode answer) {
    List<One> streams = new ArrayList<>();
    for (JsonNode one : answer.path("streams")) {
      List<Term> terms = new ArrayList<>();
      for (Map.Entry<String, JsonNode> each : one.path("coefficients").properties()) {
        double error = one.path("standardErrors").path(each.getKey()).asDouble(Double.NaN);
        terms.add(Term.estimate(each.getKey(), each.getValue().asDouble(), error));
      }
      streams.add(new One(one.path("stream").asText(), one.path("verdict").asText(), terms));
    }
    boolean isCompared = answer.path("heterogeneity").valueStream().anyMatch(each -> each.has("q"));
    return new StreamFits(streams, !isCompared);
  }

  /** The heads of {@link #cells}. */
  public List<String> heads() {
    List<String> heads = new ArrayList<>(List.of(""));
    streams.forEach(one -> heads.add(one.stream()));
    heads.addAll(List.of("Q", "df", "p"));
    return heads;
  }

  /**
   * Returns a line for the verdicts, and one for each term: its name, the estimate of each stream
   * with its standard error, and the test.
   *
   * @param names of the terms
   */
  public List<List<String>> cells(List<String> names) {
    List<List<String>> lines = new ArrayList<>();
    List<String> verdicts = new ArrayList<>(List.of("predicted excess"));
    streams.forEach(one -> verdicts.add(one.terms().isEmpty() ? "no fit" : one.verdict()));
    verdicts.addAll(List.of("", "", ""));
    lines.add(verdicts);
    for (int k = 0; k < names.size(); k++) {
      List<String> line = new ArrayList<>(List.of(names.get(k)));
      for (One one : streams) {
        line.add(one.terms().isEmpty() ? "-" : cell(one.terms().get(k)));
      }
      Optional<Heterogeneity> test = heterogeneity(k);
      line.add(test.map(known -> shown(known.q())).orElse("-"));
      line.add(test.map(known -> Integer.toString(known.degrees())).orElse("-"));
      line.add(test.map(known -> shown(known.pValue())).orElse("-"));
      lines.add(line);
    }
    return lines;
  }

  private static String shown(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }

  private static String cell(Term term) {
    String estimate = String.format(Locale.ROOT, "%.4g", term.estimate());
    return Double.isNaN(term.stdError())
        ? estimate
        : estimate + String.format(Locale.ROOT, " (%.2g)", term.stdError());
  }
}

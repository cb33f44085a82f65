package io.gauze.report;

import com.fasterxml.jackson.databind.node.NullNode;
import io.gauze.regression.advice.Advisor;
import io.gauze.regression.advice.Advisor.Advice;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Advice on mechanisms for people and programs.
 *
 * @param loss ridge, lad or logistic
 * @param rows the rows of an epoch
 * @param rowBound the row bound for them
 * @param explained the share of the response's variance that features explain
 * @param advice the best first
 */
public record AdviceTable(
    String loss, long rows, double rowBound, double explained, List<Advice> advice) {
  private static final List<String> SIZES =
      List.of("rows", "buckets", "strata", "levels", "samplingBase", "bins", "degreesOfFreedom");

  /** Copies the advice. */
  public AdviceTable {
    advice = List.copyOf(advice);
  }

  /** What a wanted error takes; empty where nothing suffices. */
  public record Needs(OptionalDouble epsilon, OptionalDouble rows) {}

  /**
   * A wanted error.
   *
   * @param error the wanted excess
   * @param label the same for people
   * @param epsilon the given epsilon
   * @param needs what it takes, by mechanism
   */
  public record Wanted(double error, String label, double epsilon, Map<String, Needs> needs) {
    /** Copies the needs. */
    public Wanted {
      needs = Map.copyOf(needs);
    }

    private OptionalDouble epsilon(Advice one) {
      return needs.get(one.mechanism()).epsilon();
    }

    private OptionalDouble rows(Advice one) {
      return needs.get(one.mechanism()).rows();
    }
  }

  /**
   * Returns the report.
   *
   * @param note a remark; may be empty
   */
  public Report report(Optional<Wanted> wanted, String note) {
    Optional<Advice> best = Advisor.recommended(advice);
    Optional<Advice> model = Advisor.model(advice);
    Report report =
        new Report().field("rows", rows).field("loss", loss).field("rowBound", rowBound);
    report.field("explained", explained);
    wanted.ifPresent(value -> report.field("error", value.error()));
    report
        .list("mechanisms", columns(wanted), advice)
        .field("recommended", best.<Object>map(Advice::mechanism).orElse(NullNode.instance))
        .field("reason", recommendation(best))
        .field("model", model.<Object>map(Advice::mechanism).orElse(NullNode.instance))
        .gap()
        .text(recommendation(best));
    model.ifPresent(one -> report.text(alone(one)));
    wanted.ifPresent(value -> best.ifPresent(one -> report.text(takes(value, one))));
    if (!note.isEmpty()) {
      report.field("note", note).text(note);
    }
    return report.gap().text(legend());
  }

  private Columns<Advice> columns(Optional<Wanted> wanted) {
    Columns<Advice> columns =
        Columns.<Advice>create()
            .add("mechanism", "mechanism", Advice::mechanism)
            .field("parameters", one -> new TreeMap<>(one.parameters()))
            .add(
                "predictedExcess",
                "predicted excess",
                one -> json(one.predictedExcess()),
                one -> percent(one.predictedExcess()))
            .add(
                "gainKept",
                "gain kept",
                Advice::gainKept,
                one -> String.format(Locale.ROOT, "%.0f %%", 100.0 * one.gainKept()))
            .add("verdict", "verdict", one -> one.verdict().word())
            .field("usable", Advice::usable);
    wanted.ifPresent(
        value ->
            columns
                .add(
                    "epsilonForError",
                    "epsilon for " + value.label(),
                    one -> json(value.epsilon(one)),
                    one -> number(value.epsilon(one)))
                .add(
                    "rowsForError",
                    "rows for " + value.label(),
                    one -> json(value.rows(one)),
                    one -> count(value.rows(one))));
    return columns.cell("at", one -> sizes(one.parameters())).add("why", "why", Advice::why);
  }

  private static Object json(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : NullNode.instance;
  }

  /** Returns an excess in percent. */
  static String percent(OptionalDouble value) {
    return value.isPresent()
        ? String.format(Locale.ROOT, "%.3g %%", 100.0 * value.getAsDouble())
        : "-";
  }

  private static String number(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.2g", value.getAsDouble()) : "none";
  }

  private static String count(OptionalDouble value) {
    return value.isPresent()
        ? String.format(Locale.ROOT, "%,d", (long) Math.ceil(value.getAsDouble()))
        : "none";
  }

  /**
   * Lists the sizes of a sketch that a config can choose, without the noise that follows from them.
   */
  static String sizes(Map<String, Double> parameters) {
    StringBuilder sizes = new StringBuilder();
    for (String name : SIZES) {
      if (parameters.containsKey(name)) {
        sizes.append(sizes.isEmpty() ? "" : ", ");
        sizes.append(String.format(Locale.ROOT, "%s %d", name, Math.round(parameters.get(name))));
      }
    }
    return sizes.isEmpty() ? "-" : sizes.toString();
  }

  /** Returns a sentence on which mechanism to take. */
  String recommendation(Optional<Advice> best) {
    if (best.isEmpty() && loss.equals("logistic")) {
      return "Log odds are fitted by a model alone, and by no sketch.";
    }
    if (best.isEmpty()) {
      return String.format(
          Locale.ROOT,
          "No fit is expected to be clearly better than a constant, for %s with %s and this"
              + " budget: expect more rows an epoch, take fewer columns or tighter ranges, or spend"
              + " a larger epsilon.",
          loss,
          Figures.rows(rows));
    }
    return String.format(
        Locale.ROOT,
        "Take %s: the least predicted excess for %s%s, %.3g %% (%s), with %.0f %% of the gain kept.",
        best.get().mechanism(),
        loss,
        isLeast(best.get()) ? "" : " of those that answer for every response",
        100.0 * best.get().predictedExcess().orElseThrow(),
        best.get().verdict().word(),
        100.0 * best.get().gainKept());
  }

  private boolean isLeast(Advice best) {
    double excess = best.predictedExcess().orElseThrow();
    return advice.stream()
        .filter(Advice::usable)
        .noneMatch(other -> other.predictedExcess().orElse(excess) < excess);
  }

  private static String alone(Advice model) {
    return String.format(
        Locale.ROOT,
        "If that is the only question, release a model instead: %s, %.3g %% (%s).",
        model.mechanism(),
        100.0 * model.predictedExcess().orElseThrow(),
        model.verdict().word());
  }

  private String takes(Wanted wanted, Advice best) {
    OptionalDouble epsilon = wanted.epsilon(best);
    OptionalDouble needed = wanted.rows(best);
    return String.format(
        Locale.ROOT,
        "A predicted excess of %s takes %s with %s, or %s with epsilon %s.",
        wanted.label(),
        epsilon.isPresent() ? "epsilon " + number(epsilon) : "more than an epsilon of 32",
        Figures.rows(rows),
        needed.isPresent() ? count(needed) + " rows" : "more than any number of rows",
        wanted.epsilon());
  }

  /** Returns what the columns mean. */
  String legend() {
    return String.format(
        Locale.ROOT,
        "Predicted excess: error above that of the fit without privacy. Gain kept: from the best"
            + " constant (0 %%) to the fit without privacy (100 %%). Expects features that explain"
            + " %.3g %% of the variance.",
        100.0 * explained);
  }
}

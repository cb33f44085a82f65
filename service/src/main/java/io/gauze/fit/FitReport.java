package io.gauze.fit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.linalg.DoubleVector;
import io.gauze.message.Message;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.CoefficientTable.Interval;
import io.gauze.regression.Convergence;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitSummary;
import io.gauze.regression.Loss;
import io.gauze.regression.rows.ExactRows;
import io.gauze.row.RowSchema;
import io.gauze.row.UserUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The answer to a question: a fit with intervals of one level, in the user's units or in the
 * encoded scale. Tables, JSON, CSV, pages and plots are all written from it.
 *
 * @param model what was fitted
 * @param rows how many rows were fitted; for a release an estimate, NaN if it is not known
 * @param outlook how good a fit of a release is; empty for a fit of rows
 * @param errors the errors of a fit of rows; empty for a fit of a release
 * @param level the probability of each interval, in (0, 1)
 * @param terms the coefficients in the wanted scale
 * @param effects the change of the response, in its unit (for logistic: of the log odds), over the
 *     public range of each column that explains it; for a category, against the first one
 * @param isCentred whether each interval is around its estimate
 * @param summary what the release says of the fit as a whole, in the wanted scale; empty for rows
 * @param convergence the state of the solver at its end
 * @param guarantee the privacy guarantee of the fit
 * @param messages what to know before the fit is used, the most severe first
 * @param streams the fits of single streams, if the releases of several were added up
 */
public record FitReport(
    Model model,
    double rows,
    Optional<Outlook> outlook,
    Optional<RowErrors> errors,
    double level,
    List<Term> terms,
    List<Term> effects,
    boolean isCentred,
    Optional<FitSummary> summary,
    Convergence convergence,
    ObjectNode guarantee,
    List<Message> messages,
    Optional<StreamFits> streams) {
  /**
   * What was fitted.
   *
   * @param lossName the name of loss and penalty
   * @param lambda the weight of the penalty that was used, in the encoded scale
   * @param userUnits whether the fit is in the user's units
   */
  public record Model(
      String response,
      String lossName,
      Loss loss,
      double lambda,
      double alpha,
      boolean freeIntercept,
      boolean userUnits) {
    static Model of(Fit fit, boolean userUnits) {
      return new Model(
          fit.problem().responseName(),
          fit.loss(),
          fit.problem().loss(),
          fit.lambda(),
          fit.problem().penalty().alpha(),
          fit.problem().penalty().freeIntercept(),
          userUnits);
    }
  }

  /**
   * How good a fit is expected to be.
   *
   * @param excess the predicted excess; NaN if it is not known
   * @param verdict the word for it
   */
  public record Outlook(double excess, String verdict) {}

  /**
   * The errors of a fit of rows, in the unit of the response; the objective in its square (for lad
   * and quantile: in the unit).
   *
   * @param rmse root mean squared residual
   * @param mae mean absolute residual
   */
  public record RowErrors(double objective, double rmse, double mae) {}

  /**
   * How the numbers of a report are shown.
   *
   * @param schema the columns of the rows
   * @param userUnits whether they are in the columns' own units; if not, in the encoded scale
   * @param level the probability of each interval, in (0, 1)
   */
  public record Scale(RowSchema schema, boolean userUnits, double level) {
    private double unit(Fit fit) {
      return userUnits ? UserUnits.of(schema, fit.problem().response()).responseScale() : 1.0;
    }
  }

  /** Copies the lists. */
  public FitReport {
    terms = List.copyOf(terms);
    effects = List.copyOf(effects);
    messages = List.copyOf(messages);
  }

  /** Returns the report of a fit of a release, without rows. */
  static FitReport ofRelease(Fit fit, FitSource source, Scale scale) {
    FitSummary encoded = source.summary(fit);
    FitSummary summary =
        new FitSummary(
            encoded.rows(),
            encoded.rSquared(),
            encoded.residualScale().times(scale.unit(fit)),
            encoded.shortened());
    Outlook outlook = new Outlook(fit.predictedExcess(), source.verdict(fit).word());
    return of(fit, scale, source.guarantee())
        .with(Optional.of(outlook), Optional.empty(), Optional.of(summary))
        .withStreams(ofStreams(fit, source, scale));
  }

  /** Returns the report of a fit of these rows. */
  public static FitReport ofRows(Fit fit, ExactRows rows, Scale scale) {
    double unit = scale.unit(fit);
    double objective = fit.problem().loss().accept(new Objective(rows.objective(fit), unit));
    RowErrors errors = new RowErrors(objective, rows.rmse(fit) * unit, rows.mae(fit) * unit);
    ObjectNode none = JsonNodeFactory.instance.objectNode();
    none.put("private", false);
    none.put("text", "none: the fit comes from the rows themselves and is NOT private");
    return of(fit, scale, none).with(Optional.empty(), Optional.of(errors), Optional.empty());
  }

  private static FitReport of(Fit fit, Scale scale, ObjectNode guarantee) {
    RowSchema schema = scale.schema();
    List<Term> user = terms(fit.inUserUnits(schema), scale.level());
    return new FitReport(
        Model.of(fit, scale.userUnits()),
        fit.rows(),
        Optional.empty(),
        Optional.empty(),
        scale.level(),
        scale.userUnits() ? user : terms(fit.encoded(), scale.level()),
        effects(user, schema),
        fit.sets().isEmpty(),
        Optional.empty(),
        fit.convergence(),
        guarantee,
        fit.warnings(),
        Optional.empty());
  }

  private static Optional<StreamFits> ofStreams(Fit fit, FitSource source, Scale scale) {
    List<StreamFits.One> streams = new ArrayList<>();
    source
        .ofStreams(fit.problem())
        .forEach((stream, outcome) -> streams.add(one(stream, outcome, source, scale)));
    boolean isDrawn = fit.problem().lambda().orElse(0.0) > 0.0;
    return streams.isEmpty() ? Optional.empty() : Optional.of(new StreamFits(streams, isDrawn));
  }

  private static StreamFits.One one(
      String stream, FitOutcome outcome, FitSource source, Scale scale) {
    if (!(outcome instanceof FitOutcome.Fitted fitted)) {
      return new StreamFits.One(stream, ((FitOutcome.Refused) outcome).reason(), List.of());
    }
    Fit fit = fitted.fit();
    return new StreamFits.One(
        stream,
        source.verdict(stream, fit).word(),
        terms(scale.userUnits() ? fit.inUserUnits(scale.schema()) : fit.encoded(), scale.level()));
  }

  /** The names of the terms. */
  public List<String> names() {
    return terms.stream().map(Term::name).toList();
  }

  private FitReport withStreams(Optional<StreamFits> ofStreams) {
    return new FitReport(
        model,
        rows,
        outlook,
        errors,
        level,
        terms,
        effects,
        isCentred,
        summary,
        convergence,
        guarantee,
        messages,
        ofStreams);
  }

  private FitReport with(
      Optional<Outlook> outlooks, Optional<RowErrors> ofRows, Optional<FitSummary> summaries) {
    return new FitReport(
        model,
        rows,
        outlooks,
        ofRows,
        level,
        terms,
        effects,
        isCentred,
        summaries,
        convergence,
        guarantee,
        messages,
        streams);
  }

  /**
   * Returns the terms of a model with intervals.
   *
   * @param level the probability of each interval, in (0, 1)
   */
  public static List<Term> terms(CoefficientTable table, double level) {
    List<Interval> intervals = table.intervals(level);
    DoubleVector statistics = table.statistics();
    return IntStream.range(0, table.names().size())
        .mapToObj(
            k ->
                Term.of(
                    table.names().get(k),
                    table.estimates().get(k),
                    new Term.Errors(
                        table.standardErrors().get(k), table.privacyStandardErrors().get(k)),
                    statistics.get(k),
                    intervals.get(k)))
        .toList();
  }

  /**
   * Returns the effects of terms.
   *
   * @param terms in the user's units
   */
  public static List<Term> effects(List<Term> terms, RowSchema schema) {
    List<String> columns = schema.encodedNames();
    return terms.stream()
        .filter(term -> columns.indexOf(term.name()) > 0)
        .map(
            term -> {
              int column = columns.indexOf(term.name());
              return term.times(schema.upper(column) - schema.lower(column));
            })
        .toList();
  }

  /** An objective in the unit of its loss, for residuals of this unit. */
  private record Objective(double encoded, double unit) implements Loss.Reader<Double> {
    @Override
    public Double squared() {
      return encoded * unit * unit;
    }

    @Override
    public Double quantile(Loss.Quantile quantile) {
      return encoded * unit;
    }

    @Override
    public Double huber(Loss.Huber huber) {
      return encoded * unit * unit;
    }

    @Override
    public Double logistic() {
      return encoded;
    }
  }

  /** Returns a new object with the keys that docs/reference/http.md explains. */
  public ObjectNode json() {
    return FitJson.write(this, true);
  }

  /** Returns a new object as {@link #json}, without intervals, tests, parts of errors, effects. */
  public ObjectNode shortJson() {
    return FitJson.write(this, false);
  }

  /**
   * Returns the report in an answer, as {@link #json} writes it. What an older program does not
   * write is NaN or empty.
   */
  public static FitReport read(JsonNode answer) {
    return FitJson.read(answer);
  }
}

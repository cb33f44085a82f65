package io.gauze.fit;

import io.gauze.internal.Checks;
import io.gauze.message.NearestName;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.RegressionProblem;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * A fit that a user asks for, before the columns of the rows are known. Options of the command line
 * and fields of a request have the same form here.
 *
 * @param response the column to explain
 * @param features the columns that explain it, besides the intercept; empty: all others
 * @param loss the loss of the residuals
 * @param penalty the penalty of the coefficients
 * @param orOther whether least absolute deviations, or then log odds, may be fitted if the input
 *     cannot answer {@code loss}
 * @param userUnits whether the result is in the columns' own units; if not, in the encoded scale
 * @param strict whether a release without signal is refused
 */
public record FitQuestion(
    String response,
    List<String> features,
    Loss loss,
    Penalty penalty,
    boolean orOther,
    boolean userUnits,
    boolean strict) {
  /** The loss of a question that names none. */
  public static final String AUTO = "auto";

  /** Ridge without a penalty. */
  private static final String OLS = "ols";

  /** The loss of labels. */
  private static final String LOGISTIC = "logistic";

  private static final List<String> QUANTILES = List.of("lad", "quantile");

  /** The names of losses. */
  public static final List<String> LOSSES =
      List.of(AUTO, "ridge", OLS, "lasso", "elastic-net", "lad", "quantile", "huber", LOGISTIC);

  /**
   * The largest Huber threshold; 1 / this is the smallest. Residuals are some units at most, so
   * values beyond change nothing.
   */
  public static final double MOST_THRESHOLD = 1e9;

  /** The form in which error messages name the parts of a question. */
  public enum Wording {
    /** Options of a command. */
    OPTIONS,
    /** Fields of a JSON object. */
    FIELDS;

    /** Returns the name of {@code field}, such as huberThreshold or --huber-threshold. */
    public String name(String field) {
      return this == FIELDS
          ? field
          : "--" + field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A question as the user gives it.
   *
   * @param loss one of {@link #LOSSES}
   * @param lambda the weight of the penalty; empty: 0 on rows, chosen from the noise on releases
   * @param alpha in [0, 1]; empty: the default of the loss
   * @param quantile in (0, 1), only for the loss quantile
   * @param huberThreshold positive, only for the loss huber
   */
  public record Parts(
      String response,
      List<String> features,
      String loss,
      Optional<Double> lambda,
      Optional<Double> alpha,
      Optional<Double> quantile,
      Optional<Double> huberThreshold,
      boolean freeIntercept,
      boolean userUnits,
      boolean strict) {
    /**
     * Returns the question, of fit {@link FitQuestion#AUTO}, that explains a column by all others.
     */
    public static Parts byAllOthers(String response, boolean userUnits) {
      return new Parts(
          response,
          List.of(),
          AUTO,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          false,
          userUnits,
          false);
    }
  }

  public FitQuestion {
    Objects.requireNonNull(response, "response");
    features = List.copyOf(features);
    Objects.requireNonNull(loss, "loss");
    Objects.requireNonNull(penalty, "penalty");
  }

  /**
   * Checks and returns a question.
   *
   * @throws IllegalArgumentException if a part is out of range or does not match another part; the
   *     message names it by {@code wording}
   */
  public static FitQuestion of(Parts parts, Wording wording) {
    checkLoss(wording.name("loss"), parts.loss());
    if (parts.features().contains("")) {
      throw new IllegalArgumentException(
          wording.name("features")
              + " must hold no empty name; leave it out to take all columns. Provided value: "
              + (parts.features().size() == 1 ? "nothing" : String.join(",", parts.features())));
    }
    OptionalDouble lambda = lambda(parts, wording);
    double alpha = alpha(parts, wording);
    FitQuestion question =
        new FitQuestion(
            parts.response(),
            parts.features(),
            loss(parts, wording),
            new Penalty(lambda, alpha, parts.freeIntercept()),
            parts.loss().equals(AUTO) && lambda.isEmpty(),
            parts.userUnits(),
            parts.strict());
    parts
        .lambda()
        .ifPresent(value -> checkRange(wording.name("lambda"), value, 0, Penalty.LARGEST));
    parts
        .huberThreshold()
        .ifPresent(
            value ->
                checkRange(
                    wording.name("huberThreshold"), value, 1 / MOST_THRESHOLD, MOST_THRESHOLD));
    return question;
  }

  private static OptionalDouble lambda(Parts parts, Wording wording) {
    boolean none = parts.loss().equals(OLS);
    if (none && parts.lambda().isPresent() && parts.lambda().get() != 0.0) {
      throw new IllegalArgumentException(
          wording.name("lambda")
              + " must be 0 for "
              + wording.name("loss")
              + " ols, which has no penalty; ridge takes any. Provided value: "
              + parts.lambda().get());
    }
    return none
        ? OptionalDouble.of(0.0)
        : parts.lambda().map(OptionalDouble::of).orElse(OptionalDouble.empty());
  }

  /**
   * Checks a range that excludes values near the limits of doubles, where the error of a fit would
   * be 0 or NaN.
   */
  private static void checkRange(String name, double value, double least, double most) {
    Checks.within(name, value, least, most);
  }

  /**
   * Checks the name of a loss.
   *
   * @param what the name of the part in error messages
   * @throws IllegalArgumentException if there is no such loss; the message names the nearest one
   */
  public static void checkLoss(String what, String loss) {
    if (!LOSSES.contains(loss)) {
      throw NearestName.unknown(what, loss, LOSSES);
    }
  }

  private static Loss loss(Parts parts, Wording wording) {
    require("quantile", "quantile", parts.quantile(), parts, wording);
    require("huberThreshold", "huber", parts.huberThreshold(), parts, wording);
    if (parts.loss().equals("lad")) {
      return Loss.ABSOLUTE;
    }
    if (parts.loss().equals(LOGISTIC)) {
      return Loss.LOGISTIC;
    }
    if (parts.quantile().isPresent()) {
      return named(wording.name("quantile"), () -> new Loss.Quantile(parts.quantile().get()));
    }
    return parts.huberThreshold().isPresent()
        ? named(wording.name("huberThreshold"), () -> new Loss.Huber(parts.huberThreshold().get()))
        : Loss.SQUARED;
  }

  private static Loss named(String part, Supplier<Loss> loss) {
    try {
      return loss.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(part + ": " + e.getMessage(), e);
    }
  }

  /** Checks that {@code part} is given exactly if the loss is {@code owner}. */
  private static void require(
      String part, String owner, Optional<Double> value, Parts parts, Wording wording) {
    if (parts.loss().equals(owner) != value.isPresent()) {
      String loss = wording.name("loss");
      throw new IllegalArgumentException(
          value.isPresent()
              ? wording.name(part)
                  + " is for "
                  + loss
                  + " "
                  + owner
                  + ". Provided value: "
                  + loss
                  + " "
                  + parts.loss()
              : loss + " " + owner + " needs " + wording.name(part));
    }
  }

  private Penalty ridge() {
    return new Penalty(penalty.lambda(), 1.0, penalty.freeIntercept());
  }

  private static double alpha(Parts parts, Wording wording) {
    String loss = parts.loss();
    if (QUANTILES.contains(loss) && parts.alpha().isPresent()) {
      throw new IllegalArgumentException(
          wording.name("alpha")
              + " is not for "
              + wording.name("loss")
              + " "
              + loss
              + ", whose penalty is l1 on rows and a ridge on releases. Provided value: "
              + parts.alpha().get());
    }
    boolean free = loss.equals("elastic-net") || loss.equals("huber");
    double fixed = List.of(AUTO, "ridge", OLS, "huber", LOGISTIC).contains(loss) ? 1.0 : 0.0;
    double usual = loss.equals("elastic-net") ? 0.5 : fixed;
    if (!free && parts.alpha().isPresent() && parts.alpha().get() != fixed) {
      throw new IllegalArgumentException(
          wording.name("alpha")
              + " must be "
              + fixed
              + " for "
              + wording.name("loss")
              + " "
              + loss
              + "; elastic-net and huber take any. Provided value: "
              + parts.alpha().get());
    }
    return parts.alpha().orElse(usual);
  }

  /**
   * Checks that rows of this schema have the columns.
   *
   * @throws IllegalArgumentException if one is missing; the message names it by {@code wording},
   *     and the nearest
   */
  public void checkColumns(RowSchema schema, Wording wording) {
    schema.encodedIndex(wording.name("response"), response);
    features.forEach(
        name -> schema.encodedIndexes(wording.name("features"), name, Optional.of(response)));
  }

  /**
   * Returns the regression problem on rows of this schema.
   *
   * @throws IllegalArgumentException if the schema lacks a column, with the nearest one, or if a
   *     column is named twice
   */
  public RegressionProblem problem(RowSchema schema) {
    RegressionProblem problem =
        features.isEmpty()
            ? RegressionProblem.of(schema, response)
            : RegressionProblem.of(schema, response, features);
    return problem.withLoss(loss).withPenalty(penalty).withStrict(strict);
  }

  /**
   * Returns the regression problems on a release, one or three: the first that the release can
   * answer is to be used.
   *
   * @throws IllegalArgumentException as {@link #problem}
   */
  public List<RegressionProblem> problems(RowSchema schema) {
    RegressionProblem given = problem(schema);
    boolean isQuantile = loss instanceof Loss.Quantile;
    RegressionProblem first = isQuantile ? given.withPenalty(ridge()) : given;
    Penalty none = new Penalty(OptionalDouble.empty(), 0.0, penalty.freeIntercept());
    return orOther
        ? List.of(
            first, first.withLoss(Loss.ABSOLUTE).withPenalty(none), first.withLoss(Loss.LOGISTIC))
        : List.of(first);
  }
}

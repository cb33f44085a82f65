package io.gauze.fit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.internal.Checks;
import io.gauze.message.NearestName;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.RegressionProblem;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/**
 * A fit that a user asks for, before the columns of the rows are known: what options of the command
 * line, parameters of a query and requests are read into. Questions of one meaning are equal.
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

  private static final List<String> FREE_ALPHA = List.of("elastic-net", "huber");
  private static final List<String> QUANTILES = List.of("lad", "quantile");

  /** The names of losses. */
  public static final List<String> LOSSES =
      List.of(AUTO, "ridge", OLS, "lasso", "elastic-net", "lad", "quantile", "huber", LOGISTIC);

  /**
   * The largest Huber threshold; 1 / this is the smallest. Residuals are some units at most, so
   * values beyond change nothing.
   */
  public static final double MOST_THRESHOLD = 1e9;

  public FitQuestion {
    Objects.requireNonNull(response, "response");
    features = List.copyOf(features);
    Objects.requireNonNull(loss, "loss");
    Objects.requireNonNull(penalty, "penalty");
  }

  /** Returns the question, of fit {@link #AUTO}, that explains a column by all others. */
  public static FitQuestion byAllOthers(String response) {
    return new FitQuestion(response, List.of(), Loss.SQUARED, Penalty.AUTO, true, true, false);
  }

  /** Returns the same question for a result in the encoded scale. */
  public FitQuestion inEncodedScale() {
    return new FitQuestion(response, features, loss, penalty, orOther, false, strict);
  }

  /**
   * Reads and checks a question. The fields are those of {@link #json}.
   *
   * @throws IllegalArgumentException if a field is wrong or does not match another one; the message
   *     names it
   */
  public static FitQuestion of(QuestionFields fields) {
    String scale = fields.text("scale").orElse("user");
    if (!scale.equals("user") && !scale.equals("encoded")) {
      throw new IllegalArgumentException(
          fields.name("scale") + " must be user or encoded. Provided value: " + scale);
    }
    String response =
        fields
            .text("response")
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the field response is missing: the column to explain"));
    List<String> features = fields.names("features");
    String loss = fields.text("loss").orElse(AUTO);
    checkLoss(fields.name("loss"), loss);
    if (features.contains("")) {
      throw new IllegalArgumentException(
          fields.name("features")
              + " must hold no empty name; leave it out to take all columns. Provided value: "
              + (features.size() == 1 ? "nothing" : String.join(",", features)));
    }
    OptionalDouble lambda = lambda(loss, fields);
    double alpha = alpha(loss, fields);
    FitQuestion question =
        new FitQuestion(
            response,
            features,
            loss(loss, fields),
            new Penalty(lambda, alpha, fields.flag("freeIntercept")),
            loss.equals(AUTO) && lambda.isEmpty(),
            scale.equals("user"),
            fields.flag("strict"));
    checkRange("lambda", fields, 0, Penalty.LARGEST);
    checkRange("huberThreshold", fields, 1 / MOST_THRESHOLD, MOST_THRESHOLD);
    return question;
  }

  private static OptionalDouble lambda(String loss, QuestionFields fields) {
    Optional<Double> lambda = fields.number("lambda");
    boolean none = loss.equals(OLS);
    if (none && lambda.isPresent() && lambda.get() != 0.0) {
      throw new IllegalArgumentException(
          fields.name("lambda")
              + " must be 0 for "
              + fields.name("loss")
              + " ols, which has no penalty; ridge takes any. Provided value: "
              + lambda.get());
    }
    return none
        ? OptionalDouble.of(0.0)
        : lambda.map(OptionalDouble::of).orElse(OptionalDouble.empty());
  }

  /**
   * Checks a range that excludes values near the limits of doubles, where the error of a fit would
   * be 0 or NaN.
   */
  private static void checkRange(String field, QuestionFields fields, double least, double most) {
    fields.number(field).ifPresent(value -> Checks.within(fields.name(field), value, least, most));
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

  private static Loss loss(String loss, QuestionFields fields) {
    require("quantile", "quantile", loss, fields);
    require("huberThreshold", "huber", loss, fields);
    return switch (loss) {
      case "lad" -> Loss.ABSOLUTE;
      case LOGISTIC -> Loss.LOGISTIC;
      case "quantile" -> parametrized("quantile", fields, Loss.Quantile::new);
      case "huber" -> parametrized("huberThreshold", fields, Loss.Huber::new);
      default -> Loss.SQUARED;
    };
  }

  private static Loss parametrized(String field, QuestionFields fields, DoubleFunction<Loss> loss) {
    try {
      return loss.apply(fields.number(field).orElseThrow());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(fields.name(field) + ": " + e.getMessage(), e);
    }
  }

  /** Checks that {@code field} is given exactly if the loss is {@code owner}. */
  private static void require(String field, String owner, String loss, QuestionFields fields) {
    if (loss.equals(owner) != fields.number(field).isPresent()) {
      String name = fields.name("loss");
      throw new IllegalArgumentException(
          loss.equals(owner)
              ? name + " " + owner + " needs " + fields.name(field)
              : fields.name(field)
                  + " is for "
                  + name
                  + " "
                  + owner
                  + ". Provided value: "
                  + name
                  + " "
                  + loss);
    }
  }

  private Penalty ridge() {
    return new Penalty(penalty.lambda(), 1.0, penalty.freeIntercept());
  }

  private static double alpha(String loss, QuestionFields fields) {
    Optional<Double> alpha = fields.number("alpha");
    if (QUANTILES.contains(loss) && alpha.isPresent()) {
      throw new IllegalArgumentException(
          fields.name("alpha")
              + " is not for "
              + fields.name("loss")
              + " "
              + loss
              + ", whose penalty is l1 on rows and a ridge on releases. Provided value: "
              + alpha.get());
    }
    boolean free = FREE_ALPHA.contains(loss);
    double fixed = List.of(AUTO, "ridge", OLS, "huber", LOGISTIC).contains(loss) ? 1.0 : 0.0;
    double usual = loss.equals("elastic-net") ? 0.5 : fixed;
    if (!free && alpha.isPresent() && alpha.get() != fixed) {
      throw new IllegalArgumentException(
          fields.name("alpha")
              + " must be "
              + fixed
              + " for "
              + fields.name("loss")
              + " "
              + loss
              + "; elastic-net and huber take any. Provided value: "
              + alpha.get());
    }
    return alpha.orElse(usual);
  }

  /**
   * Checks that rows of this schema have the columns.
   *
   * @param fields name the fields in messages
   * @throws IllegalArgumentException if one is missing; the message names it and the nearest
   */
  public void checkColumns(RowSchema schema, QuestionFields fields) {
    schema.encodedIndex(fields.name("response"), response);
    features.forEach(
        name -> schema.encodedIndexes(fields.name("features"), name, Optional.of(response)));
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

  /** The name of the loss; {@link #AUTO} if others may be fitted. */
  public String lossName() {
    return orOther ? AUTO : RegressionProblem.lossName(loss, penalty);
  }

  /** Returns a new object with the fields of a request, from which this question can be read. */
  public ObjectNode json() {
    ObjectNode top = JsonNodeFactory.instance.objectNode().put("response", response);
    if (!features.isEmpty()) {
      features.forEach(top.putArray("features")::add);
    }
    top.put("loss", lossName());
    penalty.lambda().ifPresent(value -> top.put("lambda", value));
    if (FREE_ALPHA.contains(lossName())) {
      top.put("alpha", penalty.alpha());
    }
    if (!loss.equals(Loss.ABSOLUTE)) {
      loss.accept(new LossParameter(top));
    }
    top.put("freeIntercept", penalty.freeIntercept()).put("strict", strict);
    return top.put("scale", userUnits ? "user" : "encoded");
  }
}

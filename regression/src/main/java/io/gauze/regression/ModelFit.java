package io.gauze.regression;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.model.PublishedTrack;
import io.gauze.payload.FittedLoss;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The answer of a released model: its coefficients, where it was made for the question. It has no
 * standard errors and no number of rows, since none of the budget paid for them.
 */
final class ModelFit {
  private static final double NEAR = 1e-6;
  private static final double PERCENT = 100.0;

  private final ReleasedModel input;
  private final RegressionProblem problem;

  private ModelFit(ReleasedModel input, RegressionProblem problem) {
    this.input = input;
    this.problem = problem;
    problem.columns(input.dimension()); // checks them
  }

  static FitOutcome of(ReleasedModel input, RegressionProblem problem) {
    ModelFit fit = new ModelFit(input, problem);
    Optional<String> refusal =
        fit.wrongResponse().or(fit::wrongFeatures).or(fit::wrongLoss).or(fit::penalty);
    return refusal.isPresent()
        ? new FitOutcome.Refused(refusal.get())
        : new FitOutcome.Fitted(fit.fit());
  }

  private Optional<String> wrongResponse() {
    int response = input.model().response();
    return problem.response() == response
        ? Optional.empty()
        : Optional.of(
            "the release holds one model, of the response "
                + problem.names().get(response)
                + "; ask for that one, or release noisy-moments");
  }

  private Optional<String> wrongFeatures() {
    if (problem.features().containsAll(input.model().features())) {
      return Optional.empty();
    }
    String features =
        input.model().features().stream()
            .filter(feature -> feature != 0)
            .map(problem.names()::get)
            .collect(Collectors.joining(", "));
    return Optional.of(
        "the release holds one model, of the features "
            + features
            + ", whose coefficients hold for all of them together; ask for these");
  }

  private Optional<String> wrongLoss() {
    FittedLoss fitted = input.model().loss();
    boolean isHuber = fitted.kind() == FittedLoss.Kind.HUBER;
    boolean fits =
        problem
            .loss()
            .accept(
                new Loss.Reader<Boolean>() {
                  @Override
                  public Boolean squared() {
                    return fitted.isSquared();
                  }

                  @Override
                  public Boolean quantile(Loss.Quantile quantile) {
                    return isHuber && near(quantile.tau(), fitted.quantile());
                  }

                  @Override
                  public Boolean huber(Loss.Huber huber) {
                    return isHuber
                        && near(huber.threshold(), fitted.threshold())
                        && fitted.quantile() == 0.5;
                  }

                  @Override
                  public Boolean logistic() {
                    return fitted.isLogistic();
                  }
                });
    return fits ? Optional.empty() : Optional.of("the release holds one model, " + loss());
  }

  private static boolean near(double asked, double fitted) {
    return Math.abs(asked - fitted) <= NEAR * fitted;
  }

  private String loss() {
    FittedLoss fitted = input.model().loss();
    if (fitted.isSquared()) {
      return "of least squares; ask for the loss ridge";
    }
    if (fitted.isLogistic()) {
      return "of the log odds of " + label() + "; ask for the loss logistic";
    }
    String threshold =
        String.format(
            Locale.ROOT,
            "Huber's loss with the threshold %.4g (%.4g in the encoded scale)",
            fitted.threshold() * input.responseUnit(),
            fitted.threshold());
    return fitted.quantile() == 0.5
        ? "of " + threshold + "; ask for the loss lad"
        : "of the quantile " + fitted.quantile() + "; ask for that quantile";
  }

  /** What the log odds are of. */
  private String label() {
    return problem.responseName() + " above " + input.responseMiddle();
  }

  private Optional<String> penalty() {
    return problem.lambda().isPresent() && problem.lambda().getAsDouble() > 0.0
        ? Optional.of(
            "the release holds one model, whose penalty was chosen before the fit; leave lambda out")
        : Optional.empty();
  }

  private Fit fit() {
    int size = problem.features().size();
    double[] coefficients = new double[size];
    for (int k = 0; k < size; k++) {
      int index = input.model().features().indexOf(problem.features().get(k));
      coefficients[k] = index < 0 ? 0.0 : input.coefficients().get(index);
    }
    SymmetricMatrix none =
        SymmetricMatrix.ofUpperTriangle(size, new double[SymmetricMatrix.length(size)]);
    return new Fit(
            problem,
            input.intercept(),
            DoubleVector.of(coefficients),
            none,
            none,
            ridge(),
            Double.NaN,
            rows(),
            input.expected().likely(),
            Convergence.DIRECT,
            warnings())
        .withWithheld(IntStream.range(0, size).boxed().collect(Collectors.toSet()));
  }

  private double ridge() {
    return input.tracked().map(PublishedTrack::ridge).orElse(input.model().ridge());
  }

  private double rows() {
    return input.tracked().map(model -> Math.max(0.0, (double) model.count())).orElse(Double.NaN);
  }

  private String notReleased() {
    if (input.tracked().isEmpty()) {
      return "a released model has no standard errors and no number of rows, since none of the budget"
          + " paid for them; the predicted excess takes the expected rows for their number";
    }
    long before = input.tracked().get().epochsBefore();
    return String.format(
        Locale.ROOT,
        "a released model has no standard errors, since none of the budget paid for them; the number"
            + " of rows is that of its epoch, with noise; %s",
        before == 0
            ? "it is the first of its series, or made before an earlier one was published"
            : "it begins with the model of " + before + " epochs before");
  }

  private Optional<String> uncertain() {
    ExcessRange expected = input.expected();
    return expected.most() > expected.likely()
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "the predicted excess is a guess, since a model does not tell how much features depend"
                    + " on each other: %.2g %% if they do not and residuals are well behaved, %.2g %% if"
                    + " they do and residuals are not",
                PERCENT * expected.least(),
                PERCENT * expected.most()))
        : Optional.empty();
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    warnings.add(notReleased());
    uncertain().ifPresent(warnings::add);
    if (input.model().loss().isLogistic()) {
      warnings.add(
          "the coefficients are log odds of "
              + label()
              + ", and the predicted excess is that of the mean logistic loss");
    }
    TreeSet<Integer> others = new TreeSet<>(problem.features());
    input.model().features().forEach(others::remove);
    if (!others.isEmpty()) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "the model was made without %d of the features, whose coefficients are 0: %s",
              others.size(),
              others.stream().map(problem.names()::get).collect(Collectors.joining(", "))));
    }
    return warnings;
  }
}

package io.gauze.regression.model;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.model.track.PublishedTrack;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import io.gauze.regression.Convergence;
import io.gauze.regression.ExcessRange;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.RegressionProblem;
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

  private Message notReleased() {
    if (input.tracked().isEmpty()) {
      return FitMessage.MODEL.of(", and no number of rows");
    }
    long before = input.tracked().get().epochsBefore();
    return FitMessage.MODEL.of(
        before == 0
            ? "; it is the first of its series, or no earlier one was published"
            : "; it begins with the model of " + before + " epochs before");
  }

  private Optional<Message> uncertain() {
    ExcessRange expected = input.expected();
    return expected.most() > expected.likely()
        ? Optional.of(
            FitMessage.RANGE.of(
                PERCENT * expected.least(),
                PERCENT * expected.most(),
                input.model().origin() instanceof FitMethod.Steps
                    ? "noise hides what shortened rows and hidden directions cost"
                    : "a model does not tell how features depend"))
        : Optional.empty();
  }

  private List<Message> warnings() {
    List<Message> warnings = new ArrayList<>();
    warnings.add(notReleased());
    uncertain().ifPresent(warnings::add);
    if (input.model().loss().isLogistic()) {
      warnings.add(FitMessage.ODDS.of(label()));
    }
    TreeSet<Integer> others = new TreeSet<>(problem.features());
    input.model().features().forEach(others::remove);
    if (!others.isEmpty()) {
      warnings.add(
          FitMessage.LACKS.of(
              others.size(),
              others.stream().map(problem.names()::get).collect(Collectors.joining(", "))));
    }
    return warnings;
  }
}

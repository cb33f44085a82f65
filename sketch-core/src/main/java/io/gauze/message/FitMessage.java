package io.gauze.message;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What to know of a fit or a prediction, the most severe first. */
public enum FitMessage implements Entry {
  EMPTY(
      Severity.USELESS,
      "The release holds no signal above its noise: it measures %.4g, and noise alone reaches"
          + " %.4g.",
      "Do not use the coefficients, which are drawn to 0. Merge epochs, make them longer, or"
          + " raise epsilon.",
      "Nothing in the release stands out of its noise: it is empty or nearly so. The fit is the"
          + " typical value of the response, whatever the row, or hardly more. Neither its error"
          + " nor the predicted excess is known. With strict, such a release is refused instead."),
  VAIN(
      Severity.USELESS,
      "Noise would cost more than the features explain: the fit is a constant, and standard"
          + " errors are withheld.",
      "Fit fewer features, make epochs longer, or raise epsilon.",
      "The error of a fit with slopes is expected to be larger than that of the best constant. So"
          + " all coefficients but the intercept are 0."),
  ERROR(
      Severity.USELESS,
      "The error is expected to be %.0f %% above that of the fit without privacy.",
      "Do not predict with it. Fit fewer features, merge epochs, or raise epsilon.",
      "The predicted excess is above 50 %. It is that of the RMSE for the squared loss, and of"
          + " the mean loss for others."),
  SUMS(
      Severity.USELESS,
      "Noise in the sums of rows is %.3g, their residuals are %.3g: expect a loss at least %.0f"
          + " %% above the best.",
      "Release stratified-moments instead, or raise epsilon.",
      "The mechanism multilevel-l1 publishes sums of rows with noise. Where noise is as large as"
          + " the residuals of such a sum, the fit tells little. The best is the fit without"
          + " privacy."),
  SHORTENED(
      Severity.BIASED,
      "Shortening long rows took off %s %.1f %% (deviation %.1f %%) of the rows' weight.",
      "Raise %4$s, or read estimates as those of rows in which long ones count for less.",
      "Rows far from the others are shortened, so that noise can be small. What they"
          + " lose is counted with noise, and assumed where noise hides long rows; a named"
          + " response at its bound counts as its range's end. Errors and predictions are"
          + " those of shortened rows, so the verdict is not good. Above 10 % there are no"
          + " standard errors."),
  UNCOUNTED(
      Severity.BIASED,
      "Noise hides how much of the rows' weight shortening took off: it may be more than 2 %%.",
      "Merge more rows, make epochs longer, or spend a larger epsilon.",
      "Rows that are far from the others are shortened, so that noise can be small. How much of"
          + " their weight is lost is measured with noise. Within two standard deviations of"
          + " that noise it may be above 2 %, so a fit of whole rows may be another one,"
          + " and the verdict is not good."),
  CLAMPED(
      Severity.BIASED,
      "Many values of %s lie near the %s end of its range, %s, or were clamped there.",
      "If there are values %4$s it, give the column a wider range in a new stream. If hardly any,"
          + " all is well.",
      "A value outside of the range of its column is moved to the nearer end, and coefficients are"
          + " off if many are. The release shows that many values are near an end, not whether they"
          + " were moved there: a column that is skewed toward that end looks alike. Take the range"
          + " from public knowledge, not from the rows."
          + " [Details](guide/results.md#values-near-the-end-of-a-range)."),
  LONG(
      Severity.BIASED,
      "The release does not tell how much shortening took off long rows, which may be most of the"
          + " error.",
      "In a new stream, take a mechanism that counts it (noisy-moments), or raise rowBound.",
      "Rows longer than rowBound are shortened. If they are many, or if they decide the fit, slopes,"
          + " the number of rows and the residual scale come out too small, and no standard error"
          + " or interval shows it. So the verdict is not good. [More](accuracy.md#intervals)."),
  NORMAL(
      Severity.BIASED,
      "Moments answer %s as if residuals were normal, and standard errors are withheld.",
      "If residuals are skewed or have long tails, release stratified-moments or residual-strata.",
      "Moments do not tell where residuals change their sign. The slopes are those of least"
          + " squares, and the intercept is shifted for a quantile. If residuals are skewed, have"
          + " long tails, or vary with the features, the excess is larger than predicted."),
  STRATUM(
      Severity.BIASED,
      "Rows of a stratum are taken for normal: with skewed columns, excess and intervals can be"
          + " off.",
      "If columns are skewed, release residual-strata of %s.",
      "A stratum is a range of the response. Within one, rows are taken to be normal. Where"
          + " columns are skewed, the real excess can be several percent, and intervals can miss."
          + " Strata of the residual have less of that."),
  PILE(
      Severity.BIASED,
      "Some %.0f %% of the responses seem to share one value, and strata do not show where:"
          + " errors are withheld.",
      "If half of them or more do, predict that value. Else fit the other rows apart, in a stream"
          + " of their own.",
      "Many responses have nearly the same value, such as 0, which strata do not resolve. Without a"
          + " lambda, the fit is [drawn to that value](accuracy.md#piles) as far as seems best; a"
          + " fit with your lambda passes by it. The predicted excess contains a guess of what that"
          + " costs, and standard errors are withheld."),
  LACKS(
      Severity.BIASED,
      "The model was made without %d of the features, whose coefficients are 0: %s.",
      "Fit the features of the model alone, or release a model with these features.",
      "A released model has coefficients of the features in its config, and of no others."),
  AXIS(
      Severity.BIASED,
      "The strata are those of %s, not of %s, and tell little of where its residuals change sign.",
      "Expect more error than with strata of %2$s; release those to answer this question well.",
      "Expect a loss between that of least squares and that of a fit on strata of this response."),
  BINS(
      Severity.BIASED,
      "Rows are taken for the middles of their bins, and no standard error contains what that"
          + " changes.",
      "Release more bins if values are spread unevenly within a bin.",
      "A histogram counts the rows of a cell. Where rows are in it is not known, so they are"
          + " taken for its middle. The predicted excess contains what is expected of that."),
  CELLS(
      Severity.BIASED,
      "Quantiles of few cells seldom move with their counts, so standard errors are too small.",
      "Do not read the intervals. Release stratified-moments for quantiles.",
      "A quantile of a histogram stays in its cell until the counts change much. Fresh noise then"
          + " hardly moves it, although the middle of the cell is not the quantile."),
  LEVELS(
      Severity.BIASED,
      "Noise exceeds the residuals in %d of %d levels: without these, the fit is no more robust"
          + " than least squares.",
      "Raise epsilon, or release stratified-moments.",
      "The mechanism multilevel-l1 samples rows at several rates, its levels. Those with few rows"
          + " in a sum make the fit robust, and are lost to noise first."),
  SHRUNK(
      Severity.BIASED,
      "Noise exceeds signal in %d of %d directions of the features: coefficients there are too"
          + " small.",
      "Fit fewer features, raise epsilon, or release stratified-moments.",
      "Noise in features draws coefficients toward 0. The fit on sums of rows corrects that where"
          + " the signal is larger than the noise. A direction is a combination of features."),
  FEW(
      Severity.UNCERTAIN,
      "Too little data for %d of %d coefficients: noise hides them, and they are mostly the %s.",
      "Fit fewer features, merge epochs, raise epsilon, or set typical and spread, or narrower"
          + " column ranges.",
      "Noise exceeds signal in so many directions, each a combination of features. Coefficients"
          + " there are mostly the penalty. Predict for usual rows only, and do not read single"
          + " coefficients. Typical values and spreads in the config help, and so do narrower"
          + " ranges. Standard errors guess what a ridge leaves out, or are withheld."),
  WEAK(
      Severity.UNCERTAIN,
      "Noise hides a combination of features, mostly %s: intervals of 95 %% and more are"
          + " withheld.",
      "Fit without them, merge epochs, or raise epsilon. Do not take two standard errors for an"
          + " interval.",
      "The release cannot rule out that this combination moves [every"
          + " coefficient](accuracy.md#intervals). So no interval of this level is bounded."
          + " Predictions for usual rows are as good as the predicted excess says."),
  HIDDEN(
      Severity.UNCERTAIN,
      "%d of %d coefficients have no standard error, since noise hides what the ridge takes from"
          + " them: %s.",
      "Do not read these coefficients. Fit fewer features, merge epochs, or raise epsilon.",
      "The release does not bound what the penalty leaves out of these coefficients."),
  GUESS(
      Severity.UNCERTAIN,
      "%d of %d standard errors are mostly a guess of what noise hides: %s.",
      "Do not build on these coefficients; the others are as good as ever.",
      "Noise and ridge hide these coefficients. They are taken for no larger than all others"
          + " together."),
  SCALE(
      Severity.UNCERTAIN,
      "Noise hides the residual variance: the predicted excess is rough, and can be far too low.",
      "Merge epochs, or raise epsilon, before you rely on the predicted excess.",
      "What the features do not explain is smaller than the noise, so that its size is not known."
          + " The predicted excess is relative to it."),
  ROWS(
      Severity.UNCERTAIN,
      "Noise hides the number of rows: it is %.4g, give or take %.4g.",
      "Merge epochs, make them longer, or raise epsilon.",
      "The number of rows is estimated from the release, too, with noise."),
  CHOICE(
      Severity.UNCERTAIN,
      "The l1 penalty kept %d of %d coefficients beside the intercept; standard errors are"
          + " withheld.",
      "Use the loss ridge if you need standard errors.",
      "Single coefficients have no standard errors, since another release of the same rows can"
          + " keep others."),
  SQUARE(
      Severity.UNCERTAIN,
      "ada-ssp does not release the square of the response: excess, errors and intervals are"
          + " withheld.",
      "Release noisy-moments to have them.",
      "The error of a fit cannot be told without that square."),
  TAILS(
      Severity.UNCERTAIN,
      "Strata hardly show the tails of this quantile: the excess is rough, and standard errors"
          + " are withheld.",
      "Release the mechanism quantile for it.",
      "The quantile depends on few rows at one end of the response, where strata are wide."),
  MASS(
      Severity.UNCERTAIN,
      "Noise hides whether many responses have nearly one value, so standard errors are withheld.",
      "Make epochs longer, or raise epsilon.",
      "Intervals of least absolute deviations would be wrong if a quarter of the responses or"
          + " more had nearly one value."),
  STRATA(
      Severity.UNCERTAIN,
      "Strata add nothing but noise here: the slopes are those of least squares on all of them"
          + " together.",
      "Make epochs longer, or raise epsilon, if you need slopes of this loss.",
      "The noise of each stratum is larger than what it tells beyond their sum."),
  MODEL(
      Severity.UNCERTAIN,
      "A released model has no standard errors%s.",
      "Release noisy-moments beside it if you need them.",
      "None of the budget paid for standard errors. The number of rows is that of the epoch, with"
          + " noise, if the model has one. If not, the predicted excess takes the expected rows for"
          + " it. A model of a series begins with an earlier one, if there is one that was"
          + " published before."),
  RANGE(
      Severity.UNCERTAIN,
      "The predicted excess is a guess, from %.2g %% to %.2g %%: %s.",
      "Count on the larger number.",
      "The smaller number holds if features do not depend on each other and residuals are well"
          + " behaved, the larger one if they do and residuals are not. Of models in steps the"
          + " larger one holds if all that was cut off pulled one way; where noise hides a"
          + " direction of the rows, it is that of the best constant."),
  OPEN(
      Severity.UNCERTAIN,
      "Rows leave %d of %d directions open; features have no standard errors, as they depend"
          + " linearly: %s.",
      "Drop some of these features, or give a penalty.",
      "Each of these features is a sum of multiples of others, in all rows. So their coefficients"
          + " are not determined, and standard errors are withheld."),
  GAP(
      Severity.UNCERTAIN,
      "The search ended after %d steps, and the loss may be above its minimum by a share of %.1e.",
      "Drop features that depend on each other nearly linearly, and give columns a similar size.",
      "The minimum is not proved. A larger threshold helps with Huber's loss."),
  SHORT(
      Severity.UNCERTAIN,
      "There are no more rows than features, and standard errors are withheld.",
      "Fit fewer features, or more rows.",
      "With so few rows a fit can pass through all of them, and tells nothing of its error."),
  KEPT(
      Severity.NOTE,
      "The l1 penalty kept %d of %d coefficients beside the intercept; standard errors take that"
          + " as given.",
      "Do not read the standard errors as those of the choice.",
      "Standard errors leave out that other rows could keep other coefficients, and the pull of"
          + " the penalty."),
  PULLED(
      Severity.NOTE,
      "Your lambda draws coefficients to 0: standard errors and intervals leave out its pull.",
      "Leave lambda out for the usual standard errors, or read them as those of a fit with this"
          + " penalty.",
      "Standard errors, intervals and p-values are those of the coefficients with this penalty."),
  SELECTED(
      Severity.NOTE,
      "%d of %d features were not selected: their coefficients are 0 and have no standard errors.",
      "Compare with noisy-moments; the other standard errors take the selection for given.",
      "The mechanism select-fit chooses features with a part of its budget. The predicted excess"
          + " guesses what the others would explain."),
  ODDS(
      Severity.NOTE,
      "Coefficients are log odds of %s, and the predicted excess is that of the logistic loss.",
      "Read exp(coefficient) as an odds ratio; predict gives probabilities.",
      "A coefficient is the change of the log odds of the label when its column grows by 1, all"
          + " else equal.");

  /** What to know of noise, which an empty release says already. */
  private static final Set<String> NOISE =
      Stream.of(VAIN, ERROR, SUMS, FEW, WEAK, HIDDEN, GUESS, SCALE, ROWS, MASS, STRATA)
          .map(FitMessage::code)
          .collect(Collectors.toUnmodifiableSet());

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts
  private final Text text;

  FitMessage(Severity severity, String message, String action, String explanation) {
    this.text = new Text(severity, message, action, explanation);
  }

  @Override
  public Text text() {
    return text;
  }

  /**
   * Returns each message once, the most severe first, those of other programs last. Of a release
   * without signal nothing else is said of its noise.
   */
  public static List<Message> ordered(List<Message> messages) {
    boolean isEmpty = messages.stream().anyMatch(message -> message.is(EMPTY));
    return messages.stream()
        .distinct()
        .filter(message -> !(isEmpty && NOISE.contains(message.code())))
        .sorted(Comparator.comparingInt(FitMessage::rank))
        .toList();
  }

  private static int rank(Message message) {
    return Arrays.stream(values())
        .filter(message::is)
        .findFirst()
        .map(FitMessage::ordinal)
        .orElse(Integer.MAX_VALUE);
  }
}

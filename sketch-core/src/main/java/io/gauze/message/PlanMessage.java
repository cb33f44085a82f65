package io.gauze.message;

/** What to know of a stream before it runs: its columns, its budget and its sketches. */
public enum PlanMessage implements Entry {
  DELTA(
      Severity.RISK,
      "Delta %s is above one over expectedRows, %,d, which allows whole rows to be published.",
      "Take %3$s or less: at most a hundredth of one over the rows of all epochs.",
      "With probability delta a mechanism may publish anything. A mechanism that publishes each row"
          + " with probability delta keeps that promise, and would publish one row of an epoch or"
          + " more."),
  ALIKE(
      Severity.UNCERTAIN,
      "Columns %s and %s of field %s depend on each other: a fit of both has no unique answer.",
      "Leave one of them out.",
      "The config alone shows it, whatever the rows are: one column is a sum of multiples of"
          + " others."),
  SKEWED(
      Severity.BIASED,
      "Columns with a long tail on one side: %s. Few rows decide fits of them, and are shortened most.",
      "Send the logarithm of a cost, a price or an income in its place.",
      "The typical value is less than 2.25 spreads from one end of the range, and more than 7 from"
          + " the other. The config alone shows it, whatever the rows are. If the tail is only in"
          + " the range and not in the rows, narrow the range."),
  DROWNED(
      Severity.USELESS,
      "Sketch %s: noise is likely to hide the signal of %s, which is %.3g and should be at least"
          + " %.3g.",
      "Take %5$s.",
      "The signal of a cell of a histogram is its number of rows. Elsewhere it is the number of"
          + " rows times their mean square, as expectedRows and the columns of the config let"
          + " expect. What it should be follows from the noise. With less, a fit is of little use."
          + " `gauze advise` predicts the error of a fit."),
  ALLCHOSEN(
      Severity.NOTE,
      "Sketch %s: all %d columns beside the response are selected, which costs budget and gains"
          + " nothing.",
      "Set a smaller selected, or take the mechanism noisy-moments.",
      "The mechanism select-fit pays for its choice of columns. Where there is nothing to choose,"
          + " noisy-moments has less noise."),
  RARE(
      Severity.BIASED,
      "Sketch %s: values shared by fewer than %,.0f rows (%.3g %%) may be outside of the estimated"
          + " range.",
      "Take more rows an epoch, %4$s, or fewer columns of unknown range.",
      "A range is chosen from noisy counts of cells. A cell of fewer rows does not stand out of the"
          + " noise, so the range may cut it off, and its values are clamped."),
  ENTRYWISE(
      Severity.UNCERTAIN,
      "Sketch %s: its noise has a deviation of %.3g in each of %d entries; noisy-moments needs far"
          + " less.",
      "Take noisy-moments, unless delta must be nearly 0.",
      "The mechanism functional keeps a promise without delta. Its noise grows with the number of"
          + " entries, since a row can change each of them."),
  FEWSUMS(
      Severity.USELESS,
      "Sketch %s: fits are likely to be useless: a sum of %.3g rows has noise %.3g, and residuals"
          + " %.3g.",
      "Take stratified-moments.",
      "The mechanism multilevel-l1 is of use where the noise of a sum is at most a quarter of its"
          + " residuals, and where a sum has at most 100 rows."),
  REPLACED(
      Severity.NOTE,
      "Sketch %s: under replace-one it has about sqrt 2 times the noise of noisy-moments.",
      "Take noisy-moments, or neighbours: add-remove.",
      "The mechanism wishart accounts for a replaced row as for one that is removed and one that is"
          + " added."),
  STATE(
      Severity.RISK,
      "The noise of cumulative releases grows to %,d MB of state, which every checkpoint carries.",
      "Give workers and checkpoints that room, or take fewer buckets, strata, groups or releases.",
      "The noise of a cumulative release depends on the random draws of all before it, so the state"
          + " keeps them. The size is that of all groups together.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts
  private final Text text;

  PlanMessage(Severity severity, String message, String action, String explanation) {
    this.text = new Text(severity, message, action, explanation);
  }

  @Override
  public Text text() {
    return text;
  }
}

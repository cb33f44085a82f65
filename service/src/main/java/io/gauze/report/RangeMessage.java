package io.gauze.report;

import io.gauze.message.Entry;
import io.gauze.message.Severity;

/** What to know of column ranges that are estimated. */
public enum RangeMessage implements Entry {
  NORANGE(
      Severity.REFUSED,
      "No count of column %s stands out of the noise, so no range can be chosen.",
      "Give lower and upper if they are public; or more rows, more epsilon or privacy.rangeShare.",
      "A range is chosen from noisy counts of cells. Fewer columns with `range: estimate` leave"
          + " each of them more budget. A stream counts the next epoch; a config with another"
          + " budget, other columns or other ranges is another stream, and needs another name and"
          + " room in privacy.totalBudget."),
  OTHERSIZE(
      Severity.REFUSED,
      "With the chosen ranges a sketch has another size, and so another cost, than was planned.",
      "Write the ranges into the config of a stream of its own.",
      "The budget is divided before there are ranges. A sketch whose size follows from them may"
          + " cost more than its part."),
  GRIDEND(
      Severity.BIASED,
      "Column %s: its range reaches 1e12 in size, the largest one; values beyond are clamped.",
      "Send it in a larger unit.",
      "Ranges are chosen among the cells of a grid with four cells for each power of ten. It ends"
          + " at 1e12 in size."),
  ABOUTZERO(
      Severity.BIASED,
      "Column %s: only values near 0 stand out of the noise, so all others are clamped.",
      "Give lower and upper, or send it in a smaller unit.",
      "The grid has one cell for all values nearer to 0 than 1e-6. If nearly all rows are in it, no"
          + " other cell is visible."),
  FARFROMZERO(
      Severity.UNCERTAIN,
      "Column %s: its values may differ little for their size, which makes the range far too wide.",
      "Give lower and upper, or send the difference from a public value.",
      "The cells of the grid grow with the values. Values such as years lie in one or two cells,"
          + " whose range is far wider than they are. A wide range costs accuracy.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts
  private final Text text;

  RangeMessage(Severity severity, String message, String action, String explanation) {
    this.text = new Text(severity, message, action, explanation);
  }

  @Override
  public Text text() {
    return text;
  }
}

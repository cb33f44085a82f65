package io.gauze.ledger;

import io.gauze.message.Entry;
import io.gauze.message.Severity;

/** Why the privacy account of a topic of rows refuses a stream. */
public enum AccountMessage implements Entry {
  OVERDRAWN(
      Severity.REFUSED,
      "The privacy account of topic %s would be overdrawn: epsilon %s is above its limit of %s.",
      "Raise privacy.totalBudget of stream %4$s; or read the releases that exist, at no cost.",
      "All streams of one topic of rows have one account, the ledger. Its limit is the total budget"
          + " of this stream's config, and the account would spend more. New rows in another topic"
          + " have an account of their own."),
  PROMISED(
      Severity.REFUSED,
      "The privacy account of topic %s would spend epsilon %s, and releases promised at most %s.",
      "Ask for less in stream %4$s; or read the releases that exist, at no cost; or take new rows.",
      "All streams of one topic of rows have one account, the ledger. A release promises the"
          + " privacy.totalBudget that its config had, which cannot be raised afterwards. New rows"
          + " in another topic have an account of their own."),
  SNAPSHOTS(
      Severity.REFUSED,
      "Stream %s has no snapshot left: those in the ledger have spent its epsilon of %s.",
      "Start a new series under another stream name, if privacy.totalBudget has room for it.",
      "All snapshots of a series share its budget. Those that exist can be read at no cost. New"
          + " rows in another topic have an account of their own."),
  OTHERUNIT(
      Severity.REFUSED,
      "The privacy account of topic %s has another unit or other neighbours than stream %s.",
      "Use the unit and neighbours of those releases; or read them, at no cost; or take new rows.",
      "A guarantee for rows and one for users do not add up, nor do users by different fields, or"
          + " different `privacy.neighbours`. No limit could be kept. New rows in another topic"
          + " have an account of their own."),
  TESTNOISE(
      Severity.REFUSED,
      "Stream %s would be NOT PRIVATE (test randomness), and topic %s has private releases.",
      "Test on rows of another topic.",
      "One release without proper noise would break the limit of the private ones."),
  NOTPRIVATE(
      Severity.REFUSED,
      "Topic %s has releases that are NOT PRIVATE (test randomness), so no limit can be kept.",
      "Sketch new rows, in a topic of their own.",
      "Releases with test randomness can reveal the rows, whatever private ones add.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts
  private final Text text;

  AccountMessage(Severity severity, String message, String action, String explanation) {
    this.text = new Text(severity, message, action, explanation);
  }

  @Override
  public Text text() {
    return text;
  }
}

package io.gauze.topic;

import io.gauze.message.Entry;
import io.gauze.message.Severity;

/** What to know of the topics that a stream uses. */
public enum TopicMessage implements Entry {
  FORGETS(
      Severity.RISK,
      "Topic %s: %s is %s, so releases are lost after that, and none can be made again.",
      "Set it to -1, which keeps them.",
      "The topic of releases deletes records by age or size. A release that is gone stays charged."
          + " Readers who need it later must have a copy."),
  COPIES(
      Severity.RISK,
      "Topic %s can lose records with a broker: releases, or the account of the spent budget.",
      "Give it three replicas, min.insync.replicas 2 and unclean.leader.election.enable false.",
      "A topic keeps its records through the loss of a broker if a second broker must have each of"
          + " them, and none that lacks some may take over. If the ledger loses entries, the budget"
          + " of the same rows can be spent again.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts
  private final Text text;

  TopicMessage(Severity severity, String message, String action, String explanation) {
    this.text = new Text(severity, message, action, explanation);
  }

  @Override
  public Text text() {
    return text;
  }
}

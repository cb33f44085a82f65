package io.gauze.message;

/** How much a message takes from a result, the most first. */
public enum Severity {
  /** The program stops, or a request is refused. */
  REFUSED("Refused", "What was asked for is not done, and nothing more is published."),
  /** The program goes on, but with less protection than one may expect. */
  RISK("At risk", "The program goes on, but something may be lost, or be weaker than expected."),
  /** The release tells little or nothing of the question. */
  USELESS("Little use", "The release tells little or nothing of the question."),
  /** Numbers can be off by more than their standard errors say. */
  BIASED("Numbers can be off", "Numbers can be off by more than their standard errors say."),
  /** Numbers are withheld, or are rough. */
  UNCERTAIN("Less is known", "Numbers are withheld or rough; those that are given hold."),
  /** What is given holds; this says how to read it, or how to do better. */
  NOTE("Good to know", "What is given holds. This says how to read it, or how to do better.");

  private final String title;
  private final String meaning;

  Severity(String title, String meaning) {
    this.title = title;
    this.meaning = meaning;
  }

  /** Returns a heading. */
  public String title() {
    return title;
  }

  /** Returns what the messages of this severity have in common, as a sentence. */
  public String meaning() {
    return meaning;
  }
}

package io.gauze.report;

import io.gauze.message.Entry;
import io.gauze.message.Severity;
import java.util.Map;

/** The kinds of problems that the service, and SQL, answer with. */
public enum ServiceMessage implements Entry {
  REQUEST(
      Severity.REFUSED,
      "The request has a part that is unknown, missing or wrong.",
      "Correct the part that the field detail names.",
      "`detail` names the parameter or field, what is allowed, and what was given."),
  COLUMN(
      Severity.REFUSED,
      "The release has no such column, or the column cannot be used like this.",
      "Take one of the columns that the field detail names.",
      "`/v1/releases/ID/header` lists the columns of a release."),
  TOKEN(
      Severity.REFUSED,
      "The token is missing, or is not that of this service.",
      "Send the header Authorization: Bearer TOKEN, with the token of this service.",
      "Whoever runs the service has its token. The answer does not tell whether one was close."),
  NOTHERE(
      Severity.REFUSED,
      "There is no such resource, or it is turned off.",
      "Take one of the paths that GET /v1 lists.",
      "`detail` names the nearest path, or the option that turns the resource on."),
  NORELEASE(
      Severity.REFUSED,
      "There is no such release.",
      "Take one of those that GET /v1/releases lists; a release appears when its epoch is over.",
      "`detail` names the nearest id."),
  METHOD(
      Severity.REFUSED,
      "The resource does not take this method.",
      "Use a method that the header Allow names.",
      "Most resources take GET; questions with many rows or parameters also POST."),
  FORMAT(
      Severity.REFUSED,
      "The resource does not have the format that is asked for.",
      "Ask for one that the field detail names, with the parameter format or the header Accept.",
      "[HTTP](reference/http.md) lists the formats of each resource."),
  CONTESTED(
      Severity.REFUSED,
      "The topic has two different releases with this id, and neither is given.",
      "Tell whoever runs the sketch job, and take another release.",
      "Two jobs ran, or somebody else wrote to the topic. The runbook has more."),
  TIMEOUT(
      Severity.REFUSED,
      "The request was not complete in time.",
      "Send it again, with the whole body at once.",
      "A slow client must not hold up others."),
  TOOLARGE(
      Severity.REFUSED,
      "The body, or the path with the headers, is too large.",
      "Ask in parts: fewer rows, releases or features at once.",
      "`detail` has the limit, if there is one number."),
  UNANSWERABLE(
      Severity.REFUSED,
      "The releases cannot answer this question.",
      "Ask another question of them, or take other releases: the field detail says which.",
      "For instance: releases that do not add up, a loss that a mechanism does not fit, or more"
          + " work than one request may ask for."),
  BUSY(
      Severity.REFUSED,
      "The service cannot answer this now.",
      "Ask again, after the seconds of the header Retry-After if there is one.",
      "Too many questions wait, a topic cannot be read now, or the service ends."),
  DAMAGED(
      Severity.REFUSED,
      "All records of this release are unreadable.",
      "Take another release, and tell whoever runs the topic.",
      "The bytes are not those of a release, or of a version that this program does not know."),
  FAULT(
      Severity.REFUSED,
      "The service failed on this request, which is a fault of the service.",
      "Tell whoever runs it, whose log says more; another request may work.",
      "Nothing of the request is in the answer.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts
  private final Text text;

  ServiceMessage(Severity severity, String message, String action, String explanation) {
    this.text = new Text(severity, message, action, explanation);
  }

  private static final Map<String, ServiceMessage> OF_CODES =
      Map.ofEntries(
          Map.entry("bad-request", REQUEST),
          Map.entry("bad-column", COLUMN),
          Map.entry("unauthorized", TOKEN),
          Map.entry("not-found", NOTHERE),
          Map.entry("unknown-release", NORELEASE),
          Map.entry("method-not-allowed", METHOD),
          Map.entry("not-acceptable", FORMAT),
          Map.entry("contested-release", CONTESTED),
          Map.entry("timeout", TIMEOUT),
          Map.entry("too-large", TOOLARGE),
          Map.entry("refused", UNANSWERABLE),
          Map.entry("busy", BUSY),
          Map.entry("damaged-release", DAMAGED),
          Map.entry("internal", FAULT));

  /**
   * Returns the entry of a problem.
   *
   * @param code of the problem document
   */
  public static ServiceMessage of(String code) {
    return OF_CODES.get(code);
  }

  @Override
  public Text text() {
    return text;
  }
}

package io.gauze.stream;

import io.gauze.kafka.RowRecord;
import io.gauze.ledger.ChargedRelease;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import java.util.Collection;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Thrown if going on would reveal more than the guarantee allows. Flink ends the job without a
 * restart. The message says what to do.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class PrivacyConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private PrivacyConflictException(String message) {
    super(message);
  }

  private static PrivacyConflictException of(Message message) {
    return new PrivacyConflictException(message.line());
  }

  /** Reports that the ledger holds release {@code id} with another body. */
  public static PrivacyConflictException anotherBody(String id, SketchJobSettings settings) {
    return of(JobMessage.BODY.of(settings.topics().ledger()).with("It is " + id + "."));
  }

  /** Reports that the rows of an epoch would be in counts of ranges and in a sketch. */
  public static PrivacyConflictException countedTwice(
      ReleaseId next, ReleaseId other, SketchJobSettings settings) {
    return of(
        JobMessage.COUNTED
            .of(settings.topics().ledger())
            .with("Not sent: " + next + ". In the ledger: " + other + "."));
  }

  /** Reports that cumulative releases are published whose noise is not in the state. */
  public static PrivacyConflictException lostSeries(SketchJobSettings settings) {
    return of(JobMessage.SERIES.of(settings.topics().ledger(), settings.plan().stream()));
  }

  /**
   * Reports that the log may have lost rows of the next release which no state holds.
   *
   * @param reason the whole message
   */
  public static PrivacyConflictException lostRows(String reason) {
    return new PrivacyConflictException(reason);
  }

  /** Reports that all cumulative releases are published. */
  public static PrivacyConflictException completeSeries(SketchJobSettings settings) {
    return of(
        JobMessage.COMPLETE.of(
            settings.topics().ledger(),
            settings.plan().request().releases().epochs(),
            settings.plan().stream()));
  }

  /** Reports that the noise of a cumulative series was drawn from another law than the plan's. */
  public static PrivacyConflictException anotherLaw(SketchJobSettings settings) {
    return of(JobMessage.LAW.of(settings.plan().stream()));
  }

  /**
   * Reports that the state of a cumulative series contradicts itself.
   *
   * @param reason what the state lacks, or how it differs
   */
  public static PrivacyConflictException brokenSeries(SketchJobSettings settings, String reason) {
    return of(
        JobMessage.BROKENSERIES
            .of(settings.plan().stream())
            .with("What is wrong: " + reason + "."));
  }

  /** Reports that the ledger holds a release of this stream that was made under another config. */
  public static PrivacyConflictException anotherSeries(
      ChargedRelease entry, SketchJobSettings settings) {
    return of(
        JobMessage.CONFIG
            .of(settings.topics().ledger())
            .with(
                "It is "
                    + entry.id()
                    + ". Spent: epsilon "
                    + entry.guarantee().epsilon()
                    + "; asked: "
                    + settings.plan().budget().epsilon()
                    + " more"
                    + ChangedKeys.of(entry, settings)
                    + ". Ranges, the row bound and places of fields count, too."));
  }

  /**
   * Reports releases of the stream that its ledger lacks.
   *
   * @param lacking how many, and an example
   */
  public static PrivacyConflictException lostLedger(String lacking, SketchJobSettings settings) {
    return of(lacking(settings.plan().stream(), lacking, settings));
  }

  /** Reports releases of another stream of the same rows that was charged in the same ledger. */
  public static PrivacyConflictException cutLedger(
      String stream, String lacking, SketchJobSettings settings) {
    return of(lacking(stream, lacking, settings));
  }

  private static Message lacking(String stream, String lacking, SketchJobSettings settings) {
    return JobMessage.LEDGER
        .of(settings.topics().ledger(), stream, settings.topics().releases())
        .with("It lacks " + lacking + ".");
  }

  /** Reports a ledger without any entry beside releases of other streams. */
  public static PrivacyConflictException emptyLedger(
      Collection<String> streams, SketchJobSettings settings) {
    return of(
        JobMessage.NOLEDGER
            .of(settings.topics().ledger(), settings.topics().releases())
            .with("They are of " + String.join(", ", streams) + "."));
  }

  /** Reports a body that is not the one that was charged. */
  public static PrivacyConflictException twoBodies(ReleaseId id, SketchJobSettings settings) {
    return of(
        JobMessage.TWOBODIES
            .of(settings.topics().releases(), settings.topics().ledger())
            .with("It is " + id + "."));
  }

  /** Reports that a ledger cannot be made again, since releases were deleted. */
  public static PrivacyConflictException lostReleases(
      int partition, long begin, SketchJobSettings settings) {
    return of(JobMessage.LOSTRELEASES.of(partition, settings.topics().releases(), begin));
  }

  /** Reports a release of the stream that these settings would not make. */
  public static PrivacyConflictException otherRelease(ReleaseId id, SketchJobSettings settings) {
    return of(JobMessage.OTHERRELEASE.of(settings.topics().releases()).with("It is " + id + "."));
  }

  /** Reports that a topic was made anew while the job ran. */
  public static PrivacyConflictException replacedTopics(SketchJobSettings settings) {
    return of(
        JobMessage.ANEW.of(
            settings.topics().rows(), settings.topics().ledger(), settings.plan().stream()));
  }

  /** Reports that the ledger holds a release of this stream of the rows of another topic. */
  public static PrivacyConflictException anotherAccount(
      ChargedRelease entry, SketchJobSettings settings) {
    return of(
        JobMessage.ACCOUNT
            .of(settings.topics().ledger(), entry.terms().account(), settings.topics().rows())
            .with("It is " + entry.id() + "."));
  }

  /**
   * Reports that the account of the rows refuses a release.
   *
   * @param refusal why, and what to do
   */
  public static PrivacyConflictException refused(Message refusal, String ledgerTopic) {
    String seen = "The ledger is topic " + ledgerTopic + "; gauze ledger shows it.";
    return of(refusal.with((refusal.details() + " " + seen).strip()));
  }

  /** Reports that the log of the rows begins anew while their sums are in the state. */
  public static PrivacyConflictException readAgain(
      SketchJobSettings settings, RowRecord record, long next) {
    return of(
        JobMessage.READAGAIN.of(
            record.partition(), settings.topics().rows(), next, record.offset()));
  }

  /** Reports that the topics of the restored state were replaced by others of the same names. */
  public static PrivacyConflictException otherTopics(SketchJobSettings settings) {
    return of(
        JobMessage.OTHERTOPICS.of(
            settings.plan().stream(), settings.topics().rows(), settings.topics().ledger()));
  }

  /** Reports that the restored state was made under another config. */
  public static PrivacyConflictException anotherState(String stream) {
    return of(JobMessage.OTHERSTATE.of(stream));
  }
}

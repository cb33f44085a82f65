package io.gauze.stream;

import io.gauze.kafka.RowRecord;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.ReleaseId;
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

  private static final String NEW_SERIES =
      "If that is lost, the series cannot go on: start a new one under another stream name, if"
          + " privacy.totalBudget leaves room.";

  private static final String AFRESH =
      "If they are lost, start without a savepoint or checkpoint, which skips the epochs of the"
          + " ledger. If the ledger is lost, too, choose new topics for new rows.";

  private PrivacyConflictException(String message) {
    super(message);
  }

  /** Reports that the ledger holds release {@code id} with another body. */
  public static PrivacyConflictException anotherBody(String id, SketchJobSettings settings) {
    return new PrivacyConflictException(
        "release "
            + id
            + " is in the ledger (topic "
            + settings.topics().ledger()
            + ") with another body, so this job sends nothing: two sums of one epoch reveal too"
            + " much. Restore the job from its newest checkpoint or savepoint"
            + (settings.isCumulative()
                ? ". " + NEW_SERIES
                : "; or start without one, which skips the epochs of the ledger."));
  }

  /** Reports that the rows of an epoch would be in counts of ranges and in a sketch. */
  public static PrivacyConflictException countedTwice(
      ReleaseId next, ReleaseId other, SketchJobSettings settings) {
    return new PrivacyConflictException(
        "release "
            + next
            + " is not sent, since the ledger (topic "
            + settings.topics().ledger()
            + ") holds "
            + other
            + " of the same rows: rows that are counted for ranges must be in no other release."
            + " Start afresh, without a savepoint or checkpoint: the job then begins after the"
            + " epochs that are counted.");
  }

  /** Reports that cumulative releases are published whose noise is not in the state. */
  public static PrivacyConflictException lostSeries(SketchJobSettings settings) {
    return new PrivacyConflictException(
        "the ledger (topic "
            + settings.topics().ledger()
            + ") holds cumulative releases of stream "
            + settings.plan().stream()
            + ", and this job's state lacks their sums and their noise. Restore the job from its"
            + " newest checkpoint or savepoint. "
            + NEW_SERIES);
  }

  /** Reports that the log may have lost rows of the next release which no state holds. */
  public static PrivacyConflictException lostRows(SketchJobSettings settings, String gap) {
    return new PrivacyConflictException(
        gap
            + ", and which of them hangs on other rows, against which no noise is made. Restore the"
            + " job of stream "
            + settings.plan().stream()
            + " from its newest checkpoint or savepoint; or set a later epochs.from, "
            + (settings.keepsTable()
                ? "with a topic that still holds the last change of every key."
                : "from when on the log holds all rows."));
  }

  /** Reports that all cumulative releases are published. */
  public static PrivacyConflictException completeSeries(SketchJobSettings settings) {
    return new PrivacyConflictException(
        "the ledger (topic "
            + settings.topics().ledger()
            + ") holds all "
            + settings.plan().request().releases().epochs()
            + " cumulative releases of stream "
            + settings.plan().stream()
            + ", so its series is complete. Begin a new one under another stream name, if"
            + " privacy.totalBudget leaves room; or restore the newest savepoint, which sends those"
            + " that gauze ledger calls spent.");
  }

  /** Reports that the noise of a cumulative series was drawn from another law than the plan's. */
  public static PrivacyConflictException anotherLaw(SketchJobSettings settings) {
    return new PrivacyConflictException(
        "the restored state of stream "
            + settings.plan().stream()
            + " has noise of another law than this config has: another number of releases, or"
            + " another width. Restore it with the version and config that it was made with.");
  }

  /** Reports that open epochs have noise of another width than their releases would state. */
  public static PrivacyConflictException otherWidth(SketchJobSettings settings) {
    return new PrivacyConflictException(
        "the restored state of stream "
            + settings.plan().stream()
            + " has noise of another width than this config has, so open epochs would be released"
            + " under a wrong guarantee. Restore it with the version and config that it was made"
            + " with; or start without state.");
  }

  /**
   * Reports that a restored state lacks the first stage of a release, which is still to come and of
   * which models of later epochs would be made.
   */
  public static PrivacyConflictException lackingStage(ReleaseId id, SketchJobSettings settings) {
    return new PrivacyConflictException(
        "the restored state lacks the first stage of release "
            + id
            + ": it was made with fewer modelEpochs, or by an older version. Run stream "
            + settings.plan().stream()
            + " as it was until that release is published, or start without a savepoint or"
            + " checkpoint.");
  }

  /**
   * Reports that the state of a cumulative series contradicts itself.
   *
   * @param reason what the state lacks, or how it differs
   */
  public static PrivacyConflictException brokenSeries(SketchJobSettings settings, String reason) {
    return new PrivacyConflictException(
        "the state of stream "
            + settings.plan().stream()
            + " does not hold what the cumulative releases so far have left: "
            + reason
            + ". Restore the job from its newest checkpoint or savepoint that is whole, with its"
            + " version and config. "
            + NEW_SERIES);
  }

  /** Reports that the ledger holds a release of this stream that was made under another config. */
  public static PrivacyConflictException anotherSeries(
      LedgerEntry entry, SketchJobSettings settings) {
    return new PrivacyConflictException(
        holds(entry, settings)
            + ", which was made under other columns, ranges, row bound, budget, sketches, epochs or"
            + " places of fields, or by a version that plans other noise"
            + ChangedKeys.of(entry, settings)
            + ": spent epsilon "
            + entry.guarantee().epsilon()
            + ", asked "
            + settings.plan().budget().epsilon()
            + " more, and one stream name has one config. Go on with the config of those releases;"
            + " or choose another stream name, for other rows or within a privacy.totalBudget that"
            + " covers both streams.");
  }

  /**
   * Reports releases of the stream that its ledger lacks.
   *
   * @param lacking how many, and an example
   */
  public static PrivacyConflictException lostLedger(String lacking, SketchJobSettings settings) {
    return new PrivacyConflictException(
        ledgerLacks(settings.plan().stream(), lacking, settings)
            + ". The ledger is another one or has lost entries. Enter them again with gauze ledger"
            + " --rebuild and the config that made them; or take another stream name and new"
            + " rows.");
  }

  /** Reports releases of another stream of the same rows that was charged in the same ledger. */
  public static PrivacyConflictException cutLedger(
      String stream, String lacking, SketchJobSettings settings) {
    return new PrivacyConflictException(
        ledgerLacks(stream, lacking, settings)
            + ". It has lost entries of topic "
            + settings.topics().rows()
            + ". Enter them again with gauze ledger --rebuild, with the config of stream "
            + stream
            + ".");
  }

  private static String ledgerLacks(String stream, String lacking, SketchJobSettings settings) {
    return "the ledger (topic "
        + settings.topics().ledger()
        + ") lacks releases of stream "
        + stream
        + " that are in topic "
        + settings.topics().releases()
        + ": "
        + lacking;
  }

  /** Reports a ledger without any entry beside releases of other streams. */
  public static PrivacyConflictException emptyLedger(
      Collection<String> streams, SketchJobSettings settings) {
    return new PrivacyConflictException(
        "the ledger (topic "
            + settings.topics().ledger()
            + ") is empty, and topic "
            + settings.topics().releases()
            + " has releases of other streams ("
            + String.join(", ", streams)
            + "), so entries may be lost. Enter them with gauze ledger --rebuild, with the config"
            + " of each of these streams; or, if they have another ledger, give this stream another"
            + " kafka.releases.topic.");
  }

  /** Reports a body that is not the one that was charged. */
  public static PrivacyConflictException twoBodies(ReleaseId id, SketchJobSettings settings) {
    return new PrivacyConflictException(
        "topic "
            + settings.topics().releases()
            + " has a body of release "
            + id
            + " that is not the one in the ledger (topic "
            + settings.topics().ledger()
            + "), so two sums of one epoch are out. Count the budget of its rows as spent twice,"
            + " and find out who wrote it; take another stream name and new rows.");
  }

  /** Reports that a ledger cannot be made again, since releases were deleted. */
  public static PrivacyConflictException lostReleases(
      int partition, long begin, SketchJobSettings settings) {
    return new PrivacyConflictException(
        "partition "
            + partition
            + " of topic "
            + settings.topics().releases()
            + " has lost its records before offset "
            + begin
            + ", so a ledger that is made from it would lack them. Restore both topics from their"
            + " backup; or take another stream name and new rows.");
  }

  /** Reports a release of the stream that these settings would not make. */
  public static PrivacyConflictException otherRelease(ReleaseId id, SketchJobSettings settings) {
    return new PrivacyConflictException(
        "release "
            + id
            + " in topic "
            + settings.topics().releases()
            + " was not made with this config: it has other columns, ranges, budget, unit or"
            + " sketches. Rebuild the ledger with the config that made it; or take another stream"
            + " name and new rows.");
  }

  /** Reports that a topic was made anew while the job ran. */
  public static PrivacyConflictException replacedTopics(SketchJobSettings settings) {
    return new PrivacyConflictException(
        "topic "
            + settings.topics().rows()
            + " or "
            + settings.topics().ledger()
            + " was made anew since the job of stream "
            + settings.plan().stream()
            + " started, so what was spent may be lost. Start the job again: a start compares the"
            + " ledger with the releases.");
  }

  private static String holds(LedgerEntry entry, SketchJobSettings settings) {
    return "the ledger (topic " + settings.topics().ledger() + ") holds " + entry.id();
  }

  /** Reports that the ledger holds a release of this stream of the rows of another topic. */
  public static PrivacyConflictException anotherAccount(
      LedgerEntry entry, SketchJobSettings settings) {
    return new PrivacyConflictException(
        holds(entry, settings)
            + ", which is of the rows of topic "
            + entry.terms().account()
            + ", and kafka.rows.topic is "
            + settings.topics().rows()
            + ": one stream name has one topic of rows, since its releases would have the same ids."
            + " Name that topic, or choose another stream name.");
  }

  /**
   * Reports that the account of the rows refuses a release.
   *
   * @param reason why, and what to do
   */
  public static PrivacyConflictException refused(String reason, String ledgerTopic) {
    return new PrivacyConflictException(
        reason
            + " This job publishes nothing more; gauze ledger shows what is in the ledger (topic "
            + ledgerTopic
            + ").");
  }

  /** Reports that the log of the rows begins anew while their sums are in the state. */
  public static PrivacyConflictException readAgain(
      SketchJobSettings settings, RowRecord record, long next) {
    return new PrivacyConflictException(
        "partition "
            + record.partition()
            + " of the topic of rows, "
            + settings.topics().rows()
            + ", was read up to offset "
            + next
            + ", and now gives offset "
            + record.offset()
            + ": its log was cut or begun anew, so that rows could count twice in the sums of open"
            + " epochs. "
            + AFRESH);
  }

  /** Reports that the topics of the restored state were replaced by others of the same names. */
  public static PrivacyConflictException otherTopics(SketchJobSettings settings) {
    return new PrivacyConflictException(
        "the restored state of stream "
            + settings.plan().stream()
            + " is of another topic of rows, or another ledger, than those that are now called "
            + settings.topics().rows()
            + " and "
            + settings.topics().ledger()
            + ": they were made anew, or are on another cluster, so that rows could count twice, or"
            + " one noise come out under two sums. Restore it where those topics are. "
            + AFRESH);
  }

  /** Reports that the restored state was made under another config. */
  public static PrivacyConflictException anotherState(String stream) {
    return new PrivacyConflictException(
        "the restored state of stream "
            + stream
            + " was made under another config, with another topic of rows or ledger, or by a"
            + " version of other noise. Restore it with the config and version that it was made"
            + " with; or give new rows another stream name and topics.");
  }
}

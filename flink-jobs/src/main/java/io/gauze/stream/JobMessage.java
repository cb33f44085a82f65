package io.gauze.stream;

import io.gauze.message.Entry;
import io.gauze.message.Severity;

/** What to know of a job before it starts, and why it does not start or ends. */
public enum JobMessage implements Entry {
  SHARE(
      Severity.NOTE,
      "privacy.rangeShare is not used: counts in the first epoch have the whole budget, and so have"
          + " later epochs.",
      "Remove it from the config.",
      "All sketches are sums with Gaussian noise. Rows of the first epoch are in the counts of"
          + " ranges alone, so that nothing needs to be shared."),
  MANYGROUPS(
      Severity.NOTE,
      "Each reading subtask has memory for sketches of %d of %d groups (%d kB each, %d MiB in"
          + " all).",
      "Set fewer buckets or fewer groups, or expect few rows a second.",
      "With rows of more groups than that, sketches move in and out of memory, and few rows a"
          + " second are sketched."),
  SHORTBUDGET(
      Severity.RISK,
      "privacy.totalBudget covers %s of %s, less than a day; after these the stream ends.",
      "Give a larger total budget, less epsilon, or longer epochs.",
      "For a stream of users each epoch is charged, also one without rows."),
  PRODUCERTIME(
      Severity.RISK,
      "epochs.timestamps: producer weakens the guarantee: times of rows are public, and only values"
          + " are protected.",
      "Use append, where the broker's time decides and the presence of a row is protected, too.",
      "Which rows of the last moments are in a release may also differ between two readings of the"
          + " log."),
  LATERFROM(
      Severity.RISK,
      "epochs.from leaves out the epochs before %s; the first without a release is %s.",
      "Remove epochs.from to begin with that epoch, or accept that these are not released.",
      "The ledger knows where the stream began. Epochs before epochs.from that have no release get"
          + " none, as long as it stands in the config."),
  UNSENT(
      Severity.RISK,
      "Releases whose budget was spent, but which were not sent before their job ended: %d.",
      "Restore the savepoint or checkpoint that holds them; any other job makes none in their"
          + " place.",
      "A release is charged before it is sent. If the job ends in between, only its state has the"
          + " release, and the budget is spent in any case."),
  SECONDJOB(
      Severity.REFUSED,
      "A job of stream %s runs already.",
      "Stop it first, with gauze stop: two jobs of a stream end each other's transactions.",
      "The broker knows the running job by its consumer group. `check` says this as a warning,"
          + " since it starts nothing. If a second job starts in spite of it, it ends, and the"
          + " first one goes on."),
  UPJOB(
      Severity.REFUSED,
      "A job of gauze up on this machine runs stream %s already.",
      "End it first, with Ctrl-C in its terminal or with kill.",
      "Two jobs of a stream end each other's transactions. `gauze stop` cannot stop a job of `gauze"
          + " up`, which has no savepoint."),
  UNKNOWNJOB(
      Severity.RISK,
      "The Kafka user may not read consumer group %s, so whether another job runs is unknown.",
      "Give the right to read the group; until then start no second job of the stream.",
      "A running job is a member of that group. Without the right to describe it nobody can say"
          + " whether there is one."),
  OTHERLEDGER(
      Severity.RISK,
      "Topic %s has releases of stream %s that the ledger (topic %s) lacks.",
      "If they are of the same topic of rows, enter them: gauze ledger --rebuild with that stream's"
          + " config.",
      "Streams of other rows may have another ledger and share the topic of releases; then all is"
          + " well. If the ledger has lost them, the budget of the same rows could be spent"
          + " again."),
  GONE(
      Severity.RISK,
      "Topic %s lacks %d releases that the ledger (topic %s) calls published.",
      "Restore the topic from its backup: their budget stays spent, and they are not made again.",
      "Records of the topic were deleted, or the topic was deleted and created again. Nothing is"
          + " published twice because of it."),
  ANSWERED(
      Severity.NOTE,
      "Topic %s was created again or has lost records: partition %d ends at %d, but was read up to"
          + " %d.",
      "Send requests without an answer again; those that are in the topic now are answered.",
      "The solver commits the offset up to which it has answered each partition. A topic that ends"
          + " before that offset is not the one that it read."),
  LOSTROWS(
      Severity.REFUSED,
      "Rows of epoch %s, which is next, may be gone, so a job without state does not start.",
      "Restore the newest savepoint or checkpoint; or set a later epochs.from, after which no row"
          + " is gone.",
      "Which rows are gone depends on other rows, which no noise hides. The state of the old job"
          + " still has their sums. For a table the topic must hold the last change of every key. A"
          + " longer retention only hides the gap. `check` says it as a warning."),
  BODY(
      Severity.REFUSED,
      "A release of this job is in the ledger (topic %s) with other content, so it sends nothing.",
      "Restore the newest savepoint or checkpoint; if lost, start without one, unless releases are"
          + " cumulative.",
      "Two sums of one epoch reveal too much. An old savepoint was restored, or two jobs run. A"
          + " start without state skips the epochs of the ledger. A series of cumulative releases"
          + " cannot go on without its state: start a new one under another stream name, if"
          + " privacy.totalBudget leaves room."),
  COUNTED(
      Severity.REFUSED,
      "A release is not sent, since the ledger (topic %s) holds another one of the same rows.",
      "Start without a savepoint or checkpoint: the job then begins after the epochs that are"
          + " counted.",
      "Rows that are counted for ranges must be in no other release."),
  SERIES(
      Severity.REFUSED,
      "The ledger (topic %s) holds cumulative releases of stream %s whose noise this job's state"
          + " lacks.",
      "Restore the newest savepoint or checkpoint; if it is lost, start anew under another stream"
          + " name.",
      "Each cumulative release needs the sums and the noise of those before it, which only the"
          + " state has. A new series needs room in privacy.totalBudget."),
  COMPLETE(
      Severity.REFUSED,
      "The ledger (topic %s) holds all %d cumulative releases of stream %s, so its series is"
          + " complete.",
      "Begin a new one under another stream name; or restore the newest savepoint to send what is"
          + " unsent.",
      "A new series needs room in privacy.totalBudget. Releases that `gauze ledger` calls spent"
          + " were charged and not sent."),
  LAW(
      Severity.REFUSED,
      "The restored state of stream %s has noise of another distribution or size than this config.",
      "Restore it with the version and config that made it; or start without, unless releases are"
          + " cumulative.",
      "Open epochs would be released under a wrong guarantee. The number of releases, expectedRows"
          + " or the version may have changed."),
  BROKENSERIES(
      Severity.REFUSED,
      "The restored state of stream %s does not fit its cumulative releases so far.",
      "Restore the newest intact savepoint or checkpoint, with its version and config; or start"
          + " another stream.",
      "Each cumulative release needs the sums and the noise of those before it. The state lacks"
          + " some, or contradicts itself or the ledger. A new series needs another stream name,"
          + " and room in privacy.totalBudget."),
  CONFIG(
      Severity.REFUSED,
      "The ledger (topic %s) holds a release made under other columns, budget, sketches or epochs.",
      "Go on with the config of those releases; or choose another stream name.",
      "One stream name has one config, since all of its releases share one budget. Ranges, row"
          + " bound and places of fields count, and so does a version that plans other noise."
          + " Another stream needs other rows, or a privacy.totalBudget that covers both."),
  LEDGER(
      Severity.REFUSED,
      "The ledger (topic %s) lacks releases of stream %s that are in topic %s.",
      "Enter them with gauze ledger --rebuild and the config that made them; or take another stream"
          + " name and new rows.",
      "The ledger is another one, or has lost entries, so that the budget of the same rows could be"
          + " spent again."),
  NOLEDGER(
      Severity.REFUSED,
      "The ledger (topic %s) is empty, and topic %s has releases of other streams.",
      "Enter them with gauze ledger --rebuild and each stream's config; or set another"
          + " kafka.releases.topic.",
      "Entries may be lost. If the other streams have another ledger, this stream needs another"
          + " topic of releases."),
  TWOBODIES(
      Severity.REFUSED,
      "Topic %s has a release whose content is not that in the ledger (topic %s).",
      "Count the budget of its rows as spent twice; find out who wrote it; take new rows and"
          + " another stream.",
      "Two releases of the same rows are out, with noise of their own. The ledger has a hash of the"
          + " content."),
  LOSTRELEASES(
      Severity.REFUSED,
      "Partition %d of topic %s has lost its records before offset %d: a new ledger would lack"
          + " them.",
      "Restore both topics from their backup; or take another stream name and new rows.",
      "`gauze ledger --rebuild` makes a ledger from the releases, and needs all of them."),
  OTHERRELEASE(
      Severity.REFUSED,
      "A release in topic %s was not made with this config.",
      "Rebuild the ledger with the config that made it; or take another stream name and new rows.",
      "It has other columns, ranges, budget, unit or sketches."),
  ANEW(
      Severity.REFUSED,
      "Topic %s or %s was created again since stream %s started: spent budget may be forgotten.",
      "Start the job again: a start compares the ledger with the releases.",
      "The ids of both topics are compared before each release."),
  ACCOUNT(
      Severity.REFUSED,
      "The ledger (topic %s) holds a release of the rows of topic %s; kafka.rows.topic is %s.",
      "Name that topic, or choose another stream name.",
      "One stream name has one topic of rows, since its releases would have the same ids."),
  READAGAIN(
      Severity.REFUSED,
      "Partition %d of topic %s was read up to offset %d, and now gives offset %d.",
      "Start without savepoint or checkpoint, which skips epochs in the ledger; if that is lost,"
          + " take new topics.",
      "The log of rows was cut or begun anew, so that rows could count twice in the sums of open"
          + " epochs."),
  OTHERTOPICS(
      Severity.REFUSED,
      "The restored state of stream %s is of other topics than those now called %s and %s.",
      "Restore it where its topics are; or start without it; if the ledger is lost, take new"
          + " topics.",
      "The topics were deleted and created again, or are on another cluster. Rows could count"
          + " twice, or two sums come out with the same noise. A start without state skips the"
          + " epochs of the ledger."),
  OTHERSTATE(
      Severity.REFUSED,
      "The restored state of stream %s was made under another config, topic or version.",
      "Restore it with the config, topics and version that made it; or give new rows another stream"
          + " and topics.",
      "A state belongs to its config, its topics of rows and ledger, and to versions that draw the"
          + " same noise."),
  GONEROWS(
      Severity.REFUSED,
      "The rows of topic %s ended before the last record that was there at the start.",
      "Make its retention longer than a run takes, and run again, which reads what is there then.",
      "Retention or compaction has taken records before they were read, so that nothing more can be"
          + " released."),
  SKIPPEDROWS(
      Severity.RISK,
      "Rows of stream %s are lost: partition %d was read up to offset %d, and its log begins at %d"
          + " now.",
      "Make retention longer than outages; count on no guarantee for the epochs of these rows.",
      "Retention has removed rows before they were read. Which rows are gone depends on other rows,"
          + " which no noise hides."),
  REREAD(
      Severity.REFUSED,
      "Epoch %s of stream %s cannot be released: rows are gone that were still to be read again.",
      "Make retention longer; start without state, with epochs.from at an epoch that the log still"
          + " holds.",
      "Retention must be longer than an epoch and the longest outage together."),
  CHANGEDROWS(
      Severity.REFUSED,
      "Epoch %s of stream %s cannot be released: a pass found other rows than the one before.",
      "Set cleanup.policy=delete; start without state, with epochs.from at an epoch that the log"
          + " holds.",
      "The rows do not fit into memory and are read again. The topic must not be created again or"
          + " compacted."),
  MANYROWS(
      Severity.REFUSED,
      "A release cannot be made, since its epoch has more rows than a model allows.",
      "Start a stream with shorter epochs.",
      "The limit follows from the grid on which values are added up."),
  FOREIGN(
      Severity.REFUSED,
      "The ledger topic %s has a record that is no entry of the ledger, at partition %d, offset"
          + " %d.",
      "Revoke the right of others to write to it; copy the entries into a new topic, as the runbook"
          + " says.",
      "Something other than Gauze writes to it, so no job publishes anything now. See [a foreign"
          + " record](operations/runbook.md#a-foreign-record-in-the-ledger)."),
  LOSTRECORD(
      Severity.REFUSED,
      "The ledger topic %s has lost its record at partition %d, offset %d, since it was read.",
      "Restore the topic from its backup and start the job again: a start compares the ledger with"
          + " the releases.",
      "An older state holds a release of that record's epoch, and without the record nobody can say"
          + " whether its content is the published one. Somebody deleted records of the ledger, or"
          + " its topic is not compacted but has a retention."),
  NOTHINGLEFT(
      Severity.REFUSED,
      "Nothing is left to release: the ledger (topic %s) has all %d releases of these rows.",
      "Read them from topic %3$s; or give new rows another stream name and other topics.",
      "A second sum of the same rows under other noise would reveal more than the guarantee"
          + " allows."),
  NOEPOCH(
      Severity.REFUSED,
      "No epoch of stream %s is over yet, so there is nothing to release.",
      "Run again after the end of the first one.",
      "A bounded job releases the epochs that are over when it starts. `check` names the length of"
          + " an epoch."),
  CALIBRATION(
      Severity.REFUSED,
      "Calibration epoch %s is not over yet, so no ranges can be chosen.",
      "Run again after %2$s.",
      "A bounded job does not wait. The ranges of columns are chosen from counts of the rows of this"
          + " epoch."),
  BACKLOG(
      Severity.REFUSED,
      "epochs.backfill is %d, and up to %d past epochs since %s are still to be released.",
      "Raise epochs.backfill; or set a later epochs.from, which leaves out the epochs before.",
      "A stream goes on with the first epoch that the ledger does not have. The limit keeps a"
          + " mistyped time from making thousands of releases. With groups, an epoch counts once"
          + " for each of them."),
  FARFROM(
      Severity.REFUSED,
      "epochs.from is %s, which leaves more than %d past epochs to be released.",
      "Choose a later time, or raise epochs.backfill.",
      "The limit keeps a mistyped time from making thousands of releases. With groups, an epoch"
          + " counts once for each of them."),
  UNFINISHED(
      Severity.REFUSED,
      "The job of stream %s has ended, and %d of its releases are not published.",
      "After gauze stop, go on from the savepoint with --restore; else from the last checkpoint.",
      "A run with an end was stopped before it. Its state has the sums of the open epochs."),
  LOSTCOUNTS(
      Severity.RISK,
      "Counts for the ranges were charged, and may not have been sent before their job ended.",
      "To send them, restore that job from its checkpoint; else the next epoch is counted.",
      "The rows of these counts are then in no release, and their budget is spent in any case."),
  UNKEPT(
      Severity.RISK,
      "If this process crashes, the cumulative releases of stream %s cannot go on.",
      "Set execution.checkpointing.dir and"
          + " execution.checkpointing.externalized-checkpoint-retention: RETAIN_ON_CANCELLATION.",
      "Each cumulative release needs the sums and the noise of those before it, which only the"
          + " state has. Kept checkpoints survive a crash. End the job with `gauze stop`."),
  TASKS(
      Severity.RISK,
      "Not all tasks of the job run %d s after its start.",
      "Remove the cause that is named, or give the cluster more slots.",
      "The job stays submitted: its tasks fail and restart, or lack slots."),
  SAMEJOB(
      Severity.REFUSED,
      "A job named %s runs already on this cluster.",
      "Stop it first, with gauze stop: two jobs of a stream end each other's transactions.",
      "A job is named after its streams, and clashes with one that has a stream in common."),
  NOCLUSTER(
      Severity.REFUSED,
      "The Flink cluster does not answer.",
      "See whether it runs, and whether its address is right; then start the job again.",
      "The job is not known to have started. If it did, a second start is refused, as long as the"
          + " first one runs."),
  FAILED(
      Severity.REFUSED,
      "The job has failed.",
      "Remove the cause that is named, and start it again from its newest savepoint or checkpoint.",
      "A job that fails right after its start mostly restores a savepoint of another config or"
          + " version."),
  SHORTEPOCHS(
      Severity.NOTE,
      "Epochs of %s are shorter than the checkpoint interval of %s: several releases come at once.",
      "Make execution.checkpointing.interval shorter (flink.properties), or epochs.length longer.",
      "A release is sent when a checkpoint completes. Models that begin with the release before"
          + " them wait for it, and so fall ever further behind."),
  NOREQUESTS(
      Severity.NOTE,
      "Topics that only gauze solver needs are missing: %s.",
      "Create them, or set kafka.create; ignore this if you use no solver.",
      "The topics of requests and answers are used by the solver alone.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts
  private final Text text;

  JobMessage(Severity severity, String message, String action, String explanation) {
    this.text = new Text(severity, message, action, explanation);
  }

  @Override
  public Text text() {
    return text;
  }
}

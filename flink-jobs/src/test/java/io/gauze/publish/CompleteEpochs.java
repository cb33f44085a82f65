package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.ledger.EpochCells;
import io.gauze.ledger.EpochRecord;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerRequest;
import io.gauze.mechanism.ReleaseId;
import io.gauze.plan.SketchPlan;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Complete epochs in a ledger. */
final class CompleteEpochs {
  private CompleteEpochs() {}

  /** Adds an epoch whose releases are all published, as Kafka leaves it in the end. */
  static void add(LedgerBook book, SketchJobSettings job, long epoch) {
    String stream = job.plan().stream();
    EpochRecord complete = record(job, epoch);
    EpochCells cells = complete.epoch().cells();
    if (!book.hasCells(stream, cells)) {
      book.add(cells.key(stream), Optional.of(cells.toJson(stream)), 0, epoch);
    }
    book.add(complete.epoch().key(), Optional.of(complete.toJson()), 0, epoch);
  }

  /** Returns the record of an epoch, in which each body is the id of its release. */
  static EpochRecord record(SketchJobSettings job, long epoch) {
    String stream = job.plan().stream();
    List<String> sketches = job.plan().sketches().stream().map(SketchPlan::name).toList();
    EpochCells cells = EpochCells.of(job.input().groups(), sketches);
    LedgerRequest charge = job.charge();
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      ReleaseId id = cells.id(stream, job.schedule().label(epoch), i);
      entries.add(
          new LedgerEntry(
              id,
              LedgerEntry.sha256(id.toString().getBytes(UTF_8)),
              LedgerEntry.State.PUBLISHED,
              job.series(),
              charge.guarantee(),
              charge.terms()));
    }
    return EpochRecord.of(cells, entries);
  }
}

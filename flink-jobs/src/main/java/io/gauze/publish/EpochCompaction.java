package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.ledger.CompleteEpoch;
import io.gauze.ledger.EpochCells;
import io.gauze.ledger.EpochRecord;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.ReleaseId;
import io.gauze.plan.SketchPlan;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces the ledger's entries of epochs whose releases are all published: one {@link
 * CompleteEpoch} stands for them, and each gets a tombstone, so that Kafka deletes it.
 *
 * <p>An epoch and its tombstones are in one transaction of the stream's producer, in this order. So
 * no reader finds a tombstone without the epoch in front of it, and no other job of the stream
 * writes in between. A crash before the commit leaves the entries as they were.
 */
final class EpochCompaction {
  /** The most releases of an entry, which bounds its size, and of a transaction. */
  static final int MOST_RELEASES = 10_000;

  /** The most bytes of the names of an entry's groups, which are at most doubled by quotes. */
  static final int MOST_NAMES = 128 << 10;

  /** The most charges of an entry. More are left to the entries of the releases. */
  private static final int MOST_CHARGES = 4;

  /**
   * The most releases whose entries are replaced after one checkpoint, which took some 10 s for
   * 100,000 in a process with its broker. A ledger of many finished epochs is compacted over
   * several checkpoints.
   */
  static final int MOST_AT_ONCE = 100_000;

  private final SketchJobSettings settings;
  private final String stream;
  private final Map<String, EpochCells> blockOf = new HashMap<>(); // by group
  private final Map<Block, Integer> published = new HashMap<>(); // of those that are not full
  private final Deque<Block> full = new ArrayDeque<>();
  private boolean counted;

  /** The releases of an epoch that one entry stands for. */
  private record Block(String epoch, EpochCells cells) {}

  EpochCompaction(SketchJobSettings settings) {
    this.settings = settings;
    this.stream = settings.plan().stream();
    List<String> sketches = settings.plan().sketches().stream().map(SketchPlan::name).toList();
    // A single entry takes less than what would stand for it.
    blocks(settings.input().groups(), sketches).stream()
        .filter(block -> block.size() > 1)
        .forEach(block -> block.groups().forEach(group -> blockOf.put(group, block)));
  }

  /** Cuts the cells of an epoch into those of one entry each, which are the same in all epochs. */
  static List<EpochCells> blocks(List<String> groups, List<String> sketches) {
    List<EpochCells> blocks = new ArrayList<>();
    List<String> open = new ArrayList<>();
    int bytes = 0;
    for (String group : groups) {
      int more = group.getBytes(UTF_8).length;
      boolean fits =
          (open.size() + 1L) * sketches.size() <= MOST_RELEASES && bytes + more <= MOST_NAMES;
      if (!open.isEmpty() && !fits) {
        blocks.add(EpochCells.of(open, sketches));
        open.clear();
        bytes = 0;
      }
      open.add(group);
      bytes += more;
    }
    blocks.add(EpochCells.of(open, sketches));
    return blocks;
  }

  /**
   * Compacts some epochs. The first call looks through all entries of the ledger, and the others
   * take time with what was published since.
   *
   * @param ledger is read to its end
   * @param producer has no open transaction
   * @throws IOException if the ledger cannot be read or written
   */
  void run(Ledger ledger, ReleaseProducer producer) throws IOException, InterruptedException {
    // Entries of several partitions have no order, in which an epoch could be in front of its
    // tombstones. Counts of ranges are one release of an epoch, and are looked up by their entries.
    if (ledger.partitions() > 1 || settings.countsRanges() || blockOf.isEmpty()) {
      return;
    }
    if (counted && full.isEmpty()) {
      return;
    }
    ledger.refresh();
    for (List<EpochRecord> some : transactions(finished(ledger.book()))) {
      write(some, ledger.book(), producer);
      ledger.refresh(); // so that the cells are written once
    }
  }

  /** Cuts epochs into lists of which each is one transaction. */
  static List<List<EpochRecord>> transactions(List<EpochRecord> epochs) {
    List<List<EpochRecord>> all = new ArrayList<>();
    int open = MOST_RELEASES;
    for (EpochRecord record : epochs) {
      int releases = record.epoch().cells().size();
      if (open + releases > MOST_RELEASES) {
        all.add(new ArrayList<>());
        open = 0;
      }
      all.get(all.size() - 1).add(record);
      open += releases;
    }
    return all;
  }

  /** Says that a release is published, which costs the same however many others are. */
  void published(ReleaseId id) {
    if (counted) { // else it is counted with the ledger
      count(id);
    }
  }

  private void count(LedgerBook book) {
    for (LedgerEntry entry : book.entries(stream)) {
      if (entry.state() == LedgerEntry.State.PUBLISHED) {
        count(entry.id());
      }
    }
    counted = true;
  }

  private void count(ReleaseId id) {
    EpochCells block = blockOf.get(id.group());
    if (block == null || block.index(id.group(), id.sketch()).isEmpty()) {
      return;
    }
    Block open = new Block(id.epoch(), block);
    if (published.merge(open, 1, Integer::sum) == block.size()) {
      published.remove(open);
      full.add(open);
    }
  }

  /** Returns epochs whose releases are all published, each once. */
  List<EpochRecord> finished(LedgerBook book) {
    if (!counted) {
      count(book);
    }
    List<EpochRecord> finished = new ArrayList<>();
    int releases = 0;
    while (!full.isEmpty() && releases + full.peek().cells().size() <= MOST_AT_ONCE) {
      Block next = full.remove();
      Optional<EpochRecord> complete = complete(book, next.epoch(), next.cells());
      complete.ifPresent(finished::add);
      releases += complete.isPresent() ? next.cells().size() : 0;
    }
    return finished;
  }

  private Optional<EpochRecord> complete(LedgerBook book, String label, EpochCells block) {
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = 0; i < block.size(); i++) {
      ReleaseId id = block.id(stream, label, i);
      Optional<LedgerEntry> entry =
          book.entry(id).filter(each -> each.state() == LedgerEntry.State.PUBLISHED);
      if (entry.isEmpty()) {
        return Optional.empty();
      }
      entries.add(entry.get());
    }
    return Optional.of(EpochRecord.of(block, entries))
        .filter(record -> record.epoch().charges().size() <= MOST_CHARGES);
  }

  private void write(List<EpochRecord> epochs, LedgerBook book, ReleaseProducer producer)
      throws IOException, InterruptedException {
    settings.probe().reached(FaultInjection.Step.BEFORE_COMPLETE);
    producer.begin();
    Set<EpochCells> written = new HashSet<>();
    for (EpochRecord record : epochs) {
      CompleteEpoch epoch = record.epoch();
      EpochCells cells = epoch.cells();
      if (!book.hasCells(stream, cells) && written.add(cells)) {
        send(cells.key(stream), Optional.of(cells.toJson(stream)), producer);
      }
      send(epoch.key(), Optional.of(record.toJson()), producer);
      for (int i = 0; i < cells.size(); i++) {
        send(cells.id(stream, epoch.epoch(), i).toString(), Optional.empty(), producer);
      }
    }
    producer.awaitAcknowledged();
    settings.probe().reached(FaultInjection.Step.DURING_COMPLETE);
    producer.commit();
    settings.probe().reached(FaultInjection.Step.AFTER_COMPLETE);
  }

  /** Sends to the one partition that was read, even if the topic has got more since. */
  private void send(String key, Optional<String> value, ReleaseProducer producer) {
    producer.sendInOrder(
        settings.topics().ledger(), key.getBytes(UTF_8), value.map(text -> text.getBytes(UTF_8)));
  }
}

package io.gauze.publish;

import io.gauze.ledger.CompleteEpoch;
import io.gauze.ledger.EpochCells;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import io.gauze.stream.JobMessage;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares the ledger with the topic of releases. A committer enters a release into the ledger
 * before it sends it, so a ledger that lacks a release of the topic is another one, or has lost
 * entries, and would let the budget of the same rows be spent again.
 */
// Also releases of aborted transactions count, since readers of uncommitted records have seen them.
// The ledger is read once more after the topic: a job may have released something in between.
public final class LedgerComparison {
  /** How many releases of a stream without an entry are looked up again. */
  private static final int LOOKED_UP = 1_000;

  private static final String ANY_BODY = "";

  private final SketchJobSettings settings;
  private final LedgerBook before;
  private final Bodies bodies;
  private final Set<ReleaseId> unseen;
  private final Map<Block, Seen> complete = new HashMap<>(); // without those that are all seen
  private final Map<String, Lacking> lacking = new TreeMap<>();

  /** Says whether a release is charged and has a body. */
  @FunctionalInterface
  private interface Bodies {
    boolean holds(ReleaseId id, String sha256) throws IOException;
  }

  /** A complete epoch of the stream. */
  private record Block(String epoch, EpochCells cells) {}

  /** The releases of a complete epoch that were seen, by their places. */
  private static final class Seen {
    private final BitSet places = new BitSet();
    private int left;

    Seen(EpochCells cells) {
      left = cells.size();
    }

    /** Returns whether all are seen now. */
    boolean add(int place) {
      left -= places.get(place) ? 0 : 1;
      places.set(place);
      return left == 0;
    }
  }

  /** Releases of a stream without an entry, with their hashes, and whether there are more. */
  private static final class Lacking {
    private final Map<ReleaseId, String> hashes = new LinkedHashMap<>();
    private boolean more;

    /** Whether the ledger holds each of them by now, with the same body. */
    boolean allIn(LedgerBook ledger, Bodies bodies) throws IOException {
      for (Map.Entry<ReleaseId, String> each : hashes.entrySet()) {
        if (!isIn(ledger, bodies, each.getKey(), each.getValue())) {
          return false;
        }
      }
      return true;
    }

    /** Returns those that the ledger still lacks. */
    List<ReleaseId> notIn(LedgerBook ledger) {
      return hashes.keySet().stream().filter(id -> !ledger.holds(id)).toList();
    }
  }

  private LedgerComparison(SketchJobSettings settings, LedgerBook before, Bodies bodies) {
    this.settings = settings;
    this.before = before;
    this.bodies = bodies;
    this.unseen =
        before.entries(settings.plan().stream()).stream()
            .filter(entry -> entry.state() == LedgerEntry.State.PUBLISHED)
            .map(LedgerEntry::id)
            .collect(Collectors.toSet());
    for (CompleteEpoch epoch : before.complete(settings.plan().stream())) {
      complete.put(new Block(epoch.epoch(), epoch.cells()), new Seen(epoch.cells()));
    }
  }

  /**
   * Reads both topics as far as they exist. Cost: reads the topic of releases once, with the memory
   * of one fetch.
   *
   * @param missing the topics that do not exist
   * @param warnings receives what the owner should know
   * @return the ledger
   * @throws PrivacyConflictException if the ledger lacks releases
   * @throws IOException if a topic cannot be read
   */
  public static LedgerBook check(
      SketchJobSettings settings, List<String> missing, List<Message> warnings) throws IOException {
    String topic = settings.topics().ledger();
    if (missing.contains(topic)) {
      LedgerBook none = LedgerBook.of(List.of());
      warnings.addAll(compared(settings, none, (id, hash) -> false, missing).result(none));
      return none;
    }
    try (Ledger ledger = new Ledger(settings.kafka(), topic)) {
      LedgerComparison comparison;
      do {
        ledger.refresh();
        comparison = compared(settings, ledger.book(), ledger::holds, missing);
        ledger.refresh();
      } while (comparison.hasFoundOnly(ledger.book()));
      warnings.addAll(comparison.result(ledger.book()));
      return ledger.book();
    }
  }

  private static LedgerComparison compared(
      SketchJobSettings settings, LedgerBook before, Bodies bodies, List<String> missing)
      throws IOException {
    LedgerComparison comparison = new LedgerComparison(settings, before, bodies);
    comparison.read(missing);
    return comparison;
  }

  /**
   * Returns whether a running job has released so much in between that not all of it was looked up.
   */
  private boolean hasFoundOnly(LedgerBook now) throws IOException {
    for (Lacking each : lacking.values()) {
      if (each.more && each.allIn(now, bodies)) {
        return true;
      }
    }
    return false;
  }

  private void read(List<String> missing) throws IOException {
    String topic = settings.topics().releases();
    if (!missing.contains(topic)) {
      try {
        new ReleaseLog(settings.kafka(), topic).all(this::compareOrEnd);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }

  /** Compares from within the reading, whose callback throws nothing that is checked. */
  private void compareOrEnd(ReleaseId id, byte[] body) {
    try {
      compare(id, body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compare(ReleaseId id, byte[] body) throws IOException {
    if (isOwn(id) && !unseen.remove(id)) {
      before.complete(id).ifPresent(found -> see(found.epoch(), id));
    }
    // Another stream's bodies are its own start's to compare.
    String hash = isOwn(id) ? LedgerEntry.sha256(body) : ANY_BODY;
    if (isIn(before, bodies, id, hash) || !ReleaseLog.isRelease(id, body)) {
      return;
    }
    Lacking ofStream = lacking.computeIfAbsent(id.stream(), stream -> new Lacking());
    if (ofStream.hashes.size() < LOOKED_UP) {
      ofStream.hashes.putIfAbsent(id, hash);
    } else {
      ofStream.more = true;
    }
  }

  private void see(CompleteEpoch epoch, ReleaseId id) {
    Block block = new Block(epoch.epoch(), epoch.cells());
    Seen seen = complete.get(block); // none if it is complete since the comparison began
    int place = epoch.cells().index(id.group(), id.sketch()).orElseThrow();
    if (seen != null && seen.add(place)) {
      complete.remove(block);
    }
  }

  private static boolean isIn(LedgerBook ledger, Bodies bodies, ReleaseId id, String hash)
      throws IOException {
    return hash.equals(ANY_BODY) ? ledger.holds(id) : bodies.holds(id, hash);
  }

  private boolean isOwn(ReleaseId id) {
    return id.stream().equals(settings.plan().stream());
  }

  /** Returns the warnings. */
  private List<Message> result(LedgerBook ledger) throws IOException {
    String own = settings.plan().stream();
    Map<String, String> lost = new TreeMap<>();
    lacking.forEach(
        (stream, found) -> {
          List<ReleaseId> ids = found.notIn(ledger);
          if (!ids.isEmpty()) {
            lost.put(stream, counted(ids, found.more));
          }
        });
    if (lost.containsKey(own)) {
      throw PrivacyConflictException.lostLedger(lost.get(own), settings);
    }
    checkBodies(ledger);
    if (!lost.isEmpty() && ledger.isEmpty()) {
      throw PrivacyConflictException.emptyLedger(lost.keySet(), settings);
    }
    List<Message> warnings = new ArrayList<>();
    lost.forEach((stream, some) -> warnings.add(ofAnother(stream, some, ledger)));
    warnings.addAll(gone());
    return warnings;
  }

  /** Refuses another body of a release than the one that is charged. */
  private void checkBodies(LedgerBook ledger) throws IOException {
    Lacking own = lacking.get(settings.plan().stream());
    if (own == null) {
      return;
    }
    for (Map.Entry<ReleaseId, String> each : own.hashes.entrySet()) {
      if (!isIn(ledger, bodies, each.getKey(), each.getValue())) {
        throw PrivacyConflictException.twoBodies(each.getKey(), settings);
      }
    }
  }

  private static String counted(List<ReleaseId> ids, boolean more) {
    return (more ? "at least " : "") + ids.size() + " of them, such as " + ids.get(0);
  }

  /**
   * Returns a warning about releases of a stream that may have another ledger.
   *
   * @throws PrivacyConflictException if the stream has entries in this one, on the same account
   */
  private Message ofAnother(String stream, String some, LedgerBook ledger) {
    if (ledger.accounts(stream).contains(settings.topics().rows())) {
      throw PrivacyConflictException.cutLedger(stream, some, settings);
    }
    return JobMessage.OTHERLEDGER
        .of(settings.topics().releases(), stream, settings.topics().ledger())
        .with("It lacks " + some + ".");
  }

  /** Returns a warning if published releases are not in the topic. */
  private List<Message> gone() {
    long number = unseen.size();
    SortedSet<String> some = new TreeSet<>();
    unseen.forEach(id -> some.add(id.toString()));
    String stream = settings.plan().stream();
    for (Map.Entry<Block, Seen> each : complete.entrySet()) {
      Block block = each.getKey();
      int first = each.getValue().places.nextClearBit(0);
      number += each.getValue().left;
      some.add(block.cells().id(stream, block.epoch(), first).toString());
    }
    return number == 0
        ? List.of()
        : List.of(
            JobMessage.GONE
                .of(settings.topics().releases(), number, settings.topics().ledger())
                .with("One is " + some.first() + "."));
  }
}

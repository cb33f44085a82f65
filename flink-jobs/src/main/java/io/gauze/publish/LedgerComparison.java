package io.gauze.publish;

import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.ReleaseId;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Compares the ledger with the topic of releases. A committer enters a release into the ledger
 * before it sends it, so a ledger that lacks a release of the topic is another one, or has lost
 * entries, and would let the budget of the same rows be spent again.
 */
// Also releases of aborted transactions count, since readers of uncommitted records have seen them.
// The ledger is read once more after the topic: a job may have released something in between.
public final class LedgerComparison {
  /** How many releases without an entry are looked up again; a running job has sent fewer. */
  private static final int LOOKED_UP = 10_000;

  private final SketchJobSettings settings;
  private final LedgerBook before;
  private final Set<ReleaseId> unseen;
  private final Map<ReleaseId, String> lacking = new LinkedHashMap<>();
  private boolean overflowed;

  private LedgerComparison(SketchJobSettings settings, LedgerBook before) {
    this.settings = settings;
    this.before = before;
    this.unseen =
        before.entries(settings.plan().stream()).stream()
            .filter(entry -> entry.state() == LedgerEntry.State.PUBLISHED)
            .map(LedgerEntry::id)
            .collect(Collectors.toSet());
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
      SketchJobSettings settings, List<String> missing, List<String> warnings) throws IOException {
    String topic = settings.topics().ledger();
    if (missing.contains(topic)) {
      LedgerBook none = LedgerBook.of(List.of());
      LedgerComparison comparison = new LedgerComparison(settings, none);
      comparison.read(missing);
      warnings.addAll(comparison.result(none));
      return none;
    }
    try (Ledger ledger = new Ledger(settings.kafka(), topic)) {
      ledger.refresh();
      LedgerComparison comparison = new LedgerComparison(settings, ledger.book());
      comparison.read(missing);
      if (!comparison.lacking.isEmpty()) {
        ledger.refresh();
      }
      warnings.addAll(comparison.result(ledger.book()));
      return ledger.book();
    }
  }

  private void read(List<String> missing) throws IOException {
    String topic = settings.topics().releases();
    if (!missing.contains(topic)) {
      new ReleaseLog(settings.kafka(), topic).all(this::compare);
    }
  }

  private void compare(ReleaseId id, byte[] body) {
    unseen.remove(id);
    Optional<LedgerEntry> entry = before.entry(id);
    // Another stream's bodies are its own start's to compare.
    String hash = isOwn(id) ? LedgerEntry.sha256(body) : "";
    if (entry.isPresent() && (hash.isEmpty() || entry.get().sha256().equals(hash))) {
      return;
    }
    if (lacking.containsKey(id) || !ReleaseLog.isRelease(id, body)) {
      return;
    }
    if (lacking.size() < LOOKED_UP) {
      lacking.put(id, hash);
    } else {
      overflowed = true;
    }
  }

  private boolean isOwn(ReleaseId id) {
    return id.stream().equals(settings.plan().stream());
  }

  /** Returns the warnings. */
  private List<String> result(LedgerBook ledger) {
    Map<String, List<ReleaseId>> lost = new TreeMap<>();
    for (Map.Entry<ReleaseId, String> each : lacking.entrySet()) {
      ReleaseId id = each.getKey();
      Optional<LedgerEntry> entry = ledger.entry(id);
      if (entry.isEmpty()) {
        lost.computeIfAbsent(id.stream(), stream -> new ArrayList<>()).add(id);
      } else if (isOwn(id) && !entry.get().sha256().equals(each.getValue())) {
        throw PrivacyConflictException.twoBodies(id, settings);
      }
    }
    List<ReleaseId> own = lost.remove(settings.plan().stream());
    if (own != null) {
      throw PrivacyConflictException.lostLedger(counted(own), settings);
    }
    if (!lost.isEmpty() && ledger.isEmpty()) {
      throw PrivacyConflictException.emptyLedger(lost.keySet(), settings);
    }
    List<String> warnings = new ArrayList<>();
    lost.forEach((stream, ids) -> warnings.add(ofAnother(stream, ids, ledger)));
    if (!unseen.isEmpty()) {
      warnings.add(gone());
    }
    return warnings;
  }

  private String counted(List<ReleaseId> ids) {
    return (overflowed ? "at least " : "") + ids.size() + " of them, such as " + ids.get(0);
  }

  /**
   * Returns a warning about releases of a stream that may have another ledger.
   *
   * @throws PrivacyConflictException if the stream has entries in this one, on the same account
   */
  private String ofAnother(String stream, List<ReleaseId> ids, LedgerBook ledger) {
    if (ledger.accounts(stream).contains(settings.topics().rows())) {
      throw PrivacyConflictException.cutLedger(stream, counted(ids), settings);
    }
    return "topic "
        + settings.topics().releases()
        + " has releases of stream "
        + stream
        + " that the ledger (topic "
        + settings.topics().ledger()
        + ") lacks: "
        + counted(ids)
        + ". If they are of topic "
        + settings.topics().rows()
        + ", enter them: gauze ledger --rebuild with that stream's config";
  }

  private String gone() {
    return "topic "
        + settings.topics().releases()
        + " lacks releases that the ledger (topic "
        + settings.topics().ledger()
        + ") calls published: "
        + unseen.size()
        + " of stream "
        + settings.plan().stream()
        + ", such as "
        + unseen.stream().map(ReleaseId::toString).sorted().findFirst().orElseThrow()
        + ". They stay charged and are not made again: restore the topic from its backup";
  }
}

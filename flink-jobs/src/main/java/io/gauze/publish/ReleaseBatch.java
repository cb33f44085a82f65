package io.gauze.publish;

import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerRequest;
import io.gauze.ledger.LedgerTerms;
import io.gauze.release.Release;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Releases that are sent together. All ask their account for the same charge, so one question to
 * the account answers for all of them, and no id occurs twice. Immutable.
 *
 * @param charge the charge that they ask for
 * @param releases at least one, in the order in which they are sent
 */
record ReleaseBatch(LedgerRequest charge, List<Pending> releases) {
  /**
   * The most releases of a batch. Their budget is spent in vain if a job and its state are lost
   * after the budget is entered and before they are sent.
   */
  private static final int MOST_RELEASES = 2_000;

  /**
   * The most bytes of a batch of several releases: a producer's buffer holds this many times over.
   */
  private static final int MOST_BYTES = 4 << 20;

  ReleaseBatch {
    releases = List.copyOf(releases);
  }

  /**
   * A release that may be in the ledger or not.
   *
   * @param wanted the entry that says that its budget is spent
   */
  record Pending(ReleaseCommittable release, LedgerEntry wanted) {
    static Pending of(ReleaseCommittable release, Release body, String series, LedgerTerms terms) {
      return new Pending(
          release, LedgerEntry.of(body, release.body(), LedgerEntry.State.SPENT, series, terms));
    }

    LedgerRequest charge() {
      return LedgerRequest.of(wanted.id(), wanted.series(), wanted.guarantee(), wanted.terms());
    }
  }

  /** Splits releases into batches and keeps their order. */
  static List<ReleaseBatch> of(Collection<Pending> releases) {
    List<ReleaseBatch> batches = new ArrayList<>();
    List<Pending> open = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    long bytes = 0;
    for (Pending next : releases) {
      int size = next.release().body().length;
      boolean fits =
          open.size() < MOST_RELEASES
              && bytes + size <= MOST_BYTES
              && !ids.contains(next.release().id());
      if (!open.isEmpty() && !(fits && next.charge().equals(open.get(0).charge()))) {
        batches.add(new ReleaseBatch(open.get(0).charge(), open));
        open.clear();
        ids.clear();
        bytes = 0;
      }
      open.add(next);
      ids.add(next.release().id());
      bytes += size;
    }
    if (!open.isEmpty()) {
      batches.add(new ReleaseBatch(open.get(0).charge(), open));
    }
    return batches;
  }
}

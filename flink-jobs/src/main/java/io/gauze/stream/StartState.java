package io.gauze.stream;

import io.gauze.ledger.HeldReleases;
import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What the start of a job found in its topics. Immutable.
 *
 * @param published the ids that the ledger held; their releases are skipped, unless the state holds
 *     their epochs
 * @param unsent those of them that the ledger held as charged, and not as published
 * @param topicIds the ids that Kafka gave the topics of rows and of the ledger; empty if they are
 *     not known
 * @param submission the time of the job's submission, by the submitter's clock
 * @param blockers why the job must not begin without state, the gravest first
 * @param end where the job ends
 */
public record StartState(
    HeldReleases published,
    Set<String> unsent,
    String topicIds,
    Instant submission,
    List<StartBlocker> blockers,
    JobEnd end)
    implements Serializable {
  private static final long serialVersionUID = 2L;

  /** The findings before anything was looked up. */
  public static final StartState NONE =
      new StartState(HeldReleases.NONE, Set.of(), "", Instant.EPOCH, List.of(), JobEnd.NEVER);

  public StartState {
    Objects.requireNonNull(published, "published");
    unsent = Set.copyOf(unsent);
    Objects.requireNonNull(topicIds, "topicIds");
    Objects.requireNonNull(submission, "submission");
    blockers = List.copyOf(blockers);
    Objects.requireNonNull(end, "end");
  }

  /** Returns a copy with other ids in the ledger. */
  public StartState withPublished(Set<String> ids) {
    return new StartState(HeldReleases.copyOf(ids), unsent, topicIds, submission, blockers, end);
  }

  /** Returns a copy with other ids that are charged and not published. */
  public StartState withUnsent(Set<String> ids) {
    return new StartState(published, ids, topicIds, submission, blockers, end);
  }

  /** Returns a copy for a job that ends elsewhere. */
  public StartState withEnd(JobEnd other) {
    return new StartState(published, unsent, topicIds, submission, blockers, other);
  }

  /** Returns the reason of the blocker of this kind, if there is one. */
  public Optional<String> reason(StartBlocker.Kind kind) {
    return blockers.stream()
        .filter(blocker -> blocker.kind() == kind)
        .map(StartBlocker::reason)
        .findFirst();
  }
}

package io.gauze.stream;

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
 * @param obstacles why the job must not begin without state, the gravest first
 * @param end where the job ends
 */
public record StartFindings(
    Set<String> published,
    Set<String> unsent,
    String topicIds,
    Instant submission,
    List<Obstacle> obstacles,
    JobEnd end)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The findings before anything was looked up. */
  public static final StartFindings NONE =
      new StartFindings(Set.of(), Set.of(), "", Instant.EPOCH, List.of(), JobEnd.NEVER);

  public StartFindings {
    published = Set.copyOf(published);
    unsent = Set.copyOf(unsent);
    Objects.requireNonNull(topicIds, "topicIds");
    Objects.requireNonNull(submission, "submission");
    obstacles = List.copyOf(obstacles);
    Objects.requireNonNull(end, "end");
  }

  /** Returns a copy with other ids in the ledger. */
  public StartFindings withPublished(Set<String> ids) {
    return new StartFindings(ids, unsent, topicIds, submission, obstacles, end);
  }

  /** Returns a copy with other ids that are charged and not published. */
  public StartFindings withUnsent(Set<String> ids) {
    return new StartFindings(published, ids, topicIds, submission, obstacles, end);
  }

  /** Returns a copy for a job that ends elsewhere. */
  public StartFindings withEnd(JobEnd other) {
    return new StartFindings(published, unsent, topicIds, submission, obstacles, other);
  }

  /** Returns the reason of the obstacle of this kind, if there is one. */
  public Optional<String> reason(Obstacle.Kind kind) {
    return obstacles.stream()
        .filter(obstacle -> obstacle.kind() == kind)
        .map(Obstacle::reason)
        .findFirst();
  }
}

package io.gauze.solver;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.release.Release;
import io.gauze.release.ReleaseId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers requests from the releases of a topic: an answer depends on the request and on the
 * releases that are there, and on nothing else.
 *
 * <p>Keeps what is asked for often: prepared releases, and answers by question, since these are the
 * same for ever. Times are arguments, in milliseconds. Not thread-safe.
 */
final class Solver {
  /** The most releases that a request may add up. */
  static final int MOST_MERGED = 1000;

  /** The most bytes of releases that a request may add up. */
  static final long MOST_MERGED_BYTES = 256L << 20;

  /** Prepared releases are kept while they have fewer numbers together: 128 MiB of doubles. */
  private static final long KEPT_NUMBERS = 1L << 24;

  /** Answers are kept while they have fewer bytes together. */
  private static final long KEPT_BYTES = 32L << 20;

  private static final Duration IDLE = Duration.ofMinutes(10);

  private final String stream;
  private final ReleaseFeed feed;
  private final ReleaseIndex index = new ReleaseIndex();
  private final ExpiringCache<List<ReleaseId>, FitSource> sources =
      new ExpiringCache<>(KEPT_NUMBERS, IDLE);
  private final ExpiringCache<Question, Answer.Body> answers =
      new ExpiringCache<>(KEPT_BYTES, IDLE);
  private long hits;

  /** Sources are equal to themselves only, so a key costs little. */
  private record Question(List<FitSource> sources, FitQuestion question) {}

  /**
   * Reads what the topic holds.
   *
   * @param stream whose latest epoch is taken if a request names none
   * @throws IOException if the broker does not answer
   */
  Solver(String stream, ReleaseFeed feed) throws IOException {
    this.stream = stream;
    this.feed = feed;
    feed.readToEnd(index);
  }

  /**
   * Reads what has come since, and forgets what nobody asks for.
   *
   * @return whether a request that waits may have an answer now
   * @throws IOException if the broker refuses
   */
  boolean refresh(long now) throws IOException {
    long before = index.revision();
    feed.readOn(index, Duration.ZERO);
    sources.expire(now);
    answers.expire(now);
    return index.revision() != before;
  }

  /** How many answers were there already. */
  long hits() {
    return hits;
  }

  /**
   * The answer; empty if a release is not there yet.
   *
   * @throws IOException if the broker does not answer
   */
  Optional<Answer.Body> answer(SolveRequest request, long now) throws IOException {
    try {
      List<FitSource> candidates = candidates(request, now);
      return candidates.isEmpty()
          ? Optional.empty()
          : Optional.of(answer(new Question(candidates, request.question()), now));
    } catch (RequestException e) {
      return Optional.of(Answer.Body.of(e));
    }
  }

  /** The answer to a request whose releases did not come in time. */
  Answer.Body late(SolveRequest request) {
    String deadline = request.deadline().toString();
    return Answer.Body.of(
        request
            .releases()
            .map(range -> index.unknown(range, deadline))
            .orElseGet(
                () ->
                    new RequestException(
                        ErrorCode.UNKNOWN_RELEASE,
                        "no release of stream "
                            + stream
                            + " came within the deadline of "
                            + deadline
                            + "; wait for its first epoch to end, or name a release of another"
                            + " stream")));
  }

  private List<FitSource> candidates(SolveRequest request, long now)
      throws IOException, RequestException {
    if (request.releases().isPresent()) {
      return source(index.find(request.releases().get()), now).map(List::of).orElse(List.of());
    }
    List<ReleaseId> latest = index.latest(stream);
    if (latest.stream().map(ReleaseId::group).distinct().count() > 1) {
      throw new RequestException(
          ErrorCode.BAD_REQUEST,
          "release is needed, since stream "
              + stream
              + " has several groups, such as that of "
              + latest.get(0));
    }
    List<FitSource> all = new ArrayList<>();
    for (ReleaseId id : latest) {
      source(List.of(id), now).ifPresent(all::add);
    }
    return all;
  }

  /** Empty if there are no ids, or one of the releases is gone. */
  private Optional<FitSource> source(List<ReleaseId> ids, long now)
      throws IOException, RequestException {
    if (ids.isEmpty()) {
      return Optional.empty();
    }
    checkContested(ids);
    Optional<FitSource> kept = sources.get(ids, now);
    if (kept.isPresent()) {
      return kept;
    }
    List<ReleaseTopic.Place> places = index.places(ids);
    checkSize(places);
    List<Release> releases = feed.fetch(places);
    if (releases.size() < ids.size()) {
      List<ReleaseId> there = releases.stream().map(Release::id).toList();
      index.forget(ids.stream().filter(id -> !there.contains(id)).toList());
      return Optional.empty();
    }
    FitSource source = FitSource.of(releases);
    sources.put(ids, source, source.numbers(), now);
    return Optional.of(source);
  }

  private void checkContested(List<ReleaseId> ids) throws RequestException {
    for (ReleaseId id : ids) {
      if (index.isContested(id)) {
        throw new RequestException(
            ErrorCode.CONTESTED_RELEASE,
            "the topic holds two different bodies of release "
                + id
                + ", which must never happen, so nothing is fitted on it; ask the stream's owner to find"
                + " out who wrote them");
      }
    }
  }

  private static void checkSize(List<ReleaseTopic.Place> places) throws RequestException {
    long bytes = places.stream().mapToLong(ReleaseTopic.Place::bytes).sum();
    if (places.size() > MOST_MERGED || (places.size() > 1 && bytes > MOST_MERGED_BYTES)) {
      throw new RequestException(
          ErrorCode.REFUSED,
          "releases must be a range of at most "
              + MOST_MERGED
              + " epochs and "
              + (MOST_MERGED_BYTES >> 20)
              + " MiB. Provided value: "
              + places.size()
              + " epochs of "
              + (bytes >> 20)
              + " MiB. Ask for fewer, or use longer epochs.");
    }
  }

  private Answer.Body answer(Question question, long now) throws RequestException {
    Optional<Answer.Body> known = answers.get(question, now);
    if (known.isPresent()) {
      hits++;
      return known.get();
    }
    Answer.Body body = solve(question);
    answers.put(question, body, body.length(), now);
    return body;
  }

  private static Answer.Body solve(Question question) throws RequestException {
    BestFit fit;
    try {
      fit = BestFit.of(question.sources(), question.question());
    } catch (IllegalArgumentException e) {
      throw new RequestException(ErrorCode.BAD_COLUMN, e.getMessage());
    }
    if (fit.best().isEmpty()) {
      return Answer.Body.of(new RequestException(ErrorCode.REFUSED, fit.reasons("; ")));
    }
    Answer.Body body = Answer.Body.of(report(fit, question.question().userUnits()));
    return body.length() < Answer.MAX_BYTES
        ? body
        : Answer.Body.of(
            new RequestException(
                ErrorCode.REFUSED,
                "the answer must have at most "
                    + Answer.MAX_BYTES
                    + " bytes. Provided value: "
                    + body.length()
                    + ". Ask for fewer features or epochs."));
  }

  private static ObjectNode report(BestFit fit, boolean userUnits) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    fit.best()
        .orElseThrow()
        .source()
        .ids()
        .forEach(id -> all.withArrayProperty("releases").add(id.toString()));
    return all.setAll(fit.report(userUnits).json());
  }
}

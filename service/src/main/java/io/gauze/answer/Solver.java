package io.gauze.answer;

import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitSource;
import io.gauze.fit.Term;
import io.gauze.mechanism.ReleaseId;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Answers requests from the releases of a topic. An answer depends only on the request and on the
 * releases in the topic.
 *
 * <p>Caches what is often asked for: prepared releases, and answers by question. Both never change.
 * Times are arguments, in milliseconds. Not thread-safe.
 */
public final class Solver {
  /** The most releases that a request may merge. */
  static final int MOST_MERGED = 1000;

  /** The most streams whose releases a request may merge, since each is also fitted alone. */
  static final int MOST_STREAMS = 100;

  /** The most bytes of releases that a request may merge. */
  static final long MOST_MERGED_BYTES = 256L << 20;

  private static final Duration IDLE = Duration.ofMinutes(10);

  private final Supplier<String> stream;
  private final ReleaseFeed feed;
  private final Limits limits;
  private final ReleaseIndex index = new ReleaseIndex();
  private final ExpiringCache<List<ReleaseId>, FitSource> sources;
  private final ExpiringCache<Question, AnswerBody> answers;
  private long hits;

  /**
   * The limits of the solver's memory.
   *
   * @param heldNumbers the most numbers, of eight bytes, of the releases that a request needs at
   *     once: one epoch of each sketch
   * @param keptNumbers the most numbers of all cached prepared releases; a single larger one is
   *     kept alone
   * @param keptBytes the most bytes of all cached answers and their questions
   */
  public record Limits(long heldNumbers, long keptNumbers, long keptBytes) {
    /** 256 MiB, 128 MiB and 32 MiB. */
    public static final Limits USUAL = new Limits(1L << 25, 1L << 24, 32L << 20);
  }

  /**
   * The key of a cached answer. A release never changes, so its id stands for it, and the key keeps
   * no prepared release in memory.
   *
   * @param releases the candidates, each releases that are added up
   */
  record Question(List<List<ReleaseId>> releases, FitQuestion question) {
    private static final int FIXED = 400;
    private static final int REFERENCE = 8;

    /** Returns roughly how many bytes this takes: the ids of a range are shared with the index. */
    int bytes() {
      int ids = releases.stream().mapToInt(List::size).sum();
      int texts =
          question.features().stream().mapToInt(name -> FIXED / 8 + 2 * name.length()).sum();
      return FIXED + REFERENCE * ids + texts;
    }
  }

  /**
   * Creates a solver and reads the topic to its end.
   *
   * @param stream the stream whose latest epoch is used if a request names no release
   * @throws IOException if the broker does not answer
   */
  public Solver(String stream, ReleaseFeed feed, Limits limits) throws IOException {
    this(() -> stream, feed, limits);
  }

  Solver(Supplier<String> stream, ReleaseFeed feed, Limits limits) throws IOException {
    this.stream = stream;
    this.feed = feed;
    this.limits = limits;
    this.sources = new ExpiringCache<>(limits.keptNumbers(), IDLE);
    this.answers = new ExpiringCache<>(limits.keptBytes(), IDLE);
    feed.readToEnd(index);
  }

  /**
   * Creates a solver with the usual limits, as {@link #Solver(String, ReleaseFeed, Limits)} does.
   *
   * @throws IOException if the broker does not answer
   */
  public Solver(String stream, ReleaseFeed feed) throws IOException {
    this(stream, feed, Limits.USUAL);
  }

  /**
   * Reads the new records, and removes idle entries from the caches.
   *
   * @return whether a request that waits may have an answer now
   * @throws IOException if the broker refuses
   */
  public boolean refresh(long now) throws IOException {
    long before = index.revision();
    feed.readOn(index, Duration.ZERO);
    sources.expire(now);
    answers.expire(now);
    return index.revision() != before;
  }

  /** The number of answers that came from the cache. */
  public long hits() {
    return hits;
  }

  /** The number of prepared releases in the cache. */
  public int prepared() {
    return sources.size();
  }

  /**
   * Returns the answer; empty if a release is not in the topic yet.
   *
   * @throws IOException if the broker does not answer
   */
  public Optional<AnswerBody> answer(SolveRequest request, long now) throws IOException {
    try {
      Map<List<ReleaseId>, FitSource> candidates = prepared(request, now);
      return candidates.isEmpty()
          ? Optional.empty()
          : Optional.of(answer(candidates, request.question(), now));
    } catch (RequestException e) {
      return Optional.of(AnswerBody.of(e));
    }
  }

  /**
   * Returns the prepared releases that may answer a request, each a sum of releases; none if they
   * are missing.
   *
   * @throws RequestException if nothing may be fitted on them
   */
  Map<List<ReleaseId>, FitSource> prepared(SolveRequest request, long now)
      throws IOException, RequestException {
    int known = index.size();
    Map<List<ReleaseId>, FitSource> candidates = candidates(request, now);
    // Some may have been deleted; the rest of a range may still answer.
    return index.size() < known ? candidates(request, now) : candidates;
  }

  private Map<List<ReleaseId>, FitSource> candidates(SolveRequest request, long now)
      throws IOException, RequestException {
    Map<List<ReleaseId>, FitSource> candidates = new LinkedHashMap<>();
    for (List<ReleaseId> ids : wanted(request)) {
      source(ids, now).ifPresent(source -> candidates.put(ids, source));
    }
    return candidates;
  }

  /** Returns the answer to a request whose releases did not come in time. */
  public AnswerBody late(SolveRequest request) {
    return AnswerBody.of(missing(request, "came within the deadline of " + request.deadline()));
  }

  /**
   * Returns the error of a request whose releases are missing.
   *
   * @param when what they did not do, such as: came within the deadline of PT5S
   */
  RequestException missing(SolveRequest request, String when) {
    return request.releases().stream()
        .filter(range -> index.find(range).isEmpty())
        .findFirst()
        .or(() -> request.releases().stream().findFirst())
        .map(range -> index.unknown(range, when))
        .orElseGet(
            () ->
                new RequestException(
                    ErrorCode.UNKNOWN_RELEASE,
                    "no release of stream "
                        + stream.get()
                        + " "
                        + when
                        + "; wait for its first epoch to end, or name a release of another"
                        + " stream"));
  }

  /** Returns the candidates, each releases that are added up; none if they are missing. */
  private List<List<ReleaseId>> wanted(SolveRequest request) throws RequestException {
    List<List<ReleaseId>> wanted =
        (request.releases().isEmpty()
                ? latest().stream().map(List::of)
                : Stream.of(named(request.releases())))
            .filter(ids -> !ids.isEmpty())
            .toList();
    long numbers = 0;
    for (List<ReleaseId> ids : wanted) {
      checkContested(ids);
      List<ReleaseTopic.Place> places = index.places(ids);
      checkSize(places);
      long most = places.stream().mapToLong(ReleaseTopic.Place::numbers).max().orElse(0);
      numbers += most * sums(ids);
    }
    checkHeld(numbers);
    return wanted;
  }

  /** Returns the releases of all ranges, in their order; none if one of them is missing. */
  private List<ReleaseId> named(List<ReleaseRange> ranges) throws RequestException {
    Set<ReleaseId> ids = new LinkedHashSet<>();
    for (ReleaseRange range : ranges) {
      List<ReleaseId> found = index.find(range);
      if (found.isEmpty()) {
        return List.of();
      }
      for (ReleaseId id : found) {
        if (!ids.add(id)) {
          throw new RequestException(
              ErrorCode.BAD_REQUEST,
              "releases must name each release once: its rows would count twice. Provided value: "
                  + id
                  + " again");
        }
      }
    }
    return List.copyOf(ids);
  }

  /** Returns how many sums are held for a fit: that of all, and of several streams each. */
  private static long sums(List<ReleaseId> ids) throws RequestException {
    long streams = ids.stream().map(ReleaseId::stream).distinct().count();
    if (streams > MOST_STREAMS) {
      throw new RequestException(
          ErrorCode.REFUSED,
          "releases must be of at most "
              + MOST_STREAMS
              + " streams. Provided value: "
              + streams
              + ". Ask for fewer, or fit with gauze fit.");
    }
    return streams == 1 ? 1 : 1 + streams;
  }

  private List<ReleaseId> latest() throws RequestException {
    List<ReleaseId> latest = index.latest(stream.get());
    if (latest.stream().map(ReleaseId::group).distinct().count() > 1) {
      throw new RequestException(
          ErrorCode.BAD_REQUEST,
          "release is needed, since stream "
              + stream.get()
              + " has several groups, such as that of "
              + latest.get(0));
    }
    return latest;
  }

  /** Prepares releases; empty if one of them was deleted from the topic. */
  private Optional<FitSource> source(List<ReleaseId> ids, long now) throws IOException {
    Optional<FitSource> kept = sources.get(ids, now);
    if (kept.isPresent()) {
      return kept;
    }
    FitSource.Sum sum = new FitSource.Sum();
    feed.fetch(index.places(ids), sum::add);
    if (sum.ids().size() < ids.size()) {
      Set<ReleaseId> there = Set.copyOf(sum.ids());
      index.forget(ids.stream().filter(id -> !there.contains(id)).toList());
      return Optional.empty();
    }
    FitSource source = sum.source();
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
          "releases must be at most "
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

  private void checkHeld(long numbers) throws RequestException {
    if (numbers > limits.heldNumbers()) {
      throw new RequestException(
          ErrorCode.REFUSED,
          "the releases that a request needs at once, one epoch of each sketch, must have at most "
              + limits.heldNumbers()
              + " numbers. Provided value: "
              + numbers
              + ". Name a release of one sketch, or fit with gauze fit.");
    }
  }

  private AnswerBody answer(Map<List<ReleaseId>, FitSource> candidates, FitQuestion asked, long now)
      throws RequestException {
    Question question = new Question(List.copyOf(candidates.keySet()), asked);
    Optional<AnswerBody> known = answers.get(question, now);
    if (known.isPresent()) {
      hits++;
      return known.get();
    }
    AnswerBody body = solve(List.copyOf(candidates.values()), asked);
    answers.put(question, body, body.length() + question.bytes(), now);
    return body;
  }

  /**
   * Returns the fit of the source that promises the smallest error.
   *
   * @throws RequestException if a column does not exist, or no source can answer
   */
  static BestFit fit(List<FitSource> sources, FitQuestion question) throws RequestException {
    BestFit fit;
    try {
      fit = BestFit.of(sources, question);
    } catch (IllegalArgumentException e) {
      throw new RequestException(ErrorCode.BAD_COLUMN, e.getMessage());
    }
    if (fit.best().isEmpty()) {
      throw new RequestException(ErrorCode.REFUSED, fit.reasons("; "));
    }
    return fit;
  }

  private static AnswerBody solve(List<FitSource> sources, FitQuestion question)
      throws RequestException {
    BestFit fit;
    try {
      fit = fit(sources, question);
    } catch (RequestException e) {
      if (e.code() == ErrorCode.REFUSED) {
        return AnswerBody.of(e); // as true as a fit, and kept like one
      }
      throw e;
    }
    AnswerBody body =
        AnswerBody.of(fit.withReleases(fit.report(question.userUnits(), Term.USUAL_LEVEL).json()));
    return body.length() < AnswerBody.MAX_BYTES
        ? body
        : AnswerBody.of(
            new RequestException(
                ErrorCode.REFUSED,
                "the answer must have at most "
                    + AnswerBody.MAX_BYTES
                    + " bytes. Provided value: "
                    + body.length()
                    + ". Ask for fewer features or epochs."));
  }
}

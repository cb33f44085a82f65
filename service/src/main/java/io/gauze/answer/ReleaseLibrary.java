package io.gauze.answer;

import io.gauze.accounting.Guarantee;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitSource;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.report.ReleaseReport.Listed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The releases of a topic or of a folder for many readers at once: a list of them, their bodies,
 * and what a request needs for its fit. Thread-safe.
 */
public final class ReleaseLibrary implements AutoCloseable {
  private final Optional<String> stream;
  private final Clock clock;
  private final Observed feed;
  private final Solver solver;
  private volatile State state;
  private State told; // what the callers of refresh know

  /** A known release. */
  public record Entry(Listed listed, ReleaseTopic.Place place) {
    /** The release's id. */
    public ReleaseId id() {
      return listed.id();
    }

    /** The SHA-256 of the release's record, in hexadecimal digits. */
    public String sha256() {
      return place.hash().toString();
    }
  }

  /**
   * What is known at a time. Immutable.
   *
   * @param entries in the order in which they were read
   * @param tag a text that changes whenever something becomes known
   */
  public record State(ReleaseList entries, List<ReleaseTopic.Damage> damages, String tag) {}

  /**
   * Prepared releases that may answer a request, each a sum of releases.
   *
   * @param ids of each source
   */
  public record Prepared(List<List<ReleaseId>> ids, List<FitSource> sources) {
    /**
     * Returns the fit of the source that promises the smallest error.
     *
     * @throws RequestException if a column does not exist, or no source can answer
     */
    public BestFit fit(FitQuestion question) throws RequestException {
      return Solver.fit(sources, question);
    }
  }

  /**
   * Opens a library and reads its releases.
   *
   * @param stream the stream of requests that name no release; empty: the only one that there is
   * @throws IOException if the releases cannot be read
   */
  public ReleaseLibrary(Optional<String> stream, ReleaseFeed feed, Clock clock) throws IOException {
    this.stream = stream;
    this.clock = clock;
    this.feed = new Observed(feed);
    this.state = new State(ReleaseList.NONE, List.of(), "0");
    this.solver = new Solver(this::ownStream, this.feed, Solver.Limits.USUAL);
    publish();
    this.told = state;
    this.feed.tells = true;
  }

  private String ownStream() {
    return stream.orElseGet(
        () -> state.entries().isEmpty() ? "" : state.entries().get(0).id().stream());
  }

  /** Returns what is known now. */
  public State state() {
    return state;
  }

  /**
   * Reads what is new. Returns the releases that are new since the last call that returned, in the
   * order in which they were read.
   *
   * @throws IOException if the releases cannot be read
   */
  public synchronized List<Entry> refresh() throws IOException {
    try {
      solver.refresh(clock.millis());
    } finally {
      publish();
    }
    State now = state;
    List<Entry> added =
        feed.added.stream()
            .filter(id -> told.entries().find(id).isEmpty())
            .flatMap(id -> now.entries().find(id).stream())
            .toList();
    feed.added.clear();
    told = now;
    return added;
  }

  private void publish() {
    feed.changed().ifPresent(tag -> state = new State(feed.entries.list(), feed.damages(), tag));
  }

  /**
   * Returns the body of a known release; empty if it is gone.
   *
   * @throws IOException if it cannot be read
   */
  public synchronized Optional<Release> release(Entry entry) throws IOException {
    List<Release> found = new ArrayList<>();
    feed.fetch(List.of(entry.place()), found::add);
    return found.stream().filter(release -> release.id().equals(entry.id())).findFirst();
  }

  /**
   * Returns what a request needs for its fit.
   *
   * @throws RequestException if a release is missing or contested, or the request needs too much
   * @throws IOException if the releases cannot be read
   */
  public Prepared prepare(SolveRequest request) throws IOException, RequestException {
    return find(request).orElseThrow(() -> missing(request, "is there"));
  }

  /**
   * Returns what a request needs for its fit; empty if a release is missing.
   *
   * @throws RequestException if a release is contested, or the request needs too much
   * @throws IOException if the releases cannot be read
   */
  public synchronized Optional<Prepared> find(SolveRequest request)
      throws IOException, RequestException {
    checkStream(request);
    Map<List<ReleaseId>, FitSource> found = solver.prepared(request, clock.millis());
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(new Prepared(List.copyOf(found.keySet()), List.copyOf(found.values())));
  }

  /**
   * Returns the error of a request whose releases are missing.
   *
   * @param when what they did not do, such as: is there
   */
  public synchronized RequestException missing(SolveRequest request, String when) {
    return request.releases().isEmpty() && state.entries().isEmpty()
        ? new RequestException(ErrorCode.UNKNOWN_RELEASE, "there is no release yet")
        : solver.missing(request, when);
  }

  private void checkStream(SolveRequest request) throws RequestException {
    if (request.releases().isEmpty()) {
      onlyStream("release");
    }
  }

  /**
   * Returns the stream of requests that name none; empty if there is no release yet.
   *
   * @param field what is needed if there are several
   * @throws RequestException if there are several
   */
  public String onlyStream(String field) throws RequestException {
    if (stream.isPresent()) {
      return stream.get();
    }
    long streams = state.entries().stream().map(entry -> entry.id().stream()).distinct().count();
    if (streams > 1) {
      throw new RequestException(
          ErrorCode.BAD_REQUEST,
          field
              + " is needed, since there are releases of several streams, such as "
              + state.entries().get(0).id());
    }
    return ownStream();
  }

  @Override
  public synchronized void close() {
    feed.close();
  }

  /** A feed that also notes what it reports. */
  private static final class Observed implements ReleaseFeed {
    private final ReleaseFeed feed;
    private final ReleaseList.Builder entries = new ReleaseList.Builder();
    private final Set<ReleaseId> added = new LinkedHashSet<>(); // some may have been known before
    private boolean tells; // whether it notes what is added
    private final List<ReleaseTopic.Damage> damages = new ArrayList<>();
    private Optional<List<ReleaseTopic.Damage>> listed = Optional.empty(); // until one changes
    private final Map<String, String> texts = new HashMap<>();
    private final Map<Guarantee, Guarantee> guarantees = new HashMap<>();
    private final MessageDigest changes = ReleaseHash.sha256(); // of all, and of the tag before
    private boolean changed;

    Observed(ReleaseFeed feed) {
      this.feed = feed;
    }

    /** Returns the tag of what is known now; empty if nothing has changed since the last call. */
    Optional<String> changed() {
      if (!changed) {
        return Optional.empty();
      }
      String tag = HexFormat.of().formatHex(changes.digest());
      change(tag);
      changed = false;
      return Optional.of(tag);
    }

    private void change(String what) {
      changes.update(what.getBytes(StandardCharsets.UTF_8));
      changed = true;
    }

    List<ReleaseTopic.Damage> damages() {
      listed = Optional.of(listed.orElseGet(() -> List.copyOf(damages)));
      return listed.get();
    }

    @Override
    public void readToEnd(ReleaseTopic.Reader reader) throws IOException {
      feed.readToEnd(noting(reader));
    }

    @Override
    public void readOn(ReleaseTopic.Reader reader, Duration patience) throws IOException {
      feed.readOn(noting(reader), patience);
    }

    @Override
    public void fetch(List<ReleaseTopic.Place> places, Consumer<Release> taker) throws IOException {
      feed.fetch(places, taker);
    }

    @Override
    public void close() {
      feed.close();
    }

    private void note(Release release, ReleaseTopic.Place place) {
      Entry entry = new Entry(shared(Listed.of(release, place.bytes()), place.id()), place);
      entries.put(entry);
      if (tells) {
        added.add(entry.id());
      }
      change("+" + place.hash());
    }

    /** Returns an equal line with what the releases of a stream have in common. */
    private Listed shared(Listed line, ReleaseId id) {
      return new Listed(
          id,
          one(texts, line.mechanism()),
          one(texts, line.kind()),
          line.numbers(),
          one(guarantees, line.guarantee()),
          line.bytes());
    }

    private static <T> T one(Map<T, T> all, T value) {
      T before = all.putIfAbsent(value, value);
      return before == null ? value : before;
    }

    private ReleaseTopic.Reader noting(ReleaseTopic.Reader reader) {
      return new ReleaseTopic.Reader() {
        @Override
        public void release(Release release, ReleaseTopic.Place place) {
          note(release, place);
          reader.release(release, place);
        }

        @Override
        public void copy(Release release, ReleaseTopic.Place place) {
          note(release, place);
          reader.copy(release, place);
        }

        @Override
        public void damaged(ReleaseTopic.Damage damage) {
          damages.add(damage);
          listed = Optional.empty();
          change("!" + damage);
          reader.damaged(damage);
        }

        @Override
        public void gone(ReleaseId id) {
          entries.remove(id);
          change("-" + id);
          reader.gone(id);
        }

        @Override
        public void healed(ReleaseTopic.Damage damage) {
          damages.remove(damage);
          listed = Optional.empty();
          change("~" + damage);
          reader.healed(damage);
        }
      };
    }
  }
}

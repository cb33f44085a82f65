package io.gauze.cli;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.release.Release;
import io.gauze.release.ReleaseId;
import io.gauze.row.NearestName;
import io.gauze.solver.ReleaseTopic;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which releases of a topic to fit: one, a range of epochs, or the latest of every sketch. */
final class ReleaseSelection implements ReleaseTopic.Reader {
  private static final String RANGE = "..";

  /** Epochs are times; what is none comes first, by its letters. */
  private static final Comparator<String> BY_EPOCH =
      Comparator.comparing(ReleaseSelection::time).thenComparing(Comparator.naturalOrder());

  private final String stream;
  private final Optional<ReleaseId> first;
  private final Optional<ReleaseId> last;
  private final List<String> ids = new ArrayList<>();
  private final Map<String, Release> found = new LinkedHashMap<>();
  private final List<ReleaseTopic.Damage> damages = new ArrayList<>();

  private ReleaseSelection(String stream, Optional<ReleaseId> first, Optional<ReleaseId> last) {
    this.stream = stream;
    this.first = first;
    this.last = last;
  }

  /**
   * A selection.
   *
   * @param stream whose latest epochs are taken if there is no id
   * @param id one id, or the first and the last of a range with two dots between
   * @throws IllegalArgumentException if it is neither
   */
  static ReleaseSelection of(String stream, Optional<String> id) {
    if (id.isEmpty()) {
      return new ReleaseSelection(stream, Optional.empty(), Optional.empty());
    }
    int dots = id.get().indexOf(RANGE);
    if (dots < 0) {
      Optional<ReleaseId> one = Optional.of(ReleaseId.parse(id.get()));
      return new ReleaseSelection(stream, one, one);
    }
    ReleaseId from = ReleaseId.parse(id.get().substring(0, dots));
    ReleaseId to = ReleaseId.parse(id.get().substring(dots + RANGE.length()));
    if (!series(from).equals(series(to)) || BY_EPOCH.compare(from.epoch(), to.epoch()) > 0) {
      throw new IllegalArgumentException(
          "--id must be a range of one stream, group and sketch, the earlier epoch first. Provided value: "
              + id.get());
    }
    return new ReleaseSelection(stream, Optional.of(from), Optional.of(to));
  }

  /**
   * Reads them from the config's topic: a list of candidates, each one release or a range by epoch.
   *
   * @throws IllegalArgumentException if an id is not there, with the nearest, or if the latest
   *     release is not one but one a group
   * @throws ConfigException if there is no broker's address or no topic
   * @throws IOException if the broker does not answer, or one of them has two bodies
   */
  List<List<Release>> read(StreamConfig config, PrintWriter err)
      throws ConfigException, IOException {
    try (ReleaseTopic topic = ReleaseStore.open(config, err)) {
      topic.readToEnd(this);
    }
    damages.forEach(damage -> err.println("warning: passed over " + damage));
    err.flush();
    String name = config.kafka().topics().releases();
    if (first.isEmpty()) {
      return latest(name);
    }
    checkThere(first.get(), name);
    checkThere(last.get(), name);
    List<Release> range = new ArrayList<>(found.values());
    range.sort(Comparator.comparing(release -> release.id().epoch(), BY_EPOCH));
    checkUncontested(range);
    return List.of(range);
  }

  private List<List<Release>> latest(String topic) throws IOException {
    if (found.isEmpty()) {
      throw new IOException("topic " + topic + " holds no release of stream " + stream + " yet");
    }
    Set<String> groups = new HashSet<>();
    found.values().forEach(release -> groups.add(release.id().group()));
    if (groups.size() > 1) {
      throw new IllegalArgumentException(
          "--id is needed, since the stream has several groups, such as "
              + found.values().iterator().next().id());
    }
    List<Release> all = new ArrayList<>(found.values());
    checkUncontested(all);
    return all.stream().map(List::of).toList();
  }

  private void checkThere(ReleaseId id, String topic) {
    if (!found.containsKey(id.toString())) {
      throw new IllegalArgumentException(
          ids.isEmpty()
              ? "topic " + topic + " holds no release yet. Provided value: " + id
              : "--id must be a release of topic "
                  + topic
                  + "; the nearest is "
                  + NearestName.of(id.toString(), ids)
                  + ". Provided value: "
                  + id);
    }
  }

  private void checkUncontested(List<Release> wanted) throws IOException {
    for (ReleaseTopic.Damage damage : damages) {
      for (Release release : wanted) {
        if (damage.contested().filter(release.id()::equals).isPresent()) {
          throw new IOException("not fitted: " + damage);
        }
      }
    }
  }

  @Override
  public void release(Release release, int bytes) {
    ReleaseId id = release.id();
    ids.add(id.toString());
    if (first.isPresent()) {
      if (inRange(id)) {
        found.put(id.toString(), release);
      }
    } else if (id.stream().equals(stream)) {
      found.merge(series(id), release, ReleaseSelection::later);
    }
  }

  @Override
  public void damaged(ReleaseTopic.Damage damage) {
    damages.add(damage);
  }

  private boolean inRange(ReleaseId id) {
    return series(id).equals(series(first.get()))
        && BY_EPOCH.compare(first.get().epoch(), id.epoch()) <= 0
        && BY_EPOCH.compare(id.epoch(), last.get().epoch()) <= 0;
  }

  private static Release later(Release one, Release other) {
    return BY_EPOCH.compare(one.id().epoch(), other.id().epoch()) < 0 ? other : one;
  }

  private static String series(ReleaseId id) {
    return String.join("/", id.stream(), id.group(), id.sketch());
  }

  private static Instant time(String epoch) {
    try {
      return Instant.parse(epoch);
    } catch (DateTimeParseException e) {
      return Instant.MIN; // such as all
    }
  }
}

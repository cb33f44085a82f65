package io.gauze.cli.release;

import io.gauze.answer.ReleaseRange;
import io.gauze.answer.ReleaseTopic;
import io.gauze.cli.option.CommandMessage;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import io.gauze.message.NearestName;
import io.gauze.release.Release;
import io.gauze.report.Messages;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Selects the releases of a topic to fit: one, a range of epochs, or the latest of every sketch.
 */
final class ReleaseSelection implements ReleaseTopic.Reader {
  private final String stream;
  private final Optional<ReleaseRange> wanted;
  private final List<String> ids = new ArrayList<>();
  private final Map<String, Release> found = new LinkedHashMap<>();
  private final Map<String, ReleaseId> earlier = new HashMap<>(); // than the found, by series
  private final List<ReleaseTopic.Damage> damages = new ArrayList<>();

  private ReleaseSelection(String stream, Optional<ReleaseRange> wanted) {
    this.stream = stream;
    this.wanted = wanted;
  }

  /**
   * Returns a selection.
   *
   * @param stream the stream whose latest epochs are selected if there is no id
   * @param id one id, or the first and the last of a range with two dots between them
   * @throws IllegalArgumentException if the id is neither
   */
  static ReleaseSelection of(String stream, Optional<String> id) {
    return new ReleaseSelection(stream, id.map(text -> ReleaseRange.parse("--id", text)));
  }

  /**
   * Reads the releases from the config's topic. Returns the candidates, each one release or a range
   * in the order of its epochs.
   *
   * @throws IllegalArgumentException if an id does not exist, with the nearest one, or if there is
   *     no id and the stream has several groups
   * @throws ConfigException if the broker's address or the topic is missing
   * @throws IOException if the broker does not answer, if the stream has no release, or if a
   *     release has two bodies
   */
  List<List<Release>> read(StreamConfig config, PrintWriter err)
      throws ConfigException, IOException {
    try (ReleaseTopic topic = ReleaseStore.open(config, err)) {
      topic.readToEnd(this);
    }
    for (ReleaseTopic.Damage damage : damages) {
      Message message = CommandMessage.UNREADABLE.of().with("It is at " + damage + ".");
      Messages.all("warning: ", List.of(message)).forEach(err::println);
    }
    err.flush();
    String name = config.kafka().topics().releases();
    if (wanted.isEmpty()) {
      return latest(name);
    }
    checkThere(wanted.get().first(), name);
    checkThere(wanted.get().last(), name);
    List<Release> range = new ArrayList<>(found.values());
    range.sort(Comparator.comparing(release -> release.id().epoch(), ReleaseRange.BY_EPOCH));
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

  private void checkUncontested(List<Release> releases) throws IOException {
    for (ReleaseTopic.Damage damage : damages) {
      for (Release release : releases) {
        if (damage.contested().filter(release.id()::equals).isPresent()) {
          throw new IOException("not fitted: " + damage);
        }
      }
    }
  }

  @Override
  public void release(Release release, ReleaseTopic.Place place) {
    ReleaseId id = release.id();
    ids.add(id.toString());
    if (wanted.isPresent()) {
      if (wanted.get().contains(id)) {
        found.put(id.toString(), release);
      }
    } else if (id.stream().equals(stream)) {
      take(ReleaseRange.series(id), release);
    }
  }

  @Override
  public void damaged(ReleaseTopic.Damage damage) {
    damages.add(damage);
  }

  private void take(String series, Release release) {
    Release latest = found.putIfAbsent(series, release);
    if (latest == null) {
      return;
    }
    int order = ReleaseRange.BY_EPOCH.compare(latest.id().epoch(), release.id().epoch());
    if (order < 0) {
      found.put(series, release);
      earlier.put(series, latest.id());
    } else if (order > 0) {
      earlier.merge(series, release.id(), ReleaseSelection::later);
    }
  }

  private static ReleaseId later(ReleaseId one, ReleaseId other) {
    return ReleaseRange.BY_EPOCH.compare(one.epoch(), other.epoch()) < 0 ? other : one;
  }

  /**
   * Returns the epoch before the latest one of a sketch; empty if there is none, or if ids were
   * given.
   */
  Optional<ReleaseId> before(ReleaseId latest) {
    return Optional.ofNullable(earlier.get(ReleaseRange.series(latest)));
  }
}

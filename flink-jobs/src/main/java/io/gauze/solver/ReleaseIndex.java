package io.gauze.solver;

import io.gauze.release.Release;
import io.gauze.release.ReleaseId;
import io.gauze.row.NearestName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a topic of releases holds: ids and places, no bodies, some 300 bytes a release. Not
 * thread-safe.
 */
final class ReleaseIndex implements ReleaseTopic.Reader {
  /** More damaged keys, or series to search for a nearest name, are not of use to anybody. */
  private static final int MANY = 10_000;

  /** Series, such as wine/all/moments, to its epochs. */
  private final NavigableMap<String, NavigableMap<String, Entry>> series = new TreeMap<>();

  private final Set<ReleaseId> contested = new HashSet<>();
  private final Set<String> damaged = new HashSet<>();
  private long revision;

  private record Entry(ReleaseId id, ReleaseTopic.Place place) {}

  @Override
  public void release(Release release, ReleaseTopic.Place place) {
    series
        .computeIfAbsent(
            ReleaseRange.series(release.id()), name -> new TreeMap<>(ReleaseRange.BY_EPOCH))
        .put(release.id().epoch(), new Entry(release.id(), place));
    revision++;
  }

  @Override
  public void damaged(ReleaseTopic.Damage damage) {
    damage.contested().ifPresent(contested::add);
    if (damage.contested().isEmpty() && damaged.size() < MANY) {
      damage.key().ifPresent(damaged::add);
    }
    revision++;
  }

  /** Changes whenever something has come. */
  long revision() {
    return revision;
  }

  /** Whether the topic holds two bodies of it. */
  boolean isContested(ReleaseId id) {
    return contested.contains(id);
  }

  /** What a range holds, the earliest first; empty if its first or last is not there. */
  List<ReleaseId> find(ReleaseRange range) {
    NavigableMap<String, Entry> epochs =
        series.getOrDefault(ReleaseRange.series(range.first()), new TreeMap<>());
    String first = range.first().epoch();
    String last = range.last().epoch();
    if (!epochs.containsKey(first) || !epochs.containsKey(last)) {
      return List.of();
    }
    return epochs.subMap(first, true, last, true).values().stream().map(Entry::id).toList();
  }

  /** The latest epoch of each of a stream's series. */
  List<ReleaseId> latest(String stream) {
    String prefix = stream + "/";
    List<ReleaseId> ids = new ArrayList<>();
    for (Map.Entry<String, NavigableMap<String, Entry>> each :
        series.tailMap(prefix, true).entrySet()) {
      if (!each.getKey().startsWith(prefix)) {
        break;
      }
      ids.add(each.getValue().lastEntry().getValue().id());
    }
    return ids;
  }

  /** Where releases of {@link #find} or {@link #latest} are. */
  List<ReleaseTopic.Place> places(List<ReleaseId> ids) {
    return ids.stream()
        .map(id -> series.get(ReleaseRange.series(id)).get(id.epoch()).place())
        .toList();
  }

  /** Forgets releases that are no longer in the topic. */
  void forget(List<ReleaseId> ids) {
    for (ReleaseId id : ids) {
      String name = ReleaseRange.series(id);
      series.get(name).remove(id.epoch());
      if (series.get(name).isEmpty()) {
        series.remove(name);
      }
    }
  }

  /** Why a range cannot be found, and what there is instead. */
  RequestException unknown(ReleaseRange range, String deadline) {
    Optional<String> broken =
        List.of(range.first(), range.last()).stream()
            .filter(id -> find(new ReleaseRange(id, id)).isEmpty())
            .map(ReleaseId::toString)
            .filter(damaged::contains)
            .findFirst();
    if (broken.isPresent()) {
      return new RequestException(
          ErrorCode.DAMAGED_RELEASE,
          "what the topic holds as release "
              + broken.get()
              + " cannot be read, and no other record of it came within the deadline of "
              + deadline
              + "; ask the stream's owner to look at the topic (gauze releases lists the damage)");
    }
    return new RequestException(
        ErrorCode.UNKNOWN_RELEASE,
        "no release "
            + range
            + " came within the deadline of "
            + deadline
            + "; "
            + known(ReleaseRange.series(range.first())));
  }

  private String known(String wanted) {
    if (series.isEmpty()) {
      return "the topic holds no release yet";
    }
    String nearest =
        series.containsKey(wanted) || series.size() > MANY
            ? wanted
            : NearestName.of(wanted, series.keySet());
    if (!series.containsKey(nearest)) {
      return "the topic holds none of this stream, group and sketch";
    }
    NavigableMap<String, Entry> epochs = series.get(nearest);
    ReleaseId first = epochs.firstEntry().getValue().id();
    ReleaseId last = epochs.lastEntry().getValue().id();
    String which = nearest.equals(wanted) ? "of this sketch" : "of the nearest sketch";
    return first.equals(last)
        ? "the topic holds one release " + which + ", " + first
        : "the topic holds "
            + epochs.size()
            + " releases "
            + which
            + ", from "
            + first
            + " to "
            + last;
  }
}

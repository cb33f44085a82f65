package io.gauze.answer;

import io.gauze.mechanism.ReleaseId;
import io.gauze.message.NearestName;
import io.gauze.release.Release;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The index of a topic of releases: ids and places without bodies, about 300 bytes a release. Not
 * thread-safe.
 */
final class ReleaseIndex implements ReleaseTopic.Reader {
  /**
   * The most damaged keys that are kept, and the most series among which a nearest name is
   * searched.
   */
  private static final int MANY = 10_000;

  /** From a series, such as wine/all/moments, to its epochs. */
  private final NavigableMap<String, NavigableMap<String, ReleaseId>> series = new TreeMap<>();

  private final Map<ReleaseId, ReleaseTopic.Place> places = new HashMap<>();
  private final Set<ReleaseId> contested = new HashSet<>();
  private final Set<String> damaged = new HashSet<>();
  private long revision;

  @Override
  public void release(Release release, ReleaseTopic.Place place) {
    series
        .computeIfAbsent(
            ReleaseRange.series(place.id()), name -> new TreeMap<>(ReleaseRange.BY_EPOCH))
        .put(place.id().epoch(), place.id());
    places.put(place.id(), place);
    revision++;
  }

  /**
   * Updates the place, since the topic keeps the last copy longest; adds a release that was
   * forgotten.
   */
  @Override
  public void copy(Release release, ReleaseTopic.Place place) {
    if (places.replace(place.id(), place) == null) {
      release(release, place);
    }
  }

  @Override
  public void damaged(ReleaseTopic.Damage damage) {
    damage.contested().ifPresent(contested::add);
    if (damage.contested().isEmpty() && damaged.size() < MANY) {
      damage.key().ifPresent(damaged::add);
    }
    revision++;
  }

  @Override
  public void gone(ReleaseId id) {
    if (places.containsKey(id)) {
      forget(List.of(id));
    }
    revision++;
  }

  @Override
  public void healed(ReleaseTopic.Damage damage) {
    if (damage.contested().isPresent()) {
      contested.remove(damage.contested().get());
    } else {
      damage.key().ifPresent(damaged::remove);
    }
    revision++;
  }

  /** A number that changes whenever a new record was reported. */
  long revision() {
    return revision;
  }

  /** The number of known releases. */
  int size() {
    return places.size();
  }

  /** Returns whether the topic holds two bodies of the release. */
  boolean isContested(ReleaseId id) {
    return contested.contains(id);
  }

  /**
   * Returns the releases of a range, the earliest first; empty if its first or last one is missing.
   */
  List<ReleaseId> find(ReleaseRange range) {
    if (!places.containsKey(range.first()) || !places.containsKey(range.last())) {
      return List.of();
    }
    return range.isOne()
        ? List.of(range.first())
        : List.copyOf(
            series
                .get(ReleaseRange.series(range.first()))
                .subMap(range.first().epoch(), true, range.last().epoch(), true)
                .values());
  }

  /** Returns the release of the latest epoch of each of a stream's series. */
  List<ReleaseId> latest(String stream) {
    String prefix = stream + "/";
    List<ReleaseId> ids = new ArrayList<>();
    for (Map.Entry<String, NavigableMap<String, ReleaseId>> each :
        series.tailMap(prefix, true).entrySet()) {
      if (!each.getKey().startsWith(prefix)) {
        break;
      }
      ids.add(each.getValue().lastEntry().getValue());
    }
    return ids;
  }

  /** Returns the places of releases of {@link #find} or {@link #latest}. */
  List<ReleaseTopic.Place> places(List<ReleaseId> ids) {
    return ids.stream().map(places::get).toList();
  }

  /** Removes releases that the topic no longer holds. */
  void forget(List<ReleaseId> ids) {
    for (ReleaseId id : ids) {
      String name = ReleaseRange.series(id);
      places.remove(id);
      series.get(name).remove(id.epoch());
      if (series.get(name).isEmpty()) {
        series.remove(name);
      }
    }
  }

  /**
   * Returns the error of a range that is missing; its message names what there is instead.
   *
   * @param when what a release did not do, such as: came within the deadline of PT5S
   */
  RequestException unknown(ReleaseRange range, String when) {
    Optional<String> broken =
        List.of(range.first(), range.last()).stream()
            .filter(id -> !places.containsKey(id))
            .map(ReleaseId::toString)
            .filter(damaged::contains)
            .findFirst();
    if (broken.isPresent()) {
      return new RequestException(
          ErrorCode.DAMAGED_RELEASE,
          "what the topic holds as release "
              + broken.get()
              + " cannot be read, and no other record of it "
              + when
              + "; ask the stream's owner to look at the topic (gauze releases lists the damage)");
    }
    return new RequestException(
        ErrorCode.UNKNOWN_RELEASE,
        "no release " + range + " " + when + "; " + known(ReleaseRange.series(range.first())));
  }

  private String known(String wanted) {
    if (series.isEmpty()) {
      return "there is no release yet";
    }
    String nearest =
        series.containsKey(wanted) || series.size() > MANY
            ? wanted
            : NearestName.of(wanted, series.keySet());
    if (!series.containsKey(nearest)) {
      return "there is none of this stream, group and sketch";
    }
    NavigableMap<String, ReleaseId> epochs = series.get(nearest);
    ReleaseId first = epochs.firstEntry().getValue();
    ReleaseId last = epochs.lastEntry().getValue();
    String which = nearest.equals(wanted) ? "of this sketch" : "of the nearest sketch";
    return first.equals(last)
        ? "there is one release " + which + ", " + first
        : "there are " + epochs.size() + " releases " + which + ", from " + first + " to " + last;
  }
}

package io.gauze.ledger;

import io.gauze.mechanism.ReleaseId;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The complete epochs of a ledger, and the cells that they name. Not thread-safe. */
final class CompleteEpochs {
  private final Map<String, EpochCells> cells = new HashMap<>(); // by key
  private final Map<String, Map<String, CompletePosition>> streams = new HashMap<>(); // by key
  private final Map<String, Map<String, List<CompleteEpoch>>> epochs = new HashMap<>(); // by label

  /** Adds cells of a stream, which may be there already. */
  void add(String stream, EpochCells more) {
    cells.putIfAbsent(more.key(stream), more);
  }

  boolean has(String stream, EpochCells known) {
    return cells.containsKey(known.key(stream));
  }

  /**
   * Returns cells of a stream.
   *
   * @throws IllegalArgumentException if there are none with this hash
   */
  EpochCells cells(String stream, String hash) {
    EpochCells found = cells.get(EpochCells.key(stream, hash));
    if (found == null) {
      throw new IllegalArgumentException("cells must be in front of their epochs");
    }
    return found;
  }

  /**
   * Adds an epoch.
   *
   * @return false if it is there already
   * @throws IllegalArgumentException if it has releases of another epoch that is there
   */
  boolean add(CompletePosition next) {
    CompleteEpoch epoch = next.epoch();
    Map<String, CompletePosition> ofStream =
        streams.computeIfAbsent(epoch.stream(), stream -> new LinkedHashMap<>());
    CompletePosition before = ofStream.get(epoch.key());
    if (before != null && before.epoch().toJson().equals(epoch.toJson())) {
      return false;
    }
    Map<String, List<CompleteEpoch>> byLabel =
        epochs.computeIfAbsent(epoch.stream(), stream -> new HashMap<>());
    List<CompleteEpoch> others = byLabel.getOrDefault(epoch.epoch(), List.of());
    if (others.stream().anyMatch(other -> other.cells().overlap(epoch.cells()))) {
      throw new IllegalArgumentException(
          "a release must be in one complete epoch. Provided value: " + epoch.key());
    }
    ofStream.put(epoch.key(), next);
    byLabel.put(epoch.epoch(), Stream.concat(others.stream(), Stream.of(epoch)).toList());
    return true;
  }

  /** Returns the epoch that a release is in. */
  Optional<CompleteEpoch> of(ReleaseId id) {
    for (CompleteEpoch each :
        epochs.getOrDefault(id.stream(), Map.of()).getOrDefault(id.epoch(), List.of())) {
      if (each.covers(id)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** The epochs of one stream, in their order in the log. */
  Collection<CompleteEpoch> of(String stream) {
    return streams.getOrDefault(stream, Map.of()).values().stream()
        .map(CompletePosition::epoch)
        .toList();
  }

  /** The epochs of all streams. */
  Stream<CompletePosition> all() {
    return streams.values().stream().flatMap(ofStream -> ofStream.values().stream());
  }

  boolean isEmpty() {
    return streams.isEmpty();
  }
}

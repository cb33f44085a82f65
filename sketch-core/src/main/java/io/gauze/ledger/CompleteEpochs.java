package io.gauze.ledger;

import io.gauze.mechanism.ReleaseId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The complete epochs of a ledger, and the cells that they name. Not thread-safe. */
final class CompleteEpochs {
  private final Map<String, EpochCells> cells = new HashMap<>(); // by key
  private final Map<String, Map<String, List<CompletePosition>>> epochs =
      new HashMap<>(); // by stream and label

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
   * Adds an epoch; of a copy only the place, which is the later one.
   *
   * @return false if it is there already
   * @throws IllegalArgumentException if it has releases of another epoch that is there
   */
  boolean add(CompletePosition next) {
    CompleteEpoch epoch = next.epoch();
    Map<String, List<CompletePosition>> ofStream =
        epochs.computeIfAbsent(epoch.stream(), stream -> new LinkedHashMap<>());
    List<CompletePosition> blocks =
        new ArrayList<>(ofStream.getOrDefault(epoch.epoch(), List.of()));
    OptionalInt copy =
        IntStream.range(0, blocks.size()).filter(i -> isCopy(next, blocks.get(i))).findFirst();
    if (copy.isPresent()) {
      blocks.set(copy.getAsInt(), next);
    } else if (blocks.stream().anyMatch(each -> each.epoch().cells().overlap(epoch.cells()))) {
      throw new IllegalArgumentException(
          "a release must be in one complete epoch. Provided value: " + epoch.key());
    } else {
      blocks.add(next);
    }
    ofStream.put(epoch.epoch(), List.copyOf(blocks));
    return copy.isEmpty();
  }

  private static boolean isCopy(CompletePosition next, CompletePosition before) {
    return before.mark() == next.mark() && before.epoch().equals(next.epoch());
  }

  /** Returns the epoch that a release is in. */
  Optional<CompletePosition> of(ReleaseId id) {
    for (CompletePosition each :
        epochs.getOrDefault(id.stream(), Map.of()).getOrDefault(id.epoch(), List.of())) {
      if (each.epoch().covers(id)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** The epochs of one stream, in the order in which the log begins them. */
  Collection<CompleteEpoch> of(String stream) {
    return epochs.getOrDefault(stream, Map.of()).values().stream()
        .flatMap(List::stream)
        .map(CompletePosition::epoch)
        .toList();
  }

  /** The epochs of all streams. */
  Stream<CompletePosition> all() {
    return epochs.values().stream()
        .flatMap(ofStream -> ofStream.values().stream())
        .flatMap(List::stream);
  }

  boolean isEmpty() {
    return epochs.isEmpty();
  }
}

package io.gauze.ledger;

import io.gauze.mechanism.ReleaseId;
import java.io.Serializable;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Ids of releases that the ledger holds of one stream. A complete epoch takes the memory of one
 * reference, however many releases it has. Immutable.
 */
public final class HeldReleases extends AbstractSet<String> implements Serializable {
  private static final long serialVersionUID = 1L;

  /** No release. */
  public static final HeldReleases NONE = new HeldReleases("", Set.of(), Map.of());

  private final String stream;
  private final Set<String> ids; // none is of a complete epoch's cells
  private final Map<String, List<EpochCells>> complete; // by epoch; no two have a cell in common
  private final int size;
  private transient volatile Cover known; // the last one that was found; null before

  /** Cells of complete epochs that have a release of each of some groups and sketches. */
  private record Cover(List<String> groups, List<String> sketches, List<EpochCells> cells) {}

  private HeldReleases(String stream, Set<String> ids, Map<String, List<EpochCells>> complete) {
    this.stream = stream;
    this.ids = ids;
    this.complete = complete;
    long all =
        ids.size()
            + complete.values().stream().flatMap(List::stream).mapToLong(EpochCells::size).sum();
    this.size = (int) Math.min(Integer.MAX_VALUE, all);
  }

  /** Returns a copy of these ids, which may be such a set already. */
  public static HeldReleases copyOf(Collection<String> ids) {
    return ids instanceof HeldReleases held
        ? held
        : new HeldReleases("", Set.copyOf(ids), Map.of());
  }

  static HeldReleases of(String stream, Set<String> ids, Collection<CompleteEpoch> epochs) {
    Map<String, List<EpochCells>> complete = new HashMap<>();
    for (CompleteEpoch epoch : epochs) {
      complete.merge(
          epoch.epoch(),
          List.of(epoch.cells()),
          (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
    }
    return new HeldReleases(stream, Set.copyOf(ids), complete);
  }

  /** Returns a set with more ids. */
  public HeldReleases with(Collection<String> more) {
    Set<String> all = new HashSet<>(ids);
    more.stream().filter(id -> !contains(id)).forEach(all::add);
    return all.size() == ids.size() ? this : new HeldReleases(stream, all, complete);
  }

  /** Returns the ids of the epochs, by their labels, that are chosen. */
  public Stream<String> ofEpochs(Predicate<String> chosen) {
    return Stream.concat(
        ids.stream().filter(id -> chosen.test(epoch(id))),
        complete.entrySet().stream()
            .filter(epoch -> chosen.test(epoch.getKey()))
            .flatMap(
                epoch -> epoch.getValue().stream().flatMap(each -> ids(epoch.getKey(), each))));
  }

  private static String epoch(String id) {
    return ReleaseId.parse(id).epoch();
  }

  private Stream<String> ids(String epoch, EpochCells cells) {
    return IntStream.range(0, cells.size()).mapToObj(i -> cells.id(stream, epoch, i).toString());
  }

  /** Returns whether the set has a release. Takes no longer if there are many. */
  public boolean contains(String ofStream, String group, String epoch, String sketch) {
    return isComplete(ofStream, group, epoch, sketch)
        || ids.contains(String.join("/", ofStream, group, epoch, sketch));
  }

  /**
   * Returns whether the set has all releases of an epoch: one of each sketch for each group. Takes
   * no longer if there are many, as long as complete epochs have them and their cells are those of
   * the last call.
   */
  public boolean containsAll(
      String ofStream, List<String> groups, String epoch, List<String> sketches) {
    List<EpochCells> cells =
        stream.equals(ofStream) ? complete.getOrDefault(epoch, List.of()) : List.of();
    Cover cover = new Cover(groups, sketches, cells);
    if (cover.equals(known)) {
      return true;
    }
    if (all(groups, sketches, (group, sketch) -> isComplete(ofStream, group, epoch, sketch))) {
      known = cover;
      return true;
    }
    return all(groups, sketches, (group, sketch) -> contains(ofStream, group, epoch, sketch));
  }

  private static boolean all(
      List<String> groups, List<String> sketches, BiPredicate<String, String> holds) {
    return groups.stream()
        .allMatch(group -> sketches.stream().allMatch(sketch -> holds.test(group, sketch)));
  }

  private boolean isComplete(String ofStream, String group, String epoch, String sketch) {
    return stream.equals(ofStream)
        && complete.getOrDefault(epoch, List.of()).stream()
            .anyMatch(cells -> cells.index(group, sketch).isPresent());
  }

  @Override
  public boolean contains(Object id) {
    if (ids.contains(id)) {
      return true;
    }
    String[] parts = id instanceof String text ? text.split("/", -1) : new String[0];
    return parts.length == 4 && isComplete(parts[0], parts[1], parts[2], parts[3]);
  }

  @Override
  public Iterator<String> iterator() {
    return ofEpochs(epoch -> true).iterator();
  }

  @Override
  public int size() {
    return size;
  }
}

package io.gauze.stream;

import io.gauze.config.EpochSchedule;
import io.gauze.row.BatchHasher;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowTag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.flink.metrics.MetricGroup;

/** One subtask's un-noised sketches since its last flush, by group and epoch. In memory only. */
public final class Partials {
  /** Partials are sent on when they take more than this; with them at most one more. */
  public static final long MEMORY_LIMIT = 64L << 20;

  private record Key(String group, long epoch) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byEpoch = Long.compare(epoch, other.epoch);
      return byEpoch == 0 ? group.compareTo(other.group) : byEpoch;
    }
  }

  private final SketchJobSettings settings;
  private final RowEncoder encoder;
  private final Optional<BatchHasher> hasher;
  private final long eachBytes;
  private final Map<String, List<Cell>> cells = new HashMap<>();
  private final Map<Key, PartialEpoch> open = new TreeMap<>();
  private Key currentKey = new Key("", EpochSchedule.LATE);
  private PartialEpoch current;
  private long bytes;
  private volatile long shownBytes;

  /**
   * @param encoder of the rows that come unencoded
   * @param hasher makes the tags of rows that come with their positions; empty: rows come with
   *     their tags
   */
  public Partials(
      SketchJobSettings settings,
      MetricGroup metrics,
      RowEncoder encoder,
      Optional<BatchHasher> hasher) {
    this.settings = settings;
    this.encoder = encoder;
    this.hasher = hasher;
    this.eachBytes = PartialEpoch.bytes(settings.plan());
    for (Cell cell : settings.cells()) {
      cells.computeIfAbsent(cell.group(), group -> new ArrayList<>()).add(cell);
    }
    metrics.gauge("sketchBytes", () -> shownBytes);
  }

  /** Whether there is a sketch of this group and epoch, or memory for one; else flush first. */
  public boolean hasRoom(String group, long epoch) {
    return isCurrent(group, epoch)
        || open.isEmpty()
        || open.containsKey(new Key(group, epoch))
        || bytes + eachBytes <= MEMORY_LIMIT;
  }

  /** Adds the record that the encoder has accepted. */
  public void addAt(String group, long epoch, long partition, long offset) {
    partial(group, epoch).addAt(partition, offset);
  }

  /** Adds the record that the encoder has accepted. */
  public void add(String group, long epoch, RowTag tag) {
    partial(group, epoch).add(tag);
  }

  public void add(String group, long epoch, RowTag tag, EncodedRow row, int sign) {
    partial(group, epoch).add(tag, row, sign);
  }

  private PartialEpoch partial(String group, long epoch) {
    if (!isCurrent(group, epoch)) {
      currentKey = new Key(group, epoch);
      current = open.get(currentKey);
      if (current == null) {
        current = new PartialEpoch(settings.plan(), encoder, hasher);
        open.put(currentKey, current);
        bytes += eachBytes;
        shownBytes = bytes;
      }
    }
    return current;
  }

  private boolean isCurrent(String group, long epoch) {
    return current != null && currentKey.epoch() == epoch && currentKey.group().equals(group);
  }

  /** Hands every partial to {@code out}, and forgets them. */
  public void flush(Consumer<CellMessage> out) {
    open.forEach(
        (key, partial) -> {
          for (Cell cell : cells.get(key.group())) {
            out.accept(CellMessage.partial(cell, key.epoch(), partial.block(cell)));
          }
        });
    open.clear();
    current = null;
    bytes = 0;
    shownBytes = 0;
  }
}

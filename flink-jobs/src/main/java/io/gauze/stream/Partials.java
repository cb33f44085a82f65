package io.gauze.stream;

import io.gauze.config.EpochSchedule;
import io.gauze.plan.StreamPlan;
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

/**
 * The sketches without noise of one subtask since its last flush, by group and epoch. They are in
 * memory only.
 */
public final class Partials {
  /** The most bytes that the partials of a subtask take, unless a single one takes more. */
  public static final long MEMORY_LIMIT = 64L << 20;

  private record Key(String group, long epoch) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byEpoch = Long.compare(epoch, other.epoch);
      return byEpoch == 0 ? group.compareTo(other.group) : byEpoch;
    }
  }

  /** The sketches that partials are of. */
  interface Kind {
    /** Returns empty sketches of a group and epoch. */
    PartialEpoch empty(String group, long epoch);

    /** Returns the bytes that {@link #empty} takes. */
    long bytes();

    /** Returns the bytes of a cell's part of its sketch. */
    byte[] block(PartialEpoch partial, Cell cell);
  }

  private final Kind kind;
  private final long eachBytes;
  private final Map<String, List<Cell>> cells = new HashMap<>();
  private final Map<Key, PartialEpoch> open = new TreeMap<>();
  private Key currentKey = new Key("", EpochSchedule.LATE);
  private PartialEpoch current;
  private long bytes;
  private volatile long shownBytes;

  /**
   * Creates partials without rows.
   *
   * @param encoder the encoder that has accepted the rows that are added unencoded
   * @param hasher computes the tags of rows that are added with their positions; empty if rows are
   *     added with their tags
   */
  public Partials(
      SketchJobSettings settings,
      MetricGroup metrics,
      RowEncoder encoder,
      Optional<BatchHasher> hasher) {
    this(settings.cells(), metrics, ofPlan(settings.plan(), encoder, hasher));
  }

  private static Kind ofPlan(StreamPlan plan, RowEncoder encoder, Optional<BatchHasher> hasher) {
    return new Kind() {
      @Override
      public PartialEpoch empty(String group, long epoch) {
        return new PartialEpoch(plan, encoder, hasher);
      }

      @Override
      public long bytes() {
        return PartialEpoch.bytes(plan);
      }

      @Override
      public byte[] block(PartialEpoch partial, Cell cell) {
        return partial.block(cell);
      }
    };
  }

  /**
   * Creates partials of other sketches than those of a plan.
   *
   * @param all the cells that the partials are for
   */
  Partials(List<Cell> all, MetricGroup metrics, Kind kind) {
    this.kind = kind;
    this.eachBytes = kind.bytes();
    for (Cell cell : all) {
      cells.computeIfAbsent(cell.group(), group -> new ArrayList<>()).add(cell);
    }
    metrics.gauge("sketchBytes", () -> shownBytes);
  }

  /**
   * Returns whether a row of this group and epoch fits into memory; if not, flush before adding it.
   */
  public boolean hasRoom(String group, long epoch) {
    return isCurrent(group, epoch)
        || open.isEmpty()
        || open.containsKey(new Key(group, epoch))
        || bytes + eachBytes <= MEMORY_LIMIT;
  }

  /** Adds the row that the encoder has accepted. */
  public void addAt(String group, long epoch, long partition, long offset) {
    partial(group, epoch).addAt(partition, offset);
  }

  /** Adds the row that the encoder has accepted. */
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
        current = kind.empty(group, epoch);
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

  /** Hands every partial to {@code out}, and removes it. */
  public void flush(Consumer<CellMessage> out) {
    open.forEach(
        (key, partial) -> {
          for (Cell cell : cells.get(key.group())) {
            out.accept(CellMessage.partial(cell, key.epoch(), kind.block(partial, cell)));
          }
        });
    open.clear();
    current = null;
    bytes = 0;
    shownBytes = 0;
  }
}

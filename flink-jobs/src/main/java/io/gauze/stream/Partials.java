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

  private final StreamPlan plan;
  private final RowEncoder encoder;
  private final Optional<BatchHasher> hasher;
  private final int batchRows;
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
    this.plan = settings.plan();
    this.encoder = encoder;
    this.hasher = hasher;
    for (Cell cell : settings.cells()) {
      cells.computeIfAbsent(cell.group(), group -> new ArrayList<>()).add(cell);
    }
    this.batchRows = PartialEpoch.batchRows(plan, cells.size(), MEMORY_LIMIT);
    this.eachBytes = PartialEpoch.bytes(plan, batchRows);
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
        current = new PartialEpoch(plan, batchRows, encoder, hasher);
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
            out.accept(CellMessage.partial(cell, key.epoch(), partial.block(cell)));
          }
        });
    open.clear();
    current = null;
    bytes = 0;
    shownBytes = 0;
  }
}

package io.gauze.pipeline.read;

import io.gauze.config.EpochSchedule;
import io.gauze.kafka.RowRecord;
import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.stream.SketchJobSettings;
import java.util.Optional;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Keeps the current row of each key of a table and folds what each change adds and removes, so that
 * each key has at most one row in the sketches. The state holds encoded rows and is never cleaned
 * up.
 *
 * <p>A change that contradicts the current row becomes a dead letter and leaves the row as it is.
 * So events that a connector sends again after a crash change nothing. A new row that cannot be
 * encoded also becomes a dead letter, and the key has no row after it.
 *
 * <p>The changes of a key are folded in the order of the log, and never into an epoch before that
 * of the key's previous change. Otherwise, after a clock was set back, a row would be removed from
 * a snapshot that does not contain it.
 */
final class ChangelogTable implements KeyedRowHandler {
  private static final ValueStateDescriptor<byte[]> ROW =
      new ValueStateDescriptor<>(
          "table-row-v1", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final KeyedFoldOperator operator;
  private final SketchJobSettings settings;
  private final EpochSchedule schedule;
  private final RecordReader reader;
  private final ValueState<byte[]> state;
  private final TableRow held;
  private final TableRow before;
  private final TableRow after;
  private final Counter afterLast;

  ChangelogTable(
      KeyedFoldOperator operator,
      SketchJobSettings settings,
      EpochSchedule schedule,
      RecordReader reader,
      MetricGroup metrics) {
    this.operator = operator;
    this.settings = settings;
    this.schedule = schedule;
    this.reader = reader;
    this.state = operator.getRuntimeContext().getState(ROW);
    int dimension = settings.plan().schema().dimension();
    this.held = new TableRow(dimension);
    this.before = new TableRow(dimension);
    this.after = new TableRow(dimension);
    this.afterLast = metrics.counter("changesAfterLastSnapshot");
  }

  @Override
  public void apply(RoutedRecord routed) throws Exception {
    RowRecord record = routed.row();
    long epoch = epoch(record);
    if (epoch > settings.lastRelease(schedule)) {
      afterLast.inc(); // no release will ever contain it
      return;
    }
    Change change = change(routed);
    if (change == Change.NONE) {
      return;
    }
    byte[] bytes = state.value();
    held.forget();
    if (bytes != null) {
      held.read(bytes);
    }
    if (isTombstoneOfNothing(record, bytes)) {
      return;
    }
    check(change);
    replace(record, Math.max(epoch, held.epoch()), change);
  }

  /** Returns whether a record without value follows the deletion of its key, for compaction. */
  private boolean isTombstoneOfNothing(RowRecord record, byte[] bytes) {
    return record.value().isEmpty() && bytes != null && !held.isPresent();
  }

  /** Returns the epoch of a change; changes before the first epoch belong to the first snapshot. */
  private long epoch(RowRecord record) throws RowRejectedException {
    if (schedule.isAll()) {
      return 0;
    }
    reader.requireAppendTime(record);
    return Math.max(schedule.firstEpoch(), schedule.epochOf(record.timestamp()));
  }

  private Change change(RoutedRecord routed) throws RowRejectedException {
    Change change = reader.readChange(routed.row());
    return switch (routed.part()) {
      case WHOLE -> change;
      case BEFORE -> Change.DELETE;
      case AFTER -> Change.INSERT;
    };
  }

  private void check(Change change) throws RowRejectedException {
    boolean isThere = held.isPresent();
    if (change == Change.INSERT && isThere && !settings.input().upsert()) {
      throw new RowRejectedException(
          "an insertion under a key that has a row already; each key has one row");
    }
    if (change == Change.DELETE && !isThere) {
      throw new RowRejectedException(
          "a deletion of a row that is not there; check its key, unless it came twice or the topic"
              + " was compacted");
    }
    boolean says = change == Change.UPDATE || change == Change.DELETE;
    if (says && isThere && reader.hasBefore()) {
      boolean known = isEncodable(false, before).isEmpty();
      if (known && !held.isSame(before)) {
        throw new RowRejectedException(
            "the row before the change is not the row that is there; set identity: key unless"
                + " events tell whole rows");
      }
    }
  }

  /**
   * Encodes an image of the record into {@code out}, and returns the failure if it is no valid row.
   */
  private Optional<RowRejectedException> isEncodable(boolean isAfter, TableRow out) {
    try {
      out.setGroup(reader.image(isAfter, out.row()));
      return Optional.empty();
    } catch (RowRejectedException e) {
      return Optional.of(e);
    }
  }

  private void replace(RowRecord record, long epoch, Change change) throws Exception {
    Optional<RowRejectedException> failure =
        change == Change.DELETE ? Optional.empty() : isEncodable(true, after);
    boolean hasNew = change != Change.DELETE && failure.isEmpty();
    if (held.isPresent() && hasNew && held.isSame(after)) {
      return;
    }
    if (held.isPresent()) {
      operator.fold(held.group(), epoch, held.tag(), held.row(), -1);
    }
    if (hasNew) {
      operator.tag(record, after.tag());
      operator.fold(after.group(), epoch, after.tag(), after.row(), 1);
    }
    if (hasNew || held.isPresent()) {
      after.changed(epoch, hasNew);
      state.update(after.toBytes());
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}

package io.gauze.pipeline;

import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.source.RowRecord;
import java.util.Optional;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Keeps the current row of each key of a table, so that at most one is ever in the sketches, and
 * folds what each change adds and takes away. The state holds encoded rows, without end.
 *
 * <p>A change that does not fit the row that is there is a dead letter, and leaves it there: so
 * events that a connector sends again after a crash change nothing. A row that cannot be encoded is
 * a dead letter, too, and the key is then without a row.
 */
final class TableStep implements KeyedStep {
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

  TableStep(
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
    if (epoch > settings.lastSnapshot(schedule)) {
      afterLast.inc(); // no release will ever hold it
      return;
    }
    Change change = change(routed);
    byte[] bytes = state.value();
    boolean isThere = bytes != null;
    if (isThere) {
      held.read(bytes);
    }
    if (change != Change.NONE) {
      check(change, isThere);
      replace(record, epoch, isThere, change);
    }
  }

  /** All that came before the first epoch belongs to the table of the first snapshot. */
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

  private void check(Change change, boolean isThere) throws RowRejectedException {
    if (settings.input().upsert()) {
      if (change == Change.DELETE && !isThere) {
        throw new RowRejectedException("a deletion of a row that is not there");
      }
      return;
    }
    if (change == Change.INSERT) {
      if (isThere) {
        throw new RowRejectedException(
            "an insertion under a key that has a row already; each key has one row");
      }
      return;
    }
    boolean known = reader.hasBefore() && isEncodable(false, before).isEmpty();
    if (known && !(isThere && held.isSame(before))) {
      throw new RowRejectedException(
          isThere
              ? "the row before the change is not the row that is there"
              : "a change of a row that is not there");
    }
    if (!reader.hasBefore() && change == Change.DELETE && !isThere) {
      throw new RowRejectedException("a deletion of a row that is not there");
    }
  }

  /** Why an image is no row; empty if it is one, which is then in {@code out}. */
  private Optional<RowRejectedException> isEncodable(boolean isAfter, TableRow out) {
    try {
      out.setGroup(reader.image(isAfter, out.row()));
      return Optional.empty();
    } catch (RowRejectedException e) {
      return Optional.of(e);
    }
  }

  private void replace(RowRecord record, long epoch, boolean isThere, Change change)
      throws Exception {
    Optional<RowRejectedException> failure =
        change == Change.DELETE ? Optional.empty() : isEncodable(true, after);
    boolean hasNew = change != Change.DELETE && failure.isEmpty();
    if (isThere && hasNew && held.isSame(after)) {
      return;
    }
    if (isThere) {
      operator.fold(held.group(), epoch, held.tag(), held.row(), -1);
      state.clear();
    }
    if (hasNew) {
      operator.tag(record, after.tag());
      operator.fold(after.group(), epoch, after.tag(), after.row(), 1);
      state.update(after.toBytes());
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}

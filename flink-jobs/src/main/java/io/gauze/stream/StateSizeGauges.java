package io.gauze.stream;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.metrics.MetricGroup;

/**
 * The gauges of the accumulators of a subtask, over all its cells: {@code epochsOpen}, the number
 * of epochs that a cell still has open, and {@code heldBytes}, the bytes of sums and draws. Every
 * write to a state of bytes must go through this class. One thread writes, any may read.
 */
public final class StateSizeGauges {
  private final Map<Long, Integer> cellsByEpoch = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  public StateSizeGauges(MetricGroup metrics) {
    metrics.gauge("epochsOpen", cellsByEpoch::size);
    metrics.gauge("heldBytes", bytes::get);
  }

  /** Counts one more cell that has this epoch open. */
  public void opened(long epoch) {
    cellsByEpoch.merge(epoch, 1, Integer::sum);
  }

  /** Counts one cell less that has this epoch open. */
  public void closed(long epoch) {
    cellsByEpoch.computeIfPresent(epoch, (same, cells) -> cells == 1 ? null : cells - 1);
  }

  public <K> void put(MapState<K, byte[]> state, K key, byte[] value) throws Exception {
    bytes.addAndGet(value.length - length(state.get(key)));
    state.put(key, value);
  }

  public <K> void remove(MapState<K, byte[]> state, K key) throws Exception {
    bytes.addAndGet(-length(state.get(key)));
    state.remove(key);
  }

  public void clear(MapState<?, byte[]> state) throws Exception {
    bytes.addAndGet(-length(state));
    state.clear();
  }

  public void update(ValueState<byte[]> state, byte[] value) throws Exception {
    bytes.addAndGet(value.length - length(state.value()));
    state.update(value);
  }

  public void clear(ValueState<byte[]> state) throws Exception {
    bytes.addAndGet(-length(state.value()));
    state.clear();
  }

  /** Adds the restored bytes of a map state of the current key. */
  public void restored(MapState<?, byte[]> state) throws Exception {
    bytes.addAndGet(length(state));
  }

  /** Adds the restored bytes of a value state of the current key. */
  public void restored(ValueState<byte[]> state) throws Exception {
    bytes.addAndGet(length(state.value()));
  }

  private static long length(MapState<?, byte[]> state) throws Exception {
    long all = 0;
    for (byte[] each : state.values()) {
      all += each.length;
    }
    return all;
  }

  private static long length(byte[] value) {
    return value == null ? 0 : value.length;
  }
}

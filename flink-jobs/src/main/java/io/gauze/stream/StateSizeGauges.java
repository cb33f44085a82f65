package io.gauze.stream;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.metrics.MetricGroup;

/**
 * What the accumulators of a subtask hold, all cells together, for its gauges: {@code epochsOpen},
 * the epochs of which a cell waits for rows, and {@code heldBytes}, the bytes of sums and draws.
 * Whatever is written to a state of bytes goes through here. One thread writes, any may read.
 */
public final class StateSizeGauges {
  private final Map<Long, Integer> cellsByEpoch = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  public StateSizeGauges(MetricGroup metrics) {
    metrics.gauge("epochsOpen", cellsByEpoch::size);
    metrics.gauge("heldBytes", bytes::get);
  }

  /** One more cell has this epoch open. */
  public void opened(long epoch) {
    cellsByEpoch.merge(epoch, 1, Integer::sum);
  }

  /** One cell less has it open. */
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

  /** What a state of the current key has held since before this start. */
  public void restored(MapState<?, byte[]> state) throws Exception {
    bytes.addAndGet(length(state));
  }

  /** What a single value of the current key has held since before this start. */
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

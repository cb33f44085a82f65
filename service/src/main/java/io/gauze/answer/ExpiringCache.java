package io.gauze.answer;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A cache that removes the least recently used entries when it is full, and all entries that are
 * idle for a while. Times are arguments, in milliseconds. Thread-safe.
 *
 * @param <K> the keys, with equals and hashCode
 * @param <V> the values
 */
public final class ExpiringCache<K, V> {
  private final long capacity;
  private final long idleMillis;
  private final LinkedHashMap<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long weight;

  private static final class Entry<V> {
    private final V value;
    private final long weight;
    private long used;

    Entry(V value, long weight, long used) {
      this.value = value;
      this.weight = weight;
      this.used = used;
    }
  }

  /**
   * Creates an empty cache.
   *
   * @param capacity the largest weight of all values together; a single heavier one is kept alone
   * @param idle after this time without use, an entry expires
   */
  public ExpiringCache(long capacity, Duration idle) {
    this.capacity = capacity;
    this.idleMillis = idle.toMillis();
  }

  /** Returns a value, which is then not idle. */
  public synchronized Optional<V> get(K key, long now) {
    Entry<V> entry = entries.get(key);
    if (entry == null) {
      return Optional.empty();
    }
    entry.used = now;
    return Optional.of(entry.value);
  }

  /** Keeps a value in place of the one that the key has. */
  public synchronized void put(K key, V value, long itsWeight, long now) {
    Entry<V> before = entries.put(key, new Entry<>(value, itsWeight, now));
    weight += itsWeight - (before == null ? 0 : before.weight);
    Iterator<Map.Entry<K, Entry<V>>> oldest = entries.entrySet().iterator();
    while (weight > capacity && entries.size() > 1) {
      weight -= oldest.next().getValue().weight;
      oldest.remove();
    }
  }

  /** Removes the entries that are idle for too long at {@code now}. */
  public synchronized void expire(long now) {
    Iterator<Map.Entry<K, Entry<V>>> oldest = entries.entrySet().iterator();
    while (oldest.hasNext()) {
      Entry<V> entry = oldest.next().getValue();
      if (now - entry.used < idleMillis) {
        return;
      }
      weight -= entry.weight;
      oldest.remove();
    }
  }

  /** The number of entries. */
  public synchronized int size() {
    return entries.size();
  }
}

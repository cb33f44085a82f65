package io.gauze.answer;

import io.gauze.answer.ReleaseLibrary.Entry;
import io.gauze.mechanism.ReleaseId;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Known releases in the order in which they were read, each once; they are also found by their ids.
 * Immutable. Lists share memory with later ones of the same {@link Builder}, which takes no longer
 * to make one if there are many releases.
 */
public final class ReleaseList extends AbstractList<Entry> implements RandomAccess {
  private static final int CHUNK_BITS = 10;
  private static final int CHUNK = 1 << CHUNK_BITS;

  /** No release. */
  static final ReleaseList NONE = new ReleaseList(new Entry[0][], 0, Map.of());

  // Beyond the size there may be releases of later lists, in the chunks and in the index.
  private final Entry[][] chunks;
  private final int size;
  private final Map<ReleaseId, Integer> index;

  private ReleaseList(Entry[][] chunks, int size, Map<ReleaseId, Integer> index) {
    this.chunks = chunks;
    this.size = size;
    this.index = index;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public Entry get(int place) {
    Objects.checkIndex(place, size);
    return at(chunks, place);
  }

  private static Entry at(Entry[][] chunks, int place) {
    return chunks[place >> CHUNK_BITS][place & (CHUNK - 1)];
  }

  /** Returns a release; empty if it is not in the list. Takes no longer if there are many. */
  public Optional<Entry> find(ReleaseId id) {
    Integer place = index.get(id);
    return place == null || place >= size ? Optional.empty() : Optional.of(get(place));
  }

  /** Returns a release by the text of its id; empty if it is none, or not in the list. */
  public Optional<Entry> find(String id) {
    ReleaseId parsed;
    try {
      parsed = ReleaseId.parse(id);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    return find(parsed);
  }

  /** Returns the place of an entry; -1 if it is not in the list. */
  @Override
  public int indexOf(Object entry) {
    return entry instanceof Entry wanted && find(wanted.id()).filter(wanted::equals).isPresent()
        ? index.get(wanted.id())
        : -1;
  }

  @Override
  public int lastIndexOf(Object entry) {
    return indexOf(entry);
  }

  @Override
  public boolean contains(Object entry) {
    return indexOf(entry) >= 0;
  }

  /** Makes lists of releases that are added, replaced and removed. Not thread-safe. */
  static final class Builder {
    private Entry[][] chunks = new Entry[0][];
    private int size;
    private Map<ReleaseId, Integer> index = new ConcurrentHashMap<>();
    private int shared; // how many places are in a list, and so never change
    private boolean holes; // whether some places are empty; then no list has these chunks

    /**
     * Adds a release at the end, or replaces it at its place. Takes no longer if there are many.
     */
    void put(Entry entry) {
      Integer known = index.get(entry.id());
      if (known == null) {
        append(entry);
        return;
      }
      if (known < shared) {
        chunks = chunks.clone();
        chunks[known >> CHUNK_BITS] = chunks[known >> CHUNK_BITS].clone();
      }
      chunks[known >> CHUNK_BITS][known & (CHUNK - 1)] = entry;
    }

    private void append(Entry entry) {
      int chunk = size >> CHUNK_BITS;
      if (chunk == chunks.length) {
        chunks = Arrays.copyOf(chunks, chunk + 1);
        chunks[chunk] = new Entry[CHUNK];
      }
      chunks[chunk][size & (CHUNK - 1)] = entry;
      index.put(entry.id(), size);
      size++;
    }

    /** Removes a release. The first time after {@link #list} all are copied. */
    void remove(ReleaseId id) {
      if (!index.containsKey(id)) {
        return;
      }
      if (shared > 0) {
        copy();
      }
      int place = index.remove(id);
      chunks[place >> CHUNK_BITS][place & (CHUNK - 1)] = null;
      holes = true;
    }

    /** Returns the releases of now. */
    ReleaseList list() {
      if (holes) {
        copy();
      }
      shared = size;
      return new ReleaseList(chunks, size, index);
    }

    /** Takes chunks and an index that no list has, without empty places. */
    private void copy() {
      Entry[][] before = chunks;
      int end = size;
      chunks = new Entry[0][];
      index = new ConcurrentHashMap<>();
      size = 0;
      shared = 0;
      holes = false;
      for (int place = 0; place < end; place++) {
        Entry entry = at(before, place);
        if (entry != null) {
          append(entry);
        }
      }
    }
  }
}

package io.gauze.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.api.dataview.ListView;
import org.apache.flink.table.functions.AggregateFunction;

/**
 * {@code GAUZE_MERGE}: several releases as one value, of which {@code GAUZE_FIT} makes one fit, as
 * over HTTP. It holds the releases themselves: one that is there twice is found when they are
 * fitted, also if merged releases are merged again. NULLs are left out; of none it is NULL.
 */
public final class MergeFunction extends AggregateFunction<byte[], MergeFunction.Merged> {
  private static final long serialVersionUID = 1L;

  /** The values so far. */
  public static final class Merged {
    /** Releases, and merged ones. */
    @DataTypeHint("ARRAY<BYTES>")
    public ListView<byte[]> values = new ListView<>();
  }

  @Override
  public Merged createAccumulator() {
    return new Merged();
  }

  /** Called by Flink for each row. */
  public void accumulate(Merged merged, @DataTypeHint("BYTES") byte[] value) throws Exception {
    if (value != null) {
      merged.values.add(value);
    }
  }

  /** Called by Flink for each row that is taken back. */
  public void retract(Merged merged, @DataTypeHint("BYTES") byte[] value) throws Exception {
    if (value == null) {
      return;
    }
    // Lists of arrays do not find an equal array.
    List<byte[]> kept = new ArrayList<>();
    boolean isTaken = false;
    for (byte[] each : merged.values.get()) {
      if (!isTaken && Arrays.equals(each, value)) {
        isTaken = true;
      } else {
        kept.add(each);
      }
    }
    merged.values.clear();
    merged.values.addAll(kept);
  }

  /** Called by Flink to join parts. */
  public void merge(Merged merged, Iterable<Merged> others) throws Exception {
    for (Merged other : others) {
      for (byte[] value : other.values.get()) {
        merged.values.add(value);
      }
    }
  }

  @Override
  public @DataTypeHint("BYTES") byte[] getValue(Merged merged) {
    List<byte[]> all = new ArrayList<>();
    try {
      for (byte[] value : merged.values.get()) {
        all.addAll(releases(value));
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the state of GAUZE_MERGE cannot be read", e);
    }
    return all.isEmpty() ? null : ReleaseBundle.of(all);
  }

  private static List<byte[]> releases(byte[] value) {
    try {
      return ReleaseBundle.releases(value);
    } catch (IllegalArgumentException e) {
      return List.of(value); // the fit is refused, as that of any other damaged release
    }
  }
}

package io.gauze.pipeline.seal;

import io.gauze.accounting.loss.CumulativeLaw;
import io.gauze.mechanism.Cumulative;
import io.gauze.noise.CumulativeNoise;
import io.gauze.noise.Entropy;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StateSizeGauges;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;

/**
 * Seals the releases of one cell's cumulative series during one call of the operator, each of them
 * once and in order. It reads the noise drawn for earlier releases when the first release is due.
 * That noise is a secret, so an instance must not outlive the call.
 */
public final class CumulativeReleases {
  /** The state of a cell's series. It is erased after the last release. */
  public static final class State {
    /**
     * The draws of the noise by the index of their release: a secret. At most 256 kB a release; an
     * entry is never changed.
     */
    public static final MapStateDescriptor<Integer, byte[]> DRAWS =
        new MapStateDescriptor<>(
            "cumulative-draws-v1",
            BasicTypeInfo.INT_TYPE_INFO,
            PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

    /** The law that the noise was drawn from. */
    public static final ValueStateDescriptor<byte[]> LAW =
        new ValueStateDescriptor<>(
            "cumulative-law-v1", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

    private final ValueState<byte[]> total;
    private final ValueState<byte[]> law;
    private final MapState<Integer, byte[]> draws;
    private final StateSizeGauges held;

    /**
     * Registers the states of a series.
     *
     * @param total the exact sums of all sealed epochs
     * @param held the gauges that count the bytes of the state
     */
    State(RuntimeContext context, ValueState<byte[]> total, StateSizeGauges held) {
      this.total = total;
      this.held = held;
      law = context.getState(LAW);
      draws = context.getMapState(DRAWS);
    }

    private boolean isNew() throws Exception {
      return total.value() == null && law.value() == null && draws.isEmpty();
    }

    /** Adds the restored draws of the current key to the gauges. */
    void countRestored() throws Exception {
      held.restored(draws);
    }

    private void clear() throws Exception {
      held.clear(total);
      law.clear();
      held.clear(draws);
    }
  }

  private final SketchJobSettings settings;
  private final Cell cell;
  private final State state;
  private final Cumulative series;
  private final int length;
  private Optional<CumulativeNoise> noise = Optional.empty();

  CumulativeReleases(SketchJobSettings settings, Cell cell, State state) {
    this.settings = settings;
    this.cell = cell;
    this.state = state;
    series = (Cumulative) settings.plan().sketch(cell.sketch()).mechanism();
    length = Block.length(cell.block(), series.spec().stateLength());
  }

  /**
   * Restores the noise of the earlier releases, to be ready for the release of an epoch. Must be
   * called before the epoch's rows are added to the total.
   *
   * @throws PrivacyConflictException if the state is missing, or is not what the earlier releases
   *     of this config leave
   */
  void begin(long epoch) throws Exception {
    if (noise.isPresent()) {
      return;
    }
    int releaseIndex = settings.releaseIndex(epoch);
    CumulativeNoise fresh = series.noise(Block.from(cell.block()), length);
    if (!state.isNew()) {
      restore(fresh, releaseIndex);
    } else if (releaseIndex == 0) {
      state.law.update(fresh.law().toBytes());
      state.held.update(state.total, Block.of(new long[length], 0, length));
    } else {
      throw PrivacyConflictException.lostSeries(settings);
    }
    noise = Optional.of(fresh);
  }

  private void restore(CumulativeNoise fresh, int releaseIndex) throws Exception {
    check(releaseIndex > 0, "nothing before the first release");
    check(state.total.value() != null, "the sums");
    check(state.law.value() != null, "the law of the noise");
    try {
      if (!CumulativeLaw.fromBytes(state.law.value()).isNear(fresh.law())) {
        throw PrivacyConflictException.anotherLaw(settings);
      }
      check(Block.longs(state.total.value()).length == length, "all of the sums");
      Set<Integer> held = new HashSet<>();
      state.draws.keys().forEach(held::add);
      for (int before = 0; before < releaseIndex; before++) {
        check(held.remove(before), "the draws of release " + (before + 1));
        fresh.resume(before, state.draws.get(before));
      }
      check(held.isEmpty(), "the draws of no release from " + (releaseIndex + 1) + " on");
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw PrivacyConflictException.brokenSeries(settings, e.getMessage());
    }
  }

  private void check(boolean holds, String what) {
    if (!holds) {
      throw PrivacyConflictException.brokenSeries(settings, "it must hold " + what);
    }
  }

  /**
   * Draws the noise for the release of an epoch and returns the sums so far with that noise. After
   * the last release, all state is erased.
   *
   * @throws PrivacyConflictException if another epoch is next
   */
  byte[] seal(long epoch) throws Exception {
    CumulativeNoise drawn = noise.orElseThrow();
    int releaseIndex = settings.releaseIndex(epoch);
    Entropy entropy =
        settings
            .randomness()
            .entropy("turn of " + settings.releaseId(cell, epoch) + " block " + cell.block());
    long[] entries = Block.longs(state.total.value());
    try {
      drawn.addTo(releaseIndex, entries, entropy);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw PrivacyConflictException.brokenSeries(settings, e.getMessage());
    }
    if (releaseIndex == series.releases() - 1) {
      state.clear();
    } else {
      state.held.put(state.draws, releaseIndex, drawn.draws(releaseIndex));
    }
    return Block.of(entries, 0, length);
  }
}

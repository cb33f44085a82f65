package io.gauze.stream;

import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SecondReadingMechanism;
import io.gauze.mechanism.TwoStageMechanism;
import java.util.Map;
import java.util.Optional;

/**
 * The parts from which a release is put together. They are the blocks of the sketch; if the
 * mechanism reads the rows again, then a model follows, and the blocks of the second stage if there
 * is one. A part's index is that of its {@link Cell}.
 */
public final class SketchParts {
  private final Mechanism mechanism;
  private final Optional<TwoStageMechanism> twoStage;
  private final Optional<SecondReadingMechanism> ofRows;
  private final int firstBlocks;

  private SketchParts(Mechanism mechanism) {
    this.mechanism = mechanism;
    this.twoStage =
        mechanism instanceof TwoStageMechanism two ? Optional.of(two) : Optional.empty();
    this.ofRows =
        mechanism instanceof SecondReadingMechanism rows ? Optional.of(rows) : Optional.empty();
    this.firstBlocks = Block.count(mechanism.spec().stateLength());
  }

  public static SketchParts of(Mechanism mechanism) {
    return new SketchParts(mechanism);
  }

  /** The mechanism, if it has a second stage. */
  public Optional<TwoStageMechanism> twoStage() {
    return twoStage;
  }

  /** The mechanism, if it makes a model of the rows themselves. */
  public Optional<SecondReadingMechanism> ofRows() {
    return ofRows;
  }

  /** Returns whether the rows of an epoch are read again. */
  public boolean readsAgain() {
    return twoStage.isPresent() || ofRows.isPresent();
  }

  /** The number of blocks of the sketch, which are the first parts. */
  public int firstBlocks() {
    return firstBlocks;
  }

  /** The index of the part that is the model. */
  public int model() {
    return firstBlocks;
  }

  /** The number of parts. */
  public int count() {
    return twoStage
        .map(two -> firstBlocks + 1 + Block.count(two.secondLength()))
        .orElse(firstBlocks + (ofRows.isPresent() ? 1 : 0));
  }

  /** Returns the complete state from the bytes of all parts. */
  public long[] join(Map<Integer, byte[]> parts) {
    long[] first = joined(parts, 0, mechanism.spec().stateLength());
    if (ofRows.isPresent()) {
      return joined(parts, model(), ofRows.get().payloadLength());
    }
    if (twoStage.isEmpty()) {
      return first;
    }
    TwoStageMechanism two = twoStage.get();
    return two.joined(
        first,
        joined(parts, model(), two.modelLength()),
        joined(parts, model() + 1, two.secondLength()));
  }

  /** Returns {@code length} entries from the blocks that begin with a part. */
  public static long[] joined(Map<Integer, byte[]> parts, int part, int length) {
    long[] all = new long[length];
    for (int block = 0; block < Block.count(length); block++) {
      long[] entries = Block.longs(parts.get(part + block));
      System.arraycopy(entries, 0, all, Block.from(block), entries.length);
    }
    return all;
  }
}

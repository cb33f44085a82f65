package io.gauze.stream;

import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SecondReadingMechanism;
import java.util.Map;
import java.util.Optional;

/**
 * The parts from which a release is put together. They are the blocks of the sketch; if the
 * mechanism reads the rows again, then the blocks of what it makes of them follow. A part's index
 * is that of its {@link Cell}.
 */
public final class SketchParts {
  private final Mechanism mechanism;
  private final Optional<SecondReadingMechanism> ofRows;
  private final int firstBlocks;

  private SketchParts(Mechanism mechanism) {
    this.mechanism = mechanism;
    this.ofRows =
        mechanism instanceof SecondReadingMechanism rows ? Optional.of(rows) : Optional.empty();
    this.firstBlocks = Block.count(mechanism.spec().stateLength());
  }

  public static SketchParts of(Mechanism mechanism) {
    return new SketchParts(mechanism);
  }

  /** The mechanism, if it reads the rows of an epoch again. */
  public Optional<SecondReadingMechanism> ofRows() {
    return ofRows;
  }

  /** The number of blocks of the sketch, which are the first parts. */
  public int firstBlocks() {
    return firstBlocks;
  }

  /** The index of the first part that is made of rows that are read again. */
  public int model() {
    return firstBlocks;
  }

  /** The number of parts. */
  public int count() {
    return firstBlocks + ofRows.map(rows -> Block.count(rows.payloadLength())).orElse(0);
  }

  /** Returns the complete state from the bytes of all parts. */
  public long[] join(Map<Integer, byte[]> parts) {
    return ofRows
        .map(rows -> joined(parts, model(), rows.payloadLength()))
        .orElseGet(() -> joined(parts, 0, mechanism.spec().stateLength()));
  }

  /** Returns {@code length} entries from the blocks that begin with a part. */
  private static long[] joined(Map<Integer, byte[]> parts, int part, int length) {
    long[] all = new long[length];
    for (int block = 0; block < Block.count(length); block++) {
      long[] entries = Block.longs(parts.get(part + block));
      System.arraycopy(entries, 0, all, Block.from(block), entries.length);
    }
    return all;
  }
}

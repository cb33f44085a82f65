package io.gauze.sketch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * The binary form of sketches, little-endian.
 *
 * <pre>
 * offset  bytes  version 1
 *      0      4  magic, the letters G Z S K
 *      4      1  version, 1
 *      5      1  kind
 *      6      2  zero
 *      8      4  dimension
 *     12      n  parameters of the kind
 * 12 + n    8 m  state, m longs in the order of the spec
 *
 * kind                    n  parameters
 *    1 second moments    12  zero
 *    2 CountSketch       12  buckets (4), seed (8)
 *    3 multilevel        24  buckets (4), seed (8), levels (4), base (4), copies (4)
 *    4 projection        12  rows (4), seed (8)
 *    5 stratified        12  strata (4), column (4), fraction bits of the grid (4)
 *    6 histogram    8 + 8 k  axes k (4), grid fraction bits (4), k times: column (4), bins (4)
 *    7 residual     8 + 8 D  strata (4), grid fraction bits (4), D times: weight (8)
 *    8 empty             12  zero
 *    9 ranges       8 + 4 m  columns m (4), grid fraction bits (4), m times: column (4)
 * </pre>
 */
public final class SketchBytes {
  private static final int MAGIC = 'G' | 'Z' << 8 | 'S' << 16 | 'K' << 24;
  private static final byte VERSION = 1;
  private static final int AT_MAGIC = 0;
  private static final int AT_VERSION = 4;
  private static final int AT_KIND = 5;
  private static final int AT_ZERO = 6;
  private static final int AT_DIMENSION = 8;
  private static final int AT_PARAMETERS = 12;
  private static final int LEAST_LENGTH = 24;

  private SketchBytes() {}

  /**
   * Returns the versioned binary form. It contains raw sums and must be kept as private as the
   * rows.
   */
  public static byte[] write(LinearSketch<?> sketch) {
    long[] state = sketch.state();
    SketchSpec spec = sketch.spec();
    StoredKind<?> kind = StoredKind.of(spec);
    int header = AT_PARAMETERS + kind.parametersLength(spec);
    byte[] bytes = new byte[Math.addExact(header, Math.multiplyExact(state.length, Long.BYTES))];
    ByteBuffer buffer = littleEndian(bytes);
    buffer
        .putInt(MAGIC)
        .put(VERSION)
        .put(kind.number())
        .putShort((short) 0)
        .putInt(spec.dimension());
    kind.write(spec, buffer);
    buffer.position(header);
    buffer.asLongBuffer().put(state);
    return bytes;
  }

  /**
   * Parses the bytes of a sketch of one kind.
   *
   * @throws IllegalArgumentException as {@link #read(byte[])}, or if it is of another kind
   */
  public static <S extends LinearSketch<S>> S read(byte[] bytes, Class<S> kind) {
    LinearSketch<?> sketch = read(bytes);
    if (!kind.isInstance(sketch)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "bytes must be a %s. Provided value: %s", kind.getSimpleName(), sketch));
    }
    return kind.cast(sketch);
  }

  /**
   * Parses the bytes that {@link #write} returns.
   *
   * @throws IllegalArgumentException if the bytes are not a sketch, of an unknown version or of the
   *     wrong length
   */
  public static LinearSketch<?> read(byte[] bytes) {
    ByteBuffer buffer = littleEndian(bytes);
    requireAtLeast(buffer, LEAST_LENGTH);
    if (buffer.getInt(AT_MAGIC) != MAGIC) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sketch must start with %08x. Provided value: %08x",
              MAGIC,
              buffer.getInt(AT_MAGIC)));
    }
    return switch (buffer.get(AT_VERSION)) {
      case 1 -> readV1(buffer, bytes);
      default ->
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "sketch version must be in [1, %d]. Provided value: %d",
                  VERSION,
                  buffer.get(AT_VERSION)));
    };
  }

  /** Checks that a sketch has so many bytes from the buffer's position on. */
  static void requireAtLeast(ByteBuffer buffer, long length) {
    if (buffer.remaining() < length) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sketch must have at least %d bytes. Provided value: %d",
              buffer.position() + length,
              buffer.limit()));
    }
  }

  private static LinearSketch<?> readV1(ByteBuffer buffer, byte[] bytes) {
    buffer.position(AT_PARAMETERS);
    SketchSpec spec = readSpecV1(buffer);
    // checked before memory of that size is allocated
    long expected = buffer.position() + (long) Long.BYTES * spec.stateLength();
    if (bytes.length != expected) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sketch of %s must have %d bytes. Provided value: %d",
              spec,
              expected,
              bytes.length));
    }
    LinearSketch<?> sketch = spec.zero();
    buffer.asLongBuffer().get(sketch.state());
    return sketch;
  }

  private static SketchSpec readSpecV1(ByteBuffer buffer) {
    byte kind = buffer.get(AT_KIND);
    if (buffer.getShort(AT_ZERO) != 0) {
      throw StoredKind.unknown(kind);
    }
    return StoredKind.of(kind).reader().read(buffer.getInt(AT_DIMENSION), buffer);
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}

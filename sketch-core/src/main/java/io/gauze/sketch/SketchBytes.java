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
 *      5      1  kind: 1 second moments, 2 CountSketch
 *      6      2  zero
 *      8      4  dimension
 *     12      4  buckets (second moments: 0)
 *     16      8  seed (second moments: 0)
 *     24    8 n  state, n longs in the order of the spec
 * </pre>
 */
final class SketchBytes {
  private static final int MAGIC = 'G' | 'Z' << 8 | 'S' << 16 | 'K' << 24;
  private static final byte VERSION = 1;
  private static final byte SECOND_MOMENTS = 1;
  private static final byte COUNT_SKETCH = 2;

  private static final int AT_MAGIC = 0;
  private static final int AT_VERSION = 4;
  private static final int AT_KIND = 5;
  private static final int AT_ZERO = 6;
  private static final int AT_DIMENSION = 8;
  private static final int AT_BUCKETS = 12;
  private static final int AT_SEED = 16;
  private static final int AT_STATE = 24;

  private SketchBytes() {}

  static byte[] write(LinearSketch<?> sketch) {
    long[] state = sketch.state();
    byte[] bytes = new byte[Math.addExact(AT_STATE, Math.multiplyExact(state.length, 8))];
    ByteBuffer buffer = littleEndian(bytes);
    buffer.putInt(AT_MAGIC, MAGIC);
    buffer.put(AT_VERSION, VERSION);
    buffer.putInt(AT_DIMENSION, sketch.spec().dimension());
    if (sketch.spec() instanceof CountSketchSpec spec) {
      buffer.put(AT_KIND, COUNT_SKETCH);
      buffer.putInt(AT_BUCKETS, spec.buckets());
      buffer.putLong(AT_SEED, spec.seed());
    } else {
      buffer.put(AT_KIND, SECOND_MOMENTS);
    }
    buffer.position(AT_STATE);
    buffer.asLongBuffer().put(state);
    return bytes;
  }

  static <S extends LinearSketch<S>> S read(byte[] bytes, Class<S> kind) {
    LinearSketch<?> sketch = read(bytes);
    if (!kind.isInstance(sketch)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "bytes must be a %s. Provided value: %s", kind.getSimpleName(), sketch));
    }
    return kind.cast(sketch);
  }

  static LinearSketch<?> read(byte[] bytes) {
    if (bytes.length < AT_STATE) {
      throw new IllegalArgumentException(
          "sketch must have at least 24 bytes. Provided value: " + bytes.length);
    }
    ByteBuffer buffer = littleEndian(bytes);
    if (buffer.getInt(AT_MAGIC) != MAGIC) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sketch must start with %08x. Provided value: %08x",
              MAGIC,
              buffer.getInt(AT_MAGIC)));
    }
    return switch (buffer.get(AT_VERSION)) {
      case 1 -> readV1(buffer, bytes.length);
      default ->
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "sketch version must be in [1, %d]. Provided value: %d",
                  VERSION,
                  buffer.get(AT_VERSION)));
    };
  }

  private static LinearSketch<?> readV1(ByteBuffer buffer, int length) {
    SketchSpec spec = readSpecV1(buffer);
    long expected = AT_STATE + 8L * spec.stateLength(); // before anything of that size is allocated
    if (length != expected) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sketch of %s must have %d bytes. Provided value: %d",
              spec,
              expected,
              length));
    }
    LinearSketch<?> sketch = spec.zero();
    buffer.position(AT_STATE);
    buffer.asLongBuffer().get(sketch.state());
    return sketch;
  }

  private static SketchSpec readSpecV1(ByteBuffer buffer) {
    int dimension = buffer.getInt(AT_DIMENSION);
    int buckets = buffer.getInt(AT_BUCKETS);
    long seed = buffer.getLong(AT_SEED);
    byte kind = buffer.get(AT_KIND);
    if (kind == COUNT_SKETCH && buffer.getShort(AT_ZERO) == 0) {
      return new CountSketchSpec(dimension, buckets, seed);
    }
    if (kind == SECOND_MOMENTS && buffer.getShort(AT_ZERO) == 0 && buckets == 0 && seed == 0) {
      return new SecondMomentsSpec(dimension);
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "sketch kind must be 1 or 2, and unused bytes zero. Provided value: kind %d",
            kind));
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}

package io.gauze.sketch;

import io.gauze.internal.Checks;
import io.gauze.row.Grid;
import io.gauze.row.RowSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
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
final class SketchBytes {
  private static final int MAGIC = 'G' | 'Z' << 8 | 'S' << 16 | 'K' << 24;
  private static final byte VERSION = 1;
  private static final byte SECOND_MOMENTS = 1;
  private static final byte COUNT_SKETCH = 2;
  private static final byte MULTILEVEL = 3;
  private static final byte PROJECTION = 4;
  private static final byte STRATIFIED = 5;
  private static final byte HISTOGRAM = 6;
  private static final byte RESIDUAL = 7;
  private static final byte EMPTY = 8;
  private static final byte RANGES = 9;

  private static final int AT_MAGIC = 0;
  private static final int AT_VERSION = 4;
  private static final int AT_KIND = 5;
  private static final int AT_ZERO = 6;
  private static final int AT_DIMENSION = 8;
  private static final int AT_PARAMETERS = 12;
  private static final int LEAST_LENGTH = 24;

  private SketchBytes() {}

  static byte[] write(LinearSketch<?> sketch) {
    long[] state = sketch.state();
    SketchSpec spec = sketch.spec();
    int header = AT_PARAMETERS + parametersLength(spec);
    byte[] bytes = new byte[Math.addExact(header, Math.multiplyExact(state.length, Long.BYTES))];
    ByteBuffer buffer = littleEndian(bytes);
    buffer.putInt(MAGIC).put(VERSION).put(kind(spec)).putShort((short) 0).putInt(spec.dimension());
    writeParameters(spec, buffer);
    buffer.position(header);
    buffer.asLongBuffer().put(state);
    return bytes;
  }

  private static byte kind(SketchSpec spec) {
    return spec instanceof SecondMomentsSpec
        ? SECOND_MOMENTS
        : spec instanceof CountSketchSpec
            ? COUNT_SKETCH
            : spec instanceof MultilevelSketchSpec
                ? MULTILEVEL
                : spec instanceof GaussianProjectionSpec
                    ? PROJECTION
                    : spec instanceof StratifiedMomentsSpec
                        ? STRATIFIED
                        : spec instanceof ResidualStrataSpec
                            ? RESIDUAL
                            : spec instanceof EmptySketchSpec
                                ? EMPTY
                                : spec instanceof RangeCountsSpec ? RANGES : HISTOGRAM;
  }

  private static int parametersLength(SketchSpec spec) {
    if (spec instanceof MultilevelSketchSpec) {
      return 24;
    }
    if (spec instanceof ResidualStrataSpec) {
      return 8 + 8 * spec.dimension();
    }
    if (spec instanceof RangeCountsSpec ranges) {
      return 8 + 4 * ranges.columns().size();
    }
    return spec instanceof HistogramSpec histogram ? 8 + 8 * histogram.axes().size() : 12;
  }

  private static void writeParameters(SketchSpec spec, ByteBuffer buffer) {
    if (spec instanceof CountSketchSpec s) {
      buffer.putInt(s.buckets()).putLong(s.seed());
    } else if (spec instanceof MultilevelSketchSpec s) {
      buffer.putInt(s.buckets()).putLong(s.seed());
      buffer.putInt(s.levels()).putInt(s.base()).putInt(s.copies());
    } else if (spec instanceof GaussianProjectionSpec s) {
      buffer.putInt(s.rows()).putLong(s.seed());
    } else if (spec instanceof StratifiedMomentsSpec s) {
      buffer.putInt(s.strata()).putInt(s.column()).putInt(s.grid().fractionBits());
    } else if (spec instanceof HistogramSpec s) {
      buffer.putInt(s.axes().size()).putInt(s.grid().fractionBits());
      s.axes().forEach(axis -> buffer.putInt(axis.column()).putInt(axis.bins()));
    } else if (spec instanceof RangeCountsSpec s) {
      buffer.putInt(s.columns().size()).putInt(s.grid().fractionBits());
      s.columns().forEach(buffer::putInt);
    } else if (spec instanceof ResidualStrataSpec s) {
      buffer.putInt(s.strata()).putInt(s.grid().fractionBits());
      s.weights().forEach(buffer::putDouble);
    }
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
    requireAtLeast(bytes, LEAST_LENGTH);
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

  private static void requireAtLeast(byte[] bytes, long length) {
    if (bytes.length < length) {
      throw new IllegalArgumentException(
          "sketch must have at least " + length + " bytes. Provided value: " + bytes.length);
    }
  }

  private static LinearSketch<?> readV1(ByteBuffer buffer, byte[] bytes) {
    buffer.position(AT_PARAMETERS);
    SketchSpec spec = readSpecV1(buffer, bytes);
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

  private static SketchSpec readSpecV1(ByteBuffer buffer, byte[] bytes) {
    int dimension = buffer.getInt(AT_DIMENSION);
    byte kind = buffer.get(AT_KIND);
    if (buffer.getShort(AT_ZERO) != 0) {
      throw unknownKind(kind);
    }
    switch (kind) {
      case SECOND_MOMENTS, EMPTY -> {
        if (buffer.getInt() != 0 || buffer.getLong() != 0) {
          throw unknownKind(kind);
        }
        return kind == EMPTY ? new EmptySketchSpec(dimension) : new SecondMomentsSpec(dimension);
      }
      case COUNT_SKETCH -> {
        return new CountSketchSpec(dimension, buffer.getInt(), buffer.getLong());
      }
      case MULTILEVEL -> {
        requireAtLeast(bytes, buffer.position() + 24L);
        int buckets = buffer.getInt();
        long seed = buffer.getLong();
        int levels = buffer.getInt();
        return new MultilevelSketchSpec(
            dimension, buckets, levels, buffer.getInt(), buffer.getInt(), seed);
      }
      case PROJECTION -> {
        return new GaussianProjectionSpec(dimension, buffer.getInt(), buffer.getLong());
      }
      case STRATIFIED -> {
        int strata = buffer.getInt();
        int column = buffer.getInt();
        return new StratifiedMomentsSpec(dimension, column, strata, new Grid(buffer.getInt()));
      }
      case HISTOGRAM -> {
        return readHistogramV1(dimension, buffer, bytes);
      }
      case RANGES -> {
        return readRangesV1(dimension, buffer, bytes);
      }
      case RESIDUAL -> {
        return readResidualV1(dimension, buffer, bytes);
      }
      default -> throw unknownKind(kind);
    }
  }

  private static HistogramSpec readHistogramV1(int dimension, ByteBuffer buffer, byte[] bytes) {
    int count = buffer.getInt();
    Grid grid = new Grid(buffer.getInt());
    Checks.within("number of axes", count, 1, dimension);
    requireAtLeast(bytes, buffer.position() + 8L * count);
    List<HistogramSpec.Axis> axes = new ArrayList<>();
    for (int a = 0; a < count; a++) {
      axes.add(new HistogramSpec.Axis(buffer.getInt(), buffer.getInt()));
    }
    return new HistogramSpec(dimension, grid, axes);
  }

  private static RangeCountsSpec readRangesV1(int dimension, ByteBuffer buffer, byte[] bytes) {
    int count = buffer.getInt();
    Grid grid = new Grid(buffer.getInt());
    Checks.within("number of columns", count, 1, dimension);
    requireAtLeast(bytes, buffer.position() + 4L * count);
    List<Integer> columns = new ArrayList<>();
    for (int c = 0; c < count; c++) {
      columns.add(buffer.getInt());
    }
    return new RangeCountsSpec(dimension, grid, columns);
  }

  private static ResidualStrataSpec readResidualV1(int dimension, ByteBuffer buffer, byte[] bytes) {
    int strata = buffer.getInt();
    Grid grid = new Grid(buffer.getInt());
    Checks.within("dimension", dimension, 1, RowSchema.MAX_DIMENSION);
    requireAtLeast(bytes, buffer.position() + 8L * dimension);
    List<Double> weights = new ArrayList<>();
    for (int i = 0; i < dimension; i++) {
      weights.add(buffer.getDouble());
    }
    return new ResidualStrataSpec(dimension, weights, strata, grid);
  }

  private static IllegalArgumentException unknownKind(byte kind) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "sketch kind must be in [1, %d], and unused bytes zero. Provided value: kind %d",
            RANGES,
            kind));
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}

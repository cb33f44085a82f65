package io.gauze.sketch;

import io.gauze.internal.Checks;
import io.gauze.row.Grid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;

/**
 * A kind of sketch in the binary form of {@link SketchBytes}: its number and its parameters. A new
 * sketch is one more entry of {@link #ALL}; numbers are never given twice.
 *
 * @param number in [1, 127]
 * @param type of the spec
 * @param length the number of bytes of the parameters, at least {@link #LEAST}; what the writer
 *     leaves is zero
 * @param writer puts the parameters
 * @param reader takes the parameters of a spec of some dimension, all of them
 */
record StoredKind<S extends SketchSpec>(
    byte number,
    Class<S> type,
    ToIntFunction<S> length,
    BiConsumer<S, ByteBuffer> writer,
    Reader<S> reader) {
  static final int LEAST = 12;

  /** By their numbers, which rise. */
  private static final List<StoredKind<?>> ALL =
      List.of(
          without(1, SecondMomentsSpec.class, SecondMomentsSpec::new),
          new StoredKind<>(
              (byte) 2,
              CountSketchSpec.class,
              spec -> LEAST,
              (spec, to) -> to.putInt(spec.buckets()).putLong(spec.seed()),
              (dimension, from) -> new CountSketchSpec(dimension, from.getInt(), from.getLong())),
          new StoredKind<>(
              (byte) 3,
              MultilevelSketchSpec.class,
              spec -> 24,
              StoredKind::writeMultilevel,
              StoredKind::readMultilevel),
          new StoredKind<>(
              (byte) 4,
              GaussianProjectionSpec.class,
              spec -> LEAST,
              (spec, to) -> to.putInt(spec.rows()).putLong(spec.seed()),
              (dimension, from) ->
                  new GaussianProjectionSpec(dimension, from.getInt(), from.getLong())),
          new StoredKind<>(
              (byte) 5,
              StratifiedMomentsSpec.class,
              spec -> LEAST,
              (spec, to) ->
                  to.putInt(spec.strata()).putInt(spec.column()).putInt(spec.grid().fractionBits()),
              StoredKind::readStratified),
          new StoredKind<>(
              (byte) 6,
              HistogramSpec.class,
              spec -> 8 + 8 * spec.axes().size(),
              StoredKind::writeHistogram,
              StoredKind::readHistogram),
          // 7 were the second stages of strata of residuals, which are sums of transformed rows now
          without(8, EmptySketchSpec.class, EmptySketchSpec::new),
          new StoredKind<>(
              (byte) 9,
              RangeCountsSpec.class,
              spec -> 8 + 4 * spec.columns().size(),
              StoredKind::writeRanges,
              StoredKind::readRanges),
          new StoredKind<>(
              (byte) 10,
              ShortenedMomentsSpec.class,
              spec -> 40 + 4 * spec.responses().columns().size(),
              StoredKind::writeShortened,
              StoredKind::readShortened));

  /** Reads the parameters of a spec. */
  interface Reader<S> {
    S read(int dimension, ByteBuffer from);
  }

  /** Makes a spec that has no parameters. */
  private interface Made<S> {
    S of(int dimension);
  }

  private static <S extends SketchSpec> StoredKind<S> without(
      int number, Class<S> type, Made<S> made) {
    return new StoredKind<>(
        (byte) number,
        type,
        spec -> LEAST,
        (spec, to) -> {},
        (dimension, from) -> {
          if (from.getInt() != 0 || from.getLong() != 0) {
            throw unknown((byte) number);
          }
          return made.of(dimension);
        });
  }

  /**
   * Returns the kind of a spec.
   *
   * @throws IllegalStateException if it is not an entry
   */
  static StoredKind<?> of(SketchSpec spec) {
    return ALL.stream()
        .filter(kind -> kind.type == spec.getClass())
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("no stored kind of " + spec.getClass().getName()));
  }

  /**
   * Returns the kind of a number.
   *
   * @throws IllegalArgumentException if there is none
   */
  static StoredKind<?> of(byte number) {
    return ALL.stream()
        .filter(kind -> kind.number == number)
        .findFirst()
        .orElseThrow(() -> unknown(number));
  }

  /** Returns an exception that says which kinds there are. */
  static IllegalArgumentException unknown(byte number) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "sketch kind must be in [1, %d], and unused bytes zero. Provided value: kind %d",
            ALL.get(ALL.size() - 1).number,
            number));
  }

  /** The number of bytes of the parameters of a spec of this kind. */
  int parametersLength(SketchSpec spec) {
    return length.applyAsInt(type.cast(spec));
  }

  /** Puts the parameters of a spec of this kind. */
  void write(SketchSpec spec, ByteBuffer to) {
    writer.accept(type.cast(spec), to);
  }

  private static void writeMultilevel(MultilevelSketchSpec spec, ByteBuffer to) {
    to.putInt(spec.buckets()).putLong(spec.seed());
    to.putInt(spec.levels()).putInt(spec.base()).putInt(spec.copies());
  }

  private static MultilevelSketchSpec readMultilevel(int dimension, ByteBuffer from) {
    SketchBytes.requireAtLeast(from, 24L);
    int buckets = from.getInt();
    long seed = from.getLong();
    int levels = from.getInt();
    return new MultilevelSketchSpec(dimension, buckets, levels, from.getInt(), from.getInt(), seed);
  }

  private static StratifiedMomentsSpec readStratified(int dimension, ByteBuffer from) {
    int strata = from.getInt();
    int column = from.getInt();
    return new StratifiedMomentsSpec(dimension, column, strata, new Grid(from.getInt()));
  }

  private static void writeHistogram(HistogramSpec spec, ByteBuffer to) {
    to.putInt(spec.axes().size()).putInt(spec.grid().fractionBits());
    spec.axes().forEach(axis -> to.putInt(axis.column()).putInt(axis.bins()));
  }

  private static HistogramSpec readHistogram(int dimension, ByteBuffer from) {
    int count = from.getInt();
    Grid grid = new Grid(from.getInt());
    Checks.within("number of axes", count, 1, dimension);
    SketchBytes.requireAtLeast(from, 8L * count);
    List<HistogramSpec.Axis> axes = new ArrayList<>();
    for (int a = 0; a < count; a++) {
      axes.add(new HistogramSpec.Axis(from.getInt(), from.getInt()));
    }
    return new HistogramSpec(dimension, grid, axes);
  }

  private static void writeRanges(RangeCountsSpec spec, ByteBuffer to) {
    to.putInt(spec.columns().size()).putInt(spec.grid().fractionBits());
    spec.columns().forEach(to::putInt);
  }

  private static RangeCountsSpec readRanges(int dimension, ByteBuffer from) {
    int count = from.getInt();
    Grid grid = new Grid(from.getInt());
    Checks.within("number of columns", count, 1, dimension);
    SketchBytes.requireAtLeast(from, 4L * count);
    List<Integer> columns = new ArrayList<>();
    for (int c = 0; c < count; c++) {
      columns.add(from.getInt());
    }
    return new RangeCountsSpec(dimension, grid, columns);
  }

  private static void writeShortened(ShortenedMomentsSpec spec, ByteBuffer to) {
    ShortenedMomentsSpec.Responses responses = spec.responses();
    to.putInt(responses.columns().size()).putInt(spec.grid().fractionBits());
    to.putLong(spec.constant()).putLong(spec.rowUnit());
    to.putLong(responses.square()).putLong(responses.lost());
    responses.columns().forEach(to::putInt);
  }

  private static ShortenedMomentsSpec readShortened(int dimension, ByteBuffer from) {
    SketchBytes.requireAtLeast(from, 40L);
    int count = from.getInt();
    Grid grid = new Grid(from.getInt());
    long constant = Checks.within("constant", from.getLong(), 1, Grid.MAX_ROW_STEPS);
    long rowUnit = from.getLong();
    long square = from.getLong();
    long lost = from.getLong();
    Checks.within("number of responses", count, 0, dimension);
    SketchBytes.requireAtLeast(from, 4L * count);
    List<Integer> columns = new ArrayList<>();
    for (int r = 0; r < count; r++) {
      columns.add(from.getInt());
    }
    return new ShortenedMomentsSpec(
        dimension,
        grid,
        (int) constant,
        rowUnit,
        new ShortenedMomentsSpec.Responses(columns, square, lost));
  }
}

package io.gauze.model;

import io.gauze.internal.Checks;
import io.gauze.row.FeatureEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Encoded rows for fits that go through them several times: features on their grid, clipped by
 * their own norm, and responses in fixed point. Private. Mutable, not thread-safe.
 *
 * <p>They are in memory, {@code 4 p + 8} bytes each, until {@link #letGo}. From then on some dozen
 * are in memory, and each pass of a fit reads the rows again. Both give the same fit, to the last
 * bit: a pass has the same rows in the same order.
 */
public final class ModelRows {
  /** More rows cannot be added. */
  public static final int MOST_ROWS = 1 << 30;

  /** Responses are clamped to this size, in the encoded scale: 256 half-widths of the range. */
  static final double LARGEST_RESPONSE = 256.0;

  private static final int BLOCK = 4096;
  private static final int SMALL = 64; // rows of a block that is not kept
  private static final int FIRST = 16; // rows for which there is room at once: most lists are short
  private static final long MIX = 0x9E3779B97F4A7C15L; // odd

  /** Reads the rows of a list again, for one pass. */
  @FunctionalInterface
  public interface Reading {
    /** Adds all rows to a list: the same ones as before, in the same order. */
    void addTo(ModelRows rows);
  }

  private final FeatureEncoder encoder;
  private final List<Block> blocks = new ArrayList<>();
  private Optional<Reading> reading = Optional.empty(); // of rows that are not in memory
  private Consumer<Block> full = block -> {}; // takes the blocks that are not kept
  private long checksum; // of these blocks
  private int rows;
  private long bytes;

  private ModelRows(FeatureEncoder encoder) {
    this.encoder = encoder;
  }

  /**
   * Creates an empty list of rows.
   *
   * @param features p, the intercept included, in [1, 4096]
   * @param featureBound B_x, in [1/64, 256]
   * @throws IllegalArgumentException if one is out of range
   */
  public static ModelRows create(int features, double featureBound) {
    return new ModelRows(FeatureEncoder.of(features, featureBound));
  }

  /**
   * Creates an empty list of rows whose features are not clipped, on a grid of 2^-22.
   *
   * @param features p, the intercept included, in [1, 4096]
   * @throws IllegalArgumentException if it is out of range
   */
  public static ModelRows unclipped(int features) {
    return new ModelRows(FeatureEncoder.unclipped(features));
  }

  /**
   * Creates an empty list of rows whose features are in [-1, 1] and not clipped, on a grid of
   * 2^-30.
   *
   * @param features p, the intercept included, in [1, 4096]
   * @throws IllegalArgumentException if it is out of range
   */
  public static ModelRows ofUnitEntries(int features) {
    return new ModelRows(FeatureEncoder.ofUnitEntries(features));
  }

  /**
   * Adds a row. O(p) time.
   *
   * @param features p numbers in the encoded scale, before they are clipped, as {@link
   *     io.gauze.row.RowEncoder#scale} gives them
   * @param response in the encoded scale, finite; clamped to [-256, 256]
   * @throws IllegalArgumentException if the number of features differs or the response is not
   *     finite; the message shows no value of the row
   * @throws IllegalStateException if there are {@link #MOST_ROWS} rows
   */
  public void add(double[] features, double response) {
    if (!Double.isFinite(response)) {
      throw new IllegalArgumentException("response must be finite, in the encoded scale");
    }
    Checks.length("features", features.length, encoder.features());
    if (rows == MOST_ROWS) {
      throw new IllegalStateException("rows must be at most " + MOST_ROWS);
    }
    Block block = blockWithRoom();
    int at = block.rows;
    double weight = encoder.encode(features, block.features, at * encoder.features());
    double clamped = Math.max(-LARGEST_RESPONSE, Math.min(LARGEST_RESPONSE, response));
    long scaled = (long) Math.rint(weight * clamped * FixedPointScore.UNITS);
    block.responses[at] = scaled == 0 ? (long) Math.signum(clamped) : scaled; // keeps labels
    block.rows++;
    rows++;
  }

  /** Returns the last block, with room for one more row. The first block grows. */
  private Block blockWithRoom() {
    if (blocks.isEmpty()) {
      return add(new Block(new int[FIRST * encoder.features()], new long[FIRST], 0));
    }
    Block last = blocks.get(blocks.size() - 1);
    int size = last.responses.length;
    if (last.rows < size) {
      return last;
    }
    if (!isHeld() && size == SMALL) {
      passOn(last);
      last.rows = 0;
      return last;
    }
    if (size == BLOCK) {
      return add(new Block(new int[BLOCK * encoder.features()], new long[BLOCK], 0));
    }
    blocks.remove(blocks.size() - 1);
    bytes -= bytes(size);
    return add(
        new Block(
            Arrays.copyOf(last.features, 2 * last.features.length),
            Arrays.copyOf(last.responses, 2 * size),
            size));
  }

  private Block add(Block block) {
    blocks.add(block);
    bytes += bytes(block.responses.length);
    return block;
  }

  private long bytes(long size) {
    return size * (4L * encoder.features() + 8L);
  }

  /**
   * Keeps no rows in memory from now on, those that were added so far included. The list still
   * counts the rows that are added, and keeps a checksum of them.
   *
   * @param again reads the rows, once for each pass of a fit; the list must be complete then
   */
  public void letGo(Reading again) {
    reading = Optional.of(again);
    passOnAll();
  }

  /** Returns whether the rows are in memory. */
  public boolean isHeld() {
    return reading.isEmpty();
  }

  /**
   * Goes through all rows, once.
   *
   * @param pass takes one block after the other, and does not keep it
   * @throws ConcurrentModificationException if rows that are read again are not those that were
   *     added
   */
  void forEach(Consumer<Block> pass) {
    if (isHeld()) {
      blocks.forEach(pass);
      return;
    }
    passOnAll(); // the end of those that were added
    ModelRows again = new ModelRows(encoder);
    again.full = pass;
    again.letGo(reading.orElseThrow());
    reading.orElseThrow().addTo(again);
    again.passOnAll();
    if (again.rows != rows || again.checksum != checksum) {
      throw new ConcurrentModificationException("rows that were read again are others than before");
    }
  }

  /**
   * Goes through all rows, once, in parts, in no order: several threads go through rows in memory,
   * one through others.
   *
   * @param most the largest number of parts, at least 1
   * @param part makes the pass of one part, which one thread at a time calls
   */
  <P extends Consumer<Block>> List<P> forEachPart(int most, Supplier<P> part) {
    int processors = Runtime.getRuntime().availableProcessors();
    int count = isHeld() ? Math.max(1, Math.min(blocks.size(), Math.min(most, processors))) : 1;
    List<P> parts = Stream.generate(part).limit(count).toList();
    if (count == 1) {
      forEach(parts.get(0));
    } else {
      IntStream.range(0, count).parallel().forEach(k -> forEachOf(k, parts.get(k), count));
    }
    return parts;
  }

  private void forEachOf(int first, Consumer<Block> part, int parts) {
    for (int b = first; b < blocks.size(); b += parts) {
      part.accept(blocks.get(b));
    }
  }

  private void passOnAll() {
    blocks.forEach(this::passOn);
    blocks.clear();
    bytes = 0;
  }

  private void passOn(Block block) {
    full.accept(block);
    checksum = block.checksum(checksum, encoder.features());
  }

  /** The memory that is taken, in bytes; of rows in memory nearly as private as their number. */
  public long bytes() {
    return bytes;
  }

  /** What {@link #bytes} is for the same rows in memory. */
  public long wholeBytes() {
    if (rows > BLOCK) {
      return bytes((rows + BLOCK - 1L) / BLOCK * BLOCK);
    }
    int size = FIRST;
    while (size < rows) {
      size *= 2;
    }
    return rows == 0 ? 0 : bytes(size);
  }

  /** The number of rows, which is private. */
  public int size() {
    return rows;
  }

  /** p, the intercept included. */
  public int features() {
    return encoder.features();
  }

  /** B_x: no row's features are longer; 256 if they are not clipped. */
  public double featureBound() {
    return encoder.bound();
  }

  int gridBits() {
    return encoder.grid().fractionBits();
  }

  /** Shows the shape only. */
  @Override
  public String toString() {
    return "ModelRows[features=" + features() + "]";
  }

  /** Some rows: features in grid steps, one row after the other, and responses in 2^-30. */
  static final class Block {
    final int[] features;
    final long[] responses;
    private int rows;

    private Block(int[] features, long[] responses, int rows) {
      this.features = features;
      this.responses = responses;
      this.rows = rows;
    }

    int rows() {
      return rows;
    }

    /** Goes on with a checksum of rows, which other rows or another order have by chance only. */
    private long checksum(long before, int width) {
      long sum = before;
      for (int i = 0; i < rows; i++) {
        for (int j = i * width; j < (i + 1) * width; j++) {
          sum = mixed(sum, features[j]);
        }
        sum = mixed(sum, responses[i]);
      }
      return sum;
    }

    private static long mixed(long sum, long value) {
      long product = (sum ^ value) * MIX;
      return product ^ (product >>> Integer.SIZE);
    }
  }
}

package io.gauze.model;

import io.gauze.internal.Checks;
import io.gauze.row.FeatureEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Encoded rows in memory, for fits that read them several times: features on their grid, clipped by
 * their own norm, and responses in fixed point. Private. Mutable, not thread-safe.
 *
 * <p>Takes {@code 4 p + 8} bytes per row.
 */
public final class ModelRows {
  /** Responses are clamped to this size, in the encoded scale: 256 half-widths of the range. */
  static final double LARGEST_RESPONSE = 256.0;

  private static final int BLOCK = 4096;
  private static final int FIRST = 16; // rows for which there is room at once: most lists are short

  private final FeatureEncoder encoder;
  private final List<Block> blocks = new ArrayList<>();
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
   * Adds a row. O(p) time.
   *
   * @param features p numbers in the encoded scale, before they are clipped, as {@link
   *     io.gauze.row.RowEncoder#scale} gives them
   * @param response in the encoded scale, finite; clamped to [-256, 256]
   * @throws IllegalArgumentException if the number of features differs or the response is not
   *     finite; the message shows no value of the row
   */
  public void add(double[] features, double response) {
    if (!Double.isFinite(response)) {
      throw new IllegalArgumentException("response must be finite, in the encoded scale");
    }
    Checks.length("features", features.length, encoder.features());
    Block block = blockWithRoom();
    int at = rows % BLOCK;
    double weight = encoder.encode(features, block.features, at * encoder.features());
    double clamped = Math.max(-LARGEST_RESPONSE, Math.min(LARGEST_RESPONSE, response));
    long scaled = (long) Math.rint(weight * clamped * Score.UNITS);
    block.responses[at] = scaled == 0 ? (long) Math.signum(clamped) : scaled; // keeps labels
    rows++;
  }

  /** Returns the last block, with room for one more row. The first block grows. */
  private Block blockWithRoom() {
    int at = rows % BLOCK;
    if (at == 0) {
      int size = blocks.isEmpty() ? FIRST : BLOCK;
      blocks.add(new Block(new int[size * encoder.features()], new long[size]));
      bytes += bytes(size);
    }
    Block last = blocks.get(blocks.size() - 1);
    int size = last.responses.length;
    if (at < size) {
      return last;
    }
    Block larger =
        new Block(
            Arrays.copyOf(last.features, 2 * last.features.length),
            Arrays.copyOf(last.responses, 2 * size));
    blocks.set(blocks.size() - 1, larger);
    bytes += bytes(size);
    return larger;
  }

  private long bytes(int size) {
    return size * (4L * encoder.features() + 8L);
  }

  /** The memory that the rows take, in bytes; nearly as private as their number. */
  public long bytes() {
    return bytes;
  }

  /** The number of rows, which is private. */
  public int size() {
    return rows;
  }

  /** p, the intercept included. */
  public int features() {
    return encoder.features();
  }

  /** B_x: no row's features are longer. */
  public double featureBound() {
    return encoder.bound();
  }

  int gridBits() {
    return encoder.grid().fractionBits();
  }

  List<Block> blocks() {
    return blocks;
  }

  /** The rows in a block. */
  int rows(int block) {
    return Math.min(BLOCK, rows - block * BLOCK);
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

    private Block(int[] features, long[] responses) {
      this.features = features;
      this.responses = responses;
    }
  }
}

package io.gauze.sketch;

import io.gauze.row.RowBatch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/**
 * Independent draws from N(0, 1) that are a function of a row's tag, in whole multiples of 2^-24.
 * Part of the stored form, which never changes.
 *
 * <p>Random words: block c of a row with tag t is {@code AES(t xor c) xor (t xor c)}, under a
 * public key made from the seed (the construction of S. Matyas, C. Meyer and J. Oseas). With AES as
 * an ideal cipher, an adversary who does not know the tags distinguishes the blocks of n rows from
 * uniform ones with an advantage of at most (blocks used) (blocks used + AES evaluations made) /
 * 2^127.
 *
 * <p>From words to draws: G. Marsaglia and W. Tsang, <a
 * href="https://doi.org/10.18637/jss.v005.i08">The ziggurat method</a>, 2000, with 256 layers.
 * Differs from the paper: layer (8 bits), sign (1 bit) and position (53 bits, bits 11 to 63) are
 * disjoint bits of one word. Outside of the tail a draw, before rounding, is one from N(0, 1) up to
 * a shift of 2^-51 (the step of a position) and a total variation of 2^-47 (areas of layers in
 * doubles). The product of position and width is rounded to a double before it is rounded to a
 * multiple of 2^-24, and ties go to even multiples. So the probability of even multiples is too
 * large, and that of odd ones too small, by one part in 2^33 at 0.03, 2^30 at 0.3, 2^28 between 1
 * and 2, and 2^27 from 2 on. An observer of the draws would need some 2^57 of them to notice;
 * releases hold sums of them with noise.
 *
 * <p>Mutable buffers, not thread-safe. About one word per draw.
 */
final class RowGaussians {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final double ONE = 1L << GaussianProjectionSpec.FRACTION_BITS;
  private static final int MORE = 4; // blocks that are made at once when the first ones are used up

  private final int count;
  private final int blocks;
  private final Cipher cipher;
  private byte[] input = {};
  private byte[] output = {};
  private final byte[] moreInput = new byte[16 * MORE];
  private final byte[] moreOutput = new byte[16 * MORE];

  // the state of the current row
  private long first;
  private long second;
  private int nextBlock;
  private byte[] words;
  private int next;
  private int end;

  /**
   * @param seed public
   * @param count the number of draws per row
   */
  RowGaussians(long seed, int count) {
    this.count = count;
    this.blocks = blocks(count);
    byte[] key = new byte[16];
    WORD.set(key, 0, RowBits.mix(seed));
    WORD.set(key, 8, RowBits.mix(seed + RowBits.GAMMA));
    try {
      cipher = blockCipher(key);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
  }

  private static int blocks(int count) {
    return (count + count / 16 + 9) / 2; // 1.03 words per draw on average
  }

  /** Returns the bytes of the words of some rows, before and after AES. */
  static long bytes(int count, int rows) {
    return 2L * 16 * blocks(count) * rows;
  }

  /** Creates the block cipher. The construction needs it bare; nothing is encrypted. */
  @SuppressWarnings("InsecureCryptoUsage")
  private static Cipher blockCipher(byte[] key) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
    return cipher;
  }

  /**
   * Draws the numbers of one row, in units of 2^-24.
   *
   * @param out receives {@code count} draws
   * @param at the index of the first draw in {@code out}
   */
  void fill(long rowFirst, long rowSecond, double[] out, int at) {
    reserve(1);
    prepare(0, rowFirst, rowSecond);
    encrypt(input, 16 * blocks, output);
    start(0, rowFirst, rowSecond);
    draw(out, at);
  }

  /**
   * Draws the numbers of some rows of a batch, in units of 2^-24.
   *
   * @param out receives {@code count} draws of each row in an array of its own
   */
  void fill(RowBatch batch, int from, int rows, double[][] out) {
    reserve(rows);
    for (int k = 0; k < rows; k++) {
      prepare(k, batch.firstTags()[from + k], batch.secondTags()[from + k]);
    }
    encrypt(input, 16 * blocks * rows, output);
    for (int k = 0; k < rows; k++) {
      start(k, batch.firstTags()[from + k], batch.secondTags()[from + k]);
      draw(out[k], 0);
    }
  }

  private void reserve(int rows) {
    if (input.length < 16 * blocks * rows) {
      input = new byte[16 * blocks * rows];
      output = new byte[16 * blocks * rows];
    }
  }

  private void prepare(int row, long rowFirst, long rowSecond) {
    byte[] to = input;
    int at = 16 * blocks * row;
    for (int c = 0; c < blocks; c++) {
      WORD.set(to, at, rowFirst);
      WORD.set(to, at + 8, rowSecond ^ c);
      at += 16;
    }
  }

  /** Makes the words of some blocks: each block is enciphered and xored with itself. */
  private void encrypt(byte[] from, int length, byte[] to) {
    try {
      cipher.update(from, 0, length, to, 0);
    } catch (ShortBufferException e) {
      throw new IllegalStateException("AES wrote more than it read", e);
    }
    for (int i = 0; i < length; i++) {
      to[i] ^= from[i];
    }
  }

  private void start(int row, long rowFirst, long rowSecond) {
    first = rowFirst;
    second = rowSecond;
    nextBlock = blocks;
    words = output;
    next = 16 * blocks * row;
    end = next + 16 * blocks;
  }

  private void draw(double[] out, int at) {
    int to = at + count;
    for (int j = at; j < to; ) {
      j = drawWhileInside(out, j, to);
      if (j < to) {
        j = drawAtTheEdge(out, j);
      }
    }
  }

  /**
   * Draws until the words end or until a position may lie above the curve; returns the index
   * reached.
   */
  private int drawWhileInside(double[] out, int from, int to) {
    byte[] source = words;
    int p = next;
    int j = from;
    for (int last = Math.min(to, from + (end - p) / 8); j < last; j++) {
      long word = (long) WORD.get(source, p);
      int layer = (int) word & 0xff;
      long position = word >>> 11;
      if (position >= Ziggurat.INNER[layer]) {
        break;
      }
      out[j] = whole(position * Ziggurat.WIDTH[layer], word);
      p += 8;
    }
    next = p;
    return j;
  }

  private int drawAtTheEdge(double[] out, int j) {
    long word = word();
    int layer = (int) word & 0xff;
    long position = word >>> 11;
    double x = position * Ziggurat.WIDTH[layer];
    if (position >= Ziggurat.INNER[layer]) {
      x = layer == 0 ? tail() : wedge(layer, x);
    }
    if (x < 0.0) {
      return j;
    }
    out[j] = whole(x, word);
    return j + 1;
  }

  /** Applies the sign in bit 8. It does so without a branch, which could not be predicted. */
  private static double whole(double x, long word) {
    long sign = (word & 0x100) << 55;
    return Math.rint(Double.longBitsToDouble(Double.doubleToRawLongBits(ONE * x) ^ sign));
  }

  /** Returns a draw for a position beyond the next layer's edge, or -1 if it is above the curve. */
  private double wedge(int layer, double x) {
    double lower = Ziggurat.HEIGHT[layer];
    double height = lower + uniform() * (Ziggurat.HEIGHT[layer - 1] - lower);
    return height < StrictMath.exp(-0.5 * x * x) ? x : -1.0;
  }

  private double tail() {
    while (true) {
      double x = -StrictMath.log(uniform()) / Ziggurat.TAIL;
      double y = -StrictMath.log(uniform());
      if (2.0 * y > x * x) {
        return Ziggurat.TAIL + x;
      }
    }
  }

  /** Returns a uniform number in (0, 1): the middle of one of 2^53 equal steps. */
  private double uniform() {
    return ((word() >>> 11) + 0.5) * 0x1p-53;
  }

  private long word() {
    if (next == end) {
      makeMore();
    }
    long word = (long) WORD.get(words, next);
    next += 8;
    return word;
  }

  private void makeMore() {
    for (int c = 0; c < MORE; c++) {
      WORD.set(moreInput, 16 * c, first);
      WORD.set(moreInput, 16 * c + 8, second ^ nextBlock++);
    }
    encrypt(moreInput, moreInput.length, moreOutput);
    words = moreOutput;
    next = 0;
    end = moreOutput.length;
  }
}

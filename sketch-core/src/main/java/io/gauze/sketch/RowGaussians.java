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
 * Part of the stored form: never to change.
 *
 * <p>Random words: block c of a row with tag t is {@code AES(t + c) + (t + c)}, sums without carry,
 * under a public key made from the seed (the construction of S. Matyas, C. Meyer and J. Oseas).
 * With AES as an ideal cipher, whoever does not know the tags tells the blocks of n rows from
 * uniform ones with an advantage of at most (blocks used) (blocks used + AES evaluations made) /
 * 2^127.
 *
 * <p>From words to draws: G. Marsaglia and W. Tsang, <a
 * href="https://doi.org/10.18637/jss.v005.i08">The ziggurat method</a>, 2000, with 256 layers.
 * Differs from the paper: layer (8 bits), sign (1 bit) and position (53 bits, bits 11 to 63) are
 * disjoint bits of one word. Before rounding a draw is at most 2^-50 in total variation from N(0,
 * 1).
 *
 * <p>Mutable buffers, not thread-safe. About one word a draw.
 */
final class RowGaussians {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final double ONE = 1L << GaussianProjectionSpec.FRACTION_BITS;
  private static final int MORE = 4; // blocks, when those made at first are used up

  private final int count;
  private final int blocks;
  private final Cipher cipher;
  private byte[] input = {};
  private byte[] output = {};
  private final byte[] moreInput = new byte[16 * MORE];
  private final byte[] moreOutput = new byte[16 * MORE];

  private long first;
  private long second;
  private byte[] words;
  private int next;
  private int end;
  private int block;

  /**
   * @param seed public
   * @param count how many draws a row has
   */
  RowGaussians(long seed, int count) {
    this.count = count;
    this.blocks = (count + count / 16 + 9) / 2; // 1.03 words a draw on average
    byte[] key = new byte[16];
    WORD.set(key, 0, RowBits.mix(seed));
    WORD.set(key, 8, RowBits.mix(seed + RowBits.GAMMA));
    try {
      cipher = blockCipher(key);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
  }

  /** A bare block cipher is what the construction needs; nothing is encrypted. */
  @SuppressWarnings("InsecureCryptoUsage")
  private static Cipher blockCipher(byte[] key) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
    return cipher;
  }

  /** The draws of one row, as whole numbers of 2^-24. */
  void fill(long rowFirst, long rowSecond, double[] out, int at) {
    reserve(1);
    prepare(0, rowFirst, rowSecond);
    encrypt(1);
    draw(0, rowFirst, rowSecond, out, at);
  }

  /** The draws of some rows of a batch, row by row. */
  void fill(RowBatch batch, int from, int rows, double[] out) {
    reserve(rows);
    for (int k = 0; k < rows; k++) {
      prepare(k, batch.firstTags()[from + k], batch.secondTags()[from + k]);
    }
    encrypt(rows);
    for (int k = 0; k < rows; k++) {
      draw(k, batch.firstTags()[from + k], batch.secondTags()[from + k], out, k * count);
    }
  }

  private void reserve(int rows) {
    if (input.length < 16 * blocks * rows) {
      input = new byte[16 * blocks * rows];
      output = new byte[16 * blocks * rows];
    }
  }

  private void prepare(int row, long rowFirst, long rowSecond) {
    int at = 16 * blocks * row;
    for (int c = 0; c < blocks; c++) {
      WORD.set(input, at + 16 * c, rowFirst);
      WORD.set(input, at + 16 * c + 8, rowSecond ^ c);
    }
  }

  private void encrypt(int rows) {
    encrypt(input, 16 * blocks * rows, output);
  }

  private void encrypt(byte[] from, int length, byte[] to) {
    try {
      cipher.update(from, 0, length, to, 0);
    } catch (ShortBufferException e) {
      throw new IllegalStateException("AES wrote more than it read", e);
    }
  }

  private void draw(int row, long rowFirst, long rowSecond, double[] out, int at) {
    first = rowFirst;
    second = rowSecond;
    words = output;
    next = 16 * blocks * row;
    end = next + 16 * blocks;
    block = 0;
    for (int j = at; j < at + count; j++) {
      out[j] = Math.rint(ONE * normal());
    }
  }

  private double normal() {
    while (true) {
      long word = word();
      int layer = (int) (word & 0xff);
      long position = word >>> 11;
      double x = position * Ziggurat.WIDTH[layer];
      if (position >= Ziggurat.INNER[layer]) {
        x = edge(layer, x);
      }
      if (x >= 0.0) {
        return (word & 0x100) == 0 ? x : -x;
      }
    }
  }

  /** A draw from the edge of a layer, or -1 if there is none. */
  private double edge(int layer, double x) {
    if (layer == 0) {
      return tail();
    }
    double height =
        Ziggurat.HEIGHT[layer] + uniform() * (Ziggurat.HEIGHT[layer - 1] - Ziggurat.HEIGHT[layer]);
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

  /** In (0, 1), in steps of 2^-53, from the middle of a step. */
  private double uniform() {
    return ((word() >>> 11) + 0.5) * 0x1p-53;
  }

  private long word() {
    if (next == end) {
      makeMore();
    }
    boolean odd = (next & 8) != 0;
    long input = odd ? second ^ block : first;
    long word = (long) WORD.get(words, next) ^ input;
    next += 8;
    block += odd ? 1 : 0;
    return word;
  }

  private void makeMore() {
    for (int c = 0; c < MORE; c++) {
      WORD.set(moreInput, 16 * c, first);
      WORD.set(moreInput, 16 * c + 8, second ^ (block + c));
    }
    encrypt(moreInput, moreInput.length, moreOutput);
    words = moreOutput;
    next = 0;
    end = moreOutput.length;
  }
}

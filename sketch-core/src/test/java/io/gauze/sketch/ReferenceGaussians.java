package io.gauze.sketch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.function.LongSupplier;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * The normal draws once more, word by word and without buffers, from any source of words, and on
 * request with a flaw that a test must find.
 */
final class ReferenceGaussians {
  /** What is wrong. */
  enum Flaw {
    NONE,
    /** A standard deviation of 1.003. */
    SCALE,
    /** No draws beyond the last layer. */
    NO_TAIL,
    /** Draws beyond it decay like an exponential. */
    EXPONENTIAL_TAIL,
    /** The sign is a bit of the layer. */
    SIGN_FROM_LAYER,
    /** All of a layer's box is taken for under the curve. */
    EDGE_ACCEPTED,
    /** Nothing but the box under the curve is taken. */
    EDGE_REJECTED
  }

  private final LongSupplier words;
  private final Flaw flaw;
  private int used;

  ReferenceGaussians(LongSupplier words, Flaw flaw) {
    this.words = words;
    this.flaw = flaw;
  }

  /** The draws of a row of this tag. */
  static ReferenceGaussians ofRow(Cipher aes, long first, long second) {
    return new ReferenceGaussians(
        new LongSupplier() {
          private long block;
          private long ahead;
          private boolean odd;

          @Override
          public long getAsLong() {
            odd = !odd;
            if (!odd) {
              return ahead;
            }
            long counted = second ^ block++;
            ByteBuffer out = encrypted(aes, first, counted);
            ahead = out.getLong(8) ^ counted;
            return out.getLong(0) ^ first;
          }
        },
        Flaw.NONE);
  }

  private static ByteBuffer encrypted(Cipher aes, long first, long second) {
    ByteBuffer block = ByteBuffer.wrap(new byte[16]).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer out = block.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    try {
      aes.update(block.putLong(first).putLong(second).flip(), out);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return out;
  }

  /** The block cipher of a seed. */
  @SuppressWarnings("InsecureCryptoUsage") // the construction needs the bare cipher
  static Cipher aes(long seed) throws GeneralSecurityException {
    byte[] key = new byte[16];
    ByteBuffer.wrap(key)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(RowBits.mix(seed))
        .putLong(RowBits.mix(seed + RowBits.GAMMA));
    Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
    return cipher;
  }

  /** So many words have been taken. */
  int used() {
    return used;
  }

  /** The next draw, a whole multiple of 2^-24. */
  double next() {
    double x = Double.NaN;
    while (Double.isNaN(x)) {
      x = attempt();
    }
    return Math.rint(0x1p24 * x) * 0x1p-24;
  }

  double[] next(int n) {
    double[] draws = new double[n];
    for (int i = 0; i < n; i++) {
      draws[i] = next();
    }
    return draws;
  }

  private double attempt() {
    long word = word();
    int layer = (int) (word & 0xff);
    double x = (word >>> 11) * Ziggurat.WIDTH[layer];
    if (word >>> 11 >= Ziggurat.INNER[layer]) {
      x = layer == 0 ? tail() : edge(layer, x);
    }
    boolean negative = (word & (flaw == Flaw.SIGN_FROM_LAYER ? 1 : 0x100)) != 0;
    return (negative ? -x : x) * (flaw == Flaw.SCALE ? 1.003 : 1.0);
  }

  private double edge(int layer, double x) {
    if (flaw == Flaw.EDGE_ACCEPTED || flaw == Flaw.EDGE_REJECTED) {
      return flaw == Flaw.EDGE_ACCEPTED ? x : Double.NaN;
    }
    double low = Ziggurat.HEIGHT[layer];
    double height = low + uniform() * (Ziggurat.HEIGHT[layer - 1] - low);
    return height < StrictMath.exp(-0.5 * x * x) ? x : Double.NaN;
  }

  private double tail() {
    if (flaw == Flaw.NO_TAIL) {
      return Double.NaN;
    }
    while (true) {
      double x = -StrictMath.log(uniform()) / Ziggurat.TAIL;
      double y = -StrictMath.log(uniform());
      if (2.0 * y > x * x || flaw == Flaw.EXPONENTIAL_TAIL) {
        return Ziggurat.TAIL + x;
      }
    }
  }

  private double uniform() {
    return ((word() >>> 11) + 0.5) * 0x1p-53;
  }

  private long word() {
    used++;
    return words.getAsLong();
  }
}

package io.gauze.noise;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Random bits from AES-256 in counter mode. Each refill of the buffer makes the next key first and
 * forgets the old one, and a word is overwritten as it is read. So memory never contains what is
 * needed to make past output again (as far as the Java runtime forgets its copies).
 */
final class AesCtrGenerator implements Entropy {
  static final int KEY_BYTES = 32;
  private static final int BUFFER_BYTES = KEY_BYTES + 8192;
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Cipher cipher;
  private final boolean noiseFree;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position = BUFFER_BYTES;

  /** Creates a stream. Takes the key over: the array is overwritten with zeros. */
  AesCtrGenerator(byte[] key, boolean noiseFree) {
    this.noiseFree = noiseFree;
    System.arraycopy(key, 0, buffer, 0, KEY_BYTES);
    Arrays.fill(key, (byte) 0);
    try {
      cipher = Cipher.getInstance("AES/CTR/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no AES in counter mode", e);
    }
  }

  @Override
  public long nextLong() {
    if (position == BUFFER_BYTES) {
      refill();
    }
    long word = (long) WORDS.get(buffer, position);
    WORDS.set(buffer, position, 0L);
    position += Long.BYTES;
    return word;
  }

  @Override
  public boolean noiseFree() {
    return noiseFree;
  }

  private void refill() {
    try {
      // A key is used once, so the counter may always start at zero.
      SecretKeySpec key = new SecretKeySpec(buffer, 0, KEY_BYTES, "AES");
      cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[16]));
      Arrays.fill(buffer, (byte) 0);
      cipher.doFinal(buffer, 0, BUFFER_BYTES, buffer, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-256 in counter mode failed", e);
    }
    position = KEY_BYTES;
  }

  @Override
  public String toString() {
    return "AesCtrGenerator";
  }
}

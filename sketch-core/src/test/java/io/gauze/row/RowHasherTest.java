package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowHasherTest {
  /** The reference implementation's vector for the bytes 00..0f under the key 00..0f. */
  @Test
  void publishedVector() {
    RowHasher hasher = new RowHasher(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
    assertThat(hasher.hash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L))
        .isEqualTo(0x3f2acc7f57c29bdbL);
  }

  /**
   * Published vectors for the bytes 00, 01, ... under the same key; that of 15 bytes is in the
   * paper.
   */
  @ParameterizedTest
  @CsvSource({
    "0, 726fdb47dd0e0e31",
    "1, 74f839c593dc67fd",
    "8, 93f5f5799a932462",
    "15, a129ca6149be45e5",
    "16, 3f2acc7f57c29bdb"
  })
  void bytewiseImplementationIsRight(int length, String expected) {
    byte[] counting = new byte[16];
    for (int i = 0; i < 16; i++) {
      counting[i] = (byte) i;
    }
    byte[] message = java.util.Arrays.copyOf(counting, length);
    assertThat(Long.toHexString(bytewise(counting, message))).isEqualTo(expected);
  }

  @Test
  void equalsTheBytewiseImplementation() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 20_000; i++) {
      long[] words = {random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong()};
      byte[] key = bytes(words[0], words[1]);
      assertThat(new RowHasher(words[0], words[1]).hash(words[2], words[3]))
          .isEqualTo(bytewise(key, bytes(words[2], words[3])));
    }
  }

  @Test
  void wordsAreNotInterchangeable() {
    RowHasher hasher = new RowHasher(1, 2);
    assertThat(hasher.hash(3, 4)).isNotEqualTo(hasher.hash(4, 3));
    assertThat(hasher.hash(3, 4)).isNotEqualTo(new RowHasher(2, 1).hash(3, 4));
  }

  @Test
  void showsNothingOfItsKey() {
    assertThat(new RowHasher(0x1234, 0x5678)).hasToString("RowHasher[secret]");
  }

  private static byte[] bytes(long first, long second) {
    ByteBuffer buffer = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    return buffer.putLong(first).putLong(second).array();
  }

  /** SipHash-2-4 of any message, byte by byte, on an array of four words. */
  private static long bytewise(byte[] key, byte[] message) {
    long k0 = word(key, 0);
    long k1 = word(key, 8);
    byte[] letters =
        "uespemosmodnarodarenegylsetybdet".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    long[] v = new long[4];
    for (int i = 0; i < 4; i++) {
      v[i] = (i % 2 == 0 ? k0 : k1) ^ word(letters, 8 * i);
    }
    byte[] padded = java.util.Arrays.copyOf(message, message.length / 8 * 8 + 8);
    padded[padded.length - 1] = (byte) message.length;
    for (int at = 0; at < padded.length; at += 8) {
      long m = word(padded, at);
      v[3] ^= m;
      round(v);
      round(v);
      v[0] ^= m;
    }
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++) {
      round(v);
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
  }

  private static long word(byte[] bytes, int at) {
    long word = 0;
    for (int i = 7; i >= 0; i--) {
      word = word << 8 | (bytes[at + i] & 0xff);
    }
    return word;
  }

  private static void round(long[] v) {
    half(v, 0, 1, 13, true);
    half(v, 2, 3, 16, false);
    half(v, 0, 3, 21, false);
    half(v, 2, 1, 17, true);
  }

  private static void half(long[] v, int a, int b, int bits, boolean turn) {
    v[a] += v[b];
    v[b] = v[b] << bits | v[b] >>> (64 - bits);
    v[b] ^= v[a];
    if (turn) {
      v[a] = v[a] << 32 | v[a] >>> 32;
    }
  }
}

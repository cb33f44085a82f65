package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.Allocation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowHasherTest {
  private static RowHasher hasher(long key0, long key1) {
    return RowHasher.create(LongStream.of(key0, key1, 5, 6, 7, 8).iterator()::nextLong);
  }

  private static String tag(RowHasher hasher, long high, long low) {
    RowTag tag = new RowTag();
    hasher.tag(high, low, tag);
    return HexFormat.of().formatHex(bytes(tag.first(), tag.second()));
  }

  private static String tag(RowHasher hasher, byte[] key) {
    RowTag tag = new RowTag();
    hasher.tag(key, tag);
    return HexFormat.of().formatHex(bytes(tag.first(), tag.second()));
  }

  /** By OpenSSL 3.0.19 for the bytes 00..0f under the key 00..0f: openssl mac SIPHASH, size 16. */
  @Test
  void vectorOfAnotherImplementation() {
    RowHasher hasher = hasher(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
    assertThat(tag(hasher, 0x0706050403020100L, 0x0f0e0d0c0b0a0908L))
        .isEqualTo("6ee2a4ca67b054bbfd3315bf85230577");
  }

  /** The first is in the reference implementation, too; the others are by OpenSSL 3.0.19. */
  @ParameterizedTest
  @CsvSource({
    "0, a3817f04ba25a8e66df67214c7550293",
    "1, da87c1d86b99af44347659119b22fc45",
    "8, 3b62a9ba6258f5610f83e264f31497b4",
    "15, 5493e99933b0a8117e08ec0f97cfc3d9",
    "16, 6ee2a4ca67b054bbfd3315bf85230577"
  })
  void bytewiseImplementationIsRight(int length, String expected) {
    byte[] counting = new byte[16];
    for (int i = 0; i < 16; i++) {
      counting[i] = (byte) i;
    }
    byte[] message = Arrays.copyOf(counting, length);
    assertThat(bytewise(counting, message)).isEqualTo(expected);
  }

  @Test
  void equalsTheBytewiseImplementation() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 20_000; i++) {
      long[] words = {random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong()};
      byte[] key = bytes(words[0], words[1]);
      assertThat(tag(hasher(words[0], words[1]), words[2], words[3]))
          .isEqualTo(bytewise(key, bytes(words[2], words[3])));
    }
  }

  /** Around the size at which a batch is hashed in parts, and twice of it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 255, 256, 257, 513})
  void batchesHaveTheSameTags(int rows) {
    SplittableRandom random = new SplittableRandom(4);
    RowHasher hasher = hasher(random.nextLong(), random.nextLong());
    long[] first = new long[rows];
    long[] second = new long[rows];
    List<RowTag> expected = new ArrayList<>();
    for (int k = 0; k < rows; k++) {
      first[k] = random.nextLong();
      second[k] = random.nextLong();
      expected.add(new RowTag());
      hasher.tag(first[k], second[k], expected.get(k));
    }
    hasher.ofBatches().tag(first, second, 0, rows);
    for (int k = 0; k < rows; k++) {
      assertThat(first[k]).isEqualTo(expected.get(k).first());
      assertThat(second[k]).isEqualTo(expected.get(k).second());
    }
  }

  @Test
  void wordsAreNotInterchangeable() {
    RowHasher hasher = hasher(1, 2);
    assertThat(tag(hasher, 3, 4)).isNotEqualTo(tag(hasher, 4, 3));
    assertThat(tag(hasher, 3, 4)).isNotEqualTo(tag(hasher(2, 1), 3, 4));
  }

  /** Every word of the secret counts, and every byte and the length of the key. */
  @Test
  void tagsOfBytesDependOnEverything() {
    Set<String> tags = new HashSet<>();
    for (int word = 0; word <= 6; word++) {
      long[] secret = {1, 2, 3, 4, 5, 6};
      if (word < 6) {
        secret[word] += 10;
      }
      RowHasher hasher = RowHasher.create(LongStream.of(secret).iterator()::nextLong);
      tags.add(tag(hasher, new byte[] {1, 2, 3}));
    }
    assertThat(tags).hasSize(7);
    RowHasher hasher = hasher(1, 2);
    for (int length = 0; length < 100; length++) {
      byte[] key = new byte[length];
      tags.add(tag(hasher, key));
      for (int i = 0; i < length; i++) {
        key[i] = 1;
        tags.add(tag(hasher, key));
        key[i] = 0;
      }
    }
    assertThat(tags).hasSize(7 + 100 + 99 * 100 / 2);
    assertThat(tag(hasher, new byte[] {1, 2, 3})).isEqualTo(tag(hasher, new byte[] {1, 2, 3}));
  }

  @Test
  void tagsAllocateNothing() throws Exception {
    RowHasher hasher = hasher(1, 2);
    RowTag tag = new RowTag();
    byte[] key = "customer-0017".getBytes(StandardCharsets.UTF_8);
    Allocation.Work work =
        () -> {
          for (int i = 0; i < 30_000; i++) {
            hasher.tag(3, i, tag);
            hasher.tag(key, tag);
          }
        };
    work.run(); // classes are loaded
    assertThat(Allocation.of(work)).isLessThan(30_000);
  }

  @Test
  void showsNothingOfItsSecret() {
    assertThat(hasher(0x1234, 0x5678)).hasToString("RowHasher[secret]");
    assertThat(new RowTag()).hasToString("RowTag[secret]");
  }

  private static byte[] bytes(long first, long second) {
    ByteBuffer buffer = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    return buffer.putLong(first).putLong(second).array();
  }

  /** SipHash-2-4-128 of any message, byte by byte, on an array of four words. */
  private static String bytewise(byte[] key, byte[] message) {
    long k0 = word(key, 0);
    long k1 = word(key, 8);
    byte[] letters = "uespemosmodnarodarenegylsetybdet".getBytes(StandardCharsets.US_ASCII);
    long[] v = new long[4];
    for (int i = 0; i < 4; i++) {
      v[i] = (i % 2 == 0 ? k0 : k1) ^ word(letters, 8 * i);
    }
    v[1] ^= 0xee;
    byte[] padded = Arrays.copyOf(message, message.length / 8 * 8 + 8);
    padded[padded.length - 1] = (byte) message.length;
    for (int at = 0; at < padded.length; at += 8) {
      long m = word(padded, at);
      v[3] ^= m;
      round(v);
      round(v);
      v[0] ^= m;
    }
    v[2] ^= 0xee;
    long first = finish(v);
    v[1] ^= 0xdd;
    return HexFormat.of().formatHex(bytes(first, finish(v)));
  }

  private static long finish(long[] v) {
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

package io.gauze.noise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

final class EntropyTest {
  private static final int BLOCK = 32 + 8192;

  /** The stream is the plain cipher: 32 bytes for the next key, then the words, key after key. */
  @Test
  void wordsAreTheKeyStreamOfTheCipher() throws Exception {
    byte[] key = new byte[32];
    new SplittableRandom(7).nextBytes(key);
    AesCtrGenerator stream = new AesCtrGenerator(key.clone(), false);
    for (int refill = 0; refill < 3; refill++) {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[16]));
      ByteBuffer expected =
          ByteBuffer.wrap(cipher.doFinal(new byte[BLOCK])).order(ByteOrder.LITTLE_ENDIAN);
      expected.get(key);
      while (expected.hasRemaining()) {
        assertThat(stream.nextLong()).isEqualTo(expected.getLong());
      }
    }
  }

  @Test
  void theKeyIsTakenOver() {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 1);
    AesCtrGenerator stream = new AesCtrGenerator(key, false);
    assertThat(key).containsOnly(0);
    assertThat(stream.toString()).isEqualTo("AesCtrGenerator");
  }

  /** 4,000 words of two sources are distinct: by chance they are not once in 2^39 times. */
  @Test
  void systemSourcesDoNotRepeat() {
    Set<Long> words = new HashSet<>();
    Entropy first = Randomness.SYSTEM.entropy("noise");
    Entropy second = Randomness.SYSTEM.entropy("noise");
    for (int i = 0; i < 2000; i++) {
      words.add(first.nextLong());
      words.add(second.nextLong());
    }
    assertThat(words).hasSize(4000);
    assertThat(first.toString()).isEqualTo("AesCtrGenerator");
    assertThat(first.noiseFree()).isFalse();
  }

  /** The key is HMAC-SHA-256 of the purpose under the secret, here eight bytes of a seed. */
  @Test
  void keysAreDerivedFromTheirPurpose() throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(ByteBuffer.allocate(8).putLong(5L).array(), "HmacSHA256"));
    AesCtrGenerator expected = new AesCtrGenerator(mac.doFinal("noise 1".getBytes(UTF_8)), false);
    Entropy source = Randomness.insecureForTests(5).entropy("noise 1");
    for (int i = 0; i < 100; i++) {
      assertThat(source.nextLong()).isEqualTo(expected.nextLong());
    }
  }

  @Test
  void testSourcesRepeatForOnePurposeAndDifferForTwo() {
    Randomness seeded = Randomness.insecureForTests(5);
    long word = seeded.entropy("noise 1").nextLong();
    assertThat(seeded.entropy("noise 1").nextLong()).isEqualTo(word);
    assertThat(seeded.entropy("noise 2").nextLong()).isNotEqualTo(word);
    assertThat(Randomness.insecureForTests(6).entropy("noise 1").nextLong()).isNotEqualTo(word);
  }

  @Test
  void onlySystemEntropyIsPrivate() {
    assertThat(Randomness.SYSTEM.isPrivate()).isTrue();
    assertThat(Randomness.SYSTEM.description()).startsWith("system entropy");
    for (Randomness test :
        new Randomness[] {Randomness.insecureForTests(5), Randomness.noiseFreeForTests(5)}) {
      assertThat(test.isPrivate()).isFalse();
      assertThat(test.description()).startsWith("NOT PRIVATE");
      assertThat(test.toString()).isEqualTo(test.description());
    }
  }

  @Test
  void noiseFreeMeansNoNoiseButSecrets() {
    Randomness free = Randomness.noiseFreeForTests(5);
    assertThat(free.noiseFree()).isTrue();
    assertThat(Randomness.insecureForTests(5).noiseFree()).isFalse();
    Entropy entropy = free.entropy("noise");
    assertThat(RoundedGaussian.of(1e6).sample(entropy)).isZero();
    assertThat(entropy.nextLong()).isEqualTo(free.entropy("noise").nextLong());
  }

  @Test
  void randomnessTravels() throws Exception {
    for (Randomness randomness :
        new Randomness[] {
          Randomness.SYSTEM, Randomness.insecureForTests(5), Randomness.noiseFreeForTests(5)
        }) {
      assertThat(roundTrip(randomness)).isEqualTo(randomness).hasSameHashCodeAs(randomness);
    }
    assertThat(Randomness.insecureForTests(5))
        .isNotEqualTo(Randomness.insecureForTests(6))
        .isNotEqualTo(Randomness.noiseFreeForTests(5));
  }

  private static Object roundTrip(Object value) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }
}

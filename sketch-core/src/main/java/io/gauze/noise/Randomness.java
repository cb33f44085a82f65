package io.gauze.noise;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The source of noise and secrets. This object only describes the source: it is sent to the
 * workers, and each worker opens its own sources. Immutable.
 *
 * <p>A source has one purpose: the engine opens one for each block of each release, and one for
 * each worker's hash key. Its key is derived by HMAC-SHA-256 from its purpose and from 32 bytes
 * that the operating system's generator makes for it alone. So no two sources share a secret, the
 * remains of one in memory say nothing about another, and even a generator that repeated itself
 * would not give two purposes the same stream.
 */
public final class Randomness implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Fresh system entropy, the only choice that is private. */
  public static final Randomness SYSTEM = new Randomness(Kind.SYSTEM, 0L);

  private enum Kind {
    SYSTEM("system entropy: AES-256-CTR under keys from the operating system's generator"),
    SEEDED("NOT PRIVATE: noise and secrets are made from a fixed seed, for tests"),
    NOISE_FREE("NOT PRIVATE: no noise at all and secrets from a fixed seed, for tests");

    private final String description;

    Kind(String description) {
      this.description = description;
    }
  }

  private final Kind kind;
  private final long seed;

  private Randomness(Kind kind, long seed) {
    this.kind = kind;
    this.seed = seed;
  }

  /**
   * Returns repeatable noise and secrets, for tests. NOT PRIVATE: anyone who knows the seed can
   * remove the noise.
   */
  public static Randomness insecureForTests(long seed) {
    return new Randomness(Kind.SEEDED, seed);
  }

  /**
   * Returns no noise and repeatable secrets, for tests. NOT PRIVATE: releases are the exact sums.
   */
  public static Randomness noiseFreeForTests(long seed) {
    return new Randomness(Kind.NOISE_FREE, seed);
  }

  /**
   * Returns a source of random bits, AES-256 in counter mode. Costs some microseconds and 8 kB.
   *
   * @param purpose the use of the bits. System entropy is new on each call; test sources are equal
   *     for equal purposes and independent for different ones
   */
  public Entropy entropy(String purpose) {
    Objects.requireNonNull(purpose, "purpose");
    return new AesCtrGenerator(derive(secret(), purpose), kind == Kind.NOISE_FREE);
  }

  /** Returns true if all noise is zero. */
  public boolean noiseFree() {
    return kind == Kind.NOISE_FREE;
  }

  /** Returns true if a guarantee may be claimed, which is the case for system entropy alone. */
  public boolean isPrivate() {
    return kind == Kind.SYSTEM;
  }

  /** Describes the source in words; begins with "NOT PRIVATE" unless {@link #isPrivate}. */
  public String description() {
    return kind.description;
  }

  /** Returns a key by HMAC-SHA-256. Keys of different purposes are computationally independent. */
  private static byte[] derive(byte[] secret, String purpose) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      Arrays.fill(secret, (byte) 0);
      return mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HMAC with SHA-256", e);
    }
  }

  private byte[] secret() {
    if (kind != Kind.SYSTEM) {
      return ByteBuffer.allocate(Long.BYTES).putLong(seed).array();
    }
    byte[] fresh = new byte[AesCtrGenerator.KEY_BYTES];
    new SecureRandom().nextBytes(fresh);
    return fresh;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Randomness that && that.kind == kind && that.seed == seed;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind.name(), seed);
  }

  @Override
  public String toString() {
    return kind.description;
  }
}

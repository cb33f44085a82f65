package io.gauze.privacy;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;

/**
 * Where noise and secrets come from. A description, not a source: it travels to the workers, and
 * each opens its own sources there. Immutable.
 *
 * <p>A source is for one thing: the engine opens one for each block of each release, and one for
 * each worker's hash key. Each has a key of its own from the operating system, so that no two are
 * made from one secret, as they would be if they were derived from a common parent, and what is
 * left of one in memory says nothing about another.
 */
public final class Randomness implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Fresh system entropy: the only choice that is private. */
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

  /** Repeatable noise and secrets, for tests. NOT PRIVATE: who knows the seed removes the noise. */
  public static Randomness insecureForTests(long seed) {
    return new Randomness(Kind.SEEDED, seed);
  }

  /** No noise and repeatable secrets, for tests. NOT PRIVATE: releases are the exact sums. */
  public static Randomness noiseFreeForTests(long seed) {
    return new Randomness(Kind.NOISE_FREE, seed);
  }

  /**
   * A source of random bits.
   *
   * @param purpose what the bits are for. System entropy ignores it and is new on each call; test
   *     sources are equal for equal purposes and independent for different ones
   */
  public Entropy entropy(String purpose) {
    Objects.requireNonNull(purpose, "purpose");
    return kind == Kind.SYSTEM
        ? new SystemEntropy()
        : new KeyStream(testKey(purpose), kind == Kind.NOISE_FREE);
  }

  /** Whether all noise is zero. */
  public boolean noiseFree() {
    return kind == Kind.NOISE_FREE;
  }

  /** Whether a guarantee may be claimed: true for system entropy alone. */
  public boolean isPrivate() {
    return kind == Kind.SYSTEM;
  }

  /** In words; begins with "NOT PRIVATE" unless {@link #isPrivate}. */
  public String description() {
    return kind.description;
  }

  private byte[] testKey(String purpose) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(seed).array());
      return digest.digest(purpose.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
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

package io.gauze.privacy;

import java.security.SecureRandom;

/**
 * Random bits fit for noise and secrets: AES-256 in counter mode under a fresh key from the
 * operating system's generator, with fast key erasure. Two instances are independent. Nothing but
 * random bits leaves it; it cannot be serialized, copied or seeded. Not safe for use by several
 * threads.
 */
public final class SystemEntropy implements Entropy {
  private final KeyStream stream;

  /** A source under a fresh key. Costs some microseconds and 8 kB. */
  public SystemEntropy() {
    byte[] key = new byte[KeyStream.KEY_BYTES];
    new SecureRandom().nextBytes(key);
    stream = new KeyStream(key, false);
  }

  @Override
  public long nextLong() {
    return stream.nextLong();
  }

  @Override
  public String toString() {
    return "SystemEntropy";
  }
}

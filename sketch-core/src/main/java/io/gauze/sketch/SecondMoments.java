package io.gauze.sketch;

import io.gauze.row.EncodedRow;
import java.util.Arrays;

/**
 * The sum of {@code a a'} over the rows a: everything that a quadratic loss needs.
 *
 * <p>The state is the upper triangle, row by row ({@link SecondMomentsSpec#index}), in squared grid
 * steps, D(D+1)/2 longs; off the diagonal each entry stands once and is not doubled. An update
 * takes O(D^2) time. The row's hash is not used.
 */
public final class SecondMoments implements LinearSketch<SecondMoments> {
  private final SecondMomentsSpec spec;
  private final long[] state;

  SecondMoments(SecondMomentsSpec spec, long[] state) {
    this.spec = spec;
    this.state = state;
  }

  /** An empty sketch. */
  public static SecondMoments create(SecondMomentsSpec spec) {
    return spec.zero();
  }

  /**
   * Reads what {@link #toBytes()} wrote.
   *
   * @throws IllegalArgumentException if the bytes are not second moments, of an unknown version or
   *     of the wrong length
   */
  public static SecondMoments fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, SecondMoments.class);
  }

  @Override
  public SecondMomentsSpec spec() {
    return spec;
  }

  @Override
  public void add(long rowHash, EncodedRow row, int sign) {
    Checks.update(spec, row, sign);
    int[] a = row.values();
    int next = 0;
    for (int i = 0; i < a.length; i++) {
      long factor = (long) sign * a[i];
      for (int j = i; j < a.length; j++) {
        state[next++] += factor * a[j];
      }
    }
  }

  @Override
  public void merge(SecondMoments other) {
    Checks.merge(spec, other.spec);
    for (int i = 0; i < state.length; i++) {
      state[i] += other.state[i];
    }
  }

  @Override
  public SecondMoments copy() {
    return new SecondMoments(spec, state.clone());
  }

  @Override
  public long[] state() {
    return state;
  }

  @Override
  public void clear() {
    Arrays.fill(state, 0);
  }

  @Override
  public byte[] toBytes() {
    return SketchBytes.write(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SecondMoments that
        && spec.equals(that.spec)
        && Arrays.equals(state, that.state);
  }

  @Override
  public int hashCode() {
    return 31 * spec.hashCode() + Arrays.hashCode(state);
  }

  /** The shape only: sums are private. */
  @Override
  public String toString() {
    return "SecondMoments[" + spec + "]";
  }
}

package io.gauze.stream;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A run of sketch state entries in the bytes in which state and network hold it: version 1, then
 * the entries as little-endian longs. At most 128 kB: Flink spills longer records to disk, and long
 * values make checkpoints slow. Immutable once shared.
 */
public final class Block {
  /** The most entries of a block. */
  public static final int MAX_LONGS = 16 * 1024;

  private static final byte VERSION = 1;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Block() {}

  /** Returns how many blocks a state of {@code stateLength} entries takes. */
  public static int count(int stateLength) {
    return (stateLength + MAX_LONGS - 1) / MAX_LONGS;
  }

  /** The index of the first entry of a block. */
  public static int from(int block) {
    return block * MAX_LONGS;
  }

  /** Returns how many entries block {@code block} of a state of {@code stateLength} entries has. */
  public static int length(int block, int stateLength) {
    return Math.min(MAX_LONGS, stateLength - from(block));
  }

  /** Returns the block of {@code state[from .. from + length)}. */
  public static byte[] of(long[] state, int from, int length) {
    byte[] bytes = new byte[1 + Long.BYTES * length];
    bytes[0] = VERSION;
    for (int i = 0; i < length; i++) {
      LONGS.set(bytes, 1 + Long.BYTES * i, state[from + i]);
    }
    return bytes;
  }

  /** Returns the entries of {@code block}. */
  public static long[] longs(byte[] block) {
    check(block);
    long[] entries = new long[(block.length - 1) / Long.BYTES];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = (long) LONGS.get(block, 1 + Long.BYTES * i);
    }
    return entries;
  }

  /** Returns a new block with the sum of two, entry by entry; overflow wraps. */
  public static byte[] sum(byte[] a, byte[] b) {
    check(a);
    check(b);
    if (a.length != b.length) {
      throw new IllegalStateException(
          "blocks to add have " + a.length + " and " + b.length + " bytes");
    }
    byte[] sum = new byte[a.length];
    sum[0] = VERSION;
    for (int at = 1; at < a.length; at += Long.BYTES) {
      LONGS.set(sum, at, (long) LONGS.get(a, at) + (long) LONGS.get(b, at));
    }
    return sum;
  }

  public static void write(byte[] block, DataOutputView out) throws IOException {
    out.writeInt(block.length);
    out.write(block);
  }

  public static byte[] read(DataInputView in) throws IOException {
    byte[] block = new byte[in.readInt()];
    in.readFully(block);
    check(block);
    return block;
  }

  private static void check(byte[] block) {
    if (block.length < 1 || block[0] != VERSION || (block.length - 1) % Long.BYTES != 0) {
      throw new IllegalStateException(
          "a block has version "
              + (block.length < 1 ? "none" : block[0])
              + " and "
              + block.length
              + " bytes; this program reads version "
              + VERSION
              + " with 8 bytes an entry");
    }
  }
}

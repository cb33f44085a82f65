package io.gauze.source;

import io.gauze.row.RowRejectedException;

/** The largest size of a record, which is the same in every format. */
public final class RecordSize {
  /** The most bytes of a record; longer ones are refused without being read. */
  public static final int MAX_BYTES = 1 << 20;

  private RecordSize() {}

  /**
   * Refuses an empty record and one that is too long.
   *
   * @param one a description of a valid record
   */
  public static void check(byte[] value, String one) throws RowRejectedException {
    if (value.length == 0) {
      throw new RowRejectedException("empty record; send " + one + " a record");
    }
    checkLength("record", value);
  }

  /**
   * Refuses a part of a record that is too long.
   *
   * @param what the name of the part
   */
  public static void checkLength(String what, byte[] bytes) throws RowRejectedException {
    if (bytes.length > MAX_BYTES) {
      throw new RowRejectedException(
          what + " longer than " + MAX_BYTES + " bytes, namely " + bytes.length + "; send less");
    }
  }
}

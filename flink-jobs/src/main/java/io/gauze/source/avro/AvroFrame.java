package io.gauze.source.avro;

import io.gauze.row.RowRejectedException;
import io.gauze.source.JsonFault;

/**
 * What stands before Avro's encoding of a row, or in its place, as other serializers write it. Only
 * asked about bytes that are no row, since a row may begin with any bytes.
 */
final class AvroFrame {
  private static final byte[] FILE = {'O', 'b', 'j', 1};
  private static final byte[] SINGLE_OBJECT = {(byte) 0xc3, 1};
  private static final int GLUE = 3; // its first byte, before that of the compression
  private static final int GLUE_HEADER = 18;

  private AvroFrame() {}

  /**
   * Refuses bytes that can be told by their start.
   *
   * @throws RowRejectedException if they are of a known kind; the message never contains a value
   */
  static void check(byte[] value) throws RowRejectedException {
    JsonFault.checkPlain(value, "Avro");
    if (JsonFault.startsWith(value, FILE)) {
      throw new RowRejectedException(
          "a file of Avro with its schema; send each row's encoding alone, as a record of its own");
    }
    if (JsonFault.startsWith(value, SINGLE_OBJECT)) {
      throw new RowRejectedException(
          "Avro's single-object encoding; send rows without its first ten bytes, in format avro");
    }
    if (isOfGlue(value)) {
      throw new RowRejectedException(
          "the header of AWS Glue's serializer, which is not supported; send rows without it, in"
              + " format avro");
    }
    if (value.length > 1 && value[0] == '{' && (value[1] == '"' || value[1] == '\n')) {
      throw new RowRejectedException("JSON, not Avro; use format json, or send rows in Avro");
    }
  }

  /** Returns whether a random id of 16 bytes (RFC 9562, version 4) follows the first two bytes. */
  private static boolean isOfGlue(byte[] value) {
    return value.length > GLUE_HEADER
        && value[0] == GLUE
        && (value[1] == 0 || value[1] == 5)
        && (value[8] & 0xf0) == 0x40
        && (value[10] & 0xc0) == 0x80;
  }
}

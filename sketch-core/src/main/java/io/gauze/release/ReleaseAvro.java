package io.gauze.release;

import io.gauze.internal.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/**
 * Reads and writes releases in Avro's single-object encoding: two marker bytes, the schema's
 * fingerprint, the data.
 */
final class ReleaseAvro {
  private static final short MARKER = (short) 0xc301;
  private static final int PREFIX_BYTES = 10;
  private static final int SUM_BYTES = 32;

  /** The largest number of bytes of a long in Avro. */
  private static final long LONG_BYTES = 10;

  private ReleaseAvro() {}

  static byte[] write(Release release) {
    return encode(ReleaseRecord.of(release.header(), release.sharedNumbers()));
  }

  static Release read(byte[] bytes) {
    ReleaseSchema schema = schema(bytes);
    checkSum(bytes);
    return release(decode(schema, bytes));
  }

  static Release release(GenericRecord record) {
    try {
      return new Release(ReleaseRecord.header(record), ReleaseRecord.payload(record));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("release is damaged: " + e.getMessage(), e);
    }
  }

  /** Returns the record with its checksum, as in the message. */
  static GenericRecord sealed(Release release) {
    GenericRecord record = ReleaseRecord.of(release.header(), release.sharedNumbers());
    setSum(record, lastBytes(encode(record)));
    return record;
  }

  static void setSum(GenericRecord record, byte[] sum) {
    record.put(
        "sha256", new GenericData.Fixed(record.getSchema().getField("sha256").schema(), sum));
  }

  /**
   * Returns the release of a complete record under a {@link ReleaseSchema}, after the same checks
   * as {@link #read}.
   *
   * @throws IllegalArgumentException if the record is not a release, or has another checksum than
   *     its message
   */
  static Release unsealed(GenericRecord record) {
    byte[] message = encode(record);
    byte[] sum = ((GenericData.Fixed) record.get("sha256")).bytes();
    if (!Arrays.equals(sum, lastBytes(message))) {
      throw new IllegalArgumentException(
          "sha256 must be the SHA-256 of the release's Avro message. Provided value: "
              + HexFormat.of().formatHex(sum)
              + ", of something else: truncated, damaged or edited");
    }
    return read(message);
  }

  private static byte[] lastBytes(byte[] message) {
    return Arrays.copyOfRange(message, message.length - SUM_BYTES, message.length);
  }

  /** Returns the number of bytes of a release with this header and no payload. */
  static long headerSize(ReleaseHeader header) {
    return encode(ReleaseRecord.of(header, new long[0])).length;
  }

  /** Returns the largest number of bytes that a payload adds: the numbers and their count. */
  static long largestPayload(int numbers) {
    return LONG_BYTES * (numbers + 1L);
  }

  static byte[] encode(GenericRecord record) {
    try {
      ByteBuffer buffer = ReleaseSchema.of(record).encoder().encode(record);
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return seal(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
  }

  /** Writes the checksum into the last bytes. */
  static byte[] seal(byte[] bytes) {
    System.arraycopy(sum(bytes), 0, bytes, bytes.length - SUM_BYTES, SUM_BYTES);
    return bytes;
  }

  private static byte[] sum(byte[] bytes) {
    return Fingerprint.sha256(Arrays.copyOf(bytes, bytes.length - SUM_BYTES));
  }

  private static void checkSum(byte[] bytes) {
    if (bytes.length < PREFIX_BYTES + SUM_BYTES || !Arrays.equals(sum(bytes), lastBytes(bytes))) {
      throw new IllegalArgumentException(
          "release must end with the SHA-256 of its other bytes. Provided value: "
              + bytes.length
              + " bytes, truncated or damaged");
    }
  }

  /** By the fingerprint in the prefix. */
  private static ReleaseSchema schema(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    if (bytes.length < PREFIX_BYTES || buffer.getShort() != MARKER) {
      throw new IllegalArgumentException(
          "release must begin with c301, the mark of an Avro message, and 8 bytes of fingerprint."
              + " Provided value: "
              + bytes.length
              + " bytes of something else");
    }
    long fingerprint = buffer.order(ByteOrder.LITTLE_ENDIAN).getLong();
    for (ReleaseSchema schema : ReleaseSchema.all()) {
      if (schema.fingerprint() == fingerprint) {
        return schema;
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "release must be of version 1 or 2, by its schema's fingerprint. Provided value: %016x;"
                + " upgrade Gauze if it was made by a newer one",
            fingerprint));
  }

  private static GenericRecord decode(ReleaseSchema schema, byte[] bytes) {
    // Lengths first, so that a damaged one cannot ask for gigabytes.
    ByteBuffer body = ByteBuffer.wrap(bytes, PREFIX_BYTES, bytes.length - PREFIX_BYTES);
    AvroLengths.check(schema.avro(), body);
    try {
      return schema.decoder().decode(bytes);
    } catch (IOException | AvroRuntimeException e) {
      throw new IllegalArgumentException("release is damaged: " + e.getMessage(), e);
    }
  }
}

package io.gauze.release;

import io.gauze.row.Column;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;

/**
 * A version of the Avro schema of releases. Version 1 is for streams whose encoding it can hold, so
 * that their bytes stay as they are; version 2 adds typical values and responses, version 3 the
 * factors of columns.
 */
final class ReleaseSchema {
  static final ReleaseSchema V1 = new ReleaseSchema("release-v1.avsc", 1);
  static final ReleaseSchema V2 = new ReleaseSchema("release-v2.avsc", 2);
  static final ReleaseSchema V3 = new ReleaseSchema("release-v3.avsc", 3);

  /** Has the fields of all versions. */
  static final ReleaseSchema LATEST = V3;

  private final Schema avro;
  private final int version;
  private final long fingerprint;

  // Both are thread-safe, and hash the schema when they are made.
  private final BinaryMessageEncoder<GenericRecord> encoder;
  private final BinaryMessageDecoder<GenericRecord> decoder;

  private ReleaseSchema(String resource, int version) {
    this.avro = parse(resource);
    this.version = version;
    this.fingerprint = SchemaNormalization.parsingFingerprint64(avro);
    this.encoder = new BinaryMessageEncoder<>(GenericData.get(), avro);
    this.decoder = new BinaryMessageDecoder<>(GenericData.get(), avro);
  }

  private static Schema parse(String resource) {
    try (InputStream in = ReleaseSchema.class.getResourceAsStream(resource)) {
      return new Schema.Parser().parse(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }

  /** The first version that holds this encoding. */
  static ReleaseSchema of(RowSchema schema) {
    if (schema.isScaled()) {
      return V3;
    }
    boolean plain =
        schema.responses().isEmpty() && schema.columns().stream().allMatch(Column::isCentred);
    return plain ? V1 : V2;
  }

  /** The version, as the field {@code formatVersion} has it. */
  int version() {
    return version;
  }

  Schema avro() {
    return avro;
  }

  Schema column() {
    return avro.getField("columns").schema().getElementType();
  }

  /** Avro's CRC-64 of the schema, as messages have it in their prefix. */
  long fingerprint() {
    return fingerprint;
  }

  /** Writes messages of this version. */
  BinaryMessageEncoder<GenericRecord> encoder() {
    return encoder;
  }

  /** Reads messages of this version. */
  BinaryMessageDecoder<GenericRecord> decoder() {
    return decoder;
  }

  /**
   * Returns the version of a record.
   *
   * @throws IllegalArgumentException if it is of none
   */
  static ReleaseSchema of(GenericRecord record) {
    return all().stream()
        .filter(each -> each.avro.equals(record.getSchema()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the record must be that of a release"));
  }

  /** All versions. */
  static List<ReleaseSchema> all() {
    return List.of(V1, V2, V3);
  }
}

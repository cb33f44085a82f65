package io.gauze.pipeline;

import io.gauze.kafka.RowRecord;
import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.source.KeyText;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RecordSize;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.format.KeyReader;
import io.gauze.stream.SketchJobSettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Finds the key of a record, which identifies a row or a user, and computes its fingerprint: the
 * first 128 bits of SHA-256. To find any two equal ones takes about 2^64 attempts, to find that of
 * a given key 2^128. Not thread-safe.
 */
final class RecordKeys {
  private static final int BYTES = 16;
  private static final byte[] NOTHING = {};

  private final SketchJobSettings settings;
  private final RowFields fields;
  private final RecordDecoder decoder;
  private final KeyReader keys;
  private final RowImage beforeImage;
  private final RowImage afterImage;
  private final boolean isOfRecord;
  private final boolean ofUser;
  private final int field;
  private final MessageDigest digest;
  private String before = "";
  private String after = "";

  RecordKeys(SketchJobSettings settings) {
    this.settings = settings;
    isOfRecord = settings.input().isKeyOfRecord();
    ofUser = settings.userField().isPresent();
    List<String> wanted = isOfRecord ? List.of() : List.of(settings.input().keyField());
    fields = settings.input().fields(settings.plan().schema(), wanted);
    field = fields.index(settings.input().keyField());
    decoder = settings.input().decoder(fields);
    keys = settings.input().format().keys();
    beforeImage = new RowImage(fields);
    afterImage = new RowImage(fields);
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  /**
   * Finds the keys of a record.
   *
   * @return the change that the record makes, as far as the key alone tells; {@link Change#NONE} if
   *     it is about no row
   */
  Change read(RowRecord record) throws RowRejectedException {
    // Checked before the record goes to another task: Flink spills records above 5 MiB to disk.
    RecordSize.checkLength("key", record.key().orElse(NOTHING));
    RecordSize.checkLength("record", record.value().orElse(NOTHING));
    return isOfRecord ? ofRecord(record) : ofField(record);
  }

  /** The fingerprint of the key before the change; empty if there is none. */
  String before() {
    return before;
  }

  /** The fingerprint of the key after the change; empty if there is none. */
  String after() {
    return after;
  }

  private Change ofRecord(RowRecord record) throws RowRejectedException {
    byte[] key = keyOf(record);
    boolean bytes = settings.input().comparesBytes();
    before = "";
    after = fingerprint(comparable(bytes ? key : keys.text(key).getBytes(StandardCharsets.UTF_8)));
    return Change.INSERT;
  }

  private static byte[] keyOf(RowRecord record) throws RowRejectedException {
    return record
        .key()
        .filter(key -> key.length > 0) // as programs write that there is none
        .orElseThrow(
            () ->
                new RowRejectedException(
                    "the record has no key; send the key of the row or user as record key, or name"
                        + " its field in kafka.rows.key"));
  }

  private Change ofField(RowRecord record) throws RowRejectedException {
    byte[] value = record.value().orElse(null);
    if (value == null) {
      return withoutValue(record);
    }
    Change change = decoder.decode(value, beforeImage, afterImage);
    before = fingerprint(beforeImage);
    after = fingerprint(afterImage);
    if (change != Change.NONE && before.isEmpty() && after.isEmpty()) {
      String fault =
          afterImage
              .fault(field)
              .or(() -> beforeImage.fault(field))
              .orElse("is missing; each row must have one");
      throw new RowRejectedException("field " + fields.names().get(field) + ", the key, " + fault);
    }
    return change;
  }

  /**
   * Handles a record without value, and so without fields: its key must be the key field, or hold
   * it.
   */
  private Change withoutValue(RowRecord record) throws RowRejectedException {
    if (settings.input().format().isChangelog()) {
      return Change.NONE; // follows a deletion, so that compaction removes the key
    }
    if (!settings.input().upsert()) {
      throw new RowRejectedException(
          "no value; a deletion has no meaning on an append-only stream");
    }
    String key = keys.fieldText(keyOf(record), settings.input().keyField());
    before = "";
    after = fingerprint(comparable(key.getBytes(StandardCharsets.UTF_8)));
    return Change.INSERT;
  }

  private String fingerprint(RowImage image) throws RowRejectedException {
    if (!image.hasExtra(field)) {
      return "";
    }
    String text = image.key(field);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!text.equals(new String(bytes, StandardCharsets.UTF_8))) {
      throw new RowRejectedException(
          "field " + fields.names().get(field) + ", the key, has half a character; send UTF-8");
    }
    return fingerprint(comparable(bytes));
  }

  /**
   * Returns the bytes that identify the key. Ids of users that are numbers are compared by value,
   * so that one user is not taken for two, who may have twice the rows. Two people whose ids are
   * one number are one user: under replace-one that costs accuracy alone, but under add-remove the
   * rows of one of them decide which rows of the other count, see PROOF-users.md. In a table, each
   * text is a key of its own.
   */
  private byte[] comparable(byte[] key) {
    return ofUser ? KeyText.of(key) : key;
  }

  private String fingerprint(byte[] key) {
    byte[] hash = digest.digest(key);
    return Base64.getEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, BYTES));
  }
}

package io.gauze.stream;

import io.gauze.row.RowSchema;
import io.gauze.source.DeletionMark;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.format.RecordFormat;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How records become rows of groups.
 *
 * @param format the format of the records' values
 * @param upsert whether a record replaces the row of its key, and a record without value deletes it
 * @param keyField the field that holds a row's key or user; empty: the record's key
 * @param comparesBytes whether keys of records are compared as bytes and not as values
 * @param groupField the field that holds a row's group; empty: all rows are in one group
 * @param groups the public groups
 * @param deletions the fields that mark deleted rows
 */
public record RowInput(
    RecordFormat format,
    boolean upsert,
    String keyField,
    boolean comparesBytes,
    String groupField,
    List<String> groups,
    List<DeletionMark> deletions)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** JSON rows of one group, on an append-only stream. */
  public static final RowInput JSON =
      new RowInput(new RecordFormat.Json(), false, "", "", List.of(SketchJobSettings.NO_GROUP));

  /**
   * Checks the groups.
   *
   * @throws IllegalArgumentException if there is no group
   */
  public RowInput {
    Objects.requireNonNull(format, "format");
    Objects.requireNonNull(keyField, "keyField");
    Objects.requireNonNull(groupField, "groupField");
    groups = List.copyOf(groups);
    deletions = List.copyOf(deletions);
    if (groups.isEmpty()) {
      throw new IllegalArgumentException("groups must not be empty. Provided value: []");
    }
  }

  /** Creates an input whose records' keys are compared as values, and with Debezium's deletions. */
  public RowInput(
      RecordFormat format,
      boolean upsert,
      String keyField,
      String groupField,
      List<String> groups) {
    this(format, upsert, keyField, false, groupField, groups, DeletionMark.OF_DEBEZIUM);
  }

  /** Returns a copy whose records' keys are compared as bytes. */
  public RowInput comparingBytes() {
    return new RowInput(format, upsert, keyField, true, groupField, groups, deletions);
  }

  /** Returns a copy with these groups. */
  public RowInput groupedBy(String field, List<String> values) {
    return new RowInput(format, upsert, keyField, comparesBytes, field, values, deletions);
  }

  /**
   * Returns the fields that are read of a record, with those that mark deleted rows.
   *
   * @param extras names of fields that are wanted as text, whether or not a column reads them
   */
  public RowFields fields(RowSchema schema, List<String> extras) {
    List<String> wanted = new ArrayList<>(extras);
    deletions.forEach(mark -> wanted.add(mark.field()));
    return RowFields.of(schema, wanted);
  }

  /** Returns a decoder of records; called where they are read. */
  public RecordDecoder decoder(RowFields fields) {
    return format.decoder(fields, deletions);
  }

  /** Returns whether rows say which group they are in. */
  public boolean hasGroups() {
    return !groupField.isEmpty();
  }

  /** Returns whether the key is the record's own. */
  public boolean isKeyOfRecord() {
    return keyField.isEmpty();
  }

  /** Describes what identifies a row or a user. Part of fingerprints: never change the words. */
  String keyFingerprint() {
    return (isKeyOfRecord() ? "record" : "field " + keyField)
        + (upsert ? " of upserts in " : " in ")
        + format.label();
  }

  /**
   * Describes how the state knows keys, beside {@link #keyFingerprint}; empty for bytes and fields.
   * Part of fingerprints of states: never change the words.
   */
  String keyState() {
    return isKeyOfRecord() && !comparesBytes ? " by value" : "";
  }

  /**
   * Describes the groups; empty without groups. Part of a series' fingerprint: never change the
   * words.
   */
  String fingerprint() {
    StringBuilder text = new StringBuilder();
    if (hasGroups()) {
      text.append(" by ").append(groupField);
      groups.stream()
          .sorted()
          .forEach(group -> text.append(' ').append(group.length()).append(group));
    }
    return text.toString();
  }
}

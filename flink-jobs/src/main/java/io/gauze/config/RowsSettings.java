package io.gauze.config;

import io.gauze.source.DeletionMark;
import io.gauze.source.format.RecordFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The format of the records of the rows topic, and the meaning of their keys.
 *
 * @param format the format of the values
 * @param key what identifies a row; empty: its place in the topic. Changelogs always have a key
 * @param upsert whether a record replaces the row of its key, and a record without value deletes it
 * @param deletions the fields that mark deleted rows
 */
public record RowsSettings(
    RecordFormat format, Optional<KeySource> key, boolean upsert, List<DeletionMark> deletions) {
  /** Append-only JSON objects. */
  public static final RowsSettings JSON =
      new RowsSettings(new RecordFormat.Json(), Optional.empty(), false, DeletionMark.OF_DEBEZIUM);

  public RowsSettings {
    Objects.requireNonNull(format, "format");
    Objects.requireNonNull(key, "key");
    deletions = List.copyOf(deletions);
  }

  /**
   * The part of a record that identifies a row.
   *
   * @param field the field of the row; empty: the record's key
   * @param comparesBytes whether keys of records are compared as bytes and not as values
   */
  public record KeySource(Optional<String> field, boolean comparesBytes) {}

  /** Returns whether records can change or delete rows; if not, each record is a new row. */
  public boolean isChangelog() {
    return upsert || format.isChangelog();
  }
}

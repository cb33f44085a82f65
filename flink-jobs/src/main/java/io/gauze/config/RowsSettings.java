package io.gauze.config;

import io.gauze.source.RecordFormat;
import java.util.Objects;
import java.util.Optional;

/**
 * How the records of the rows topic are written, and what their keys mean.
 *
 * @param format of the values
 * @param key what identifies a row; empty: its place in the topic. Changelogs always have one
 * @param upsert whether a record replaces the one of its key, and a record without value deletes it
 */
public record RowsSettings(RecordFormat format, Optional<KeySource> key, boolean upsert) {
  /** Append-only JSON objects. */
  public static final RowsSettings JSON =
      new RowsSettings(new RecordFormat.Json(), Optional.empty(), false);

  public RowsSettings {
    Objects.requireNonNull(format, "format");
    Objects.requireNonNull(key, "key");
  }

  /**
   * What identifies a row.
   *
   * @param field of the row; empty: the record's key
   */
  public record KeySource(Optional<String> field) {}

  /** Whether records can change or delete rows; else each record is a row of its own. */
  public boolean isChangelog() {
    return upsert || format.isChangelog();
  }
}

package io.gauze.source;

import java.io.Serializable;

/** How the values of the rows topic are written. Immutable; travels in the job graph. */
public sealed interface RecordFormat extends Serializable permits RecordFormat.Json {
  /** The name in the config. */
  String label();

  /**
   * A decoder, made where records are read.
   *
   * @param beforeOptional whether the caller knows the rows of the table itself, so that updates
   *     and deletions need not say what was there before; of a changelog only
   */
  RecordDecoder decoder(RowFields fields, boolean beforeOptional);

  /** A decoder for which each update and deletion must say what was there before. */
  default RecordDecoder decoder(RowFields fields) {
    return decoder(fields, false);
  }

  /** Whether records can be updates and deletions; else each is an insertion. */
  default boolean isChangelog() {
    return false;
  }

  /** One JSON object a row. */
  record Json() implements RecordFormat {
    @Override
    public String label() {
      return "json";
    }

    @Override
    public RecordDecoder decoder(RowFields fields, boolean beforeOptional) {
      return new JsonRowDecoder(fields);
    }
  }
}

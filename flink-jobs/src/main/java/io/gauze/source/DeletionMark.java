package io.gauze.source;

import io.gauze.row.Truth;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * A field of a row that says that the row is deleted.
 *
 * @param field the name of the field
 * @param texts what it holds of a deleted row; booleans in any spelling
 */
public record DeletionMark(String field, List<String> texts) implements Serializable {
  /**
   * The fields that Debezium's transform ExtractNewRecordState adds to rows: one for deletions that
   * are rewritten, and the operation if it is asked for.
   */
  public static final List<DeletionMark> OF_DEBEZIUM =
      List.of(
          new DeletionMark("__deleted", List.of("true")), new DeletionMark("__op", List.of("d")));

  /** Creates a mark with a copy of the texts. */
  public DeletionMark {
    texts = List.copyOf(texts);
  }

  /**
   * Returns whether a row with this text in the field is deleted; empty if the mark is a boolean,
   * and the text is none.
   */
  Optional<Boolean> isIn(String text) {
    if (texts.contains(text)) {
      return Optional.of(true);
    }
    Optional<Boolean> given = Truth.of(text);
    boolean booleans = texts.stream().allMatch(Truth::isWord);
    return booleans && given.isEmpty()
        ? Optional.empty()
        : Optional.of(
            texts.stream()
                .filter(Truth::isWord)
                .anyMatch(marked -> Truth.of(marked).equals(given)));
  }
}

package io.gauze.source;

import io.gauze.row.RowRejectedException;
import java.util.List;

/**
 * A decoder that takes rows with a {@link DeletionMark} for deletions. Of a deleted row only the
 * key is known: other fields may hold anything.
 */
public final class MarkedDeletions implements RecordDecoder {
  private final RecordDecoder decoder;
  private final List<DeletionMark> marks;
  private final int[] markFields; // that of each mark

  /**
   * Creates a decoder.
   *
   * @param decoder of rows with these fields, the marks among them
   */
  public MarkedDeletions(RecordDecoder decoder, RowFields fields, List<DeletionMark> marks) {
    this.decoder = decoder;
    this.marks = marks;
    this.markFields = marks.stream().mapToInt(mark -> fields.index(mark.field())).toArray();
  }

  @Override
  public Change decode(byte[] value, RowImage before, RowImage after) throws RowRejectedException {
    Change change = decoder.decode(value, before, after);
    if (!after.isPresent() || !isMarked(after)) {
      return change;
    }
    decoder.decode(value, after, before); // the row is the one before the change
    after.clear();
    before.incomplete("only the key of a deleted row is known");
    return Change.DELETE;
  }

  private boolean isMarked(RowImage image) throws RowRejectedException {
    for (int i = 0; i < markFields.length; i++) {
      int field = markFields[i];
      if (image.hasExtra(field) && isMarked(marks.get(i), image.extra(field))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMarked(DeletionMark mark, String text) throws RowRejectedException {
    return mark.isIn(text)
        .orElseThrow(
            () ->
                new RowRejectedException(
                    "field "
                        + mark.field()
                        + ", which marks deleted rows, is neither true nor false; send one of"
                        + " them"));
  }
}

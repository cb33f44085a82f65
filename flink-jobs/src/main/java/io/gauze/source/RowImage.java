package io.gauze.source;

import io.gauze.row.EncodedRow;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Receives one row image from a decoder: its columns go to a {@link RowEncoder}, its extras are
 * kept as text. A value that the schema does not allow is remembered and thrown by {@link #encode},
 * {@link #accept} and {@link #scale}, so that the extras of such a row, its key among them, can
 * still be read. Of a field given twice the last value counts. Mutable, reused for every record,
 * not thread-safe; a good row allocates nothing here.
 */
public final class RowImage {
  private final RowFields fields;
  private final RowEncoder encoder;
  private final String[] extras;
  private final boolean[] numbers; // the extras that are
  private boolean present;
  private Optional<RowRejectedException> rejection = Optional.empty();

  /**
   * An absent image.
   *
   * @param encoder for rows of the fields' schema, used by this image alone while a row lasts
   */
  public RowImage(RowFields fields, RowEncoder encoder) {
    this.fields = fields;
    this.encoder = encoder;
    this.extras = new String[fields.names().size()];
    this.numbers = new boolean[extras.length];
  }

  /** An absent image with an encoder of its own. */
  public RowImage(RowFields fields) {
    this(fields, new RowEncoder(fields.schema()));
  }

  /** Forgets the previous record: the image is there and has no field yet. */
  public void begin() {
    present = true;
    rejection = Optional.empty();
    Arrays.fill(extras, null);
    encoder.begin();
  }

  /** The image is not there. */
  public void clear() {
    present = false;
  }

  /** Whether the record has this image. */
  public boolean isPresent() {
    return present;
  }

  /** A number; only where {@link RowFields#wantsNumber}. */
  public void number(int field, double value) {
    if (rejection.isEmpty()) {
      try {
        encoder.number(field, value);
      } catch (RowRejectedException e) {
        rejection = Optional.of(e);
      }
    }
  }

  /** A number as it is written; only where {@link RowFields#wantsLiteral}. */
  public void literal(int field, String written) {
    if (fields.isExtra(field)) {
      extras[field] = written;
      numbers[field] = true;
    }
    if (!fields.wantsNumber(field)) {
      columnText(field, written);
    }
  }

  /** A text. */
  public void text(int field, String value) {
    if (fields.isExtra(field)) {
      extras[field] = value;
      numbers[field] = false;
    }
    columnText(field, value);
  }

  private void columnText(int field, String value) {
    if (rejection.isEmpty() && fields.isColumn(field)) {
      try {
        encoder.text(field, value);
      } catch (RowRejectedException e) {
        rejection = Optional.of(e);
      }
    }
  }

  /** A null, which is as if the field were not there. */
  public void missing(int field) {
    extras[field] = null;
    if (rejection.isEmpty() && fields.isColumn(field)) {
      encoder.missing(field);
    }
  }

  /**
   * A value that no field can have, such as a list.
   *
   * @param reason what is wrong and what to do, without a value of the record
   */
  public void reject(int field, String reason) {
    extras[field] = null;
    if (rejection.isEmpty()) {
      rejection =
          Optional.of(
              new RowRejectedException("field " + fields.names().get(field) + " " + reason));
    }
  }

  /**
   * The image lacks values that the row has, so that it cannot be encoded.
   *
   * @param reason what is wrong and what to do, without a value of the record
   */
  public void incomplete(String reason) {
    if (rejection.isEmpty()) {
      rejection = Optional.of(new RowRejectedException(reason));
    }
  }

  /** Whether the image has a value in a field that {@link RowFields#isExtra}. */
  public boolean hasExtra(int field) {
    return present && extras[field] != null;
  }

  /**
   * The value of an extra field, numbers as they are written.
   *
   * @throws IllegalStateException if there is none
   */
  public String extra(int field) {
    if (!hasExtra(field)) {
      throw new IllegalStateException("field " + fields.names().get(field) + " has no value");
    }
    return extras[field];
  }

  /**
   * The value of an extra field as a key: a number by its value, a text as it is written.
   *
   * @throws IllegalStateException if there is none
   */
  public String key(int field) {
    String value = extra(field);
    return numbers[field] ? KeyText.of(value) : value;
  }

  /**
   * The row on the grid; see {@link RowEncoder#encode}.
   *
   * @throws RowRejectedException if a field has a value that is not allowed, or is missing and may
   *     not be
   * @throws IllegalStateException if the image is absent
   */
  public void encode(EncodedRow out) throws RowRejectedException {
    check();
    encoder.encode(out);
  }

  /**
   * The row for a batch that encodes it; see {@link RowEncoder#accept}. Exceptions as {@link
   * #encode}.
   */
  public void accept() throws RowRejectedException {
    check();
    encoder.accept();
  }

  /**
   * The row clamped and scaled only; see {@link RowEncoder#scale}. Exceptions as {@link #encode}.
   */
  public void scale(double[] out) throws RowRejectedException {
    check();
    encoder.scale(out);
  }

  private void check() throws RowRejectedException {
    if (!present) {
      throw new IllegalStateException("the record has no such image; ask isPresent first");
    }
    if (rejection.isPresent()) {
      throw rejection.get();
    }
  }

  /** What is there, without values. */
  @Override
  public String toString() {
    return present ? "row image" : "absent row image";
  }
}

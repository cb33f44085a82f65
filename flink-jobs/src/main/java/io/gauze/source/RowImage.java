package io.gauze.source;

import io.gauze.row.EncodedRow;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * Receives one row image from a decoder. Columns go to a {@link RowEncoder}, extras are kept as
 * text. A value that the schema does not allow is remembered, and reported by {@link #encode},
 * {@link #accept} and {@link #scale}. So the extras of such a row, such as its key, can still be
 * read. Of a field given twice the last value counts. Mutable, reused for every record, not
 * thread-safe; a valid row allocates nothing here.
 */
public final class RowImage {
  /** The reason for a field whose path leads through a value that is no object. */
  public static final String NO_OBJECT =
      "is inside of a member that is no object; send an object or null";

  private final RowFields fields;
  private final RowEncoder encoder;
  private final String[] extras;
  private final boolean[] numbers; // whether an extra is a number
  private final String[] faults; // why an extra has no value although it is there
  private boolean hadExtras; // whether one of these may be there
  private boolean present;
  private boolean columnValue;
  private Optional<RowRejectedException> rejection = Optional.empty();

  /**
   * Creates an absent image.
   *
   * @param encoder an encoder of the fields' schema, used only by this image while it holds a row
   */
  public RowImage(RowFields fields, RowEncoder encoder) {
    this.fields = fields;
    this.encoder = encoder;
    this.extras = new String[fields.names().size()];
    this.numbers = new boolean[extras.length];
    this.faults = new String[extras.length];
  }

  /** Creates an absent image with its own encoder. */
  public RowImage(RowFields fields) {
    this(fields, new RowEncoder(fields.schema()));
  }

  /** Resets the image: it is present and has no field yet. */
  public void begin() {
    present = true;
    columnValue = false;
    rejection = Optional.empty();
    if (hadExtras) {
      Arrays.fill(extras, null);
      Arrays.fill(faults, null);
      hadExtras = false;
    }
    encoder.begin();
  }

  /** Marks the image as absent. */
  public void clear() {
    present = false;
  }

  /** Returns whether a column that is no extra has had a value, whether or not it is allowed. */
  public boolean hasColumnValue() {
    return columnValue || fields.schema().fields().stream().allMatch(this::isExtra);
  }

  private boolean isExtra(String column) {
    return fields.isExtra(fields.index(column));
  }

  /** Returns whether the record has this image. */
  public boolean isPresent() {
    return present;
  }

  /** Sets a number; only where {@link RowFields#wantsNumber}. */
  public void number(int field, double value) {
    columnValue |= !fields.isExtra(field);
    if (rejection.isEmpty()) {
      try {
        encoder.number(field, value);
      } catch (RowRejectedException e) {
        rejection = Optional.of(e);
      }
    }
  }

  /** Sets a number as it is written; only where {@link RowFields#wantsLiteral}. */
  public void literal(int field, String written) {
    if (fields.isExtra(field) && written.length() > KeyText.LONGEST) {
      reject(
          field,
          "is a number of more than "
              + KeyText.LONGEST
              + " characters; send a shorter one, or a text");
      return;
    }
    if (fields.isExtra(field)) {
      hadExtras = true;
      extras[field] = written;
      numbers[field] = true;
    }
    if (!fields.wantsNumber(field)) {
      columnText(field, written);
    }
  }

  /** Sets a text. */
  public void text(int field, String value) {
    if (fields.isExtra(field)) {
      hadExtras = true;
      extras[field] = value;
      numbers[field] = false;
    }
    columnText(field, value);
  }

  /** Sets a boolean. */
  public void truth(int field, boolean value) {
    if (fields.isExtra(field)) {
      hadExtras = true;
      extras[field] = Boolean.toString(value);
      numbers[field] = false;
    }
    columnValue |= !fields.isExtra(field);
    if (rejection.isEmpty() && fields.isColumn(field)) {
      try {
        encoder.truth(field, value);
      } catch (RowRejectedException e) {
        rejection = Optional.of(e);
      }
    }
  }

  /** Sets an event time; only where {@link RowFields#isTime}. Columns are set on their own. */
  public void time(int field, Instant time) {
    hadExtras = true;
    extras[field] = time.toString();
    numbers[field] = false;
  }

  private void columnText(int field, String value) {
    columnValue |= !fields.isExtra(field);
    if (rejection.isEmpty() && fields.isColumn(field)) {
      try {
        encoder.text(field, value);
      } catch (RowRejectedException e) {
        rejection = Optional.of(e);
      }
    }
  }

  /** Sets a null, which is the same as an absent field. */
  public void missing(int field) {
    extras[field] = null;
    faults[field] = null;
    if (rejection.isEmpty() && fields.isColumn(field)) {
      encoder.missing(field);
    }
  }

  /**
   * Refuses a value that no field can have, such as a list.
   *
   * @param reason what is wrong and what to do, without a value of the record
   */
  public void reject(int field, String reason) {
    hadExtras = true;
    extras[field] = null;
    faults[field] = reason;
    if (rejection.isEmpty()) {
      rejection =
          Optional.of(
              new RowRejectedException("field " + fields.names().get(field) + " " + reason));
    }
  }

  /**
   * Marks the image as one that lacks values of the row, so that it cannot be encoded.
   *
   * @param reason what is wrong and what to do, without a value of the record
   */
  public void incomplete(String reason) {
    if (rejection.isEmpty()) {
      rejection = Optional.of(new RowRejectedException(reason));
    }
  }

  /** Returns whether the image has a value in a field that {@link RowFields#isExtra}. */
  public boolean hasExtra(int field) {
    return present && extras[field] != null;
  }

  /** Returns why an extra field has no value although it is there; empty if it is missing. */
  public Optional<String> fault(int field) {
    return present ? Optional.ofNullable(faults[field]) : Optional.empty();
  }

  /** Returns the part of a fault that says what is wrong, without what to do. */
  public static String withoutAdvice(String fault) {
    int end = fault.indexOf(';');
    return end < 0 ? fault : fault.substring(0, end);
  }

  /**
   * Returns the value of an extra field, numbers as they are written.
   *
   * @throws IllegalStateException if the field has no value
   */
  public String extra(int field) {
    if (!hasExtra(field)) {
      throw new IllegalStateException("field " + fields.names().get(field) + " has no value");
    }
    return extras[field];
  }

  /**
   * Returns the value of an extra field as a key: a number in normal form, a text as it is written.
   *
   * @throws IllegalStateException if the field has no value
   */
  public String key(int field) {
    String value = extra(field);
    return numbers[field] ? KeyText.of(value) : value;
  }

  /**
   * Encodes the row on the grid; see {@link RowEncoder#encode}.
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
   * Accepts the row for a batch that encodes it; see {@link RowEncoder#accept}. Throws the same
   * exceptions as {@link #encode}.
   */
  public void accept() throws RowRejectedException {
    check();
    encoder.accept();
  }

  /**
   * Clamps and scales the row without encoding it; see {@link RowEncoder#scale}. Throws the same
   * exceptions as {@link #encode}.
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

  /** Returns whether the image is present, without values. */
  @Override
  public String toString() {
    return present ? "row image" : "absent row image";
  }
}

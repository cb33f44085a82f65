package io.gauze.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.CategoryColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.format.RecordFormat;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of two columns, {@code a} in [-1, 1] and {@code k} of x, y or 7, with the extra {@code id},
 * through a decoder. Rows that are refused hold 8642 or Zaphod, which no message may say.
 */
public final class DecodedRow {
  public static final RowSchema SCHEMA =
      RowSchema.of(
          List.of(
              new NumericColumn("a", "a", -1, 1),
              new CategoryColumn("k", "k", List.of("x", "y", "7"))),
          1.0,
          4.0,
          MissingValues.REJECT);
  public static final RowFields FIELDS = RowFields.of(SCHEMA, List.of("id"));
  public static final int ID = FIELDS.index("id");

  public final RowImage before = new RowImage(FIELDS);
  public final RowImage after = new RowImage(FIELDS);
  private final RecordDecoder decoder;

  public DecodedRow(RecordDecoder decoder) {
    this.decoder = decoder;
  }

  public DecodedRow(RecordFormat format) {
    this(format.decoder(FIELDS));
  }

  public Change decode(byte[] value) throws RowRejectedException {
    return decoder.decode(value, before, after);
  }

  /** The encoded columns of an insertion: a, k=y, k=7. */
  public double[] inserted(byte[] value) throws RowRejectedException {
    assertThat(decode(value)).isEqualTo(Change.INSERT);
    assertThat(before.isPresent()).isFalse();
    return row(after);
  }

  public static double[] row(RowImage image) throws RowRejectedException {
    double[] row = new double[SCHEMA.dimension()];
    image.scale(row);
    return Arrays.copyOfRange(row, 1, row.length);
  }

  /** The value is refused for this reason, by the decoder or when the row is encoded. */
  public void rejected(byte[] value, String reason) {
    assertThatThrownBy(() -> inserted(value))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining(reason)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("8642", "Zaphod"))
        .hasNoCause();
  }
}

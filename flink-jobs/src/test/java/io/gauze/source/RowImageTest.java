package io.gauze.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.EncodedRow;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.json.JsonRowDecoder;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RowImageTest {
  private static final RowSchema SCHEMA =
      RowSchema.of(
          List.of(new NumericColumn("a", "a", -1, 1), new IndicatorColumn("yes", "i", "1")),
          1.0,
          4.0,
          MissingValues.REJECT);
  private static final RowFields FIELDS = RowFields.of(SCHEMA, List.of("id", "a", "user"));

  private final JsonRowDecoder decoder = new JsonRowDecoder(FIELDS);
  private final RowImage image = new RowImage(FIELDS);

  private void decode(String json) throws RowRejectedException {
    decoder.decode(json.getBytes(UTF_8), image);
  }

  @Test
  void fieldsOfColumnsComeFirst() {
    assertThat(FIELDS.names()).containsExactly("a", "i", "id", "user");
    assertThat(FIELDS.index("a")).isEqualTo(SCHEMA.fieldIndex("a"));
    assertThat(FIELDS.index("id")).isEqualTo(2);
    assertThat(FIELDS.index("other")).isEqualTo(-1);
    assertThat(FIELDS.wantsNumber(0) && FIELDS.wantsLiteral(0)).isTrue();
    assertThat(FIELDS.wantsNumber(1) || !FIELDS.wantsLiteral(1)).isFalse();
    assertThat(FIELDS.wantsNumber(2) || !FIELDS.wantsLiteral(2)).isFalse();
    assertThat(FIELDS.isExtra(0) && !FIELDS.isExtra(1) && FIELDS.isExtra(2)).isTrue();
  }

  /** Both are 2^63 as a double. */
  @Test
  void keysOf64BitsStayApart() throws RowRejectedException {
    decode("{\"id\":9223372036854775807,\"a\":0.50,\"i\":1,\"user\":\"u 1\"}");
    assertThat(image.extra(2)).isEqualTo("9223372036854775807");
    assertThat(image.extra(0)).isEqualTo("0.50");
    assertThat(image.extra(3)).isEqualTo("u 1");
    double[] row = new double[SCHEMA.dimension()];
    image.scale(row);
    assertThat(row).endsWith(0.5, 1.0);
    decode("{\"id\":9223372036854775806,\"a\":0,\"i\":1}");
    assertThat(image.extra(2)).isEqualTo("9223372036854775806");
    assertThat(image.hasExtra(3)).isFalse();
    assertThatThrownBy(() -> image.extra(3)).hasMessage("field user has no value");
  }

  @Test
  void extrasOfARejectedRowCanBeRead() throws RowRejectedException {
    decode("{\"a\":\"Zaphod\",\"i\":1,\"id\":7}");
    assertThat(image.extra(2)).isEqualTo("7");
    EncodedRow row = new EncodedRow(SCHEMA.dimension());
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> image.encode(row))
          .isInstanceOf(RowRejectedException.class)
          .hasMessageStartingWith("column a: got a text");
    }
    decode("{\"a\":0,\"i\":1,\"id\":{\"Zaphod\":[1]},\"user\":null}");
    assertThat(image.hasExtra(2) || image.hasExtra(3)).isFalse();
    assertThatThrownBy(() -> image.encode(row))
        .isInstanceOf(RowRejectedException.class)
        .hasMessage("field id is an object or array; send a number or text");
    decode("{\"a\":0,\"i\":1}");
    image.encode(row);
  }

  @Test
  void anAbsentImageHasNothing() throws RowRejectedException {
    RowImage before = new RowImage(FIELDS);
    before.begin();
    before.text(2, "7");
    byte[] json = "{\"a\":0,\"i\":1,\"id\":7}".getBytes(UTF_8);
    assertThat(decoder.decode(json, before, image)).isEqualTo(Change.INSERT);
    assertThat(before.isPresent() || before.hasExtra(2)).isFalse();
    assertThat(image.isPresent()).isTrue();
    EncodedRow row = new EncodedRow(SCHEMA.dimension());
    assertThatThrownBy(() -> before.encode(row)).isInstanceOf(IllegalStateException.class);
    assertThat(image).hasToString("row image");
    assertThat(before).hasToString("absent row image");
  }
}

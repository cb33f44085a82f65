package io.gauze.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.IndicatorColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.format.RecordFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An indicator of a boolean, in each format as its writers spell it. */
final class BooleansTest {
  private static final RowFields FIELDS =
      RowFields.of(RowSchema.of(List.of(new IndicatorColumn("on", "on", "true")), 1.0), List.of());

  private static double read(RecordFormat format, byte[] value) throws RowRejectedException {
    RowImage before = new RowImage(FIELDS);
    RowImage after = new RowImage(FIELDS);
    format.decoder(FIELDS).decode(value, before, after);
    double[] row = new double[2];
    after.scale(row);
    return row[1];
  }

  @Test
  void json() throws RowRejectedException {
    RecordFormat json = new RecordFormat.Json();
    for (String yes : List.of("true", "\"True\"", "\"TRUE\"", "1", "1.0", "\"1\"")) {
      assertThat(read(json, ("{\"on\":" + yes + "}").getBytes(UTF_8))).as(yes).isEqualTo(1.0);
    }
    for (String no : List.of("false", "\"False\"", "\"FALSE\"", "0", "0.0", "\"0\"")) {
      assertThat(read(json, ("{\"on\":" + no + "}").getBytes(UTF_8))).as(no).isEqualTo(-1.0);
    }
  }

  @Test
  void csv() throws RowRejectedException {
    RecordFormat csv = new RecordFormat.Csv(List.of("on"), ',');
    for (String yes : List.of("true", "True", "TRUE", "1", "1.0", "\"TRUE\"")) {
      assertThat(read(csv, yes.getBytes(UTF_8))).as(yes).isEqualTo(1.0);
    }
    assertThat(read(csv, "False".getBytes(UTF_8))).isEqualTo(-1.0);
  }

  @Test
  void avro() throws RowRejectedException {
    assertThat(read(avro("boolean"), new byte[] {1})).isEqualTo(1.0);
    assertThat(read(avro("boolean"), new byte[] {0})).isEqualTo(-1.0);
    assertThat(read(avro("int"), new byte[] {2})).isEqualTo(1.0);
    assertThat(read(avro("long"), new byte[] {0})).isEqualTo(-1.0);
    assertThat(read(avro("double"), new byte[] {0, 0, 0, 0, 0, 0, -16, 63})).isEqualTo(1.0);
    assertThat(read(avro("string"), "\bTrue".getBytes(UTF_8))).isEqualTo(1.0);
  }

  private static RecordFormat avro(String type) {
    return new RecordFormat.Avro(
        "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"on\",\"type\":\""
            + type
            + "\"}]}");
  }
}

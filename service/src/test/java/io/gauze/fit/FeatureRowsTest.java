package io.gauze.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.regression.RegressionProblem;
import io.gauze.row.CategoryColumn;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows to predict have the form of the stream's rows. */
final class FeatureRowsTest {
  private static final RowSchema SCHEMA =
      RowSchema.of(
          List.of(
              new NumericColumn("stops", "route.stops", -1, 1), new NumericColumn("y", "y", -1, 1)),
          1.0);

  private static double stops(String row) throws IOException, RowRejectedException {
    FeatureRows rows = new FeatureRows(SCHEMA, RegressionProblem.of(SCHEMA, "y"));
    return rows.encode(JsonMapper.builder().build().readTree(row)).values()[1];
  }

  @Test
  void readsAFieldInsideOfAnObject() throws IOException, RowRejectedException {
    assertThat(stops("{\"route\": {\"stops\": 0.5}}")).isEqualTo(0.5);
    assertThat(stops("{\"route.stops\": 0.25}")).isEqualTo(0.25);
  }

  /** A column that takes any text would else take them for one. */
  @Test
  void objectsAndArraysAreNoTexts() throws IOException, RowRejectedException {
    RowSchema open =
        RowSchema.of(
            List.of(
                new CategoryColumn("land", "land", List.of("de", "fr", "rest"), true),
                new NumericColumn("y", "y", -1, 1)),
            1.0);
    FeatureRows rows = new FeatureRows(open, RegressionProblem.of(open, "y"));
    JsonMapper json = JsonMapper.builder().build();
    double[] rest = rows.encode(json.readTree("{\"land\": \"it\"}")).values();
    assertThat(rows.encode(json.readTree("{\"land\": 7}")).values()).isEqualTo(rest);
    for (String land : List.of("{\"a\": \"de\"}", "[\"de\"]", "[]")) {
      assertThatExceptionOfType(RowRejectedException.class)
          .isThrownBy(() -> rows.encode(json.readTree("{\"land\": " + land + "}")))
          .withMessage("field land is an object or array; send a number or text");
    }
  }

  @Test
  void aFieldThatIsNotThereIsMissing() {
    for (String row :
        List.of("{\"stops\": 1}", "{\"route\": 1}", "{\"route\": {\"stops\": null}}")) {
      assertThatExceptionOfType(RowRejectedException.class)
          .as(row)
          .isThrownBy(() -> stops(row))
          .withMessageContaining("field route.stops is missing");
    }
  }

  /** Rows of other programs have values of many types. */
  @Test
  void aRowNeedNotBeJson() throws RowRejectedException {
    RowSchema both =
        RowSchema.of(
            List.of(
                new NumericColumn("stops", "route.stops", -1, 1),
                new CategoryColumn("land", "land", List.of("de", "fr")),
                new NumericColumn("y", "y", -1, 1)),
            1.0);
    FeatureRows rows = new FeatureRows(both, RegressionProblem.of(both, "y"));
    Map<String, Object> row = new HashMap<>(Map.of("route.stops", 0.5, "land", "fr"));
    double[] wanted = rows.encode(row::get).values();

    for (Object half : List.of(0.5f, new BigDecimal("0.50"))) {
      row.put("route.stops", half);
      assertThat(rows.encode(row::get).values()).isEqualTo(wanted);
    }
    row.put("route.stops", 7);
    assertThat(rows.encode(row::get).clamped()).containsExactly("stops");
    row.put("land", null);
    assertThatExceptionOfType(RowRejectedException.class)
        .isThrownBy(() -> rows.encode(row::get))
        .withMessageContaining("field land is missing");
  }
}

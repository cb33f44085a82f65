package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A boolean is the same in every spelling, and what is none is not taken for false. */
final class TruthTest {
  private static final List<String> YES = List.of("true", "True", "TRUE", "1", "1.0");
  private static final List<String> NO = List.of("false", "False", "FALSE", "0", "0.0");

  private static double encoded(RowSchema schema, String text) throws RowRejectedException {
    RowEncoder encoder = new RowEncoder(schema);
    encoder.begin();
    encoder.text(0, text);
    double[] row = new double[schema.dimension()];
    encoder.scale(row);
    return row[1];
  }

  private static RowSchema indicator(String yes) {
    return RowSchema.of(List.of(new IndicatorColumn("is", "is", yes)), 1.0);
  }

  @Test
  void anIndicatorTakesEverySpelling() throws RowRejectedException {
    for (String yes : YES) {
      for (String text : YES) {
        assertThat(encoded(indicator(yes), text)).as("%s is %s", text, yes).isEqualTo(1.0);
      }
      for (String text : NO) {
        assertThat(encoded(indicator(yes), text)).as("%s is %s", text, yes).isEqualTo(-1.0);
      }
    }
    for (String no : NO) {
      assertThat(encoded(indicator(no), "False")).isEqualTo(1.0);
      assertThat(encoded(indicator(no), "1")).isEqualTo(-1.0);
    }
  }

  @Test
  void whatIsNoBooleanIsRefused() {
    for (String yes : List.of("true", "False")) {
      for (String text : List.of("yes", "2", "tRue", "", "null")) {
        assertThatThrownBy(() -> encoded(indicator(yes), text))
            .isInstanceOf(RowRejectedException.class)
            .hasMessage(
                "column is: unknown text; send true or false (or True, TRUE or 1; False, FALSE or"
                    + " 0)");
      }
    }
  }

  /** A code may have more values than two, and so may a field that two columns read. */
  @Test
  void otherTextsAreNoWhereTheyMayBe() throws RowRejectedException {
    assertThat(encoded(indicator("1"), "2")).isEqualTo(-1.0);
    assertThat(encoded(indicator("weekend"), "true")).isEqualTo(-1.0);
    RowSchema two =
        RowSchema.of(
            List.of(
                new IndicatorColumn("yes", "is", "true"),
                new IndicatorColumn("unknown", "is", "unknown")),
            1.0);
    assertThat(encoded(two, "unknown")).isEqualTo(-1.0);
  }

  /** Programs write 2 as 2.0 where other rows of the column have no value. */
  @Test
  void aNumberIsEqualInEverySpelling() throws RowRejectedException {
    for (String text : List.of("2.0", "2.00", "2e0", "20e-1")) {
      assertThat(encoded(indicator("2"), text)).as(text).isEqualTo(1.0);
    }
    assertThat(encoded(indicator("1.50"), "1.5")).isEqualTo(1.0);
    assertThat(encoded(indicator("2.0"), "2")).isEqualTo(1.0);
    assertThat(encoded(indicator("2"), "2")).isEqualTo(1.0);
    for (String other : List.of("3", "3.0", "-2", "02", "2.0.0", "two", "", "2e999", "2 ")) {
      assertThat(encoded(indicator("2"), other)).as(other).isEqualTo(-1.0);
    }
    assertThat(encoded(indicator("007"), "7")).as("no number").isEqualTo(-1.0);
    RowSchema codes =
        RowSchema.of(List.of(new CategoryColumn("is", "is", List.of("1", "2", "2.0"))), 1.0);
    assertThat(encoded(codes, "1.0")).isEqualTo(encoded(codes, "1"));
    assertThatThrownBy(() -> encoded(codes, "2.00")).isInstanceOf(RowRejectedException.class);
  }

  @Test
  void categoriesAndRanksOfBooleansTakeEverySpelling() throws RowRejectedException {
    RowSchema categories =
        RowSchema.of(List.of(new CategoryColumn("is", "is", List.of("false", "true"))), 1.0);
    RowSchema ranks =
        RowSchema.of(
            List.of(new OrdinalColumn("is", "is", Map.of("False", 0.0, "True", 1.0), 0, 1)), 1.0);
    for (String text : YES) {
      assertThat(encoded(categories, text)).as(text).isEqualTo(1.0);
      assertThat(encoded(ranks, text)).as(text).isEqualTo(1.0);
    }
    for (String text : NO) {
      assertThat(encoded(categories, text)).as(text).isZero();
      assertThat(encoded(ranks, text)).as(text).isEqualTo(-1.0);
    }
  }

  @Test
  void otherCategoriesStayAsTheyAre() {
    for (List<String> some :
        List.of(List.of("1", "2"), List.of("0", "1", "2"), List.of("true", "maybe"))) {
      RowSchema schema = RowSchema.of(List.of(new CategoryColumn("is", "is", some)), 1.0);
      assertThatThrownBy(() -> encoded(schema, "True")).isInstanceOf(RowRejectedException.class);
    }
  }
}

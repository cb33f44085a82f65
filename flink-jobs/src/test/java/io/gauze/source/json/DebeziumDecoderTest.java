package io.gauze.source.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.CategoryColumn;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.Change;
import io.gauze.source.DecodedRow;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.format.RecordFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DebeziumDecoderTest {
  private static final String OLD = "{\"id\":1,\"a\":0.5,\"k\":\"x\",\"z\":[1]}";
  private static final String NEW = "{\"id\":2,\"a\":-0.5,\"k\":\"y\"}";

  private final DecodedRow rows =
      new DecodedRow(new RecordFormat.DebeziumJson(ReplicaIdentity.FULL));

  private Change decode(String json) throws RowRejectedException {
    return rows.decode(json.getBytes(UTF_8));
  }

  private static String event(String op, String before, String after) {
    return "{\"before\":"
        + before
        + ",\"after\":"
        + after
        + ",\"source\":{\"db\":\"d\",\"lsn\":7},\"op\":\""
        + op
        + "\",\"ts_ms\":1,\"transaction\":null}";
  }

  /** Plain, with the schema around it, and with its members in another order. */
  private static String[] forms(String op, String before, String after) {
    String plain = event(op, before, after);
    return new String[] {
      plain,
      "{\"schema\":{\"type\":\"struct\",\"fields\":[{\"op\":1}]},\"payload\":" + plain + "}",
      "{\"payload\":" + plain + ",\"schema\":null}",
      "{\"op\":\"" + op + "\",\"after\":" + after + ",\"before\":" + before + "}",
      "{\"after\":" + after + ",\"before\":" + before + ",\"op\":\"" + op + "\"}"
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"c", "r"})
  void insertionsAndSnapshotsAreInsertions(String op) throws RowRejectedException {
    for (String json : forms(op, "null", NEW)) {
      assertThat(decode(json)).isEqualTo(op.equals("c") ? Change.INSERT : Change.READ);
      assertThat(DecodedRow.row(rows.after)).containsExactly(-0.5, 1, 0);
      assertThat(rows.after.extra(DecodedRow.ID)).isEqualTo("2");
    }
  }

  @Test
  void updatesHaveBothImages() throws RowRejectedException {
    for (String json : forms("u", OLD, NEW)) {
      assertThat(decode(json)).isEqualTo(Change.UPDATE);
      assertThat(DecodedRow.row(rows.before)).containsExactly(0.5, 0, 0);
      assertThat(DecodedRow.row(rows.after)).containsExactly(-0.5, 1, 0);
      assertThat(rows.before.extra(DecodedRow.ID)).isEqualTo("1");
      assertThat(rows.after.extra(DecodedRow.ID)).isEqualTo("2");
    }
  }

  @Test
  void deletionsHaveTheImageBefore() throws RowRejectedException {
    for (String json : forms("d", OLD, "null")) {
      assertThat(decode(json)).isEqualTo(Change.DELETE);
      assertThat(DecodedRow.row(rows.before)).containsExactly(0.5, 0, 0);
      assertThat(rows.after.isPresent()).isFalse();
    }
    assertThat(decode("{\"op\":\"d\",\"before\":" + OLD + "}")).isEqualTo(Change.DELETE);
  }

  @ParameterizedTest
  @CsvSource({"u, UPDATE", "d, DELETE"})
  void ofARowBeforeThatIsNotWholeTheKeyAloneIsRead(String op, Change change)
      throws RowRejectedException {
    String big = "9007199254740993";
    for (String before :
        new String[] {
          "{\"id\":" + big + "}",
          "{\"id\":" + big + ",\"a\":null,\"k\":null}",
          "{\"id\":" + big + ",\"a\":0.5,\"a\":0.5}"
        }) {
      for (String json : forms(op, before, NEW)) {
        assertThat(decode(json)).isEqualTo(change);
        assertKeyAlone(rows, big);
      }
    }
    for (String json : forms(op, "null", NEW)) {
      assertThat(decode(json)).isEqualTo(change);
      assertThat(rows.before.isPresent()).isFalse();
    }
  }

  private static void assertKeyAlone(DecodedRow rows, String key) {
    assertThat(rows.before.extra(DecodedRow.ID)).isEqualTo(key);
    assertThatThrownBy(() -> DecodedRow.row(rows.before))
        .isInstanceOf(RowRejectedException.class)
        .hasMessage("only the key of the row before a change is known");
  }

  /** What PostgreSQL does not tell looks like values, so that no image says whether it is whole. */
  @ParameterizedTest
  @CsvSource({"u, UPDATE", "d, DELETE"})
  void withTheIdentityKeyNoRowBeforeIsARow(String op, Change change) throws RowRejectedException {
    DecodedRow keyed = new DecodedRow(new RecordFormat.DebeziumJson(ReplicaIdentity.KEY));
    for (String before :
        new String[] {"{\"id\":7,\"a\":0.0,\"k\":\"x\"}", OLD.replace("1,", "7,")}) {
      for (String json : forms(op, before, NEW)) {
        assertThat(keyed.decode(json.getBytes(UTF_8))).isEqualTo(change);
        assertKeyAlone(keyed, "7");
        assertThat(keyed.after.isPresent()).isEqualTo(op.equals("u"));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"c, an insertion", "r, a row of a snapshot", "u, an update"})
  void theRowAfterMustBeThere(String op, String what) {
    rows.rejected(
        event(op, OLD, "null").getBytes(UTF_8),
        what + " without the row after it; send change events whole");
  }

  @Test
  void aBadRowKeepsItsKey() throws RowRejectedException {
    String bad = "{\"id\":3,\"a\":\"Zaphod\",\"k\":\"x\"}";
    rows.rejected(event("c", "null", bad).getBytes(UTF_8), "column a: got a ");
    assertThat(decode(event("u", OLD, bad))).isEqualTo(Change.UPDATE);
    assertThat(rows.after.extra(DecodedRow.ID)).isEqualTo("3");
    assertThat(DecodedRow.row(rows.before)).containsExactly(0.5, 0, 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"ts_ms\":1565787098802}",
        "{\"schema\":{\"type\":\"struct\"},\"payload\":{\"ts_ms\":1565787098802}}",
        "{\"status\":\"BEGIN\",\"id\":\"571:53195829\",\"event_count\":null,\"data_collections\":null}",
        "{\"op\":\"m\",\"ts_ms\":1,\"source\":{},\"message\":{\"prefix\":\"p\",\"content\":\"8642\"}}"
      })
  void messagesThatAreAboutNoRowChangeNothing(String json) throws RowRejectedException {
    assertThat(decode(json)).isEqualTo(Change.NONE);
    assertThat(rows.before.isPresent() || rows.after.isPresent()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "{\"op\":\"t\",\"ts_ms\":1}! the table was truncated, which does not say which rows",
        "{\"source\":{},\"ts_ms\":1,\"ddl\":\"Zaphod\",\"tableChanges\":[]}! a schema change; read"
            + " the topic",
        "{\"op\":\"Zaphod\"}! unknown op; Debezium has c, r, u, d, t and m",
        "{\"op\":8642,\"after\":{}}! no op; send Debezium's change events whole",
        "{\"after\":{\"a\":8642}}! no op; send Debezium's change events whole",
        "{\"a\":0.8642,\"k\":\"x\"}! no op; send Debezium's change events whole, or use format"
            + " json",
        "{\"op\":\"c\",\"after\":\"{\\\"a\\\":8642}\"}! member after of the change event is"
            + " neither",
        "{\"op\":\"d\",\"before\":[8642]}! member before of the change event is neither",
        "[8642]! not a JSON object",
        "{\"op\":\"c\",\"after\":{\"a\":8642! not JSON (RFC 8259, UTF-8), at byte ",
        "{\"op\":\"c\",\"after\":{\"a\":NaN}}! not JSON (RFC 8259, UTF-8), at byte "
      })
  void refusesOtherMessages(String json, String reason) throws RowRejectedException {
    rows.rejected(json.getBytes(UTF_8), reason);
    assertThat(rows.inserted(event("c", "null", NEW).getBytes(UTF_8))).startsWith(-0.5);
  }

  @Test
  void refusesDeepMessages() {
    String deep = "[".repeat(100) + "]".repeat(100);
    rows.rejected(
        event("c", "null", NEW).replace("{\"db\":\"d\"", "{\"db\":" + deep).getBytes(UTF_8),
        "nested deeper than 64");
  }

  /** An indicator would take it for any other text. */
  @Test
  void refusesPlaceholdersOfUnavailableValues() {
    String json = event("c", "null", "{\"a\":0.5,\"k\":\"__debezium_unavailable_value\"}");
    rows.rejected(json.getBytes(UTF_8), "field k was not told to Debezium; set the table's");
  }

  /** A field inside of an object is there with its object, and then it may be null. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '#',
      value = {
        "{'id':1,'r':{'a':0.5,'k':'y'}}; ##",
        "{'id':1,'r':{'k':'y','a':null}}; field r.a is missing",
        "{'id':1}; only the key of the row before a change is known",
        "{'id':1,'r':null}; only the key of the row before a change is known"
      })
  void aRowBeforeWithObjectsIsComplete(String before, String reason) throws RowRejectedException {
    RowSchema schema =
        RowSchema.of(
            List.of(
                new NumericColumn("a", "r.a", -1, 1),
                new CategoryColumn("k", "r.k", List.of("x", "y"))),
            1.0);
    RowFields fields = RowFields.of(schema, List.of("id"));
    RowImage image = new RowImage(fields);
    String event = event("d", before.replace('\'', '"'), "null");
    new RecordFormat.DebeziumJson(ReplicaIdentity.FULL)
        .decoder(fields)
        .decode(event.getBytes(UTF_8), image, new RowImage(fields));
    if (reason.isEmpty()) {
      double[] row = new double[schema.dimension()];
      image.scale(row);
      assertThat(row).endsWith(0.5, 1.0);
    } else {
      assertThatThrownBy(image::accept)
          .isInstanceOf(RowRejectedException.class)
          .hasMessageContaining(reason);
    }
  }
}

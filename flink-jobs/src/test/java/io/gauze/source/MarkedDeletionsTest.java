package io.gauze.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.RowRejectedException;
import io.gauze.source.format.RecordFormat;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row that says that it is deleted is a deletion of its key, in each format. */
final class MarkedDeletionsTest {
  private static final List<DeletionMark> MARKS = DeletionMark.OF_DEBEZIUM;
  private static final RowFields FIELDS = fields(MARKS);

  private final RowImage before = new RowImage(FIELDS);
  private final RowImage after = new RowImage(FIELDS);

  private static RowFields fields(List<DeletionMark> marks) {
    List<String> extras = new ArrayList<>(List.of("id"));
    marks.forEach(mark -> extras.add(mark.field()));
    return RowFields.of(DecodedRow.SCHEMA, extras);
  }

  private Change decode(RecordFormat format, String value) throws RowRejectedException {
    return format.decoder(FIELDS, MARKS).decode(value.getBytes(UTF_8), before, after);
  }

  private void deletes(RecordFormat format, String value) throws RowRejectedException {
    assertThat(decode(format, value)).as(value).isEqualTo(Change.DELETE);
    assertThat(after.isPresent()).isFalse();
    assertThat(before.key(FIELDS.index("id"))).isEqualTo("7");
    assertThatThrownBy(() -> before.encode(null))
        .isInstanceOf(RowRejectedException.class)
        .hasMessage("only the key of a deleted row is known");
  }

  @Test
  void jsonMarksAreBooleansInAnySpellingOrOperations() throws RowRejectedException {
    RecordFormat json = new RecordFormat.Json();
    for (String mark :
        List.of(
            "\"__deleted\":\"true\"",
            "\"__deleted\":true",
            "\"__deleted\":\"True\"",
            "\"__deleted\":1",
            "\"__op\":\"d\"",
            "\"__deleted\":\"false\",\"__op\":\"d\"")) {
      deletes(json, "{\"id\":7,\"a\":null," + mark + "}");
    }
    for (String none :
        List.of("\"__deleted\":\"false\"", "\"__deleted\":null", "\"__op\":\"u\"", "\"z\":1")) {
      assertThat(decode(json, "{\"id\":7,\"a\":0.5,\"k\":\"x\"," + none + "}"))
          .isEqualTo(Change.INSERT);
      assertThat(after.key(FIELDS.index("id"))).isEqualTo("7");
    }
    assertThatThrownBy(() -> decode(json, "{\"id\":7,\"__deleted\":\"Zaphod\"}"))
        .isInstanceOf(RowRejectedException.class)
        .hasMessage(
            "field __deleted, which marks deleted rows, is neither true nor false; send one of"
                + " them");
  }

  @Test
  void aRowBesideItsSchemaIsRead() throws RowRejectedException {
    RecordFormat json = new RecordFormat.Json();
    String schema = "{\"schema\":{\"type\":\"struct\",\"fields\":[]},\"payload\":";
    deletes(json, schema + "{\"id\":7,\"__deleted\":\"true\"}}");
    deletes(json, " { \"payload\":{\"id\":7,\"__deleted\":\"true\"},\"schema\":null}");
    assertThat(decode(json, schema + "{\"id\":7,\"a\":0.5,\"k\":\"x\"}}")).isEqualTo(Change.INSERT);
    assertThat(DecodedRow.row(after)).containsExactly(0.5, 0, 0);
  }

  @Test
  void csvAndAvroHaveMarksToo() throws RowRejectedException {
    RecordFormat csv = new RecordFormat.Csv(List.of("id", "a", "k", "__deleted"), ',');
    deletes(csv, "7,,,true");
    deletes(csv, "7,,,TRUE");
    assertThat(decode(csv, "7,0.5,x,false")).isEqualTo(Change.INSERT);
    RecordFormat avro =
        new RecordFormat.Avro(
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"id\",\"type\":\"int\"},"
                + "{\"name\":\"__deleted\",\"type\":[\"null\",\"string\"]}]}");
    deletes(avro, "\16\2\btrue");
  }

  /** A table that marks its rows itself; the event says update. */
  @Test
  void eventsWhoseRowIsMarkedAreDeletions() throws RowRejectedException {
    RecordFormat events = new RecordFormat.DebeziumJson(ReplicaIdentity.FULL);
    deletes(events, "{\"op\":\"u\",\"before\":{\"id\":7},\"after\":{\"id\":7,\"__deleted\":true}}");
    deletes(events, "{\"op\":\"c\",\"before\":null,\"after\":{\"id\":7,\"__op\":\"d\"}}");
  }

  @Test
  void aConfigNamesOtherMarks() throws RowRejectedException {
    List<DeletionMark> marks = List.of(new DeletionMark("state", List.of("gone", "8")));
    RowFields fields = fields(marks);
    RecordDecoder decoder = new RecordFormat.Json().decoder(fields, marks);
    RowImage one = new RowImage(fields);
    RowImage two = new RowImage(fields);
    for (String gone : List.of("\"gone\"", "8", "\"8\"")) {
      byte[] row = ("{\"id\":7,\"state\":" + gone + "}").getBytes(UTF_8);
      assertThat(decoder.decode(row, one, two)).isEqualTo(Change.DELETE);
    }
    byte[] there = "{\"id\":7,\"state\":\"here\",\"__deleted\":true}".getBytes(UTF_8);
    assertThat(decoder.decode(there, one, two)).isEqualTo(Change.INSERT);
  }
}

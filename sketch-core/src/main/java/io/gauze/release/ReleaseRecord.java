package io.gauze.release;

import io.gauze.accounting.Guarantee;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.ReleaseId;
import io.gauze.plan.ColumnForm;
import io.gauze.row.Column;
import io.gauze.row.Grid;
import io.gauze.row.MissingValues;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;

/** Converts releases to and from Avro records, without their checksum. */
final class ReleaseRecord {
  private static final String TYPICAL = "typical";
  private static final String FACTORS = "factors";
  private static final String RESPONSES = "responses";
  private static final String RESPONSE_BOUND = "responseBound";

  private ReleaseRecord() {}

  static GenericRecord of(ReleaseHeader header, long[] payload) {
    RowSchema schema = header.schema();
    ReleaseSchema format = ReleaseSchema.of(schema);
    Schema avro = format.avro();
    GenericRecordBuilder record = new GenericRecordBuilder(avro);
    if (format == ReleaseSchema.V3) {
      record.set(FACTORS, schema.factors());
    }
    if (format != ReleaseSchema.V1) {
      record.set(RESPONSES, schema.responses().columns());
      record.set(RESPONSE_BOUND, schema.responses().bound());
    }
    return record
        .set("formatVersion", format.version())
        .set("stream", header.id().stream())
        .set("group", header.id().group())
        .set("epoch", header.id().epoch())
        .set("sketch", header.id().sketch())
        .set("encodingVersion", header.encodingVersion())
        .set("columns", schema.columns().stream().map(column -> column(format, column)).toList())
        .set("intercept", schema.intercept())
        .set("rowBound", schema.rowBound())
        .set("gridBits", schema.grid().fractionBits())
        .set("missing", schema.missing().name())
        .set("mechanism", header.mechanism())
        .set("parameters", header.parameters())
        .set("settings", header.settings())
        .set("form", header.payload().kind())
        .set("unit", header.stepSize())
        .set("sigma", header.sigma())
        .set("noiseLaw", header.noiseLaw())
        .set("guarantee", guarantee(avro.getField("guarantee").schema(), header.guarantee()))
        .set("payload", view(payload))
        .set("sha256", new GenericData.Fixed(avro.getField("sha256").schema()))
        .build();
  }

  private static GenericRecord column(ReleaseSchema format, Column column) {
    ColumnForm form = ColumnForm.of(column);
    GenericRecordBuilder record = new GenericRecordBuilder(format.column());
    if (format != ReleaseSchema.V1) {
      record.set(TYPICAL, form.typical());
    }
    return record
        .set("kind", form.kind())
        .set("name", form.name())
        .set("source", form.source())
        .set("encodedNames", form.encodedNames())
        .set("lower", form.lower())
        .set("upper", form.upper())
        .set("texts", form.texts())
        .set("ranks", form.ranks())
        .build();
  }

  private static GenericRecord guarantee(Schema avro, Guarantee guarantee) {
    return new GenericRecordBuilder(avro)
        .set("epsilon", guarantee.epsilon())
        .set("delta", guarantee.delta())
        .set("neighbours", guarantee.neighbours().label())
        .set("unit", guarantee.unit().label())
        .set("assumptions", guarantee.assumptions())
        .set("basis", guarantee.basis())
        .set("idealised", guarantee.idealised())
        .set("checkpoint", guarantee.checkpoint())
        .set("randomness", guarantee.randomness())
        .set("private", guarantee.isPrivate())
        .build();
  }

  /** Returns the numbers as a list, which Avro requires. */
  static List<Long> view(long[] numbers) {
    return new AbstractList<>() {
      @Override
      public Long get(int index) {
        return numbers[index];
      }

      @Override
      public int size() {
        return numbers.length;
      }
    };
  }

  /**
   * Returns the header of a record.
   *
   * @throws IllegalArgumentException if its parts contradict each other
   */
  static ReleaseHeader header(GenericRecord record) {
    int version = (Integer) record.get("formatVersion");
    RowSchema schema = schema(record);
    int least = ReleaseSchema.of(schema).version();
    if (version != least) {
      throw new IllegalArgumentException(
          "formatVersion must be " + least + " for these columns. Provided value: " + version);
    }
    ReleaseId id =
        new ReleaseId(
            text(record, "stream"),
            text(record, "group"),
            text(record, "epoch"),
            text(record, "sketch"));
    return new ReleaseHeader(
        id,
        text(record, "encodingVersion"),
        schema,
        text(record, "mechanism"),
        parameters((Map<?, ?>) record.get("parameters")),
        settings((Map<?, ?>) record.get("settings")),
        real(record, "unit"),
        real(record, "sigma"),
        text(record, "noiseLaw"),
        guarantee((GenericRecord) record.get("guarantee")));
  }

  static long[] payload(GenericRecord record) {
    Collection<?> numbers = (Collection<?>) record.get("payload");
    long[] payload = new long[numbers.size()];
    int i = 0;
    for (Object number : numbers) {
      payload[i++] = (Long) number;
    }
    return payload;
  }

  private static RowSchema schema(GenericRecord record) {
    RowSchema schema =
        RowSchema.of(
            list(record, "columns", column -> form((GenericRecord) column).column()),
            real(record, "intercept"),
            real(record, "rowBound"),
            missing(text(record, "missing")));
    if (record.hasField(FACTORS)) {
      schema = schema.withFactors(list(record, FACTORS, Double.class::cast));
    }
    if (record.hasField(RESPONSES)) {
      schema = schema.withResponses(responses(record));
    }
    Grid grid = new Grid((Integer) record.get("gridBits"));
    if (!grid.equals(schema.grid())) {
      throw new IllegalArgumentException(
          "grid must be " + schema.grid() + " for this row bound. Provided value: " + grid);
    }
    return schema;
  }

  private static ResponseBound responses(GenericRecord record) {
    return new ResponseBound(
        list(record, RESPONSES, Object::toString), real(record, RESPONSE_BOUND));
  }

  private static MissingValues missing(String name) {
    for (MissingValues missing : MissingValues.values()) {
      if (missing.name().equals(name)) {
        return missing;
      }
    }
    throw new IllegalArgumentException(
        "missing must be REJECT or MIDPOINT. Provided value: " + name);
  }

  private static ColumnForm form(GenericRecord column) {
    double lower = real(column, "lower");
    double upper = real(column, "upper");
    ColumnForm form =
        new ColumnForm(
            text(column, "kind"),
            text(column, "name"),
            text(column, "source"),
            list(column, "encodedNames", Object::toString),
            lower,
            upper,
            column.hasField(TYPICAL) ? real(column, TYPICAL) : Column.middle(lower, upper),
            list(column, "texts", Object::toString),
            list(column, "ranks", Double.class::cast));
    if (!ColumnForm.of(form.column()).equals(form)) {
      throw new IllegalArgumentException(
          "column must be as its kind makes it. Provided value: " + form);
    }
    return form;
  }

  private static Map<String, Double> parameters(Map<?, ?> numbers) {
    Map<String, Double> parameters = new TreeMap<>();
    numbers.forEach((name, number) -> parameters.put(name.toString(), (Double) number));
    return parameters;
  }

  private static Map<String, String> settings(Map<?, ?> texts) {
    Map<String, String> settings = new TreeMap<>();
    texts.forEach((name, text) -> settings.put(name.toString(), text.toString()));
    return settings;
  }

  private static Guarantee guarantee(GenericRecord record) {
    return new Guarantee(
        real(record, "epsilon"),
        real(record, "delta"),
        Neighbours.parse(text(record, "neighbours")),
        UnitKind.parse(text(record, "unit")),
        list(record, "assumptions", Object::toString),
        text(record, "basis"),
        (Boolean) record.get("idealised"),
        text(record, "checkpoint"),
        text(record, "randomness"),
        (Boolean) record.get("private"));
  }

  private static String text(GenericRecord record, String field) {
    return record.get(field).toString();
  }

  private static double real(GenericRecord record, String field) {
    return (Double) record.get(field);
  }

  private static <T> List<T> list(
      GenericRecord record, String field, Function<Object, T> conversion) {
    List<T> result = new ArrayList<>();
    ((Collection<?>) record.get(field)).forEach(item -> result.add(conversion.apply(item)));
    return result;
  }
}

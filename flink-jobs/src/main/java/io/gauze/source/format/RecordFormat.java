package io.gauze.source.format;

import io.gauze.source.Change;
import io.gauze.source.DeletionMark;
import io.gauze.source.MarkedDeletions;
import io.gauze.source.RecordDecoder;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.RowFields;
import io.gauze.source.avro.AvroRowDecoder;
import io.gauze.source.avro.ConfluentAvroDecoder;
import io.gauze.source.avro.DebeziumAvroDecoder;
import io.gauze.source.avro.RegistryAccess;
import io.gauze.source.avro.SchemaRegistry;
import io.gauze.source.json.DebeziumDecoder;
import io.gauze.source.json.JsonRowDecoder;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.avro.Schema;

/** The format of the values in the rows topic. Immutable; travels in the job graph. */
public sealed interface RecordFormat extends Serializable {
  /** The label of {@link Json}. */
  String JSON = "json";

  /** The label of {@link Csv}. */
  String CSV = "csv";

  /** The label of {@link Avro}. */
  String AVRO = "avro";

  /** The label of {@link ConfluentAvro}. */
  String AVRO_CONFLUENT = "avro-confluent";

  /** The label of {@link DebeziumJson}. */
  String DEBEZIUM_JSON = "debezium-json";

  /** The label of {@link DebeziumAvro}. */
  String DEBEZIUM_AVRO = "debezium-avro-confluent";

  /** The labels of all formats; immutable. */
  List<String> LABELS = List.of(JSON, CSV, AVRO, AVRO_CONFLUENT, DEBEZIUM_JSON, DEBEZIUM_AVRO);

  /** The labels of the formats whose events say what they change; immutable. */
  List<String> EVENTS = List.of(DEBEZIUM_JSON, DEBEZIUM_AVRO);

  /** The name of the format in the config. */
  String label();

  /** Returns a decoder; called where records are read. */
  RecordDecoder decoder(RowFields fields);

  /**
   * Returns a writer of a file's rows as records that make {@code change}; empty if the format has
   * no such records, or if a writer needs more than the config says.
   */
  default Optional<RecordWriter> writer(RowFields fields, Change change) {
    return Optional.empty();
  }

  private static Optional<RecordWriter> insertion(Change change, Supplier<RecordWriter> writer) {
    return change == Change.INSERT ? Optional.of(writer.get()) : Optional.empty();
  }

  /**
   * Describes where the values of records hold some fields, as far as the config says so and not
   * the record; empty if records name their fields, or the schema that does. Part of a series'
   * fingerprint: never change the words.
   *
   * @param fields the fields whose places are described
   */
  default String layout(Predicate<String> fields) {
    return "";
  }

  /** Returns a decoder that takes rows with one of these marks for deletions. */
  default RecordDecoder decoder(RowFields fields, List<DeletionMark> deletions) {
    return new MarkedDeletions(decoder(fields), fields, deletions);
  }

  /** Returns a reader of record keys; called where records are read. */
  default KeyReader keys() {
    return KeyReader.ofTexts();
  }

  /** Returns whether values are JSON. */
  default boolean isJson() {
    return false;
  }

  /** Returns whether records can be updates and deletions; if not, each is an insertion. */
  default boolean isChangelog() {
    return false;
  }

  /** One JSON object a row. */
  record Json() implements RecordFormat {
    @Override
    public String label() {
      return JSON;
    }

    @Override
    public boolean isJson() {
      return true;
    }

    @Override
    public RecordDecoder decoder(RowFields fields) {
      return new JsonRowDecoder(fields);
    }

    @Override
    public Optional<RecordWriter> writer(RowFields fields, Change change) {
      return insertion(change, () -> new JsonRecordWriter(fields, Optional.empty()));
    }
  }

  /**
   * One line of separated values a row, without header.
   *
   * @param columns the names of all values of a line, in their order
   */
  record Csv(List<String> columns, char separator) implements RecordFormat {
    /** Creates a format with a copy of the columns. */
    public Csv {
      columns = List.copyOf(columns);
    }

    @Override
    public String label() {
      return CSV;
    }

    @Override
    public String layout(Predicate<String> fields) {
      StringBuilder text = new StringBuilder(" in csv by ").append((int) separator);
      for (int i = 0; i < columns.size(); i++) {
        String name = columns.get(i);
        if (fields.test(name)) {
          text.append(' ').append(i).append(' ').append(name.length()).append(name);
        }
      }
      return text.toString();
    }

    @Override
    public RecordDecoder decoder(RowFields fields) {
      return new CsvRowDecoder(columns, separator, fields);
    }

    @Override
    public Optional<RecordWriter> writer(RowFields fields, Change change) {
      return insertion(change, () -> new CsvRecordWriter(columns, separator));
    }
  }

  /**
   * Avro's binary encoding, without header.
   *
   * @param schema the schema of all rows, which must be a record, as JSON
   */
  record Avro(String schema) implements RecordFormat {
    @Override
    public String label() {
      return AVRO;
    }

    /** Returns all of the schema: what comes before a field decides where it is. */
    @Override
    public String layout(Predicate<String> fields) {
      return " in avro " + schema;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the schema is not that of a record
     * @throws org.apache.avro.AvroRuntimeException if it is no schema
     */
    @Override
    public RecordDecoder decoder(RowFields fields) {
      return new AvroRowDecoder(new Schema.Parser().parse(schema), fields);
    }

    @Override
    public Optional<RecordWriter> writer(RowFields fields, Change change) {
      return insertion(change, () -> new AvroRecordWriter(new Schema.Parser().parse(schema)));
    }
  }

  /**
   * Avro's binary encoding after the id of its schema in a registry.
   *
   * @param schema the schema whose names and defaults count, as JSON; empty for that of each record
   */
  record ConfluentAvro(RegistryAccess registry, String schema) implements RecordFormat {
    /** Creates a format in which the schema of each record counts. */
    public ConfluentAvro(RegistryAccess registry) {
      this(registry, "");
    }

    @Override
    public String label() {
      return AVRO_CONFLUENT;
    }

    @Override
    public RecordDecoder decoder(RowFields fields) {
      Optional<Schema> reader =
          schema.isEmpty() ? Optional.empty() : Optional.of(new Schema.Parser().parse(schema));
      return new ConfluentAvroDecoder(new SchemaRegistry(registry), reader, fields);
    }

    @Override
    public KeyReader keys() {
      return KeyReader.of(new SchemaRegistry(registry));
    }
  }

  /**
   * Debezium's change events, in JSON.
   *
   * @param identity what images before a change contain
   */
  record DebeziumJson(ReplicaIdentity identity) implements RecordFormat {
    @Override
    public String label() {
      return DEBEZIUM_JSON;
    }

    @Override
    public boolean isJson() {
      return true;
    }

    @Override
    public RecordDecoder decoder(RowFields fields) {
      return new DebeziumDecoder(fields, identity);
    }

    @Override
    public boolean isChangelog() {
      return true;
    }

    @Override
    public Optional<RecordWriter> writer(RowFields fields, Change change) {
      boolean known = change == Change.INSERT || change == Change.DELETE;
      return known
          ? Optional.of(new JsonRecordWriter(fields, Optional.of(change)))
          : Optional.empty();
    }
  }

  /**
   * Debezium's change events in Avro, after the id of their schema in a registry.
   *
   * @param identity what images before a change contain
   */
  record DebeziumAvro(RegistryAccess registry, ReplicaIdentity identity) implements RecordFormat {
    @Override
    public String label() {
      return DEBEZIUM_AVRO;
    }

    @Override
    public RecordDecoder decoder(RowFields fields) {
      return new DebeziumAvroDecoder(new SchemaRegistry(registry), fields, identity);
    }

    @Override
    public KeyReader keys() {
      return KeyReader.of(new SchemaRegistry(registry));
    }

    @Override
    public boolean isChangelog() {
      return true;
    }
  }
}

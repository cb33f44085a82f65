package io.gauze.stream;

import io.gauze.config.RowsSettings;
import io.gauze.source.RecordFormat;
import io.gauze.source.RegistryAccess;

/** What the {@code kafka.rows} of a config mean for the reading of records. */
public final class RowsFormat {
  private RowsFormat() {}

  /** The format of the records' values. */
  public static RecordFormat of(RowsSettings rows) {
    return switch (rows.format()) {
      case JSON -> new RecordFormat.Json();
      case CSV -> new RecordFormat.Csv(rows.columns(), rows.separator());
      case AVRO -> new RecordFormat.Avro(rows.schema().orElseThrow());
      case AVRO_CONFLUENT -> new RecordFormat.ConfluentAvro(access(rows.registry().orElseThrow()));
      case DEBEZIUM_JSON ->
          new RecordFormat.DebeziumJson(
              rows.fullIdentity()
                  ? RecordFormat.DebeziumJson.Identity.FULL
                  : RecordFormat.DebeziumJson.Identity.KEY);
    };
  }

  private static RegistryAccess access(RowsSettings.Registry registry) {
    return new RegistryAccess(
        registry.url(),
        registry.user().orElse(""),
        registry.passwordFile().orElse(""),
        registry.passwordEnv().orElse(""));
  }
}

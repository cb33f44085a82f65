package io.gauze.config;

import java.util.List;
import java.util.Optional;

/**
 * How the records of the rows topic are written, and what their keys mean.
 *
 * @param format of the values
 * @param columns of a line of {@link Format#CSV}, in their order; else empty
 * @param separator of the values of such a line
 * @param schema of {@link Format#AVRO}, as JSON; else empty
 * @param registry of {@link Format#AVRO_CONFLUENT}; else empty
 * @param key what identifies a row; empty: its place in the topic. Changelogs always have one
 * @param upsert whether a record replaces the one of its key, and a record without value deletes it
 * @param fullIdentity whether {@code before} images of {@link Format#DEBEZIUM_JSON} hold all
 *     columns; else they are read for the key alone
 */
public record RowsSettings(
    Format format,
    List<String> columns,
    char separator,
    Optional<String> schema,
    Optional<Registry> registry,
    Optional<KeySource> key,
    boolean upsert,
    boolean fullIdentity) {
  /** Append-only JSON objects. */
  public static final RowsSettings JSON =
      new RowsSettings(
          Format.JSON,
          List.of(),
          ',',
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          false,
          false);

  /** Immutable. */
  public RowsSettings {
    columns = List.copyOf(columns);
  }

  /** The format of a record's value. */
  public enum Format {
    JSON("json"),
    CSV("csv"),
    AVRO("avro"),
    AVRO_CONFLUENT("avro-confluent"),
    DEBEZIUM_JSON("debezium-json");

    private final String label;

    Format(String label) {
      this.label = label;
    }

    /** The name in a config. */
    public String label() {
      return label;
    }
  }

  /**
   * What identifies a row.
   *
   * @param field of the row; empty: the record's key
   */
  public record KeySource(Optional<String> field) {}

  /**
   * A schema registry.
   *
   * @param url http or https, without user and password
   * @param user for basic authentication
   * @param passwordFile where the workers find the user's password
   * @param passwordEnv the environment variable of the workers that holds it; just one of the two
   *     is there if there is a user
   */
  public record Registry(
      String url,
      Optional<String> user,
      Optional<String> passwordFile,
      Optional<String> passwordEnv) {}

  /** Whether records can change or delete rows; else each record is a row of its own. */
  public boolean isChangelog() {
    return upsert || format == Format.DEBEZIUM_JSON;
  }
}

package io.gauze.testing;

import java.util.Locale;

/**
 * Change events as Debezium's connector for PostgreSQL writes them with Kafka Connect's JSON
 * converter, schema and payload; of a table with the columns {@code id}, {@code a}, {@code b} and
 * {@code y}, all NOT NULL.
 */
public final class DebeziumEvents {
  private static final String ROW =
      "{\"type\":\"struct\",\"fields\":["
          + "{\"type\":\"string\",\"optional\":false,\"field\":\"id\"},"
          + "{\"type\":\"double\",\"optional\":false,\"field\":\"a\"},"
          + "{\"type\":\"double\",\"optional\":false,\"default\":5.0,\"field\":\"b\"},"
          + "{\"type\":\"double\",\"optional\":false,\"field\":\"y\"}],"
          + "\"optional\":true,\"name\":\"inventory.public.t.Value\",\"field\":\"%s\"}";
  private static final String SCHEMA =
      "{\"type\":\"struct\",\"fields\":["
          + String.format(Locale.ROOT, ROW, "before")
          + ","
          + String.format(Locale.ROOT, ROW, "after")
          + ",{\"type\":\"string\",\"optional\":false,\"field\":\"op\"}],"
          + "\"optional\":false,\"name\":\"inventory.public.t.Envelope\",\"version\":2}";
  private static final String SOURCE =
      "{\"version\":\"2.7.0.Final\",\"connector\":\"postgresql\",\"name\":\"inventory\","
          + "\"ts_ms\":1559033904863,\"snapshot\":\"false\",\"db\":\"postgres\","
          + "\"sequence\":\"[\\\"24023119\\\",\\\"24023128\\\"]\",\"schema\":\"public\","
          + "\"table\":\"t\",\"txId\":555,\"lsn\":24023128,\"xmin\":null}";

  private DebeziumEvents() {}

  /**
   * An event.
   *
   * @param op c, r, u or d
   * @param before the image as JSON
   * @param after the image as JSON
   */
  public static String postgresql(String op, String before, String after) {
    return "{\"schema\":"
        + SCHEMA
        + ",\"payload\":{\"before\":"
        + before
        + ",\"after\":"
        + after
        + ",\"source\":"
        + SOURCE
        + ",\"transaction\":null,\"op\":\""
        + op
        + "\",\"ts_ms\":1559033904880,\"ts_us\":1559033904880123,\"ts_ns\":1559033904880123456}}";
  }

  /**
   * The image of a deleted row with the default REPLICA IDENTITY: what the database has not told of
   * a column that is NOT NULL is its default or its type's zero.
   *
   * @param id the key as JSON
   */
  public static String keyAlone(String id) {
    return "{\"id\":" + id + ",\"a\":0.0,\"b\":5.0,\"y\":0.0}";
  }
}

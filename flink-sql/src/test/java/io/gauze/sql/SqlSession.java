package io.gauze.sql;

import io.gauze.release.Release;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** A session of Flink SQL in this process, with the functions of Gauze. */
final class SqlSession {
  private final TableEnvironment tables;

  private SqlSession(EnvironmentSettings.Builder settings) {
    Configuration config = new Configuration();
    config.setString("parallelism.default", "1");
    config.setString("taskmanager.numberOfTaskSlots", "1");
    config.setString("table.exec.resource.default-parallelism", "1");
    config.setString("pekko.ask.timeout", "60 s"); // the usual 10 s are short on a busy machine
    config.setString("taskmanager.memory.managed.size", "64mb");
    config.setString("taskmanager.memory.network.min", "16mb");
    config.setString("taskmanager.memory.network.max", "16mb");
    tables = TableEnvironment.create(settings.withConfiguration(config).build());
    tables.executeSql("LOAD MODULE gauze");
  }

  static SqlSession batch() {
    return new SqlSession(EnvironmentSettings.newInstance().inBatchMode());
  }

  static SqlSession streaming() {
    return new SqlSession(EnvironmentSettings.newInstance().inStreamingMode());
  }

  /** Runs a statement without rows. */
  void run(String statement) {
    tables.executeSql(statement);
  }

  /** Returns all rows of a query that ends. */
  List<Row> rows(String query) throws Exception {
    try (CloseableIterator<Row> rows = tables.executeSql(query).collect()) {
      List<Row> all = new ArrayList<>();
      rows.forEachRemaining(all::add);
      return all;
    }
  }

  /** Creates the table releases of a folder, with these columns. */
  void releases(Path folder, String columns, String... options) {
    run("DROP TABLE IF EXISTS releases");
    run(
        "CREATE TABLE releases ("
            + columns
            + ") WITH ('connector' = 'filesystem', 'path' = '"
            + folder.toUri()
            + "', 'format' = 'gauze-release'"
            + String.join("", options)
            + ")");
  }

  /** Writes a release into a folder as its topic has it. */
  static void write(Path folder, String name, Release release) throws IOException {
    Files.write(folder.resolve(name + ".avro"), release.toBytes());
  }
}

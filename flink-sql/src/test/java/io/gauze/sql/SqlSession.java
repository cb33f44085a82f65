package io.gauze.sql;

import io.gauze.release.Release;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** A session of Flink SQL in this process, with the functions of Gauze. */
final class SqlSession {
  private final TableEnvironment tables;

  /** The cluster of all sessions of this process; it ends with the process. */
  private static final Configuration CLUSTER = startCluster();

  private SqlSession(EnvironmentSettings.Builder settings) {
    tables = TableEnvironment.create(settings.withConfiguration(CLUSTER).build());
    tables.executeSql("LOAD MODULE gauze");
  }

  /** Starts a cluster, and returns the settings of its clients. */
  private static Configuration startCluster() {
    Configuration config = new Configuration();
    config.setString("rest.bind-port", "0");
    config.setString("pekko.ask.timeout", "60 s"); // the usual 10 s are short on a busy machine
    config.setString("taskmanager.memory.managed.size", "128mb");
    try {
      MiniCluster cluster =
          new MiniCluster(
              new MiniClusterConfiguration.Builder()
                  .setConfiguration(config)
                  .setNumSlotsPerTaskManager(4)
                  .build());
      cluster.start();
      URI address = cluster.getRestAddress().get();
      config.setString("execution.target", "remote");
      config.setString("rest.address", address.getHost());
      config.setString("rest.port", Integer.toString(address.getPort()));
    } catch (Exception e) {
      throw new IllegalStateException("the cluster did not start", e);
    }
    config.setString("parallelism.default", "1");
    config.setString("table.exec.resource.default-parallelism", "1");
    return config;
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

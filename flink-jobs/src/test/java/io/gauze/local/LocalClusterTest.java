package io.gauze.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalClusterTest {
  /** Whatever a config says, other machines see nothing of it, and it sees no other cluster. */
  @Test
  void givenSettingsCountBesideAddressesAndFolders(@TempDir Path parent) throws Exception {
    Map<String, String> given =
        Map.of(
            "rest.bind-address", "0.0.0.0",
            "rest.bind-port", "8081",
            "jobmanager.bind-host", "0.0.0.0",
            "taskmanager.bind-host", "0.0.0.0",
            "taskmanager.data.bind-port", "50000",
            "blob.server.port", "50001",
            "high-availability.type", "zookeeper",
            "io.tmp.dirs", "/elsewhere",
            "taskmanager.memory.network.min", "96 mb",
            "jobmanager.execution.failover-strategy", "region");
    try (TempFolder folder = TempFolder.create(parent, "gauze-flink-", 1)) {
      Map<String, String> all =
          LocalCluster.configuration(folder, Configuration.fromMap(given)).toMap();

      assertThat(all)
          .containsEntry("rest.bind-address", "127.0.0.1")
          .containsEntry("rest.bind-port", "0")
          .containsEntry("jobmanager.bind-host", "127.0.0.1")
          .containsEntry("taskmanager.bind-host", "127.0.0.1")
          .doesNotContainKey("taskmanager.data.bind-port")
          .containsEntry("blob.server.port", "0")
          .containsEntry("high-availability.type", "NONE")
          .containsEntry("io.tmp.dirs", folder.path().resolve("tmp").toString())
          .containsEntry("taskmanager.memory.network.min", "96 mb")
          .containsEntry("jobmanager.execution.failover-strategy", "region");
    }
  }

  @Test
  void jobsRestartAsAWholeUnlessGiven(@TempDir Path parent) throws Exception {
    try (TempFolder folder = TempFolder.create(parent, "gauze-flink-", 1)) {
      assertThat(LocalCluster.configuration(folder, new Configuration()).toMap())
          .containsEntry("jobmanager.execution.failover-strategy", "full");
    }
  }
}

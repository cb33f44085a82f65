package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script of the local cluster, in a project of empty files, with a java that only fails. */
@DisabledOnOs(OS.WINDOWS)
final class ClusterScriptTest {
  private static final Path SCRIPT =
      Path.of("..", "cluster", "gauze-cluster").toAbsolutePath().normalize();
  private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
  private static final FileTime FAR_AHEAD = FileTime.from(Instant.parse("2200-01-01T00:00:00Z"));

  @TempDir private Path folder;
  private Path project;
  private Path jar;

  @BeforeEach
  void layOutAProjectThatIsBuilt() throws IOException {
    project = Files.createDirectory(folder.resolve("the project"));
    Path java = file("bin/java");
    Files.writeString(java, "#!/bin/sh\nexit 1\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.copy(SCRIPT, file("cluster/gauze-cluster"), StandardCopyOption.REPLACE_EXISTING);
    file("cluster/target/flink/one.jar");
    file("flink-jobs/target/lib/one.jar");
    jar = file("flink-jobs/target/gauze-cluster.jar");
    for (String source :
        List.of("pom.xml", "sketch-core/src/main/java/A.java", "flink-jobs/src/main/java/B.java")) {
      Files.setLastModifiedTime(file(source), LONG_AGO);
    }
  }

  @Test
  void saysThatTheJarIsOld() throws Exception {
    assertThat(start())
        .contains("the broker's folder could not be made")
        .doesNotContain("is older than");

    Files.setLastModifiedTime(project.resolve("sketch-core/src/main/java/A.java"), FAR_AHEAD);
    assertThat(start())
        .contains("gauze-cluster.jar is older than sketch-core/src/main/java/A.java; renew it: mvn")
        .contains("the broker's folder could not be made");
    assertThat(jar).isEmptyFile();
  }

  private String start() throws Exception {
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(
                "bash",
                project.resolve("cluster/gauze-cluster").toString(),
                "start",
                "--dir",
                folder.resolve("cluster").toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(err.toFile());
    builder.environment().put("JAVA_HOME", project.toString());
    assertThat(builder.start().waitFor()).isEqualTo(1);
    return Files.readString(err);
  }

  private Path file(String name) throws IOException {
    Path file = project.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }
}

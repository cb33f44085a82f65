package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher script, in a project of empty files, with programs named java and mvn that only say
 * how they were called.
 */
@DisabledOnOs(OS.WINDOWS)
final class LauncherTest {
  private static final Path SCRIPT = Path.of("..", "gauze").toAbsolutePath().normalize();
  private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
  private static final FileTime FAR_AHEAD = FileTime.from(Instant.parse("2200-01-01T00:00:00Z"));

  private static final String JAVA =
      """
      #!/bin/sh
      if [ "$1" = -version ]; then echo 'openjdk version "17.0.1" 2021-10-19' >&2; exit 0; fi
      case "$*" in *ArchiveClassesAtExit*) exit 1 ;; esac
      echo "process $$"
      umask >umask
      for each in "$@"; do echo "<$each>"; done
      """;
  private static final String MVN =
      """
      #!/bin/sh
      echo "built: $*" >>calls
      umask >umask
      echo 'what Maven says'
      mkdir -p flink-jobs/target/lib
      : >flink-jobs/target/lib/one.jar
      : >flink-jobs/target/flink-jobs-1.jar
      """;

  private record Result(int status, String out, String err, long process) {}

  @TempDir private Path folder;
  private Path project;
  private Path source;

  @BeforeEach
  void layOutAProject() throws IOException {
    project = Files.createDirectory(folder.resolve("the project"));
    Files.copy(SCRIPT, project.resolve("gauze"));
    source = project.resolve("flink-jobs/src/main/java/A.java");
    Files.createDirectories(source.getParent());
    Files.createDirectory(project.resolve(".mvn"));
    for (Path file :
        List.of(source, project.resolve("pom.xml"), project.resolve("flink-jobs/pom.xml"))) {
      Files.createFile(file);
    }
    Files.createDirectory(folder.resolve("bin"));
    program("java", JAVA);
    program("mvn", MVN);
  }

  @Test
  void buildsOnFirstUseOnly() throws Exception {
    Result first = gauze("--version");
    Result second = gauze("--version");

    assertThat(first.status()).isZero();
    assertThat(first.err()).isEqualTo("gauze: building (two or three minutes the first time)\n");
    assertThat(first.out())
        .doesNotContain("what Maven says")
        .contains("<io.gauze.Main>\n<--version>\n");
    assertThat(second.err()).isEmpty();
    assertThat(builds())
        .hasSize(1)
        .allMatch(call -> call.contains("-DskipTests") && call.endsWith(" package"));
  }

  @Test
  void buildsAgainWhenASourceIsNewer() throws Exception {
    gauze();
    Files.setLastModifiedTime(source, FAR_AHEAD);

    Result result = gauze();

    assertThat(result.err()).contains("building");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void doesNotBuildWhenTheJarIsNewest() throws Exception {
    gauze();
    Files.delete(project.resolve("flink-jobs/target/gauze.built"));
    try (var tree = Files.walk(project)) {
      for (Path path : tree.toList()) {
        Files.setLastModifiedTime(path, LONG_AGO);
      }
    }
    Files.setLastModifiedTime(project.resolve("flink-jobs/target/flink-jobs-1.jar"), FAR_AHEAD);

    assertThat(gauze().err()).isEmpty();
    assertThat(builds()).hasSize(1);
  }

  @Test
  void showsTheLogOfAFailedBuild() throws Exception {
    program("mvn", "#!/bin/sh\necho 'no such symbol'\nexit 1\n");

    Result result = gauze("--version");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("no such symbol").contains("gauze: the build failed");
  }

  @Test
  void givesTheArgumentsOnAsTheyAre() throws Exception {
    Result result = gauze("check", "--config", "a b.yaml", "*", "");

    assertThat(result.out()).endsWith("<check>\n<--config>\n<a b.yaml>\n<*>\n<>\n");
  }

  @Test
  void becomesTheJavaProcess() throws Exception {
    Result result = gauze("up");

    assertThat(result.out()).startsWith("process " + result.process() + "\n");
  }

  @Test
  void startsOfflineVerbsQuicklyAndRunsTheOthersFast() throws Exception {
    assertThat(gauze("check").out()).contains("<-XX:TieredStopAtLevel=1>");
    for (String verb : List.of("demo", "up", "run", "solver", "send", "serve")) {
      assertThat(gauze(verb).out()).doesNotContain("TieredStopAtLevel");
    }
  }

  /** Checkpoints and topics are for nobody else; what is built and exported is. */
  @Test
  void whatJobsWriteIsForTheirOwnerOnly() throws Exception {
    Process shell = new ProcessBuilder("bash", "-c", "umask").start();
    String usual = new String(shell.getInputStream().readAllBytes(), UTF_8);
    for (String verb : List.of("demo", "up", "run", "solver")) {
      gauze(verb);
      assertThat(folder.resolve("umask")).as(verb).hasContent("0077");
    }
    gauze("releases");
    assertThat(folder.resolve("umask")).hasContent(usual);
    assertThat(project.resolve("umask")).as("of the build").hasContent(usual);
  }

  /** Java 17 would else take the console's encoding, which is ASCII where no language is set. */
  @Test
  void textsAreUtf8() throws Exception {
    assertThat(gauze("check").out()).contains("<-Dfile.encoding=UTF-8>");
    assertThat(gauze("run").out()).contains("<-Dfile.encoding=UTF-8>");
  }

  @Test
  void worksThroughLinks() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path first = Files.createSymbolicLink(elsewhere.resolve("first"), project.resolve("gauze"));
    Path second = Files.createSymbolicLink(elsewhere.resolve("second"), Path.of("first"));
    assertThat(first).isSymbolicLink();

    Result result = run(Map.of(), second, "--version");

    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("the project/flink-jobs/target/flink-jobs-1.jar:");
  }

  /** In an archive there is nothing to build, and no Maven. */
  @Test
  void anUnpackedArchiveHasItsJars() throws Exception {
    Path root = Files.createDirectories(folder.resolve("gauze 1"));
    Path script = Files.createDirectory(root.resolve("bin")).resolve("gauze");
    Files.copy(SCRIPT, script);
    Files.copy(SCRIPT, root.resolve("gauze"));
    program("mvn", "#!/bin/sh\necho 'Maven was called' >&2\nexit 1\n");

    Files.createDirectory(root.resolve("lib"));
    Result empty = run(Map.of(), script, "--version");
    Files.createFile(root.resolve("lib/flink-jobs-1.jar"));
    Files.createFile(root.resolve("lib/one.jar"));

    assertThat(empty.status()).isEqualTo(1);
    assertThat(empty.err()).contains("gauze 1/lib has no flink-jobs-*.jar. Unpack the archive");
    for (Path each : List.of(script, root.resolve("gauze"))) {
      Result result = run(Map.of(), each, "--version");
      assertThat(result.err()).isEmpty();
      assertThat(result.out())
          .contains("gauze 1/lib/flink-jobs-1.jar:" + root.toRealPath() + "/lib/one.jar>")
          .endsWith("<io.gauze.Main>\n<--version>\n");
    }
  }

  @Test
  void refusesAnOldJava() throws Exception {
    program("java", "#!/bin/sh\necho 'java version \"1.8.0_202\"' >&2\n");

    Result result = gauze("--version");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("Java 17 or later is needed").contains("is version 1;");
  }

  @Test
  void saysThatJavaHomeIsWrong() throws Exception {
    Result result = run(Map.of("JAVA_HOME", "/nowhere"), project.resolve("gauze"), "--version");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("JAVA_HOME is /nowhere, where there is no bin/java");
  }

  @Test
  void saysThatMavenIsMissing() throws Exception {
    Files.delete(folder.resolve("bin/mvn"));
    for (String tool : List.of("bash", "sed", "head", "dirname", "readlink", "find", "mkdir")) {
      Path usual = Path.of("/usr/bin", tool);
      program(
          tool, "#!/bin/sh\nexec " + (Files.exists(usual) ? usual : "/bin/" + tool) + " \"$@\"\n");
    }

    Result result =
        run(
            Map.of("PATH", folder.resolve("bin").toString()),
            project.resolve("gauze"),
            "--version");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("Maven is missing");
  }

  private Result gauze(String... arguments) throws IOException, InterruptedException {
    return run(Map.of(), project.resolve("gauze"), arguments);
  }

  private Result run(Map<String, String> environment, Path script, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().remove("JAVA_HOME");
    builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(60, SECONDS)).isTrue();
    return new Result(
        process.exitValue(), Files.readString(out), Files.readString(err), process.pid());
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(project.resolve("calls"), UTF_8);
  }

  private void program(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("bin").resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}

package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script of the containers, with a program named flink that only says how it was called. */
@DisabledOnOs(OS.WINDOWS)
final class SubmitScriptTest {
  private static final Path SCRIPT = Path.of("..", "docker", "submit").toAbsolutePath().normalize();
  private static final String JAR = "/opt/flink/usrlib/gauze-cluster.jar";

  private record Result(int status, List<String> out, String err) {}

  @TempDir private Path folder;
  private Path store;

  @BeforeEach
  void nothingIsStored() throws IOException {
    store = Files.createDirectory(folder.resolve("the store"));
    Path flink = Files.createDirectory(folder.resolve("bin")).resolve("flink");
    Files.writeString(flink, "#!/bin/sh\nfor each in \"$@\"; do echo \"$each\"; done\n");
    assertThat(flink.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void aStreamStartsAnew() throws Exception {
    Result result = submit("run", "/etc/gauze/wine.yaml");

    assertThat(result.status()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .startsWith("run", "-d", "-m", "jobmanager:8081")
        .contains("execution.checkpointing.dir=file://" + store + "/run-wine/checkpoints")
        .contains("execution.checkpointing.savepoint-dir=file://" + store + "/run-wine/savepoints")
        .doesNotContain("-s")
        .endsWith(JAR, "run", "--config", "/etc/gauze/wine.yaml");
  }

  @Test
  void severalStreamsAreOneJobInTheFolderOfTheFirst() throws Exception {
    Result result = submit("run", "/etc/gauze/wine.yaml", "my beer.yaml");

    assertThat(result.status()).isZero();
    assertThat(result.out())
        .contains("execution.checkpointing.dir=file://" + store + "/run-wine/checkpoints")
        .doesNotContain("-s")
        .endsWith(JAR, "run", "--config", "/etc/gauze/wine.yaml", "--config", "my beer.yaml");
  }

  @Test
  void theNewestCompletedOneOfAnyStreamIsRestored() throws Exception {
    completed("run-wine/checkpoints/0a/chk-7", "2026-01-01T00:00:00Z");
    Path newest = completed("run-beer/savepoints/savepoint-1", "2026-01-02T00:00:00Z");
    completed("solver-wine/checkpoints/0b/chk-9", "2026-01-03T00:00:00Z"); // another job
    Files.createDirectories(store.resolve("run-beer/checkpoints/0c/chk-8")); // not complete

    for (String[] arguments :
        new String[][] {{"run", "wine.yaml", "beer.yaml"}, {"run", "beer.yaml", "wine.yaml"}}) {
      Result result = submit(arguments);
      assertThat(result.err()).isEqualTo("submit: going on from " + newest + "\n");
      assertThat(result.out()).containsSequence("-s", "file://" + newest);
    }
    assertThat(submit("run", "wine.yaml").out())
        .containsSequence("-s", "file://" + store + "/run-wine/checkpoints/0a/chk-7");
  }

  @Test
  void theParallelismIsThatOfTheEnvironment() throws Exception {
    assertThat(submit("run", "wine.yaml").out()).doesNotContain("-p");
    assertThat(submit(Map.of("GAUZE_PARALLELISM", "3"), "run", "wine.yaml").out())
        .containsSequence("-p", "3");
  }

  @Test
  void whatIsNoJobIsRefused() throws Exception {
    for (String[] arguments :
        new String[][] {
          {}, {"run"}, {"solver"}, {"solver", "wine.yaml", "beer.yaml"}, {"stop", "wine.yaml"}
        }) {
      Result result = submit(arguments);
      assertThat(result.status()).isEqualTo(2);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).contains("submit run CONFIG... | submit solver CONFIG");
    }
    assertThat(submit("solver", "wine.yaml").out())
        .endsWith(JAR, "solver", "--config", "wine.yaml");
  }

  private Path completed(String name, String time) throws IOException {
    Path checkpoint = Files.createDirectories(store.resolve(name));
    Path metadata = Files.createFile(checkpoint.resolve("_metadata"));
    Files.setLastModifiedTime(metadata, FileTime.from(Instant.parse(time)));
    return checkpoint;
  }

  private Result submit(String... arguments) throws Exception {
    return submit(Map.of(), arguments);
  }

  private Result submit(Map<String, String> more, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", SCRIPT.toString()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("GAUZE_"));
    environment.put("PATH", folder.resolve("bin") + ":" + environment.get("PATH"));
    environment.put("GAUZE_STORE", store.toString());
    environment.putAll(more);
    int status = builder.start().waitFor();
    return new Result(status, Files.readAllLines(out), Files.readString(err));
  }
}

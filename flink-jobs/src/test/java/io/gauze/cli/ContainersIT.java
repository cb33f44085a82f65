package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.testing.ContainerEngine;
import io.gauze.testing.ContainerEngine.Result;
import io.gauze.testing.Effort;
import io.gauze.testing.ProcessCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code docker/up} in an engine, on base images that end with an unprivileged user: from a copy of
 * the project to releases, to a savepoint, and on from there.
 */
final class ContainersIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String SECRET = "a password of this test";

  /** What the launcher's jar and the images are made of. */
  private static final List<String> COPIED =
      List.of(
          "docker",
          "licenses",
          "LICENSE",
          "NOTICE",
          ".dockerignore",
          "pom.xml",
          "flink-jobs/pom.xml",
          "flink-jobs/target/gauze-cluster.jar",
          "flink-jobs/target/service-lib",
          "flink-jobs/target/native");

  private static Path folder;
  private static Path clone;
  private static ContainerEngine engine;

  @BeforeAll
  static void start() throws Exception {
    boolean required = System.getProperty("gauze.containers", "").equals("required");
    assumeTrue(
        required || Effort.isThorough(), "long: -Pthorough, or GAUZE_CONTAINERS=required, runs it");
    Optional<String> missing = ContainerEngine.missing();
    if (missing.isPresent()) {
      String reason = "containers are not tried: " + missing.get();
      if (required) {
        fail(reason);
      }
      abort(reason);
    }
    folder = Files.createTempDirectory("gauze-it");
    clone = copy(Files.createDirectory(folder.resolve("a clone")));
    engine = ContainerEngine.start(Files.createDirectory(folder.resolve("engine")));
  }

  @AfterAll
  static void stop() throws Exception {
    if (engine != null) {
      try {
        engine.run(compose("--profile", "solver", "down", "--volumes", "--timeout", "5"));
      } finally {
        engine.close();
      }
    }
    if (folder != null) {
      new ProcessBuilder("rm", "-rf", folder.toString()).start().waitFor();
    }
  }

  /** As a clone made with umask 077, with a secret that only its owner reads, and shorter waits. */
  private static Path copy(Path copy) throws Exception {
    List<String> files = new ArrayList<>(COPIED);
    try (var jars = Files.newDirectoryStream(Path.of("target"), "flink-jobs-*.jar")) {
      jars.forEach(jar -> files.add("flink-jobs/target/" + jar.getFileName()));
    }
    List<String> command = new ArrayList<>(List.of("cp", "-a", "--parents"));
    command.addAll(files);
    command.add(copy.toString());
    assertThat(new ProcessBuilder(command).directory(ROOT.toFile()).start().waitFor()).isZero();
    Files.createDirectories(copy.resolve("flink-jobs/src/main"));
    replace(copy.resolve("docker/stream.yaml"), "length: PT1M", "length: PT5S");
    replace(
        copy.resolve("docker/stream.yaml"),
        "checkpointing.interval: 10 s",
        "checkpointing.interval: 2 s");
    Path secrets = copy.resolve("docker/secrets");
    for (String name : List.of("kafka_password", "grafana_password", "service_token")) {
      Files.deleteIfExists(secrets.resolve(name));
    }
    Files.writeString(secrets.resolve("kafka_password"), SECRET);
    List<String> close = List.of("chmod", "-R", "go=", copy.toString());
    assertThat(new ProcessBuilder(close).start().waitFor()).isZero();
    return copy;
  }

  private static void replace(Path file, String text, String by) throws IOException {
    String before = Files.readString(file);
    assertThat(before).contains(text);
    Files.writeString(file, before.replace(text, by));
  }

  private static List<String> compose(String... arguments) {
    List<String> command = new ArrayList<>(List.of("docker", "compose", "-f"));
    command.add(clone.resolve("docker/compose.yaml").toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private static String up(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "umask 077; exec \"$@\"", "sh"));
    command.add(clone.resolve("docker/up").toString());
    command.addAll(List.of(arguments));
    return engine.done(command);
  }

  @Test
  void fromACloneToReleasesToASavepointAndOn() throws Exception {
    String first = up("--without-monitoring");
    assertThat(first).contains("submitting the sketch job", "http://localhost:8642/");
    secretsAreOnlyForTheContainers();
    imagesHaveNoMoreThanTheyNeed();
    serviceIsConfined();
    assertThat(up("send", "--synthetic", "200")).contains("200 rows sent to topic rows");
    Map<String, String> released = releases(Map.of(), 1);
    assertThat(up("--without-monitoring", "--no-build")).contains("the sketch job runs already");

    String stopped = up("stop");
    assertThat(stopped).contains("file:/var/lib/gauze/run-stream/savepoints/savepoint-");
    String savepoint =
        stopped.lines().filter(line -> line.startsWith("file:")).findFirst().orElseThrow();
    String second = up("start", "--without-monitoring", "--no-build");
    assertThat(second).contains("submit: going on from " + savepoint.substring("file:".length()));
    released = releases(released, 2);
    assertThat(released).hasSizeGreaterThan(2);
  }

  private static void secretsAreOnlyForTheContainers() throws IOException {
    Path secrets = clone.resolve("docker/secrets");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secrets)))
        .isEqualTo("rwx------");
    assertThat(secrets.resolve("kafka_password")).hasContent(SECRET);
    for (String made : List.of("grafana_password", "service_token")) {
      assertThat(Files.readString(secrets.resolve(made))).matches("[0-9a-f]{32}");
    }
  }

  private static void imagesHaveNoMoreThanTheyNeed() throws Exception {
    String jars = inside("gauze-serve:0.1.0", "ls", "/opt/gauze/lib");
    assertThat(jars)
        .contains("flink-jobs-", "kafka-clients-", "picocli-")
        .doesNotContain("kafka_2", "kafka-server", "scala", "async-profiler", "argparse4j");
    for (String image : List.of("gauze:0.1.0", "gauze-serve:0.1.0")) {
      assertThat(inside(image, "ls", "/opt/gauze/licenses"))
          .contains("LICENSE", "NOTICE", "README.md", "zstd-jni.txt");
      assertThat(inside(image, "id", "-u").strip()).isNotEqualTo("0");
      assertThat(engine.done(List.of("docker", "image", "inspect", image)))
          .contains("org.opencontainers.image.licenses");
    }
  }

  private static String inside(String image, String program, String argument) throws Exception {
    return engine.done(List.of("docker", "run", "--rm", "--entrypoint", program, image, argument));
  }

  /** The service runs where it can write nothing that could be run. */
  private static void serviceIsConfined() throws Exception {
    String mounts = engine.done(compose("exec", "-T", "serve", "cat", "/proc/mounts"));
    assertThat(mounts.lines().filter(line -> line.startsWith("tmpfs /tmp tmpfs ")))
        .singleElement()
        .asString()
        .contains("noexec");
    assertThat(mounts).containsPattern("overlay / overlay ro,");
  }

  /**
   * Waits until there are {@code more} releases than before, of which all are the same.
   *
   * @return the hash of each release
   */
  private static Map<String, String> releases(Map<String, String> before, int more) {
    Map<String, String> found = new LinkedHashMap<>();
    ProcessCluster.await(
        () -> more + " more releases than " + before.keySet() + ", there are " + found.keySet(),
        () -> {
          found.putAll(released());
          return found.size() >= before.size() + more;
        });
    assertThat(found).containsAllEntriesOf(before);
    return found;
  }

  private static Map<String, String> released() {
    String request =
        "exec 3<>/dev/tcp/127.0.0.1/8642"
            + " && printf 'GET /v1/releases HTTP/1.0\\r\\nAuthorization: Bearer %s\\r\\n\\r\\n' \"$(cat \"$0\")\" >&3"
            + " && cat <&3";
    try {
      String token = clone.resolve("docker/secrets/service_token").toString();
      Result answer = engine.inNetwork(List.of("bash", "-c", request, token));
      assertThat(answer.output()).contains(" 200 OK");
      String body = answer.output().substring(answer.output().indexOf("\r\n\r\n"));
      Map<String, String> found = new LinkedHashMap<>();
      for (JsonNode each : JsonMapper.builder().build().readTree(body).path("releases")) {
        found.put(each.path("id").asText(), each.path("sha256").asText());
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

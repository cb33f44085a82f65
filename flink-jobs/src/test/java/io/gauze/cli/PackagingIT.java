package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.Main;
import io.gauze.cli.option.ExitStatus;
import io.gauze.testing.TestJava;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jars and the archive that the build makes. */
final class PackagingIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path CLUSTER_JAR = TARGET.resolve("gauze-cluster.jar");

  /** What the cluster brings itself, and what must not be in a jar of jars. */
  private static final Pattern STRANGER =
      Pattern.compile(
          "org/apache/flink/(runtime|streaming/api/environment|client)/.*"
              + "|(kafka|scala)/.*\\.class|org/apache/kafka/(metadata|raft|controller)/.*"
              + "|org/(apache/logging|slf4j|eclipse/jetty)/.*|.*module-info\\.class|META-INF/[^/]*\\.(SF|DSA|RSA)");

  private record Result(int status, String out, String err) {}

  @Test
  void theClusterJarHasTheConnectorButNotTheCluster() throws IOException {
    List<String> names = names();

    assertThat(names)
        .contains(
            "io/gauze/row/RowSchema.class",
            "io/gauze/config/StreamConfig.class",
            "org/apache/flink/connector/kafka/source/KafkaSource.class",
            "org/apache/kafka/clients/producer/KafkaProducer.class",
            "com/fasterxml/jackson/databind/ObjectMapper.class",
            "com/dynatrace/hash4j/hashing/Hashing.class",
            "picocli/CommandLine.class",
            "META-INF/LICENSE",
            "META-INF/NOTICE")
        .doesNotHaveDuplicates();
    assertThat(names.stream().filter(STRANGER.asMatchPredicate())).isEmpty();
  }

  @Test
  void theClusterJarBringsTheServicesOfItsParts() throws IOException {
    try (JarFile jar = new JarFile(CLUSTER_JAR.toFile())) {
      String service = "META-INF/services/org.apache.kafka.common.config.provider.ConfigProvider";
      ZipEntry entry = jar.getEntry(service);
      String text = new String(jar.getInputStream(entry).readAllBytes(), UTF_8);

      assertThat(text).contains("org.apache.kafka.common.config.provider.EnvVarConfigProvider");
      assertThat(jar.getManifest().getMainAttributes().get(Attributes.Name.MAIN_CLASS))
          .isEqualTo(Main.class.getName());
    }
  }

  /** A jar of the archive or of the service's image is in the list with its licence. */
  @Test
  void everyStrangersLicenceIsThere() throws IOException {
    Path licences = Path.of("..", "licenses");
    String list = Files.readString(licences.resolve("README.md"));
    List<Pattern> known =
        Pattern.compile("^\\| `([^`]+)` \\|", Pattern.MULTILINE)
            .matcher(list)
            .results()
            .map(row -> Pattern.compile(row.group(1).replace("*", ".*") + "-\\d.*\\.jar"))
            .toList();
    for (String folder : List.of("lib", "service-lib")) {
      try (Stream<Path> jars = Files.list(TARGET.resolve(folder))) {
        assertThat(jars.map(jar -> jar.getFileName().toString()))
            .isNotEmpty()
            .filteredOn(jar -> !jar.matches("(sketch-core|regression|audit|papers|service)-.*"))
            .allMatch(jar -> known.stream().anyMatch(row -> row.matcher(jar).matches()));
      }
    }
    try (Stream<Path> jars = Files.list(TARGET.resolve("service-lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .noneMatch(jar -> jar.matches("(kafka_|kafka-server|async-profiler|argparse4j).*"));
    }
    List<String> names = names();
    try (Stream<Path> texts = Files.list(licences)) {
      assertThat(texts.map(text -> "META-INF/licenses/" + text.getFileName()))
          .isNotEmpty()
          .allMatch(names::contains);
    }
  }

  @Test
  void theLaunchersClassPathRuns(@TempDir Path folder) throws Exception {
    String jar;
    try (Stream<Path> jars = Files.list(TARGET)) {
      jar =
          jars.map(Path::toString)
              .filter(name -> name.matches(".*/flink-jobs-[^/]*\\.jar"))
              .collect(Collectors.joining());
    }

    Result version =
        run(folder, "-cp", jar + ":" + TARGET + "/lib/*", Main.class.getName(), "--version");
    Result wrong = run(folder, "-cp", jar + ":" + TARGET + "/lib/*", Main.class.getName(), "chek");

    assertThat(version.status()).isZero();
    assertThat(version.out())
        .matches("gauze \\d\\S* \\(Flink 2\\.\\S+, Kafka 4\\.\\S+, Java \\S+\\)\\R");
    assertThat(version.err()).isEmpty();
    assertThat(wrong.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(wrong.out()).isEmpty();
  }

  /** In a folder of its own, with a Java runtime, and without Maven. */
  @Test
  void theArchiveRunsWhereItIsUnpacked(@TempDir Path folder) throws Exception {
    Path packed = only(Path.of("..", "target"), "gauze-\\d.*\\.tar\\.gz").toAbsolutePath();
    Path unpacked = Files.createDirectory(folder.resolve("a folder"));
    command(folder, List.of("tar", "-xzf", packed.toString(), "-C", unpacked.toString()));
    Path root = only(unpacked, "gauze-\\d.*");
    String command = root.resolve("bin/gauze").toString();
    String config = root.resolve("examples/wine.yaml").toString();

    Result version = command(folder, List.of(command, "--version"));
    Result check = command(folder, List.of(command, "check", "--offline", "--config", config));

    assertThat(version.status()).isZero();
    assertThat(version.out()).startsWith("gauze ");
    assertThat(check.status()).as(check.err()).isZero();
    assertThat(check.out()).contains("stream      wine");
    for (String file :
        List.of(
            "LICENSE",
            "NOTICE",
            "licenses/README.md",
            "docs/quickstart.md",
            "python/pyproject.toml",
            "python/gauze/__init__.py",
            "python/gauze/py.typed")) {
      assertThat(root.resolve(file)).hasSameBinaryContentAs(Path.of("..", file));
    }
    assertThat(root.resolve("cluster/gauze-cluster.jar"))
        .hasSameBinaryContentAs(TARGET.resolve("gauze-cluster.jar"));
    assertThat(root.resolve("flink/gauze-flink-sql.jar"))
        .hasSameBinaryContentAs(Path.of("..", "flink-sql", "target", "gauze-flink-sql.jar"));
    assertThat(listed(root.resolve("licenses/gauze-sbom.cdx.json"))).isEqualTo(jars(root));
  }

  /** The jars that the bill of materials has, each with a licence. */
  private static Set<String> listed(Path bill) throws IOException {
    JsonNode all = JsonMapper.builder().build().readTree(Files.readAllBytes(bill));
    assertThat(all.path("bomFormat").asText()).isEqualTo("CycloneDX");
    assertThat(all.path("components"))
        .allSatisfy(one -> assertThat(one.path("licenses")).as(one.toString()).isNotEmpty());
    return StreamSupport.stream(all.path("components").spliterator(), false)
        .map(one -> one.path("name").asText() + "-" + one.path("version").asText() + ".jar")
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The jars of the archive's folder lib, but for the program itself. */
  private static Set<String> jars(Path root) throws IOException {
    try (Stream<Path> jars = Files.list(root.resolve("lib"))) {
      return jars.map(jar -> jar.getFileName().toString())
          .filter(jar -> jar.endsWith(".jar") && !jar.startsWith("flink-jobs-"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Path only(Path folder, String name) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found = files.filter(file -> file.getFileName().toString().matches(name)).toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }

  private static List<String> names() throws IOException {
    try (JarFile jar = new JarFile(CLUSTER_JAR.toFile())) {
      return jar.stream().map(ZipEntry::getName).filter(name -> !name.endsWith("/")).toList();
    }
  }

  private static Result run(Path folder, String... arguments) throws Exception {
    return command(folder, TestJava.jvm(arguments));
  }

  private static Result command(Path folder, List<String> command) throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("PATH", "/usr/bin:/bin");
    Process process = builder.start();
    assertThat(process.waitFor(60, SECONDS)).isTrue();
    return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}

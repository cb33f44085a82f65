package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus' and Compose's own tools say of the files of a deployment, where they are. */
final class DeploymentToolsTest {
  private static final Path DOCKER = Path.of("..", "docker");
  private static final Path RULES = DOCKER.resolve("prometheus/alerts.yml");
  private static final Path RULE_TESTS = Path.of("src", "test", "resources", "alerts-test.yml");

  @TempDir private Path folder;

  private record Outcome(int status, String output) {}

  @Test
  void prometheusTakesTheRules() throws Exception {
    promtool("check", "rules", RULES.toString());
  }

  @Test
  void prometheusTakesTheConfig() throws Exception {
    String config = DOCKER.resolve("prometheus/prometheus.yml").toString();
    promtool("check", "config", "--syntax-only", config);
  }

  @Test
  void alertsComeWhenTheyShould() throws Exception {
    promtool("test", "rules", RULE_TESTS.toString());
  }

  @Test
  void everyAlertIsTried() throws IOException {
    assertThat(alerts("- alert: ", RULES))
        .hasSizeGreaterThan(10)
        .isEqualTo(alerts("alertname: ", RULE_TESTS));
  }

  private static Set<String> alerts(String key, Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .map(String::strip)
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void promtool(String... arguments) throws Exception {
    assumeTrue(isInstalled("promtool"), "promtool is not installed");
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    assertDone(run(command));
  }

  @Test
  void composeTakesTheDeployment() throws Exception {
    Path file = DOCKER.resolve("compose.yaml");
    if (isInstalled("docker") && run(List.of("docker", "compose", "version")).status() == 0) {
      assertDone(run(List.of("docker", "compose", "-f", file.toString(), "config", "-q")));
      return;
    }
    assumeTrue(
        isInstalled("docker-compose"), "neither docker compose nor docker-compose is installed");
    assertDone(
        run(
            List.of(
                "docker-compose",
                "--project-directory",
                DOCKER.toString(),
                "-f",
                readable(file).toString(),
                "config",
                "-q")));
  }

  /**
   * Compose 1 refuses the key {@code name}, and no other one here. Users need it: else the project
   * would be called docker, as of any other folder of that name, and share its volumes.
   */
  private Path readable(Path file) throws Exception {
    if (!run(List.of("docker-compose", "version", "--short")).output().startsWith("1.")) {
      return file;
    }
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    assertThat(lines.remove("name: gauze")).isTrue();
    return Files.write(folder.resolve("compose.yaml"), lines);
  }

  private static void assertDone(Outcome outcome) {
    assertThat(outcome.status()).as(outcome.output()).isZero();
  }

  private static boolean isInstalled(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator, -1))
        .filter(each -> !each.isEmpty())
        .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
  }

  private Outcome run(List<String> command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    process.getOutputStream().close();
    return new Outcome(process.waitFor(), Files.readString(output));
  }
}

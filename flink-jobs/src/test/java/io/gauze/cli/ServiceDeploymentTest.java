package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.Main;
import io.gauze.http.ServiceSettings.Listen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files that deploy the HTTP service fit each other and the program. */
final class ServiceDeploymentTest {
  private static final Path DOCKER = Path.of("..", "docker");
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Pattern METRIC =
      Pattern.compile("\\bgauze_(?:http|fits|releases|event)\\w*");
  private static final Pattern NAMED = Pattern.compile("\"(gauze_\\w+)\"");
  private static final String PORT = Integer.toString(Listen.USUAL.port());

  private static String text(String file) throws IOException {
    return Files.readString(DOCKER.resolve(file));
  }

  private static JsonNode yaml(String file) throws IOException {
    List<Object> documents = new ArrayList<>();
    new Load(LoadSettings.builder().build()).loadAllFromString(text(file)).forEach(documents::add);
    return JSON.valueToTree(documents);
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  private static JsonNode compose() throws IOException {
    return yaml("compose.yaml").at("/0/services/serve");
  }

  private static JsonNode pod() throws IOException {
    return yaml("kubernetes/serve.yaml").at("/0/spec/template/spec");
  }

  @Test
  void theCommandIsUnderstoodAndAsksForTheToken() throws IOException {
    List<String> compose = texts(compose().path("command"));
    List<String> kubernetes = texts(pod().at("/containers/0/args"));

    compose.replaceAll(word -> word.replace("$$", "$")); // what Compose makes of it
    assertThat(compose)
        .isEqualTo(kubernetes)
        .containsSequence("--token", "${file:/run/secrets/service_token}")
        .containsSequence("--listen", "0.0.0.0:" + PORT);
    assertThatCode(() -> Main.commandLine().parseArgs(compose.toArray(new String[0])))
        .doesNotThrowAnyException();
    assertThat(texts(compose().path("secrets"))).contains("service_token", "kafka_password");
    assertThat(texts(compose().path("ports"))).containsExactly("127.0.0.1:" + PORT + ":" + PORT);
    assertThat(compose().path("volumes").get(0).asText())
        .endsWith(":" + compose.get(compose.indexOf("--config") + 1) + ":ro");
  }

  @Test
  void nobodyIsRootAndNothingIsWritten() throws IOException {
    assertThat(text("Dockerfile.serve"))
        .contains("\nUSER 10001:10001\n", "\nEXPOSE " + PORT + "\n");
    assertThat(compose().path("read_only").asBoolean()).isTrue();
    assertThat(texts(compose().path("cap_drop"))).containsExactly("ALL");
    JsonNode pod = pod();
    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod.at("/securityContext/runAsUser").asInt()).isEqualTo(10001);
    JsonNode container = pod.at("/containers/0/securityContext");
    assertThat(container.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(container.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
  }

  @Test
  void healthIsAskedForWhereItIsToldWithoutAToken() throws IOException {
    JsonNode container = pod().at("/containers/0");
    assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/healthz");
    assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/readyz");
    assertThat(container.at("/ports/0/containerPort").asText()).isEqualTo(PORT);
    assertThat(yaml("kubernetes/serve.yaml").at("/1/spec/ports/0/port").asText()).isEqualTo(PORT);
    for (String check :
        List.of(
            compose().at("/healthcheck/test/3").asText(),
            text("Dockerfile.serve").replace("\\\\", "\\"))) {
      assertThat(check)
          .contains("/dev/tcp/localhost/" + PORT, "GET /healthz HTTP/1.0\\r\\n\\r\\n", "grep -q");
    }
    String image = container.path("image").asText();
    assertThat(compose().path("image").asText()).isEqualTo(image);
    assertThat(text("Dockerfile.serve")).contains("-t " + image + " ", Main.class.getName());
    assertThat(DOCKER.resolve("..").resolve(compose().at("/build/dockerfile").asText())).exists();
  }

  @Test
  void prometheusHasTheTokenAndTheDashboardShowsWhatIsMeasured() throws IOException {
    JsonNode scraped = yaml("prometheus/prometheus.yml").at("/0/scrape_configs/1");
    assertThat(scraped.at("/static_configs/0/targets/0").asText()).isEqualTo("serve:" + PORT);
    String secret =
        "/run/secrets/" + yaml("compose.yaml").at("/0/services/prometheus/secrets/0").asText();
    assertThat(scraped.at("/authorization/credentials_file").asText()).isEqualTo(secret);

    Set<String> shown = new TreeSet<>();
    METRIC
        .matcher(text("grafana/dashboards/gauze.json"))
        .results()
        .map(MatchResult::group)
        .forEach(name -> shown.add(name.replaceFirst("_(bucket|sum|count)$", "")));
    assertThat(shown).hasSizeGreaterThan(5).isSubsetOf(measured());
  }

  private static Set<String> measured() throws IOException {
    Path sources = Path.of("..", "service", "src", "main", "java", "io", "gauze", "http");
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        all.append(Files.readString(file));
      }
    }
    return NAMED
        .matcher(all)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What Kustomize changes in a FlinkDeployment is there, in some element of each list. */
  @Test
  void theBaseForKustomizeNamesWhatIsThere() throws IOException {
    JsonNode base = yaml("kubernetes/kustomization.yaml").get(0);
    for (String list : List.of("resources", "configurations")) {
      assertThat(texts(base.path(list)))
          .isNotEmpty()
          .allMatch(file -> Files.exists(DOCKER.resolve("kubernetes").resolve(file)));
    }
    JsonNode documents = yaml("kubernetes/gauze.yaml");
    JsonNode deployment = documents.get(documents.size() - 1);
    List<JsonNode> fields = yaml("kubernetes/flink-deployment.yaml").findValues("path");
    assertThat(fields).hasSize(4);
    for (JsonNode field : fields) {
      assertThat(at(deployment, List.of(field.asText().split("/", -1))))
          .as(field.asText())
          .isNotEmpty();
    }
  }

  private static List<JsonNode> at(JsonNode node, List<String> path) {
    if (node.isArray()) {
      List<JsonNode> found = new ArrayList<>();
      node.forEach(each -> found.addAll(at(each, path)));
      return found;
    }
    if (path.isEmpty()) {
      return List.of(node);
    }
    JsonNode next = node.path(path.get(0));
    return next.isMissingNode() ? List.of() : at(next, path.subList(1, path.size()));
  }
}

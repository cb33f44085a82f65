package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.Main;
import io.gauze.config.StreamConfig;
import io.gauze.job.SketchJob;
import io.gauze.testing.MarkdownPage;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.reporter.MetricReporterFactory;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The files of a deployment fit each other, the program and the documentation, without a container
 * engine; {@link ContainersIT} has one.
 */
final class DeploymentFilesTest {
  private static final Path DOCKER = Path.of("..", "docker");
  private static final Pattern MEASURED = Pattern.compile("(?:counter|gauge)\\(\\s*\"(\\w+)\"");

  /** The reporter joins scopes by underscores, and a group with a key keeps the key only. */
  private static final Pattern REPORTED =
      Pattern.compile("flink_taskmanager_job_task_operator_gauze_(?:column_)?(\\w+)");

  /** Sizes, addresses and folders, which differ from one deployment to the next. */
  private static final Set<String> OF_ONE_DEPLOYMENT =
      Set.of(
          "execution.checkpointing.dir",
          "execution.checkpointing.savepoint-dir",
          "high-availability.storageDir",
          "high-availability.type",
          "jobmanager.rpc.address",
          "metrics.reporter.prometheus.factory.class",
          "metrics.reporter.prometheus.port",
          "parallelism.default",
          "rest.address",
          "taskmanager.memory.process.size",
          "taskmanager.numberOfTaskSlots");

  private static final String REPORTER = "metrics.reporter.prometheus.factory.class";
  private static final String REPORTER_PORT = "metrics.reporter.prometheus.port";

  @Test
  void theStreamReachesTheBrokerAndTheSecret() throws Exception {
    StreamConfig stream = StreamConfig.read(DOCKER.resolve("stream.yaml"));
    Properties broker = broker();
    Map<String, Object> services = map(compose().get("services"));
    String address = stream.kafka().requireBootstrap();

    assertThat(broker.getProperty("advertised.listeners")).isEqualTo("CLIENTS://" + address);
    assertThat(broker.getProperty("listener.security.protocol.map"))
        .contains("CLIENTS:" + stream.kafka().properties().get("security.protocol"));
    assertThat(services).containsKeys(host(address), stream.flink().get("rest.address"));
    assertThat(stream.kafka().properties().get("sasl.jaas.config"))
        .contains("password=\"${file:/run/secrets/kafka_password}\"");
    assertThat(broker.getProperty("listener.name.clients.plain.sasl.jaas.config"))
        .contains("password=\"${dir:/run/secrets:kafka_password}\"");
    for (String service : List.of("kafka", "jobmanager", "taskmanager", "sketches", "solver")) {
      assertThat(list(map(services.get(service)).get("secrets"))).contains("kafka_password");
    }
    assertThat(map(compose().get("secrets"))).containsKey("kafka_password");
    assertThat(broker.getProperty("log.dirs")).isEqualTo(mounts(services, "kafka").get("kafka"));
  }

  @Test
  void whatIsMountedOrCopiedIsThere() throws IOException {
    Map<String, Object> services = map(compose().get("services"));
    Set<String> volumes = map(compose().get("volumes")).keySet();
    for (String service : services.keySet()) {
      for (String source : mounts(services, service).keySet()) {
        boolean folder = source.startsWith("./");
        assertThat(folder ? Files.exists(DOCKER.resolve(source)) : volumes.contains(source))
            .as("%s of %s", source, service)
            .isTrue();
      }
    }
    String dockerfile = text("Dockerfile");
    String jar = "/opt/flink/usrlib/gauze-cluster.jar";
    assertThat(dockerfile)
        .contains("ARG JAR=flink-jobs/target/gauze-cluster.jar", "${JAR} " + jar)
        .contains("docker/submit /opt/gauze/submit");
    assertThat(Files.readString(Path.of("pom.xml")))
        .contains("<outputFile>${project.build.directory}/gauze-cluster.jar</outputFile>");
    assertThat(text("submit")).contains("jar=" + jar);
    assertThat(map(deployment().get("job"))).containsEntry("jarURI", "local://" + jar);
    assertThat(DOCKER.resolve("submit")).isExecutable();
  }

  /** Kubernetes mounts the token of the service account there: /var/run is a link to /run. */
  @Test
  void nothingIsMountedOverWhatKubernetesMounts() throws Exception {
    JsonNode container = tree(deployment()).at("/podTemplate/spec/containers/0");
    Map<Path, JsonNode> mounts = new LinkedHashMap<>();
    container.path("volumeMounts").forEach(m -> mounts.put(inRun(m.path("mountPath")), m));
    Path token = Path.of("/run/secrets/kubernetes.io/serviceaccount");
    assertThat(mounts).isNotEmpty();
    assertThat(mounts.keySet()).noneMatch(token::startsWith).noneMatch(m -> m.startsWith(token));

    String jaas =
        StreamConfig.read(DOCKER.resolve("stream.yaml"))
            .kafka()
            .properties()
            .get("sasl.jaas.config");
    MatchResult password =
        Pattern.compile("\\$\\{file:(.+)}").matcher(jaas).results().findFirst().orElseThrow();
    JsonNode secret = mounts.get(Path.of(password.group(1)));
    assertThat(secret.path("name").asText()).isEqualTo("kafka");
    assertThat(text("kubernetes/gauze.yaml"))
        .contains("secret generic gauze-kafka --from-literal=" + secret.path("subPath").asText())
        .contains("secret: {secretName: gauze-kafka}");
  }

  private static Path inRun(JsonNode mountPath) {
    return Path.of(mountPath.asText().replaceFirst("^/var/run(?=/|$)", "/run")).normalize();
  }

  @Test
  void imagesAreOfTheVersionsThatAreTested() throws IOException {
    assertThat(text("Dockerfile"))
        .contains("ARG FLINK=flink:" + EnvironmentInformation.getVersion() + "-java17");
    assertThat(map(map(compose().get("services")).get("kafka")))
        .containsEntry("image", "apache/kafka:" + AppInfoParser.getVersion());
    String image = map(map(compose().get("services")).get("jobmanager")).get("image").toString();
    assertThat(deployment()).containsEntry("image", image);
    String[] flink = EnvironmentInformation.getVersion().split("\\.", -1);
    assertThat(deployment()).containsEntry("flinkVersion", "v" + flink[0] + "_" + flink[1]);
    assertThat(text("Dockerfile.serve"))
        .containsPattern("ARG JAVA=\\S+:17\\.\\d+\\.\\d+_\\d+-jre-\\S+\n");
  }

  /** A slow machine takes minutes to start. */
  @Test
  void healthChecksWaitForSlowMachines() {
    map(compose().get("services"))
        .forEach(
            (name, service) -> {
              if (map(service).get("healthcheck") instanceof Map<?, ?> check) {
                assertThat(map(check)).as(name).containsEntry("start_period", "10m");
              }
              assertThat(tree(service).at("/deploy/resources/limits/memory").isTextual())
                  .as("limit of " + name)
                  .isTrue();
            });
  }

  @Test
  void jobsAreStartedWithVerbsThatThereAre() throws IOException {
    Set<String> verbs = new TreeSet<>(Main.commandLine().getSubcommands().keySet());
    Map<String, Object> services = map(compose().get("services"));
    for (String service : List.of("sketches", "solver")) {
      List<Object> command = list(map(services.get(service)).get("command"));
      assertThat(command.get(0)).isEqualTo("/opt/gauze/submit");
      assertThat(verbs).contains(command.get(1).toString());
      assertThat(mounts(services, service))
          .containsEntry("./stream.yaml", command.get(2).toString());
    }
    Map<String, Object> job = map(deployment().get("job"));
    assertThat(job).containsEntry("entryClass", Main.class.getName());
    assertThat(job).containsEntry("upgradeMode", "savepoint");
    assertThat(verbs).contains(list(job.get("args")).get(0).toString());
  }

  @Test
  void flinksSettingsKeepTheProtocolAndReportMetrics() throws Exception {
    Map<String, String> compose = flinkProperties("jobmanager");
    assertThat(flinkProperties("taskmanager")).isEqualTo(compose);
    Map<String, String> kubernetes = texts(map(deployment().get("flinkConfiguration")));
    String port = compose.get(REPORTER_PORT);
    for (Map<String, String> settings : List.of(compose, kubernetes)) {
      Configuration checked = SketchJob.configuration(Configuration.fromMap(settings));
      assertThat(checked.toMap()).containsAllEntriesOf(settings);
      Class<?> factory = Class.forName(settings.get(REPORTER));
      assertThat(MetricReporterFactory.class).isAssignableFrom(factory);
      assertThat(settings).containsEntry(REPORTER_PORT, port);
      for (String key : List.of("heartbeat.interval", "heartbeat.timeout")) {
        assertThat(settings).containsEntry(key, compose.get(key));
      }
    }
    JsonNode scraped =
        tree(load("prometheus/prometheus.yml")).at("/scrape_configs/0/dns_sd_configs/0");
    assertThat(scraped.path("port").asText()).isEqualTo(port);
    Set<String> services = map(compose().get("services")).keySet();
    scraped.path("names").forEach(name -> assertThat(services).contains(name.asText()));
    assertThat(
            tree(deployment()).at("/podTemplate/spec/containers/0/ports/0/containerPort").asText())
        .isEqualTo(port);
  }

  /** Both ways: the page recommends what the files set, but for what is of one deployment. */
  @Test
  void flinksSettingsAreThoseThatThePageRecommends() throws Exception {
    MarkdownPage section = MarkdownPage.ofOperations("deploy").section("Flink's settings");
    Map<String, String> recommended = new LinkedHashMap<>();
    for (String code : MarkdownPage.codes(section.rows().toString())) {
      String[] entry = code.split(": ", 2);
      recommended.put(entry[0], entry[1]);
    }
    Map<String, String> compose = new LinkedHashMap<>(flinkProperties("jobmanager"));
    Pattern.compile("-D ([\\w.-]+)=(\\w+)\\)?$", Pattern.MULTILINE)
        .matcher(text("submit"))
        .results()
        .forEach(given -> compose.put(given.group(1), given.group(2)));
    Map<String, String> kubernetes = texts(map(deployment().get("flinkConfiguration")));
    for (Map<String, String> settings : List.of(compose, kubernetes)) {
      assertThat(settings).containsAllEntriesOf(recommended);
      assertThat(settings.keySet())
          .filteredOn(key -> !recommended.containsKey(key) && !section.text().contains("`" + key))
          .isSubsetOf(OF_ONE_DEPLOYMENT);
    }
  }

  @Test
  void portsAreThoseOfThePage() throws IOException {
    List<String> opened = new ArrayList<>();
    for (Object service : map(compose().get("services")).values()) {
      for (Object port : list(map(service).getOrDefault("ports", List.of()))) {
        opened.add(port.toString());
      }
    }
    Set<String> listed =
        matches(
            Pattern.compile("\\b(\\d{4})\\b"),
            MarkdownPage.ofOperations("deploy")
                .section("With containers")
                .text()
                .replaceAll("(?m)^    .*$", ""));
    assertThat(listed.stream().map(port -> "127.0.0.1:" + port + ":" + port))
        .containsExactlyInAnyOrderElementsOf(opened);
  }

  @Test
  void secretsAreThoseOfThePage() throws IOException {
    String secrets = MarkdownPage.ofOperations("security").section("Secrets").text();
    assertThat(map(compose().get("secrets")).keySet())
        .allSatisfy(secret -> assertThat(secrets).contains("`" + secret + "`"));
  }

  @Test
  void whatIsShownAndAlertedOnIsMeasured() throws IOException {
    String dashboard = text("grafana/dashboards/gauze.json");
    JsonNode source =
        tree(load("grafana/provisioning/datasources/prometheus.yaml")).at("/datasources/0");
    JsonMapper.builder()
        .build()
        .readTree(dashboard)
        .findValues("datasource")
        .forEach(used -> assertThat(used.path("uid")).isEqualTo(source.path("uid")));
    assertThat(map(compose().get("services"))).containsKey(host(source.path("url").asText()));

    Set<String> measured = matches(MEASURED, sources());
    assertThat(measured).hasSizeGreaterThan(20);
    assertThat(matches(REPORTED, dashboard)).isEqualTo(measured);
    Map<String, String> described = described();
    assertThat(described.keySet()).containsExactlyInAnyOrderElementsOf(measured);
    Set<String> alerted = new TreeSet<>(measured);
    alerted.removeIf(metric -> described.get(metric).equals("no"));
    assertThat(matches(REPORTED, text("prometheus/alerts.yml"))).isEqualTo(alerted);
  }

  /** Whoever is called by an alert finds it in the runbook, and its metric in the other page. */
  @Test
  void everyAlertIsInTheRunbookAndBesideItsMetrics() throws IOException {
    Map<String, String> expressions = new LinkedHashMap<>();
    rules()
        .forEach(rule -> expressions.put(rule.path("alert").asText(), rule.path("expr").asText()));

    List<String> explained =
        MarkdownPage.ofOperations("runbook").section("Alerts").rows().stream()
            .flatMap(cells -> MarkdownPage.codes(cells.get(0)).stream())
            .toList();
    assertThat(explained).containsExactlyInAnyOrderElementsOf(expressions.keySet());

    Map<String, String> beside = new LinkedHashMap<>(described());
    for (List<String> cells : MarkdownPage.ofOperations("monitor").section("Flink").rows()) {
      beside.put(MarkdownPage.codes(cells.get(0)).get(0), cells.get(1));
    }
    Set<String> named = new TreeSet<>();
    beside.forEach(
        (metric, cell) -> {
          for (String alert : MarkdownPage.codes(cell)) {
            named.add(alert);
            assertThat(expressions.get(alert))
                .as(alert)
                .containsPattern("(_|\\b)" + metric + "\\b");
          }
        });
    assertThat(named).isEqualTo(expressions.keySet());
  }

  /** What the documentation says of the jobs' own metrics: each with its alerts, or "no". */
  private static Map<String, String> described() throws IOException {
    Map<String, String> alerts = new LinkedHashMap<>();
    for (String part : List.of("Releases", "Rows", "Memory", "Solver")) {
      for (List<String> cells : MarkdownPage.ofOperations("monitor").section(part).rows()) {
        for (String metric : MarkdownPage.codes(cells.get(0))) {
          assertThat(alerts.put(metric, cells.get(2))).as("%s is there once", metric).isNull();
        }
      }
    }
    return alerts;
  }

  private static Stream<JsonNode> rules() {
    return StreamSupport.stream(
        tree(load("prometheus/alerts.yml")).at("/groups/0/rules").spliterator(), false);
  }

  private static Set<String> matches(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult result) -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String sources() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(DeploymentFilesTest::read)
          .collect(Collectors.joining());
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(String file) {
    return read(DOCKER.resolve(file));
  }

  private static Map<String, Object> compose() {
    return map(load("compose.yaml"));
  }

  /** The spec of the FlinkDeployment, which comes after what it needs. */
  private static Map<String, Object> deployment() {
    List<Object> documents = new ArrayList<>();
    new Load(LoadSettings.builder().build())
        .loadAllFromString(text("kubernetes/gauze.yaml"))
        .forEach(documents::add);
    Map<String, Object> last = map(documents.get(documents.size() - 1));
    assertThat(last).containsEntry("kind", "FlinkDeployment");
    return map(last.get("spec"));
  }

  private static Properties broker() throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(DOCKER.resolve("kafka/server.properties"))) {
      properties.load(reader);
    }
    return properties;
  }

  private static Map<String, String> flinkProperties(String service) {
    Map<String, Object> environment =
        map(map(map(compose().get("services")).get(service)).get("environment"));
    return texts(
        map(
            new Load(LoadSettings.builder().build())
                .loadFromString(environment.get("FLINK_PROPERTIES").toString())));
  }

  /** Source to target. */
  private static Map<String, String> mounts(Map<String, Object> services, String service) {
    Map<String, String> mounts = new LinkedHashMap<>();
    for (Object mount : list(map(services.get(service)).getOrDefault("volumes", List.of()))) {
      String[] parts = mount.toString().split(":", -1);
      mounts.put(parts[0], parts[1]);
    }
    return mounts;
  }

  private static String host(String address) {
    return address.replaceFirst("^https?://", "").replaceFirst(":.*", "");
  }

  private static Object load(String file) {
    return new Load(LoadSettings.builder().build()).loadFromString(text(file));
  }

  private static JsonNode tree(Object value) {
    return JsonMapper.builder().build().valueToTree(value);
  }

  private static Map<String, String> texts(Map<String, Object> map) {
    Map<String, String> texts = new LinkedHashMap<>();
    map.forEach((key, value) -> texts.put(key, value.toString()));
    return texts;
  }

  private static List<Object> list(Object value) {
    return new ArrayList<>((List<?>) value);
  }

  /** With what {@code <<} brings, which its own keys replace. */
  private static Map<String, Object> map(Object value) {
    Map<String, Object> all = new LinkedHashMap<>();
    Map<?, ?> own = (Map<?, ?>) value;
    if (own.get("<<") instanceof Map<?, ?> merged) {
      merged.forEach((key, each) -> all.put(key.toString(), each));
    }
    own.forEach((key, each) -> all.put(key.toString(), each));
    all.remove("<<");
    return all;
  }
}

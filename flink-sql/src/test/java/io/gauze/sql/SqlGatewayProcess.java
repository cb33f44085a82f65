package io.gauze.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Flink's SQL gateway in a process of its own, with nothing but Flink on its class path: whatever
 * else a statement needs must be in a jar that it adds.
 */
final class SqlGatewayProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Flink, and what Flink's distribution has inside. */
  private static final Pattern FLINKS =
      Pattern.compile(
          "(flink-(?!(sql-)?connector-kafka).*|commons-(cli|collections|compress|io|lang3|math3|text)"
              + "-.*|(kryo|reflectasm|objenesis|minlog|slf4j-api|log4j-.*|snakeyaml-engine|icu4j"
              + "|RoaringBitmap|javassist|snappy-java|lz4-java|jsr305)-[\\d.].*)\\.jar");

  private final HttpClient client = HttpClient.newHttpClient();
  private final JsonMapper json = new JsonMapper();
  private final Process process;
  private final String address;
  private final Path log;
  private final String session;

  private SqlGatewayProcess(Process process, String address, Path log) throws Exception {
    this.process = process;
    this.address = address;
    this.log = log;
    this.session = awaitSession();
  }

  /**
   * Starts a gateway.
   *
   * @param folder where it keeps its files
   * @param lib the jars that stand in Flink's folder lib besides Flink's own
   */
  static SqlGatewayProcess start(Path folder, Path... lib) throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Files.writeString(
        folder.resolve("config.yaml"),
        """
        execution.target: local
        parallelism.default: 1
        table.exec.resource.default-parallelism: 1
        taskmanager.numberOfTaskSlots: 2
        taskmanager.memory.managed.size: 64mb
        pekko.ask.timeout: 60 s
        table.dml-sync: true
        """);
    Path log = folder.resolve("gateway.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "-cp",
            classPath(lib),
            "org.apache.flink.table.gateway.SqlGateway",
            "-Dsql-gateway.endpoint.rest.address=127.0.0.1",
            "-Dsql-gateway.endpoint.rest.port=" + port);
    builder.environment().put("FLINK_CONF_DIR", folder.toString());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .directory(folder.toFile())
            .start();
    return new SqlGatewayProcess(process, "http://127.0.0.1:" + port, log);
  }

  private static String classPath(Path... lib) {
    Stream<String> flink =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> FLINKS.matcher(Path.of(entry).getFileName().toString()).matches())
            .filter(entry -> !entry.endsWith("-tests.jar"));
    return Stream.concat(flink, Arrays.stream(lib).map(Path::toString))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private String awaitSession() throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return post("/v2/sessions", JsonNodeFactory.instance.objectNode())
            .path("sessionHandle")
            .asText();
      } catch (ConnectException e) {
        assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
        assertThat(System.nanoTime()).as(Files.readString(log)).isLessThan(end);
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
    }
  }

  /**
   * Runs a statement, and returns its rows as arrays.
   *
   * @param enough after how many rows a query that never ends is closed
   */
  List<JsonNode> run(String statement, int enough) throws Exception {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("statement", statement);
    String operation =
        "/v2/sessions/"
            + session
            + "/operations/"
            + post("/v2/sessions/" + session + "/statements", body)
                .path("operationHandle")
                .asText();
    List<JsonNode> rows = new ArrayList<>();
    String next = operation + "/result/0?rowFormat=JSON";
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!next.isEmpty()) {
      assertThat(System.nanoTime()).as(statement).isLessThan(end);
      JsonNode answer = send(request(next).GET().build());
      for (JsonNode row : answer.path("results").path("data")) {
        rows.add(row.path("fields"));
      }
      if (rows.size() >= enough) {
        send(request(operation + "/close").DELETE().build()); // ends the job
        return rows;
      }
      next = answer.path("nextResultUri").asText("").replaceFirst("^/v\\d", "/v2");
      if (answer.path("results").path("data").isEmpty()) {
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      }
    }
    return rows;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path)).timeout(PATIENCE);
  }

  private JsonNode post(String path, ObjectNode body) throws Exception {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build());
  }

  private JsonNode send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body().replace("\\n", "\n")).isEqualTo(200);
    return json.readTree(response.body());
  }

  @Override
  public void close() throws Exception {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}

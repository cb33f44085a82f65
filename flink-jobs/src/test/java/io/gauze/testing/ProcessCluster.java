package io.gauze.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real broker and a real Flink cluster, each part a process of its own, as the script {@code
 * cluster/gauze-cluster} starts them. All of them end with {@link #close}, or with this JVM.
 */
public final class ProcessCluster implements AutoCloseable {
  /** How long a test waits for what must come; only a broken test waits so long. */
  public static final long PATIENCE_SECONDS = 180;

  /** More than the script itself waits for the parts of a cluster. */
  private static final long PROCESS_MINUTES = 10;

  private static final long PAUSE_NANOS = 100_000_000;
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** The script that does it. */
  public static final Path SCRIPT =
      Path.of("..", "cluster", "gauze-cluster").toAbsolutePath().normalize();

  /** The jar that users submit. */
  public static final Path JAR = Path.of("target", "gauze-cluster.jar").toAbsolutePath();

  /** What a command printed and how it ended. */
  public record Outcome(int status, String out, String err) {}

  private final Path folder;
  private final Map<String, String> environment;
  private final Thread atExit = new Thread(this::end);
  private Map<String, String> facts = Map.of();
  private String[] start = {};

  private ProcessCluster(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = environment;
  }

  /**
   * Starts the broker, the job manager and task managers with one slot each, and returns when they
   * know each other.
   *
   * @param environment variables of every process
   * @param more options of the script's start
   */
  public static ProcessCluster start(
      Path folder, int taskManagers, Map<String, String> environment, String... more) {
    ProcessCluster cluster = new ProcessCluster(folder.toAbsolutePath(), environment);
    Runtime.getRuntime().addShutdownHook(cluster.atExit);
    try {
      List<String> start = new ArrayList<>(List.of("start", "--slots", "1", "--taskmanagers"));
      start.add(Integer.toString(taskManagers));
      start.addAll(List.of(more));
      cluster.start = start.toArray(new String[0]);
      cluster.startAgain();
      cluster.facts = properties(cluster.must("status"));
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /** Starts what does not run, and returns when the task managers are known. */
  public void startAgain() {
    must(start);
  }

  /** The pid of the broker, {@code kafka}, of {@code jobmanager}, or of the one that stands by. */
  public long pid(String part) {
    try {
      return Long.parseLong(Files.readString(folder.resolve("run").resolve(part + ".pid")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The broker's address. */
  public String bootstrap() {
    return facts.get("bootstrap");
  }

  /** The job manager's address: http://host:port. */
  public String rest() {
    return facts.get("rest");
  }

  /** Where data, config and logs are. */
  public Path folder() {
    return folder;
  }

  /** Runs a verb of the script, which must end well, and returns what it printed. */
  public String must(String... arguments) {
    Outcome outcome = script(List.of(arguments));
    if (outcome.status() != 0) {
      throw new AssertionError(String.join(" ", arguments) + ": " + outcome);
    }
    return outcome.out();
  }

  /** Runs Flink's command line. */
  public Outcome flink(String... arguments) {
    List<String> all = new ArrayList<>(List.of("flink"));
    all.addAll(List.of(arguments));
    return script(all);
  }

  /** Submits the sketch job of the configs, as users do. */
  public Outcome submit(List<String> options, Path... configs) {
    List<String> arguments = new ArrayList<>(List.of("run", "-d"));
    arguments.addAll(options);
    arguments.addAll(List.of(JAR.toString(), "run"));
    for (Path config : configs) {
      arguments.addAll(List.of("--config", config.toString()));
    }
    return flink(arguments.toArray(new String[0]));
  }

  /** The pids of the task managers that run, by name. */
  public Map<String, Long> taskManagers() {
    try (Stream<Path> files = Files.list(folder.resolve("run"))) {
      Map<String, Long> pids = new TreeMap<>();
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("task")).toList()) {
        String text = Files.readString(file, UTF_8).strip();
        if (!text.isEmpty() && isAlive(Long.parseLong(text))) {
          pids.put(file.getFileName().toString().replace(".pid", ""), Long.parseLong(text));
        }
      }
      return pids;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGKILL: nothing in the process can react to it. */
  public static void kill(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    await("the end of process " + pid, () -> !isAlive(pid));
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  /** What the job manager answers under {@code path}. */
  public JsonNode get(String path) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(rest() + path))
              .timeout(Duration.ofSeconds(PATIENCE_SECONDS))
              .build();
      return JSON.readTree(HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Whether a subtask of the job runs on the task manager of that name. */
  public boolean runsOn(String job, String taskManager) {
    for (JsonNode vertex : get("/jobs/" + job).path("vertices")) {
      JsonNode details = get("/jobs/" + job + "/vertices/" + vertex.path("id").asText());
      for (JsonNode subtask : details.path("subtasks")) {
        if (subtask.path("taskmanager-id").asText().startsWith(taskManager + "-")) {
          return true;
        }
      }
    }
    return false;
  }

  /** How many subtasks the job's operators have, each number once. */
  public Set<Integer> parallelism(String job) {
    Set<Integer> found = new TreeSet<>();
    get("/jobs/" + job)
        .path("vertices")
        .forEach(vertex -> found.add(vertex.path("parallelism").asInt()));
    return found;
  }

  /** The id of the one running job of that name, or empty. */
  public Optional<String> runningJob(String name) {
    for (JsonNode job : get("/jobs/overview").path("jobs")) {
      if (job.path("name").asText().equals(name) && job.path("state").asText().equals("RUNNING")) {
        return Optional.of(job.path("jid").asText());
      }
    }
    return Optional.empty();
  }

  /**
   * Returns when {@code condition} holds.
   *
   * @throws AssertionError if it does not within {@link #PATIENCE_SECONDS}
   */
  public static void await(String what, BooleanSupplier condition) {
    await(() -> what, condition);
  }

  /** As {@link #await(String, BooleanSupplier)}, with a text that tells how far it came. */
  public static void await(Supplier<String> what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("waited in vain for " + what.get());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private Outcome script(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(SCRIPT.toString());
    command.addAll(arguments.subList(0, 1));
    command.addAll(List.of("--dir", folder.toString()));
    command.addAll(arguments.subList(1, arguments.size()));
    try {
      Path out = Files.createTempFile("gauze-cluster", ".out");
      Path err = Files.createTempFile("gauze-cluster", ".err");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      builder.environment().put("GAUZE_CLUSTER_JAVA_OPTS", String.join(" ", TestJava.QUICK_START));
      builder.environment().putAll(environment);
      int status = statusOf(builder.start());
      Outcome outcome = new Outcome(status, Files.readString(out), Files.readString(err));
      Files.delete(out);
      Files.delete(err);
      return outcome;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns how a process ends.
   *
   * @throws AssertionError if it does not within 10 minutes; then it is killed, and what it started
   */
  public static int statusOf(Process process) throws InterruptedException {
    if (process.waitFor(PROCESS_MINUTES, TimeUnit.MINUTES)) {
      return process.exitValue();
    }
    String command = process.info().commandLine().orElse("a process");
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    throw new AssertionError(command + " did not end within " + PROCESS_MINUTES + " minutes");
  }

  private static Map<String, String> properties(String text) {
    return text.lines()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }

  @Override
  public void close() {
    end();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }

  private void end() {
    script(List.of("stop"));
  }
}

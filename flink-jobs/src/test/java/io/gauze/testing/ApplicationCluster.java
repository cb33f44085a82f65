package io.gauze.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.flink.client.deployment.application.ApplicationClusterEntryPoint;
import org.apache.flink.client.program.PackagedProgram;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.runtime.entrypoint.ClusterEntrypoint;
import org.apache.flink.runtime.resourcemanager.StandaloneResourceManagerFactory;

/**
 * A Flink cluster in application mode: a job manager in a process of its own that runs a verb of
 * the cluster jar, and task managers with one slot each.
 */
public final class ApplicationCluster implements AutoCloseable {
  private static final String LOG =
      """
      rootLogger.level = INFO
      rootLogger.appenderRef.console.ref = console
      appender.console.name = console
      appender.console.type = CONSOLE
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{HH:mm:ss.SSS} %-5p %c{1} - %m%n%ex{20}
      """;

  private final Path folder;
  private final List<Process> processes = new ArrayList<>(); // the job manager first

  private ApplicationCluster(Path folder) {
    this.folder = folder;
  }

  /**
   * Starts all parts.
   *
   * @param folder config, state and logs
   * @param arguments of the cluster jar
   */
  public static ApplicationCluster start(Path folder, int taskManagers, String... arguments)
      throws IOException {
    ApplicationCluster cluster = new ApplicationCluster(Files.createDirectories(folder));
    Files.writeString(folder.resolve("config.yaml"), cluster.config(freePort()));
    Files.writeString(folder.resolve("log4j.properties"), LOG);
    List<String> all = new ArrayList<>(List.of(folder.toString()));
    all.addAll(List.of(arguments));
    cluster.launch("jobmanager", JobManager.class.getName(), all);
    for (int i = 0; i < taskManagers; i++) {
      cluster.launch(
          "taskmanager-" + i,
          "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
          List.of("--configDir", folder.toString()));
    }
    return cluster;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private String config(int port) {
    return String.format(
        Locale.ROOT,
        """
        rest: {address: 127.0.0.1, bind-address: 127.0.0.1, bind-port: 0}
        jobmanager:
          rpc: {address: 127.0.0.1, port: %d}
          bind-host: 127.0.0.1
        taskmanager:
          host: 127.0.0.1
          bind-host: 127.0.0.1
          numberOfTaskSlots: 1
          cpu: {cores: 1}
          memory:
            task: {heap: {size: 256m}, off-heap: {size: 64m}}
            framework: {heap: {size: 128m}, off-heap: {size: 64m}}
            network: {min: 48m, max: 48m}
            managed: {size: 0m}
            jvm-metaspace: {size: 192m}
            jvm-overhead: {min: 64m, max: 64m}
        state: {backend: {type: hashmap}}
        execution:
          checkpointing:
            dir: %s
            unaligned: {enabled: false}
        restart-strategy: {type: exponential-delay}
        """,
        port,
        folder.resolve("checkpoints").toUri());
  }

  private void launch(String name, String main, List<String> arguments) throws IOException {
    Path lib = Path.of("..", "cluster", "target", "flink").toAbsolutePath().normalize();
    Path tests = Path.of("target", "test-classes").toAbsolutePath();
    List<String> command =
        TestJava.jvm(
            "-Xmx384m",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "-Dlog4j.configurationFile=" + folder.resolve("log4j.properties"),
            "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve(name)),
            "-cp",
            lib + "/*" + File.pathSeparator + tests,
            main);
    command.addAll(arguments);
    processes.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile())
            .start());
  }

  /** What the job manager has printed, the verb's output among it. */
  public String said() {
    try {
      return Files.readString(folder.resolve("jobmanager.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the end of the job manager and returns its status. */
  public int status() throws InterruptedException {
    return ProcessCluster.statusOf(processes.get(0));
  }

  /** Kills all parts. */
  @Override
  public void close() {
    for (Process process : processes) {
      process.destroyForcibly();
    }
    for (Process process : processes) {
      process.onExit().orTimeout(1, TimeUnit.MINUTES).join();
    }
  }

  /** Like Flink's own entry points for Kubernetes and containers, with the jar of this build. */
  static final class JobManager extends ApplicationClusterEntryPoint {
    private JobManager(Configuration config, PackagedProgram program) throws Exception {
      super(config, program, StandaloneResourceManagerFactory.getInstance());
    }

    /** Arguments: the folder of the config, and those of the cluster jar. */
    public static void main(String[] arguments) throws Exception {
      Configuration config = GlobalConfiguration.loadConfiguration(arguments[0]);
      PackagedProgram program =
          PackagedProgram.newBuilder()
              .setJarFile(ProcessCluster.JAR.toFile())
              .setEntryPointClassName("io.gauze.Main")
              .setArguments(List.of(arguments).subList(1, arguments.length).toArray(new String[0]))
              .setConfiguration(config)
              .build();
      configureExecution(config, program);
      ClusterEntrypoint.runClusterEntrypoint(new JobManager(config, program));
    }
  }
}

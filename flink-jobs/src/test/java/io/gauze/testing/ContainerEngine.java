package io.gauze.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A container engine of a test's own: Docker's, in a folder and a network of its own, so that no
 * port of this machine is taken and nothing is left when it ends. The base images are stand-ins
 * that {@code src/test/containers/make-bases} makes.
 */
public final class ContainerEngine implements AutoCloseable {
  private static final Path BASES = Path.of("src", "test", "containers", "make-bases");
  private static final long STOP_SECONDS = 120;

  private final Path folder;
  private final Process daemon;

  /** What a command printed on both of its outputs. */
  public record Result(int status, String output) {}

  private ContainerEngine(Path folder, Process daemon) {
    this.folder = folder;
    this.daemon = daemon;
  }

  /** Why no engine can be started here; empty if one can. */
  public static Optional<String> missing() throws IOException, InterruptedException {
    for (String program : List.of("dockerd", "docker", "dpkg-query", "unshare", "nsenter", "ip")) {
      if (!isInstalled(program)) {
        return Optional.of(program + " is not installed");
      }
    }
    if (run(Map.of(), List.of("docker", "compose", "version")).status() != 0) {
      return Optional.of("Compose 2 is not installed as a plugin of docker");
    }
    Result apart = run(Map.of(), List.of("unshare", "--net", "ip", "link", "set", "lo", "up"));
    return apart.status() == 0
        ? Optional.empty()
        : Optional.of("this user cannot make a network of its own: " + apart.output().strip());
  }

  private static boolean isInstalled(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator, -1))
        .anyMatch(each -> !each.isEmpty() && Files.isExecutable(Path.of(each, program)));
  }

  /**
   * Starts an engine and makes the base images in it.
   *
   * @param folder new, and short, since it holds sockets
   */
  public static ContainerEngine start(Path folder) throws IOException, InterruptedException {
    String script =
        "ip link set lo up && exec dockerd --data-root \"$1/data\" --exec-root \"$1/exec\""
            + " --pidfile \"$1/pid\" -H \"unix://$1/socket\"";
    Process daemon =
        new ProcessBuilder("unshare", "--net", "sh", "-c", script, "sh", folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    ContainerEngine engine = new ContainerEngine(folder, daemon);
    try {
      ProcessCluster.await(engine::log, engine::answers);
      engine.done(
          List.of(
              "env",
              "JAVA_HOME=" + System.getProperty("java.home"),
              BASES.toAbsolutePath().toString(),
              folder.resolve("bases").toString()));
      return engine;
    } catch (IOException | InterruptedException | AssertionError e) {
      engine.close();
      throw e;
    }
  }

  private String log() {
    try {
      return "dockerd, which says " + Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return "dockerd, whose log cannot be read: " + e;
    }
  }

  private boolean answers() {
    assertThat(daemon.isAlive()).as(log()).isTrue();
    try {
      return run(List.of("docker", "info")).status() == 0;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs a command whose {@code docker} is this engine's. */
  public Result run(List<String> command) throws IOException, InterruptedException {
    return run(Map.of("DOCKER_HOST", "unix://" + folder.resolve("socket")), command);
  }

  /** Runs a command as {@link #run} does, which must succeed, and returns what it printed. */
  public String done(List<String> command) throws IOException, InterruptedException {
    Result result = run(command);
    assertThat(result.status()).as("%s: %s", command, result.output()).isZero();
    return result.output();
  }

  /** Runs a command in the engine's network, where its published ports are. */
  public Result inNetwork(List<String> command) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("nsenter", "--net", "--target", Long.toString(daemon.pid())));
    all.addAll(command);
    return run(all);
  }

  private static Result run(Map<String, String> more, List<String> command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("gauze-container", ".out");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(new File("/dev/null"))
              .redirectOutput(output.toFile());
      builder.environment().putAll(more);
      return new Result(builder.start().waitFor(), Files.readString(output));
    } finally {
      Files.delete(output);
    }
  }

  /** Ends the engine and all of its containers, and deletes what it has stored. */
  @Override
  public void close() throws IOException, InterruptedException {
    daemon.destroy();
    if (!daemon.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("dockerd did not end; its process is " + daemon.pid());
    }
    unmount();
    Result deleted = run(Map.of(), List.of("rm", "-rf", folder.toString()));
    assertThat(deleted.status()).as(deleted.output()).isZero();
  }

  /** Unmounts what an engine leaves that had to end before all of its containers had. */
  private void unmount() throws IOException, InterruptedException {
    List<String> below =
        Files.readAllLines(Path.of("/proc/mounts")).stream()
            .map(line -> line.split(" ", 3)[1])
            .filter(mount -> mount.startsWith(folder + "/"))
            .toList();
    for (int k = below.size() - 1; k >= 0; k--) { // the latest first
      Result result = run(Map.of(), List.of("umount", "--lazy", below.get(k)));
      assertThat(result.status()).as(result.output()).isZero();
    }
  }
}

package io.gauze.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A {@code gauze run} in a process of its own. */
public final class RunProcess implements AutoCloseable {
  private final Process process;
  private final Path log;

  private RunProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts it.
   *
   * @param folder its home, with its log
   * @param restore the checkpoint that it goes on from
   */
  public static RunProcess start(Path folder, Path config, Optional<Path> restore)
      throws IOException {
    List<String> options =
        List.of("-Xmx384m", "-Duser.home=" + folder, "-Djava.io.tmpdir=" + folder);
    List<String> command = TestJava.gauze(options, "run", "--config", config.toString());
    restore.ifPresent(path -> command.addAll(List.of("--restore", path.toString())));
    Path log = Files.createTempFile(folder, "run-", ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new RunProcess(process, log);
  }

  /** Returns when its job has been submitted. */
  public void awaitRunning() {
    ProcessCluster.await("gauze run", () -> said().contains("until Ctrl-C"));
  }

  /**
   * What it has printed.
   *
   * @throws AssertionError if it has ended
   */
  public String said() {
    try {
      String text = Files.readString(log);
      if (!process.isAlive()) {
        throw new AssertionError("gauze run has ended with " + process.exitValue() + ": " + text);
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGKILL: nothing in the process can react to it. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}

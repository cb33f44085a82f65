package io.gauze.benchmarks;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another Java program on the same class path, ended by SIGTERM when it is closed. */
final class ChildProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final BufferedWriter in;

  private ChildProcess(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.in = process.outputWriter(StandardCharsets.UTF_8);
  }

  static ChildProcess start(Class<?> main, List<String> arguments) throws IOException {
    return start(List.of(), main, arguments);
  }

  /**
   * Starts a program by another one.
   *
   * @param starter the other one and its arguments, such as {@code taskset}
   */
  static ChildProcess start(List<String> starter, Class<?> main, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(starter);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return new ChildProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The next line that the program prints. */
  String line() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("the program ended: " + process);
    }
    return line;
  }

  /** Gives the program a line, and waits for the next one that it prints. */
  String ask(String line) throws IOException {
    in.write(line);
    in.newLine();
    in.flush();
    return line();
  }

  /** The processor time that it has used, on all cores together. */
  Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    out.close();
  }
}

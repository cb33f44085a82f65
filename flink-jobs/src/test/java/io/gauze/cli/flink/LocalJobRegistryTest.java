package io.gauze.cli.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.cli.DemoIT;
import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalJobRegistryTest {
  private static final Path EXAMPLE = Path.of("..", "examples", "wine.yaml");

  @TempDir private Path folder;
  private final String home = System.getProperty("user.home");
  private final StringWriter err = new StringWriter();
  private JobStreams job;
  private StreamConfig stream;

  @BeforeEach
  void ownHome() throws Exception {
    System.setProperty("user.home", folder.toString());
    job = JobStreams.read(List.of(EXAMPLE));
    stream = job.configs().get(0);
  }

  @AfterEach
  void usualHome() {
    System.setProperty("user.home", home);
  }

  @Test
  void aRunIsFoundAsLongAsItIsThere() throws Exception {
    assertThat(LocalJobRegistry.find(stream)).isEmpty();
    try (LocalJobRegistry there = announce()) {
      assertThat(there).isNotNull();
      assertThat(LocalJobRegistry.find(stream)).contains("127.0.0.1:4711");
    }
    assertThat(LocalJobRegistry.find(stream)).isEmpty();
    assertThat(err.toString()).isEmpty();
  }

  /** As after {@code kill -9}: nobody takes the note away. */
  @Test
  void aDeadRunIsToldOnce() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    try (LocalJobRegistry there = announce()) {
      Path note = note();
      assertThat(note).content().endsWith("process " + ProcessHandle.current().pid());
      Files.writeString(note, "127.0.0.1:4711\nprocess " + dead.pid());
      assertThat(there).isNotNull();
      assertThatThrownBy(() -> LocalJobRegistry.find(stream))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("process " + dead.pid() + ") has died");
      assertThat(note).doesNotExist();
      assertThat(LocalJobRegistry.find(stream)).isEmpty();
    }
  }

  @Test
  void notesOfOlderProgramsAreRead() throws Exception {
    try (LocalJobRegistry there = announce()) {
      Files.writeString(note(), "127.0.0.1:4712\n");
      assertThat(there).isNotNull();
      assertThat(LocalJobRegistry.find(stream)).contains("127.0.0.1:4712");
    }
    assertThat(LocalJobRegistry.find(stream)).as("another one's").isPresent();
  }

  /** It has no savepoint, and is no run: stop says how to end it. */
  @Test
  void aJobOfUpIsTold() throws Exception {
    assertThat(LocalJobRegistry.processOfUp(stream)).isEmpty();
    long process = ProcessHandle.current().pid();
    try (LocalJobRegistry there = LocalJobRegistry.announceUp(List.of(job, job))) {
      assertThat(there).isNotNull();
      assertThat(LocalJobRegistry.processOfUp(stream)).hasValue(process);
      assertThat(LocalJobRegistry.find(stream)).isEmpty();
      DemoIT.Outcome stop = DemoIT.run("stop", "--config", EXAMPLE.toString());
      assertThat(stop.status()).isEqualTo(1);
      assertThat(stop.err())
          .contains("the job of stream wine is one of gauze up on this machine, process " + process)
          .contains("end it with Ctrl-C in its terminal, or with kill " + process);
    }
    assertThat(LocalJobRegistry.processOfUp(stream)).isEmpty();
    DemoIT.Outcome stop = DemoIT.run("stop", "--config", EXAMPLE.toString());
    assertThat(stop.err()).contains("no gauze run of stream wine is on this machine");
  }

  @Test
  void aDeadUpIsForgotten() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    try (LocalJobRegistry there = LocalJobRegistry.announceUp(List.of(job))) {
      assertThat(there).isNotNull();
      Path note = note();
      Files.writeString(note, "up\nprocess " + dead.pid());
      assertThat(LocalJobRegistry.processOfUp(stream)).isEmpty();
      assertThat(note).doesNotExist();
    }
  }

  @Test
  void withoutAHomeUpRunsAllTheSame() throws Exception {
    System.setProperty("user.home", "?");
    try (LocalJobRegistry there = LocalJobRegistry.announceUp(List.of(job))) {
      assertThat(there).isNotNull();
    }
    assertThat(Path.of("?")).doesNotExist();
  }

  @Test
  void withoutAHomeTheJobRunsAllTheSame() throws Exception {
    for (String nowhere : List.of("?", Files.createFile(folder.resolve("file")).toString())) {
      System.setProperty("user.home", nowhere);
      try (LocalJobRegistry there = announce()) {
        assertThat(there).isNotNull();
      }
      assertThat(err.toString()).contains("warning: GZ-UNANNOUNCED: ", "It is " + nowhere);
    }
    assertThat(Path.of("?")).doesNotExist();
  }

  private LocalJobRegistry announce() throws IOException {
    return LocalJobRegistry.announce(job, "127.0.0.1:4711", new PrintWriter(err, true));
  }

  private Path note() throws IOException {
    try (Stream<Path> notes = Files.list(folder.resolve(".gauze").resolve("running"))) {
      return notes.findFirst().orElseThrow();
    }
  }
}

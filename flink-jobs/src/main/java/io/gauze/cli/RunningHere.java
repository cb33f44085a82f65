package io.gauze.cli;

import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.local.CloseAtExit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The notes by which {@code gauze stop} finds the job that {@code gauze run} has in its own
 * process: a file for each stream in the user's home folder, which goes when the job ends.
 */
final class RunningHere implements AutoCloseable {
  private final List<Path> notes = new ArrayList<>();
  private final String address;

  private RunningHere(String address) {
    this.address = address;
  }

  /** Says that the streams' job is on the cluster whose web address is {@code restAddress}. */
  static RunningHere announce(JobStreams job, String restAddress) throws IOException {
    RunningHere announced = new RunningHere(restAddress);
    CloseAtExit.register(announced);
    try {
      for (StreamConfig stream : job.configs()) {
        announced.write(note(stream));
      }
    } catch (IOException e) {
      announced.close();
      throw e;
    }
    return announced;
  }

  private synchronized void write(Path note) throws IOException {
    Files.createDirectories(note.getParent());
    Path part = Files.createTempFile(note.getParent(), "part", null);
    Files.writeString(part, address, StandardCharsets.UTF_8);
    Files.move(part, note, StandardCopyOption.REPLACE_EXISTING);
    notes.add(note);
  }

  /** The address that was announced, if the stream's job runs on this machine. */
  static Optional<String> find(StreamConfig stream) throws IOException {
    return read(note(stream));
  }

  private static Optional<String> read(Path note) throws IOException {
    return Files.exists(note)
        ? Optional.of(Files.readString(note, StandardCharsets.UTF_8).strip())
        : Optional.empty();
  }

  // A stream's name is one of a file, too; streams of one name on several brokers are several.
  private static Path note(StreamConfig stream) {
    int broker = stream.kafka().bootstrap().orElse("").hashCode();
    String name = String.format(Locale.ROOT, "%s-%08x.rest", stream.stream(), broker);
    return Path.of(System.getProperty("user.home"), ".gauze", "running", name);
  }

  @Override
  public synchronized void close() throws IOException {
    CloseAtExit.forget(this);
    for (Path note : notes) {
      // A note of another process that began the same stream is that process's.
      if (read(note).filter(address::equals).isPresent()) {
        Files.deleteIfExists(note);
      }
    }
  }
}

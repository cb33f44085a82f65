package io.gauze.cli;

import io.gauze.config.StreamConfig;
import io.gauze.local.CloseAtExit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;

/**
 * The note by which {@code gauze stop} finds the job that {@code gauze run} has in its own process:
 * a file in the user's home folder, which goes when the job ends.
 */
final class RunningHere implements AutoCloseable {
  private final Path note;

  private RunningHere(Path note) {
    this.note = note;
  }

  /** Says that the stream's job is on the cluster whose web address is {@code restAddress}. */
  static RunningHere announce(StreamConfig stream, String restAddress) throws IOException {
    Path note = note(stream);
    Files.createDirectories(note.getParent());
    Path part = Files.createTempFile(note.getParent(), "part", null);
    Files.writeString(part, restAddress, StandardCharsets.UTF_8);
    Files.move(part, note, StandardCopyOption.REPLACE_EXISTING);
    RunningHere announced = new RunningHere(note);
    CloseAtExit.register(announced);
    return announced;
  }

  /** The address that was announced, if the stream's job runs on this machine. */
  static Optional<String> find(StreamConfig stream) throws IOException {
    Path note = note(stream);
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
  public void close() throws IOException {
    CloseAtExit.forget(this);
    Files.deleteIfExists(note);
  }
}

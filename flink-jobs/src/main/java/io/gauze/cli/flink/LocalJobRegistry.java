package io.gauze.cli.flink;

import io.gauze.cli.option.CommandMessage;
import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.local.CloseAtExit;
import io.gauze.message.Message;
import io.gauze.report.Messages;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The notes by which {@code gauze stop} finds a job that {@code gauze run} runs in its own process,
 * and by which other verbs know that a job is one of {@code gauze up}: a file for each stream in
 * the user's home folder, which is deleted when the job ends.
 */
public final class LocalJobRegistry implements AutoCloseable {
  private static final Pattern NOTE = Pattern.compile("(\\S+:\\d{1,5})(?:\\s+process (\\d+))?");

  private static final Pattern UP = Pattern.compile("up\\s+process (\\d+)");

  private final List<Path> notes = new ArrayList<>();
  private final String text;

  private LocalJobRegistry(String text) {
    this.text = text;
  }

  /**
   * Announces that the streams' job runs on the cluster at {@code restAddress}; warns if the notes
   * cannot be written.
   */
  public static LocalJobRegistry announce(JobStreams job, String restAddress, PrintWriter err)
      throws IOException {
    LocalJobRegistry announced =
        new LocalJobRegistry(restAddress + "\nprocess " + ProcessHandle.current().pid());
    CloseAtExit.register(announced);
    try {
      for (StreamConfig stream : job.configs()) {
        announced.write(note(stream));
      }
    } catch (IOException | SecurityException e) {
      announced.close();
      String reason = "It is " + home() + ": " + e.getMessage() + ".";
      Message message = CommandMessage.UNANNOUNCED.of().with(reason);
      Messages.all("warning: ", List.of(message)).forEach(err::println);
      err.flush();
    }
    return announced;
  }

  /**
   * Announces that the streams' job is one of {@code gauze up} in this process. Does nothing if the
   * notes cannot be written.
   *
   * @param jobs the streams as they are configured, and as they run: the brokers may have different
   *     names
   */
  public static LocalJobRegistry announceUp(List<JobStreams> jobs) throws IOException {
    LocalJobRegistry announced =
        new LocalJobRegistry("up\nprocess " + ProcessHandle.current().pid());
    CloseAtExit.register(announced);
    try {
      for (JobStreams job : jobs) {
        for (StreamConfig stream : job.configs()) {
          announced.write(note(stream));
        }
      }
    } catch (IOException | SecurityException e) {
      announced.close(); // messages say less then
    }
    return announced;
  }

  /** Returns the process of the {@code gauze up} on this machine that runs the stream's job. */
  public static OptionalLong processOfUp(StreamConfig stream) throws IOException {
    Matcher read = UP.matcher(read(note(stream)).orElse(""));
    if (!read.matches()) {
      return OptionalLong.empty();
    }
    long process = Long.parseLong(read.group(1));
    if (ProcessHandle.of(process).isEmpty()) { // it was killed
      Files.deleteIfExists(note(stream));
      return OptionalLong.empty();
    }
    return OptionalLong.of(process);
  }

  /** Returns how to end the {@code gauze up} in a process. */
  public static String endOfUp(long process) {
    return "end it with Ctrl-C in its terminal, or with kill " + process;
  }

  private synchronized void write(Path note) throws IOException {
    if (!home().isAbsolute()) { // Java's "?" if the user is not known
      throw new IOException("it is not known");
    }
    Files.createDirectories(note.getParent());
    Path part = Files.createTempFile(note.getParent(), "part", null);
    Files.writeString(part, text, StandardCharsets.UTF_8);
    Files.move(part, note, StandardCopyOption.REPLACE_EXISTING);
    notes.add(note);
  }

  /**
   * Returns the announced address if the stream's job runs on this machine.
   *
   * @throws IOException if it was announced by a process that has died; the note is deleted then
   */
  public static Optional<String> find(StreamConfig stream) throws IOException {
    Path note = note(stream);
    Matcher read = NOTE.matcher(read(note).orElse(""));
    if (!read.matches()) {
      return Optional.empty();
    }
    String process = read.group(2); // missing in notes of older versions
    if (process != null && ProcessHandle.of(Long.parseLong(process)).isEmpty()) {
      Files.deleteIfExists(note);
      throw new IOException(
          "the gauze run of stream "
              + stream.stream()
              + " that was on this machine (process "
              + process
              + ") has died without a savepoint: nothing runs. Start it again with gauze run, if"
              + " checkpoints are kept with --restore and the newest of them");
    }
    return Optional.of(read.group(1));
  }

  private static Optional<String> read(Path note) throws IOException {
    return Files.exists(note)
        ? Optional.of(Files.readString(note, StandardCharsets.UTF_8).strip())
        : Optional.empty();
  }

  // A stream's name is also valid in file names. Streams of one name on several brokers have
  // different notes.
  private static Path note(StreamConfig stream) {
    int broker = stream.kafka().bootstrap().orElse("").hashCode();
    String name = String.format(Locale.ROOT, "%s-%08x.rest", stream.stream(), broker);
    return home().resolve(".gauze").resolve("running").resolve(name);
  }

  private static Path home() {
    return Path.of(System.getProperty("user.home"));
  }

  @Override
  public synchronized void close() throws IOException {
    CloseAtExit.forget(this);
    for (Path note : notes) {
      // Another process that runs the same stream may have replaced the note.
      if (read(note).filter(text::equals).isPresent()) {
        Files.deleteIfExists(note);
      }
    }
  }
}

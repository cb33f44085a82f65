package io.gauze.answer;

import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The releases in the files of a folder: those whose names end with .avro, .json or .npz. A file
 * that is added or changed later is read at the next call. Not thread-safe.
 */
public final class ReleaseFolder implements ReleaseFeed {
  private static final List<String> ENDINGS = List.of(".avro", ".json", ".npz");

  private final Path folder;
  private final Map<Path, String> seen = new HashMap<>(); // size and time of what was read
  private final Map<ReleaseId, String> hashes = new HashMap<>();
  private final List<Path> files = new ArrayList<>(); // of releases, by offset

  /**
   * Opens a folder.
   *
   * @throws IOException if it is no folder that can be read
   */
  public ReleaseFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder) || !Files.isReadable(folder)) {
      throw new IOException(
          "the folder of releases must exist and be readable. Provided value: " + folder);
    }
    this.folder = folder;
  }

  @Override
  public void readToEnd(ReleaseTopic.Reader reader) throws IOException {
    List<Path> there;
    try (Stream<Path> all = Files.list(folder)) {
      there = all.filter(ReleaseFolder::isRelease).sorted().toList();
    } catch (IOException e) {
      throw new IOException("the folder " + folder + " cannot be read: " + e.getMessage(), e);
    }
    for (Path file : there) {
      Optional<String> state = state(file);
      if (state.isPresent() && !state.get().equals(seen.put(file, state.get()))) {
        read(file, reader);
      }
    }
  }

  @Override
  public void readOn(ReleaseTopic.Reader reader, Duration patience) throws IOException {
    readToEnd(reader);
  }

  private static boolean isRelease(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return !name.startsWith(".") && ENDINGS.stream().anyMatch(name::endsWith);
  }

  /** Returns what changes when the file does; empty if it is gone or no file. */
  private static Optional<String> state(Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.isRegularFile()
          ? Optional.of(now.size() + " " + now.lastModifiedTime())
          : Optional.empty();
    } catch (IOException e) { // deleted since the folder was listed
      return Optional.empty();
    }
  }

  private void read(Path file, ReleaseTopic.Reader reader) {
    Release release;
    try {
      release = ReleaseFile.read(file);
    } catch (IOException | IllegalArgumentException e) {
      reader.damaged(damage(file, e.getMessage(), Optional.empty()));
      return;
    }
    byte[] body = release.toBytes();
    String hash = ReleaseHash.of(body);
    String before = hashes.putIfAbsent(release.id(), hash);
    if (before != null && !before.equals(hash)) {
      String reason = file.getFileName() + ": a second, different body of release " + release.id();
      reader.damaged(damage(file, reason, Optional.of(release.id())));
      return;
    }
    files.add(file);
    ReleaseTopic.Place place =
        new ReleaseTopic.Place(0, files.size() - 1L, body.length, release.payload().length());
    if (before == null) {
      reader.release(release, place);
    } else {
      reader.copy(release, place);
    }
  }

  private ReleaseTopic.Damage damage(Path file, String reason, Optional<ReleaseId> contested) {
    return new ReleaseTopic.Damage(
        0, files.size(), Optional.of(file.getFileName().toString()), reason, contested);
  }

  @Override
  public void fetch(List<ReleaseTopic.Place> places, Consumer<Release> taker) {
    for (ReleaseTopic.Place place : places) {
      again(files.get(Math.toIntExact(place.offset()))).ifPresent(taker);
    }
  }

  /** Returns the release of a file; empty if it is gone or holds another body by now. */
  private Optional<Release> again(Path file) {
    try {
      Release release = ReleaseFile.read(file);
      return ReleaseHash.of(release.toBytes()).equals(hashes.get(release.id()))
          ? Optional.of(release)
          : Optional.empty();
    } catch (IOException | IllegalArgumentException e) { // the next reading reports it
      return Optional.empty();
    }
  }

  @Override
  public void close() {}
}

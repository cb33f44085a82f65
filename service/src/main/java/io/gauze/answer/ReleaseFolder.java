package io.gauze.answer;

import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The releases in the files of a folder: those whose names end with .avro, .json or .npz. Each call
 * looks for files that were added, changed or removed since the last one. A file that appears and
 * cannot be read may still be written, so it is damaged only if it is the same at the next look.
 * Not thread-safe.
 */
public final class ReleaseFolder implements ReleaseFeed {
  private static final Logger LOG = LoggerFactory.getLogger(ReleaseFolder.class);
  private static final List<String> ENDINGS = List.of(".avro", ".json", ".npz");

  private final Path folder;
  private final Map<Path, Known> known = new TreeMap<>();
  private final Map<ReleaseId, BodyHash> hashes = new HashMap<>(); // also of what has gone
  private final Map<ReleaseId, Integer> holders = new HashMap<>(); // how many files have it
  private final List<Path> files = new ArrayList<>(); // of releases, by offset
  private final Set<Path> doubtful = new HashSet<>(); // could not be read again
  private boolean begun;

  /**
   * What is known of a file.
   *
   * @param state what changes when the file does
   * @param release that it holds
   * @param damage that was reported of it
   * @param again whether it must be read again at the next look, as it may not be whole yet
   */
  private record Known(
      String state,
      Optional<ReleaseId> release,
      Optional<ReleaseTopic.Damage> damage,
      boolean again) {
    /** Whether nothing was reported of it yet. */
    boolean isUnfinished() {
      return release.isEmpty() && damage.isEmpty();
    }
  }

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
    Map<Path, String> there = there();
    for (Path file : List.copyOf(known.keySet())) {
      if (hasChanged(file, Optional.ofNullable(there.get(file)))) {
        retract(file, reader);
      }
    }
    doubtful.clear();
    there.forEach((file, state) -> look(file, state, reader));
    begun = true;
  }

  @Override
  public void readOn(ReleaseTopic.Reader reader, Duration patience) throws IOException {
    readToEnd(reader);
  }

  /** Returns the files that there are, with what changes when they do. */
  private Map<Path, String> there() throws IOException {
    Map<Path, String> there = new TreeMap<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.filter(ReleaseFolder::isRelease).toList()) {
        state(file).ifPresent(state -> there.put(file, state));
      }
    } catch (IOException | UncheckedIOException e) {
      throw new IOException("the folder " + folder + " cannot be read: " + e.getMessage(), e);
    }
    return there;
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
          ? Optional.of(now.size() + " " + now.lastModifiedTime() + " " + now.fileKey())
          : Optional.empty();
    } catch (IOException e) { // deleted since the folder was listed
      return Optional.empty();
    }
  }

  /** Whether what was reported of a file may hold no longer. */
  private boolean hasChanged(Path file, Optional<String> state) {
    Known before = known.get(file);
    boolean same = state.filter(before.state()::equals).isPresent();
    boolean grows = state.isPresent() && before.isUnfinished();
    return doubtful.contains(file) || !(same || grows);
  }

  /** Retracts what was reported of a file. A release with copies is read from one of them. */
  private void retract(Path file, ReleaseTopic.Reader reader) {
    Known before = known.remove(file);
    before.damage().ifPresent(damage -> heal(damage, reader));
    before.release().ifPresent(id -> leave(id, reader));
  }

  private void heal(ReleaseTopic.Damage damage, ReleaseTopic.Reader reader) {
    reader.healed(damage);
    List<ReleaseTopic.Damage> more =
        known.values().stream()
            .flatMap(each -> each.damage().stream())
            .filter(each -> each.contested().isPresent())
            .filter(each -> each.contested().equals(damage.contested()))
            .toList();
    for (ReleaseTopic.Damage each : more) { // the release is contested still
      reader.healed(each);
      reader.damaged(each);
    }
  }

  private void leave(ReleaseId id, ReleaseTopic.Reader reader) {
    reader.gone(id);
    if (holders.remove(id) > 1) {
      known.replaceAll(
          (file, each) ->
              each.release().filter(id::equals).isPresent() ? unfinished(each.state()) : each);
    }
  }

  private static Known unfinished(String state) {
    return new Known(state, Optional.empty(), Optional.empty(), true);
  }

  private void look(Path file, String state, ReleaseTopic.Reader reader) {
    Known before = known.get(file);
    if (before == null) {
      read(file, state, !begun, reader);
    } else if (!before.state().equals(state)) {
      known.put(file, unfinished(state)); // it grows, and is read once it is the same twice
    } else if (before.again()) {
      read(file, state, true, reader);
    }
  }

  /**
   * Reads a file.
   *
   * @param settled whether it is damaged if it cannot be read, and not perhaps incomplete
   */
  private void read(Path file, String state, boolean settled, ReleaseTopic.Reader reader) {
    Release release;
    try {
      release = ReleaseFile.read(file);
    } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
      if (!settled) {
        known.put(file, unfinished(state));
        return;
      }
      // A file whose rights are changed has the same state, so it is tried again.
      boolean again = e instanceof IOException;
      tell(file, state, damage(file, reason(file, e), Optional.empty()), again, reader);
      return;
    }
    known.computeIfPresent(file, (unused, before) -> before.isUnfinished() ? null : before);
    if (known.containsKey(file)) {
      retract(file, reader);
    }
    accept(file, state, release, reader);
  }

  private static String reason(Path file, Throwable e) {
    if (e instanceof IOException || e instanceof IllegalArgumentException) {
      return e.getMessage();
    }
    LOG.error("File {} of releases cannot be read", file, e);
    return file.getFileName()
        + ": it cannot be read, by "
        + e.getClass().getSimpleName()
        + "; give Java more memory with -Xmx if it is a release, and else remove it";
  }

  /** Reports a damage, unless it is known. */
  private void tell(
      Path file,
      String state,
      ReleaseTopic.Damage damage,
      boolean again,
      ReleaseTopic.Reader reader) {
    Optional<ReleaseTopic.Damage> before =
        Optional.ofNullable(known.get(file)).flatMap(Known::damage);
    if (before.filter(each -> each.reason().equals(damage.reason())).isPresent()) {
      return;
    }
    before.ifPresent(each -> heal(each, reader));
    known.put(file, new Known(state, Optional.empty(), Optional.of(damage), again));
    reader.damaged(damage);
  }

  private void accept(Path file, String state, Release release, ReleaseTopic.Reader reader) {
    byte[] body = release.toBytes();
    ReleaseId id = release.id();
    BodyHash hash = BodyHash.of(body);
    BodyHash before = hashes.putIfAbsent(id, hash);
    if (before != null && !before.equals(hash)) {
      String reason = file.getFileName() + ": a second, different body of release " + id;
      tell(file, state, damage(file, reason, Optional.of(id)), false, reader);
      return;
    }
    known.put(file, new Known(state, Optional.of(id), Optional.empty(), false));
    files.add(file);
    ReleaseTopic.Place place =
        new ReleaseTopic.Place(
            id, 0, files.size() - 1L, body.length, release.payload().length(), hash);
    if (holders.merge(id, 1, Integer::sum) == 1) {
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
    Optional<Release> found = Optional.empty();
    try {
      Release release = ReleaseFile.read(file);
      found =
          Optional.of(release)
              .filter(each -> BodyHash.of(each.toBytes()).equals(hashes.get(each.id())));
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("File {} of releases cannot be read again: {}", file, e.getMessage());
    }
    if (found.isEmpty()) { // who reads forgets the release, so the next look reports it anew
      doubtful.add(file);
    }
    return found;
  }

  @Override
  public void close() {}
}

package io.gauze.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReleaseFolderTest {
  @TempDir private Path folder;

  private ReleaseLibrary library() throws IOException {
    return new ReleaseLibrary(Optional.empty(), new ReleaseFolder(folder), Clock.systemUTC());
  }

  private static List<String> ids(List<ReleaseLibrary.Entry> entries) {
    return entries.stream().map(entry -> entry.id().toString()).toList();
  }

  @Test
  void readsEveryFormatAndWhatIsAddedLater() throws IOException {
    ReleaseFile.write(SmallReleases.hour(1), folder.resolve("a.avro"));
    ReleaseFile.write(SmallReleases.hour(2), folder.resolve("b.json"));
    ReleaseLibrary library = library();
    assertThat(ids(library.state().entries()))
        .containsExactly(SmallReleases.id(1), SmallReleases.id(2));
    String before = library.state().tag();
    assertThat(library.refresh()).isEmpty();
    assertThat(library.state().tag()).isEqualTo(before);

    ReleaseFile.write(SmallReleases.hour(3), folder.resolve("c.npz"));
    assertThat(ids(library.refresh())).containsExactly(SmallReleases.id(3));
    assertThat(library.state().tag()).isNotEqualTo(before);
    Release back = library.release(library.state().entries().get(2)).orElseThrow();
    assertThat(back).isEqualTo(SmallReleases.hour(3));
  }

  @Test
  void aCopyIsNoSecondReleaseAndAnotherBodyIsContested() throws Exception {
    ReleaseFile.write(SmallReleases.hour(1), folder.resolve("a.avro"));
    ReleaseFile.write(SmallReleases.hour(1), folder.resolve("b.json"));
    ReleaseLibrary library = library();
    assertThat(library.state().entries()).hasSize(1);
    assertThat(library.state().damages()).isEmpty();

    Release other = SmallReleases.release(SmallReleases.STREAM, SmallReleases.epoch(1), 99);
    ReleaseFile.write(other, folder.resolve("c.avro"));
    library.refresh();
    assertThat(library.state().damages().get(0).contested())
        .contains(ReleaseId.parse(SmallReleases.id(1)));
    SolveRequest request =
        RequestReader.request(
            RequestReader.object(
                ("{\"response\":\"y\",\"release\":\"" + SmallReleases.id(1) + "\"}")
                    .getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(() -> library.prepare(request))
        .isInstanceOfSatisfying(
            RequestException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONTESTED_RELEASE));
  }

  @Test
  void aDamagedFileIsReportedAndReadAgainOnceItIsWhole() throws IOException {
    byte[] whole = SmallReleases.hour(1).toBytes();
    Path file = folder.resolve("a.avro");
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    ReleaseLibrary library = library();
    assertThat(library.state().entries()).isEmpty();
    assertThat(library.state().damages().get(0).reason()).startsWith("a.avro: ");

    Files.write(file, whole);
    assertThat(ids(library.refresh())).containsExactly(SmallReleases.id(1));
    assertThat(library.state().damages()).isEmpty();
    ReleaseLibrary.Entry entry = library.state().entries().get(0);
    Files.delete(file);
    assertThat(library.release(entry)).isEmpty();
  }

  /** A file that grows is no damage until it stops; then it is, or a release. */
  @Test
  void aSlowCopyIsWaitedFor() throws IOException {
    ReleaseLibrary library = library();
    byte[] whole = SmallReleases.hour(1).toBytes();
    Path file = folder.resolve("a.avro");
    for (int tenth = 1; tenth < 10; tenth++) {
      Files.write(file, Arrays.copyOf(whole, tenth * whole.length / 10));
      assertThat(library.refresh()).isEmpty();
      assertThat(library.state().damages()).isEmpty();
    }
    assertThat(library.refresh()).isEmpty(); // it has stopped
    assertThat(library.state().damages()).hasSize(1);
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    assertThat(library.refresh()).isEmpty(); // it goes on
    assertThat(library.state().damages()).isEmpty();
    Files.write(file, whole);
    library.refresh();
    assertThat(ids(library.refresh())).containsExactly(SmallReleases.id(1));
    assertThat(library.state().damages()).isEmpty();
  }

  @Test
  void aFileThatGoesAwayLeavesAndOneThatComesBackIsServed() throws Exception {
    Path file = folder.resolve("a.avro");
    ReleaseFile.write(SmallReleases.hour(1), file);
    ReleaseFile.write(SmallReleases.hour(2), folder.resolve("b.avro"));
    ReleaseLibrary library = library();
    Path away = folder.resolve("a.away");
    for (int round = 0; round < 2; round++) {
      String tag = library.state().tag();
      Files.move(file, away); // it keeps its size and time
      assertThat(library.refresh()).isEmpty();
      assertThat(ids(library.state().entries())).containsExactly(SmallReleases.id(2));
      assertThat(library.state().entries().find(SmallReleases.id(1))).isEmpty();
      assertThat(library.state().tag()).isNotEqualTo(tag);
      assertThatThrownBy(() -> library.prepare(question(1)))
          .isInstanceOfSatisfying(
              RequestException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_RELEASE));
      Files.move(away, file);
      assertThat(ids(library.refresh())).containsExactly(SmallReleases.id(1));
      assertThat(library.prepare(question(1)).sources()).hasSize(1);
    }
  }

  /** A question forgets a release whose file cannot be read; the next look finds it again. */
  @Test
  void aReleaseThatWasForgottenIsServedAgain() throws Exception {
    Path file = folder.resolve("a.avro");
    ReleaseFile.write(SmallReleases.hour(1), file);
    ReleaseLibrary library = library();
    Path away = folder.resolve("a.away");
    Files.move(file, away);
    assertThat(library.find(question(1))).isEmpty();
    Files.move(away, file);
    library.refresh();
    assertThat(library.find(question(1))).isPresent();
  }

  @Test
  void aCopyStandsInForAFileThatGoesAway() throws Exception {
    Path first = folder.resolve("a.avro");
    Path copy = folder.resolve("b.json");
    ReleaseFile.write(SmallReleases.hour(1), first);
    ReleaseFile.write(SmallReleases.hour(1), copy);
    ReleaseLibrary library = library();
    Files.delete(copy);
    assertThat(library.refresh()).isEmpty(); // nothing new
    assertThat(library.prepare(question(1)).sources()).hasSize(1);
    ReleaseFile.write(SmallReleases.hour(1), copy);
    library.refresh();
    Files.delete(first);
    library.refresh();
    assertThat(library.release(library.state().entries().get(0))).isPresent();
    Files.delete(copy);
    library.refresh();
    assertThat(library.state().entries()).isEmpty();
  }

  @Test
  void aSecondBodyThatIsTakenAwayContestsNoLonger() throws Exception {
    ReleaseFile.write(SmallReleases.hour(1), folder.resolve("a.avro"));
    ReleaseLibrary library = library();
    for (String name : List.of("b.avro", "c.avro")) {
      Release other =
          SmallReleases.release(SmallReleases.STREAM, SmallReleases.epoch(1), name.hashCode());
      ReleaseFile.write(other, folder.resolve(name));
    }
    library.refresh();
    assertThat(library.state().damages()).hasSize(2);
    Files.delete(folder.resolve("b.avro"));
    library.refresh();
    assertThatThrownBy(() -> library.prepare(question(1)))
        .isInstanceOfSatisfying(
            RequestException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONTESTED_RELEASE));
    Files.delete(folder.resolve("c.avro"));
    library.refresh();
    assertThat(library.state().damages()).isEmpty();
    assertThat(library.prepare(question(1)).sources()).hasSize(1);
  }

  private static SolveRequest question(int hour) throws RequestException {
    return RequestReader.request(
        RequestReader.object(
            ("{\"response\":\"y\",\"release\":\"" + SmallReleases.id(hour) + "\"}")
                .getBytes(StandardCharsets.UTF_8)));
  }

  private static String reason(ReleaseLibrary library, String file) {
    return library.state().damages().stream()
        .filter(damage -> damage.key().orElseThrow().equals(file))
        .map(ReleaseTopic.Damage::reason)
        .findFirst()
        .orElseThrow();
  }

  /** Each is a damage, and what comes after it is served. */
  @Test
  void hostileFilesEndNothing() throws IOException {
    ReleaseLibrary library = library();
    HostileFiles.write(folder);
    int files = HostileFiles.NAMES.size();
    assertThat(library.refresh()).isEmpty(); // they may be incomplete
    assertThat(library.refresh()).isEmpty();
    assertThat(library.state().damages())
        .hasSize(files)
        .allSatisfy(damage -> assertThat(HostileFiles.NAMES).contains(damage.key().orElseThrow()));
    assertThat(reason(library, "bomb-payload.npz")).contains("sha256 must be");
    assertThat(reason(library, "nan.json")).contains("sha256 must be");
    ReleaseFile.write(SmallReleases.hour(1), folder.resolve("zz.avro"));
    assertThat(ids(library.refresh())).containsExactly(SmallReleases.id(1));
    HostileFiles.remove(folder);
    library.refresh();
    assertThat(library.state().damages()).isEmpty();
  }

  @Test
  void theFolderMustBeThere() {
    assertThatThrownBy(() -> new ReleaseFolder(folder.resolve("none")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must exist and be readable");
  }
}

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
    Files.delete(file);
    assertThat(library.release(library.state().entries().get(0))).isEmpty();
  }

  @Test
  void theFolderMustBeThere() {
    assertThatThrownBy(() -> new ReleaseFolder(folder.resolve("none")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must exist and be readable");
  }
}

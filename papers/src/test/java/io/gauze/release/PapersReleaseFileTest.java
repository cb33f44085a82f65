package io.gauze.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.mechanism.EveryMechanism;
import io.gauze.payload.FitMethod;
import io.gauze.payload.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link ReleaseFileTest} of mechanisms of papers. */
final class PapersReleaseFileTest {
  @TempDir private Path folder;

  static List<String> mechanisms() {
    return EveryMechanism.ofPapers();
  }

  static Stream<Arguments> mechanismsAndEndings() {
    return mechanisms().stream()
        .flatMap(name -> ReleaseFileTest.ENDINGS.stream().map(end -> Arguments.of(name, end)));
  }

  @ParameterizedTest
  @MethodSource("mechanismsAndEndings")
  void everyMechanismSurvivesEveryFormat(String mechanism, String ending) throws IOException {
    Release release = ReleaseSamples.of(mechanism);
    Release read = ReleaseFileTest.roundTrip(release, folder.resolve("release." + ending));
    assertThat(read).isEqualTo(release);
    assertThat(read.toBytes()).isEqualTo(release.toBytes());
  }

  @ParameterizedTest
  @MethodSource("mechanisms")
  void aSeriesHasOneNoise(String mechanism) {
    new ReleaseFileTest().aSeriesHasOneNoise(mechanism);
  }

  /** The first release of least squares in a ball, without noise. Never made again. */
  @Test
  void readsTheFirstModelInABall() throws Exception {
    Path file =
        Path.of(PapersReleaseFileTest.class.getResource("objective-perturbation-v1.avro").toURI());
    Release release = ReleaseFile.read(file);
    assertThat(release.mechanism()).isEqualTo("objective-perturbation");
    assertThat(release.settings()).isEqualTo(Map.of("response", "x4"));
    assertThat(release.parameters())
        .containsOnlyKeys(
            "determinantShare", "epsilon", "expectedRows", "gradientSigma", "radius", "ridge");
    Payload.Model payload = (Payload.Model) release.payload();
    assertThat(payload.origin()).isEqualTo(new FitMethod.Ball(0.5));
    assertThat(payload.ridge()).isEqualTo(release.parameters().get("ridge"));
    assertThat(release.numbers())
        .containsExactly(12766369834L, 25284812469L, 437798083L, -19439813427L, 437798083L);
    assertThat(release.toBytes()).isEqualTo(Files.readAllBytes(file));
  }
}

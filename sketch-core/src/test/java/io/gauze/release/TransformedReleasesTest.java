package io.gauze.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.mechanism.twostage.TransformedStrata;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The first releases of transformed rows, which every later version reads. */
final class TransformedReleasesTest {
  /**
   * The first release of moments of transformed rows, of 64 rows without noise. Never made again.
   */
  @Test
  void readsTheFirstMomentsOfTransformedRows() throws Exception {
    Path file =
        Path.of(TransformedReleasesTest.class.getResource("two-stage-moments-v1.avro").toURI());
    Release release = ReleaseFile.read(file);
    assertThat(release.mechanism()).isEqualTo("two-stage-moments");
    assertThat(release.settings()).isEqualTo(Map.of("response", "x0"));
    assertThat(release.parameters())
        .containsOnlyKeys(
            "countSigma",
            "firstSigma",
            "mu",
            "secondSigma",
            "sensitivity",
            "sigmaAfterOneRound",
            "sigmaAfterTwoRounds");
    TransformedMoments payload = (TransformedMoments) release.payload();
    assertThat(payload.response()).isEqualTo(1);
    assertThat(payload.length()).isEqualTo(release.numbers().length);
    double[] values =
        LongStream.of(release.numbers()).mapToDouble(n -> n * release.stepSize()).toArray();
    assertThat(payload.deviation(values[0]))
        .isEqualTo(release.parameters().get("sigmaAfterTwoRounds"));
    int counts = payload.countsAt();
    assertThat(Arrays.stream(values, counts, payload.momentsAt()).sum()).isEqualTo(64.0);
    double[] entries = Arrays.copyOfRange(values, payload.transformAt(), counts);
    assertThat(RowTransform.of(3, payload.response(), entries).order()).containsExactly(0, 2, 1);
    assertThat(release.toBytes()).isEqualTo(Files.readAllBytes(file));
  }

  /**
   * The first release of strata of transformed rows, of 64 rows without noise. Never made again.
   */
  @Test
  void readsTheFirstStrataOfTransformedRows() throws Exception {
    Path file =
        Path.of(TransformedReleasesTest.class.getResource("residual-strata-v2.avro").toURI());
    Release release = ReleaseFile.read(file);
    assertThat(release.mechanism()).isEqualTo("residual-strata");
    assertThat(release.settings()).isEqualTo(Map.of("response", "x0"));
    assertThat(release.parameters())
        .containsOnlyKeys(
            "countSigma",
            "expectedRows",
            "firstSigma",
            "mu",
            "secondSigma",
            "sensitivity",
            "sigmaAfterEarlierRelease",
            "sigmaAfterOneRound",
            "sigmaAfterTwoRounds",
            "sigmaOfStrata",
            "strata");
    TransformedStrata payload = (TransformedStrata) release.payload();
    assertThat(payload.length()).isEqualTo(release.numbers().length);
    assertThat(payload.strata()).isEqualTo(2);
    assertThat(payload.deviation()).isEqualTo(release.parameters().get("sigmaOfStrata"));
    TransformedMoments moments = payload.moments();
    assertThat(moments.response()).isEqualTo(1);
    double rows =
        IntStream.range(moments.countsAt(), moments.momentsAt()).mapToDouble(release::value).sum();
    assertThat(rows).isEqualTo(64.0);
    for (int k = 0; k < 6; k++) { // the strata add up to all rows
      int first = payload.strataAt() + k;
      assertThat(release.value(first) + release.value(first + 6))
          .isEqualTo(release.value(moments.momentsAt() + k));
    }
    assertThat(release.toBytes()).isEqualTo(Files.readAllBytes(file));
  }
}

package io.gauze.cli.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.cli.SolverCommand;
import io.gauze.config.JobStreams;
import io.gauze.testing.OwnHome;
import io.gauze.testing.TwoColumns;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a job of several streams is found by any of them. */
final class SketchJobNameTest extends OwnHome {
  @Test
  void namesSayTheStreamsInOrder() {
    assertThat(SketchJobName.of(List.of("wine"))).isEqualTo("gauze sketches of wine");
    String both = SketchJobName.of(List.of("wine", "beer-2"));
    assertThat(both).isEqualTo("gauze sketches of wine, beer-2");
    assertThat(SketchJobName.streams(both)).containsExactly("wine", "beer-2");
    assertThat(SketchJobName.streams(SolverCommand.jobName("wine"))).isEmpty();
    assertThat(SketchJobName.described(List.of("wine"))).isEqualTo("stream wine");
    assertThat(SketchJobName.described(List.of("wine", "beer"))).isEqualTo("streams wine, beer");
  }

  @Test
  void jobsClashIfAStreamIsInBoth() {
    String wine = SketchJobName.of(List.of("wine"));
    String both = SketchJobName.of(List.of("beer", "wine"));
    assertThat(SketchJobName.clash(wine, both)).isTrue();
    assertThat(SketchJobName.clash(both, wine)).isTrue();
    assertThat(SketchJobName.clash(SketchJobName.of(List.of("win")), both)).isFalse();
    String solver = SolverCommand.jobName("wine");
    assertThat(SketchJobName.clash(solver, solver)).isTrue();
    assertThat(SketchJobName.clash(solver, wine)).isFalse();
  }

  @Test
  void eachStreamHasANoteThatGoesWithTheJob() throws Exception {
    JobStreams job = JobStreams.read(List.of(config("wine"), config("beer")));
    JobStreams other = JobStreams.read(List.of(config("cider")));
    PrintWriter err = new PrintWriter(Writer.nullWriter());
    try (LocalJobRegistry notes = LocalJobRegistry.announce(job, "127.0.0.1:1234", err)) {
      assertThat(notes).isNotNull();
      assertThat(LocalJobRegistry.find(job.configs().get(0))).contains("127.0.0.1:1234");
      assertThat(LocalJobRegistry.find(job.configs().get(1))).contains("127.0.0.1:1234");
      assertThat(LocalJobRegistry.find(other.configs().get(0))).isEmpty();
    }
    assertThat(LocalJobRegistry.find(job.configs().get(0))).isEmpty();
    assertThat(LocalJobRegistry.find(job.configs().get(1))).isEmpty();
  }

  private Path config(String stream) throws Exception {
    TwoColumns config = new TwoColumns(stream, TwoColumns.EPSILON_1, "{length: PT1H}");
    return Files.writeString(folder.resolve(stream + ".yaml"), config.text());
  }
}

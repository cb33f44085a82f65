package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gauze.testing.TestJava;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in a process of its own, where its output goes to what there may be. */
final class ConsoleTest {
  private static final Path EXAMPLE = Path.of("..", "examples", "wine.yaml");

  @TempDir private Path folder;

  @Test
  void anOutputThatCannotBeWrittenIsAFailure() throws Exception {
    File full = new File("/dev/full");
    assumeTrue(full.exists(), "this system has no /dev/full");

    Process program = start(full, "check", "--offline", "--config", EXAMPLE.toString());

    assertThat(program.waitFor(60, SECONDS)).isTrue();
    assertThat(program.exitValue()).isEqualTo(1);
    assertThat(folder.resolve("err"))
        .content()
        .contains("gauze: the output could not be written to its end");
  }

  @Test
  void namesAreUtf8InEveryLanguage() throws Exception {
    Path config = folder.resolve("config.yaml");
    Files.writeString(
        config, Files.readString(EXAMPLE).replaceFirst("name: [^,]+", "name: s\u00e4ure"));
    Path out = folder.resolve("out");

    Process program =
        start(
            out.toFile(), "check", "--offline", "--format", "json", "--config", config.toString());

    assertThat(program.waitFor(60, SECONDS)).isTrue();
    assertThat(folder.resolve("err")).content(UTF_8).doesNotContain("gauze:");
    assertThat(out).content(UTF_8).contains("\"s\u00e4ure\"");
  }

  private Process start(File out, String... words) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(TestJava.gauze(List.of(), words));
    builder.environment().put("LC_ALL", "C");
    builder.redirectOutput(out);
    return builder.redirectError(folder.resolve("err").toFile()).start();
  }
}

package io.gauze.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Processes whose folder of temporary files is not as usual. */
@EnabledOnOs(OS.LINUX)
final class NativeCodecsTest {
  private static final String MOUNT =
      "mount -t tmpfs -o noexec tmpfs \"$1\" || exit; shift; exec \"$@\"";

  @TempDir private Path folder;
  private Path temporary;

  private record Result(int status, String output) {}

  /** The process: a consumer, and a producer for each type of compression. */
  static final class Client {
    private Client() {}

    public static void main(String[] arguments) {
      KafkaAccess access = new KafkaAccess("localhost:1", Map.of());
      access.producer(Map.of()).close();
      access.producer(Map.of("compression.type", "lz4")).close();
      System.out.println("sends rows");
      for (String compression : List.of("zstd", "snappy")) {
        try {
          access.producer(Map.of("compression.type", compression)).close();
        } catch (java.io.UncheckedIOException e) {
          System.out.println(compression + ": " + e.getCause().getMessage());
        }
      }
      access.consumer().close();
      System.out.println("reads releases");
    }
  }

  @BeforeEach
  void create() throws IOException {
    temporary = Files.createDirectory(folder.resolve("temporary"));
  }

  @Test
  void anUsualFolderWillDo() throws Exception {
    Result result = run(List.of(), temporary);
    assertThat(result.output()).contains("sends rows", "reads releases").doesNotContain("zstd");
    assertThat(result.status()).isZero();
  }

  @Test
  void aFolderThatForbidsProgramsIsNamedWithTheWayOut() throws Exception {
    List<String> mounted = List.of("unshare", "-m", "sh", "-c", MOUNT, "sh", temporary.toString());
    assumeTrue(canMount(), "this user cannot mount a folder");
    Result result = run(mounted, temporary);
    assertThat(result.output())
        .contains(
            "sends rows",
            "zstd: zstd's native library cannot be loaded from the folder of temporary files, "
                + temporary
                + ", which is mounted noexec. Give Java a folder that is writable and not noexec:"
                + " JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR",
            "snappy: ")
        .doesNotContain("reads releases");
    assertThat(result.status()).isNotZero();
  }

  @Test
  void aFolderThatIsMissingIsNamed() throws Exception {
    Path missing = folder.resolve("missing");
    Result result = run(List.of(), missing);
    assertThat(result.output())
        .contains("temporary files, " + missing + " (", "Give Java a folder")
        .doesNotContain("noexec.", "reads releases");
  }

  private static boolean canMount() throws IOException, InterruptedException {
    List<String> tried = List.of("sh", "-c", "unshare -m true");
    return new ProcessBuilder(tried).redirectErrorStream(true).start().waitFor() == 0;
  }

  private Result run(List<String> before, Path temporary) throws Exception {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Client.class.getName()));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new Result(process.waitFor(), Files.readString(output));
  }
}

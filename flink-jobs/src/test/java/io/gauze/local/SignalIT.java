package io.gauze.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.TestJava;
import io.gauze.testing.Thorough;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of its own is ended by SIGTERM while a broker and a cluster run in it. */
final class SignalIT {
  private static final String READY = "ready";

  /** The program that is ended. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      if (arguments.length > 0) {
        CloseAtExit.endNormallyBySignal(true);
      }
      EmbeddedBroker broker = EmbeddedBroker.start();
      LocalCluster cluster = LocalCluster.start(1);
      System.out.println(READY + " " + broker + " " + cluster);
      System.out.flush();
      new CountDownLatch(1).await();
    }
  }

  @Test
  void leavesNothingBehind(@TempDir Path temporary) throws Exception {
    Process program = start(temporary);
    assertThat(TempFolder.left(temporary, "gauze-")).as("they are in use").isEmpty();

    program.destroy(); // SIGTERM

    assertThat(program.waitFor(60, SECONDS)).isTrue();
    assertThat(program.exitValue()).isEqualTo(128 + 15);
    assertThat(temporary).isDirectoryNotContaining("glob:**/gauze-*");
  }

  @Thorough
  @Test
  void endsWithSuccessIfThatIsItsNormalEndAndClearsWhatAKilledOneLeft(@TempDir Path temporary)
      throws Exception {
    Process killed = start(temporary, "endless").destroyForcibly();
    assertThat(killed.waitFor(60, SECONDS)).isTrue();
    assertThat(TempFolder.left(temporary, "gauze-")).as("of the broker, of the cluster").hasSize(2);
    Process program = start(temporary, "endless");

    program.destroy(); // SIGTERM

    assertThat(program.waitFor(60, SECONDS)).isTrue();
    assertThat(program.exitValue()).isZero();
    assertThat(temporary).isDirectoryNotContaining("glob:**/gauze-*");
  }

  /** Returns when the program runs both. */
  private static Process start(Path temporary, String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            TestJava.program(Program.class, List.of("-Djava.io.tmpdir=" + temporary), arguments));
    Process program = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader out = program.inputReader(UTF_8);
    assertThat(out.readLine()).startsWith(READY);
    assertThat(temporary).isDirectoryContaining("glob:**/gauze-broker-*");
    assertThat(temporary).isDirectoryContaining("glob:**/gauze-flink-*");
    return program;
  }
}

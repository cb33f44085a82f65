package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.cli.option.ExitStatus;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import io.gauze.solver.SolverFixture;
import io.gauze.testing.HttpProbe;
import io.gauze.testing.TestJava;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServeCommandTest {
  @TempDir private Path folder;

  private DemoIT.Outcome refused(String... words) {
    DemoIT.Outcome outcome = DemoIT.run(words);
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(ExitStatus.USAGE);
    assertThat(outcome.out()).isEmpty();
    return outcome;
  }

  @Test
  void optionsAreChecked() {
    String dir = folder.toString();
    assertThat(refused("serve").err()).contains("give either --config");
    assertThat(refused("serve", "--releases", dir, "--listen", "localhost").err())
        .contains("--listen must be HOST:PORT", "Provided value: localhost");
    assertThat(refused("serve", "--releases", dir, "--token", "hunter2").err())
        .contains("--token must be ${env:NAME} or ${file:PATH}")
        .doesNotContain("hunter2");
    assertThat(refused("serve", "--releases", dir, "--tls-key", "k").err())
        .contains("give both --tls-certificate and --tls-key");
    assertThat(
            refused("serve", "--releases", dir, "--tls-certificate", "c", "--tls-key", "k").err())
        .contains("--tls-certificate must be a file that can be read; there is no such file");
    assertThat(refused("serve", "--releases", dir, "--token", "${file:" + dir + "/no}").err())
        .contains("--token refers to the file " + dir + "/no", "there is no such file");
    assertThat(refused("serve", "--releases", dir, "--request-timeout", "PT0.5S").err())
        .contains("--request-timeout must be in [PT1S, PT10M]. Provided value: PT0.5S");
    assertThat(refused("serve", "--releases", dir + "/none").err())
        .contains("--releases must be a folder that exists. Provided value: " + dir + "/none");
    assertThat(refused("serve", "--releases", dir, "--listen", "999.1.1.1:80").err())
        .contains("--listen must name an address of this machine", "Provided value: 999.1.1.1");
  }

  /** And a release that is downloaded in any format gives the fit of the service. */
  @Test
  void servesUntilASignalEndsIt() throws Exception {
    Path releases = Files.createDirectory(folder.resolve("releases"));
    Release release = SolverFixture.release(SolverFixture.STREAM, "all", "moments", 5);
    ReleaseFile.write(release, releases.resolve("moments.avro"));
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(
                TestJava.gauze(
                    List.of(),
                    "serve",
                    "--releases",
                    releases.toString(),
                    "--listen",
                    "127.0.0.1:0"))
            .redirectError(err.toFile())
            .start();
    try (BufferedReader out = process.inputReader(UTF_8)) {
      URI address = URI.create(out.readLine());
      String served = HttpProbe.get(address + "/v1/fit?response=y&format=csv").body();
      assertThat(served).startsWith("term,estimate,").contains("\nb,");
      for (String format : List.of("avro", "json", "npz")) {
        Path file = folder.resolve("download." + format);
        download(address.resolve("/v1/releases/" + release.id() + "?format=" + format), file);
        DemoIT.Outcome fit =
            DemoIT.run("fit", "--release", file.toString(), "--response", "y", "--format", "csv");
        assertThat(fit.status()).as(fit.err()).isZero();
        assertThat(fit.out()).as(format).isEqualTo(withoutComments(served));
      }
      process.destroy();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(err).content().startsWith("serving until Ctrl-C").doesNotContain("\tat ");
    } finally {
      process.destroyForcibly();
    }
  }

  /** Whoever started it may be killed and cannot end it: the system then closes its input. */
  @Test
  void endsWithItsInputIfItShall() throws Exception {
    Process process =
        new ProcessBuilder(
                TestJava.gauze(
                    List.of(),
                    "serve",
                    "--end-with-input",
                    "--releases",
                    folder.toString(),
                    "--listen",
                    "127.0.0.1:0"))
            .redirectError(folder.resolve("err").toFile())
            .start();
    try (BufferedReader out = process.inputReader(UTF_8)) {
      URI address = URI.create(out.readLine());
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      assertThat(HttpProbe.get(address + "/healthz").statusCode()).isEqualTo(200);
      process.getOutputStream().close();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  /** The command prints messages on standard error, and has no column for them. */
  private static String withoutComments(String csv) {
    return csv.replaceAll("(?m),(comment|\"[^\"]*\"|)$", "");
  }

  private static void download(URI from, Path to) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(from).timeout(Duration.ofSeconds(20)).build();
    assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofFile(to)).statusCode())
        .isEqualTo(200);
  }
}

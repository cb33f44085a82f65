package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.Main;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
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
    assertThat(DemoIT.run("serve", "--releases", dir + "/none").err())
        .contains("the folder of releases must exist");
  }

  @Test
  void servesUntilASignalEndsIt() throws Exception {
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--releases",
                folder.toString(),
                "--listen",
                "127.0.0.1:0")
            .redirectError(err.toFile())
            .start();
    try (BufferedReader out = process.inputReader(UTF_8)) {
      URI address = URI.create(out.readLine());
      HttpRequest request =
          HttpRequest.newBuilder(address.resolve("/v1/releases"))
              .timeout(Duration.ofSeconds(20))
              .build();
      assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body())
          .isEqualTo("{\"releases\":[],\"damaged\":[]}\n");
      process.destroy();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(err).content().startsWith("serving until Ctrl-C").doesNotContain("\tat ");
    } finally {
      process.destroyForcibly();
    }
  }
}

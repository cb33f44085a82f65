package io.gauze.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.answer.ReleaseFolder;
import io.gauze.answer.ReleaseLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private Path folder;

  /** Makes a certificate of localhost with the JDK's own tool, and its two files in PEM. */
  private KeyStore keys() throws Exception {
    Path store = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "a",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=localhost",
                    "-ext",
                    "san=ip:127.0.0.1",
                    "-validity",
                    "2",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    new String(PASSWORD)))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    pem("cert.pem", "CERTIFICATE", keys.getCertificate("a").getEncoded());
    pem("key.pem", "PRIVATE KEY", keys.getKey("a", PASSWORD).getEncoded());
    return keys;
  }

  private void pem(String name, String what, byte[] bytes) throws IOException {
    Files.writeString(
        folder.resolve(name),
        "-----BEGIN "
            + what
            + "-----\n"
            + Base64.getMimeEncoder().encodeToString(bytes)
            + "\n-----END "
            + what
            + "-----\n");
  }

  @Test
  void servesWithACertificate() throws Exception {
    KeyStore keys = keys();
    SSLContext context = PemKeys.context(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    ServiceSettings settings =
        new ServiceSettings(
            new ServiceSettings.Listen("127.0.0.1", 0),
            Optional.of("secret"),
            Optional.of(context),
            Duration.ofSeconds(1),
            ClientLimits.USUAL,
            "test");
    assertThat(settings.toString()).doesNotContain("secret");
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", keys.getCertificate("a"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext client = SSLContext.getInstance("TLS");
    client.init(null, trust.getTrustManagers(), null);
    try (ServiceServer server =
        ServiceServer.start(
            settings,
            new ReleaseLibrary(Optional.empty(), new ReleaseFolder(folder), Clock.systemUTC()))) {
      assertThat(server.address().getScheme()).isEqualTo("https");
      HttpRequest request = HttpRequest.newBuilder(server.address().resolve("/healthz")).build();
      assertThat(
              HttpClient.newBuilder()
                  .sslContext(client)
                  .build()
                  .send(request, BodyHandlers.ofString())
                  .body())
          .isEqualTo("ok\n");
    }
  }

  @Test
  void otherFilesAreRefusedWithoutShowingThem() throws Exception {
    keys();
    Path certificate = folder.resolve("cert.pem");
    Path wrong = folder.resolve("wrong.pem");
    Files.writeString(wrong, "hunter2");
    assertThatThrownBy(() -> PemKeys.context(certificate, wrong))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must have a private key in PKCS 8")
        .hasMessageNotContaining("hunter2");
    assertThatThrownBy(() -> PemKeys.context(wrong, folder.resolve("key.pem")))
        .isInstanceOf(IOException.class)
        .hasMessageNotContaining("hunter2");
  }
}

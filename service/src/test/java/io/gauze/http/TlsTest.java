package io.gauze.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.answer.ReleaseFolder;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.http.protocol.ClientLimits;
import io.gauze.http.protocol.PemKeys;
import io.gauze.http.protocol.ServerCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
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

  /** Makes a certificate of this machine with the JDK's own tool, and its two files in PEM. */
  private KeyStore keys() throws Exception {
    return keys("", "EC", "-ext", "san=dns:localhost,ip:127.0.0.1");
  }

  private KeyStore keys(String name, String algorithm, String... more) throws Exception {
    Path store = folder.resolve(name + "keys.p12");
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name + "localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD)));
    words.addAll(List.of(more));
    Process keytool =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    pem(name + "cert.pem", "CERTIFICATE", keys.getCertificate("a").getEncoded());
    pem(name + "key.pem", "PRIVATE KEY", keys.getKey("a", PASSWORD).getEncoded());
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
    SSLContext context =
        PemKeys.read(folder.resolve("cert.pem"), folder.resolve("key.pem")).context();
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

  private void refused(String certificate, String key, String... says) {
    assertThatThrownBy(() -> PemKeys.read(folder.resolve(certificate), folder.resolve(key)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(says)
        .hasMessageNotContaining("hunter2");
  }

  private String text(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  @Test
  void filesThatAreNoneOfThisKindAreRefusedWithoutShowingThem() throws Exception {
    keys();
    write("wrong.pem", "hunter2");
    String folderName = folder.toString();
    refused("cert.pem", "wrong.pem", "--tls-key must be a file with a private key in PKCS 8");
    refused("wrong.pem", "key.pem", "--tls-certificate must be a file with a certificate in PEM");
    refused("key.pem", "cert.pem", "--tls-certificate must be a file with a certificate in PEM");
    refused(
        "none.pem", "key.pem", "--tls-certificate must be", "there is no such file", "none.pem");
    refused("cert.pem", "none.pem", "--tls-key must be", "there is no such file", "none.pem");
    refused("cert.pem", ".", "--tls-key must be", "it is a folder", folderName);
    Files.write(folder.resolve("der"), new byte[] {0x30, (byte) 0x82, 1, 2, (byte) 0xff});
    refused("cert.pem", "der", "--tls-key must be a file with a private key in PKCS 8");
    refused("der", "key.pem", "--tls-certificate must be a file with a certificate in PEM");
  }

  @Test
  void keysOfAnotherFormAreRefusedWithTheLineThatConvertsThem() throws Exception {
    keys();
    for (String form : List.of("RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY")) {
      write("other.pem", text("key.pem").replace("PRIVATE KEY", form));
      refused("cert.pem", "other.pem", form, "openssl pkcs8 -topk8 -nocrypt -in ", "other.pem");
    }
    write("parts.pem", "-----BEGIN EC PARAMETERS-----\nBggq\n-----END EC PARAMETERS-----\n");
    refused("cert.pem", "parts.pem", "--tls-key must be a file with a private key in PKCS 8");
    write("bags.pem", "Bag Attributes\n" + text("parts.pem") + text("key.pem"));
    assertThat(
            new ServerCertificate(
                    PemKeys.read(folder.resolve("cert.pem"), folder.resolve("bags.pem"))
                        .certificate())
                .hosts())
        .containsExactly("localhost", "127.0.0.1");
  }

  @Test
  void aKeyMustBelongToTheCertificate() throws Exception {
    keys();
    keys("other-", "EC");
    keys("rsa-", "RSA");
    String says = "--tls-key must be the private key that belongs to the first certificate";
    refused("cert.pem", "other-key.pem", says, "other-key.pem");
    refused("cert.pem", "rsa-key.pem", says, "rsa-key.pem");
    refused("rsa-cert.pem", "key.pem", says, "key.pem");
    assertThat(
            PemKeys.read(folder.resolve("rsa-cert.pem"), folder.resolve("rsa-key.pem")).context())
        .isNotNull();
    String key = text("key.pem");
    write("short.pem", key.substring(0, 60) + "\n-----END PRIVATE KEY-----\n");
    refused("cert.pem", "short.pem", "--tls-key must be a whole private key", "short.pem");
    write("chain.pem", text("cert.pem") + text("other-cert.pem"));
    refused("chain.pem", "key.pem", "certificate 2 of the file is not", "chain.pem");
  }

  @Test
  void aCertificateThatClientsRefuseSaysWhy() throws Exception {
    X509Certificate named = (X509Certificate) keys().getCertificate("a");
    X509Certificate nameless = (X509Certificate) keys("nameless-", "EC").getCertificate("a");
    Instant made = named.getNotBefore().toInstant();
    ServerCertificate certificate = new ServerCertificate(named);
    assertThat(certificate.hosts()).containsExactly("localhost", "127.0.0.1");
    assertThat(certificate.isSelfSigned()).isTrue();
    assertThat(certificate.complaint(made.plus(1, ChronoUnit.DAYS))).isEmpty();
    assertThat(certificate.complaint(made.plus(3, ChronoUnit.DAYS)).orElseThrow())
        .startsWith("ended at " + made.plus(2, ChronoUnit.DAYS));
    assertThat(certificate.complaint(made.minusSeconds(1)).orElseThrow())
        .startsWith("begins at " + made);
    assertThat(new ServerCertificate(nameless).complaint(Instant.now()).orElseThrow())
        .startsWith("names no host");
  }
}

package io.gauze.source.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.source.RegistryServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.avro.Schema;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A registry whose certificate Java does not know, and one that asks for the client's. */
final class RegistryTlsTest {
  private static final String PASSWORD = "changeit";

  @TempDir private static Path folder;

  @BeforeAll
  static void makeStores() throws Exception {
    Files.writeString(folder.resolve("password"), PASSWORD);
    for (String name : List.of("server", "client")) {
      keytool(
          name,
          "-genkeypair",
          "-keyalg",
          "EC",
          "-dname",
          "CN=localhost",
          "-validity",
          "2",
          "-ext",
          "SAN=ip:127.0.0.1,dns:localhost");
      keytool(name, "-exportcert", "-rfc", "-file", folder.resolve(name + ".pem").toString());
      keytool(
          name + "-trust",
          "-importcert",
          "-noprompt",
          "-file",
          folder.resolve(name + ".pem").toString());
    }
  }

  private static void keytool(String store, String... more) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1"));
    words.addAll(List.of(more));
    words.addAll(
        List.of(
            "-alias",
            "a",
            "-storetype",
            "PKCS12",
            "-keystore",
            file(store),
            "-storepass",
            PASSWORD));
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  private static String file(String store) {
    return folder.resolve(store + ".p12").toString();
  }

  private static KeyStore load(String store) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(Path.of(file(store)))) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private static RegistryServer server(boolean asksForCertificate) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(load("server"), PASSWORD.toCharArray());
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(load("client-trust"));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
    SSLServerSocket socket =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    socket.setNeedClientAuth(asksForCertificate);
    RegistryServer server = new RegistryServer(socket, "https");
    server.put(1, "{\"schema\":\"\\\"string\\\"\"}");
    return server;
  }

  private static Map<String, String> trust() {
    return Map.of(
        "ssl.truststore.location",
        file("server-trust"),
        "ssl.truststore.type",
        "PKCS12",
        "ssl.truststore.password",
        "${file:" + folder.resolve("password") + "}");
  }

  private static Schema fetch(RegistryServer server, Map<String, String> tls) throws Exception {
    RegistryAccess access = new RegistryAccess(server.url(), "", "", "", tls);
    return new SchemaRegistry(access, Duration.ofNanos(1), Duration.ofSeconds(30)).keySchema(1);
  }

  @Test
  void aTrustStoreMakesACertificateKnown() throws Exception {
    try (RegistryServer server = server(false)) {
      assertThat(fetch(server, trust()).getType()).isEqualTo(Schema.Type.STRING);
      Map<String, String> pem =
          Map.of(
              "ssl.truststore.location",
              folder.resolve("server.pem").toString(),
              "ssl.truststore.type",
              "PEM");
      assertThat(fetch(server, pem).getType()).isEqualTo(Schema.Type.STRING);
      assertThatThrownBy(() -> fetch(server, Map.of()))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot be used: TLS failed (")
          .hasMessageContaining("set ssl.truststore.location in kafka.rows.registry.properties");
    }
  }

  @Test
  void aKeyStoreIsShownToARegistryThatAsks() throws Exception {
    Map<String, String> both = new HashMap<>(trust());
    both.put("ssl.keystore.location", file("client"));
    both.put("ssl.keystore.type", "PKCS12");
    both.put("ssl.keystore.password", "${file:" + folder.resolve("password") + "}");
    both.put("ssl.key.password", "${file:" + folder.resolve("password") + "}");
    try (RegistryServer server = server(true)) {
      assertThat(fetch(server, both).getType()).isEqualTo(Schema.Type.STRING);
      assertThatThrownBy(() -> fetch(server, trust()))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot be used: ");
    }
  }

  @Test
  void aStoreThatIsNotThereIsNamed() throws IOException {
    Map<String, String> none = new HashMap<>(trust());
    none.put("ssl.truststore.location", folder.resolve("none.p12").toString());
    assertThatThrownBy(() -> RegistryTls.context(none))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("none.p12")
        .hasMessageNotContaining(PASSWORD);
    Map<String, String> secret = new HashMap<>(trust());
    secret.put("ssl.truststore.password", "${file:" + folder.resolve("nothing") + "}");
    assertThatThrownBy(() -> RegistryTls.context(secret))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("kafka.rows.registry.properties.ssl.truststore.password refers to");
  }
}

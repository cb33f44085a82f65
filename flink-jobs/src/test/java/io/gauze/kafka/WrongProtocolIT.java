package io.gauze.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.testing.SharedCluster;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What is said where a broker is there and its protocol, a store or a right is not. */
@ExtendWith(SharedCluster.class)
final class WrongProtocolIT {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private Path folder;

  private static void assertReach(String address, Map<String, String> properties, String... said) {
    KafkaAccess kafka = new KafkaAccess(address, properties);
    assertThatThrownBy(() -> TopicAdmin.reach(kafka, Duration.ofSeconds(2)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(said);
  }

  private static String address(ServerSocket server) {
    return "localhost:" + server.getLocalPort();
  }

  @Test
  void aPlaintextPortIsNamedToATlsClient() {
    String broker = SharedCluster.broker().bootstrapServers();
    String clause = "takes connections at " + broker + " and does not speak TLS";
    assertReach(broker, Map.of("security.protocol", "SSL"), clause, "is SSL");
    Map<String, String> login =
        Map.of(
            "security.protocol",
            "SASL_SSL",
            "sasl.mechanism",
            "PLAIN",
            "sasl.jaas.config",
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"a\""
                + " password=\"b\";");
    assertReach(broker, login, clause, "is SASL_SSL");
  }

  @Test
  void aTlsPortIsNamedToAPlaintextClientAndAnUnknownIssuerToATlsClient() throws Exception {
    try (ServerSocket server = tls()) {
      Thread accepting = new Thread(() -> shakeHands(server), "shake hands");
      accepting.setDaemon(true);
      accepting.start();
      assertReach(
          address(server), Map.of(), "speaks TLS, but security.protocol is PLAINTEXT, not SSL");
      assertReach(
          address(server),
          Map.of("security.protocol", "SSL"),
          "certificate is not trusted",
          "ssl.truststore.location");
    }
  }

  @Test
  void aPortThatIsSilentIsNoBrokerThatIsAway() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertReach(
          address(silent), Map.of(), "gives no answer", "security.protocol PLAINTEXT understands");
    }
    assertReach("localhost:1", Map.of(), "no broker answers");
  }

  @Test
  void aStoreThatIsMissingIsNamed() {
    Path store = folder.resolve("no.jks");
    assertReach(
        "localhost:1",
        Map.of("security.protocol", "SSL", "ssl.truststore.location", store.toString()),
        "there is no file " + store);
  }

  /** Kafka's own message names a property of Java, and not where it is set. */
  @Test
  void anEndpointOfTokensNeedsAPropertyOfTheProcess() {
    assertReach(
        "localhost:1",
        Map.of(
            "security.protocol",
            "SASL_PLAINTEXT",
            "sasl.mechanism",
            "OAUTHBEARER",
            "sasl.login.callback.handler.class",
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler",
            "sasl.oauthbearer.token.endpoint.url",
            "http://localhost:1/token",
            "sasl.jaas.config",
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required"
                + " clientId=\"a\" clientSecret=\"b\";"),
        "GAUZE_JAVA_OPTS=-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=URL",
        "env.java.opts.all");
  }

  private static void shakeHands(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.getInputStream().transferTo(OutputStream.nullOutputStream()); // until it closes
      } catch (IOException e) {
        // a handshake that the client broke off, or the end of the test
      }
    }
  }

  /** A server with a certificate that nobody trusts, made with the JDK's own tool. */
  private ServerSocket tls() throws Exception {
    Path store = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context
        .getServerSocketFactory()
        .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }
}

package io.gauze.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.util.InstantiationUtil;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretsTest {
  private static final String BROKER = "localhost:1";

  @TempDir private Path folder;

  /** As every client does it: Kafka's own config resolves what the properties refer to. */
  @Test
  void clientsResolveReferences() throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "s3cret:x\n");
    String login = "Login required username=\"u\" password=\"${file:" + file + "}\";";

    Password password = resolved(Map.of("sasl.jaas.config", login));

    assertThat(password.value()).isEqualTo("Login required username=\"u\" password=\"s3cret:x\";");
    assertThat(password).hasToString("[hidden]");
  }

  @Test
  void onlyTheReferenceTravels() throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "hunter2");
    KafkaAccess access =
        new KafkaAccess(BROKER, Map.of("ssl.key.password", "${file:" + file + "}"));
    Properties properties = access.properties();

    byte[] inJobGraph = InstantiationUtil.serializeObject(access);

    assertThat(new String(inJobGraph, UTF_8)).contains(file.toString()).doesNotContain("hunter2");
    assertThat(properties.toString()).doesNotContain("hunter2");
    assertThat(access).hasToString("Kafka at " + BROKER);
  }

  @Test
  void aMissingFileIsNamed() {
    Path missing = folder.resolve("none");

    assertThatThrownBy(() -> resolved(Map.of("sasl.jaas.config", "${file:" + missing + "}")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(
            "refers to the file " + missing, "in process " + ProcessHandle.current().pid());
  }

  @Test
  void variablesAreRead() {
    Secrets.Environment environment = new Secrets.Environment(Map.of("PW", "a")::get);

    assertThat(environment.get("", Set.of("PW")).data()).containsExactly(Map.entry("PW", "a"));
    assertThatThrownBy(() -> environment.get("", Set.of("OTHER")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("environment variable OTHER, which is not set");
    assertThatThrownBy(() -> resolved(Map.of("sasl.jaas.config", "${env:GAUZE_NO_SUCH_VARIABLE}")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("GAUZE_NO_SUCH_VARIABLE");
  }

  @Test
  void withoutReferencesNothingIsAdded() {
    Properties plain = new KafkaAccess(BROKER, Map.of("client.id", "7")).properties();
    Map<String, String> own =
        Map.of("config.providers", "env", "ssl.key.password", "${env:A}", "x", "${vault:a:b}");
    Properties others = new KafkaAccess(BROKER, own).properties();

    assertThat(plain)
        .containsOnlyKeys(
            "client.id", "bootstrap.servers", "reconnect.backoff.ms", "reconnect.backoff.max.ms");
    assertThat(others).hasSize(6).containsEntry("config.providers", "env");
  }

  private static Password resolved(Map<String, String> properties) {
    Properties all = new KafkaAccess(BROKER, properties).properties();
    return new AdminClientConfig(all).getPassword("sasl.jaas.config");
  }

  @Test
  void aReferenceIsResolvedAndAPlainTextRefused(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), "sesame\n");
    assertThat(Secrets.resolve("--token", "${file:" + file + "}")).isEqualTo("sesame");
    assertThatThrownBy(() -> Secrets.resolve("--token", "hunter2"))
        .hasMessageContaining("--token must be ${env:NAME} or ${file:PATH}")
        .hasMessageNotContaining("hunter2");
    assertThatThrownBy(() -> Secrets.resolve("--token", "${env:GAUZE_NOT_SET}"))
        .hasMessageContaining("is not set or empty");
    assertThatThrownBy(() -> Secrets.resolve("--token", "${file:" + folder + "/none}"))
        .hasMessageContaining("cannot be read: there is no such file");
    assertThatThrownBy(() -> Secrets.resolve("--token", "${file:" + folder + "}"))
        .hasMessageContaining("cannot be read: it is a folder");
    assertThat(OptionFile.reason(file, new AccessDeniedException(file.toString())))
        .isEqualTo(
            "the user "
                + System.getProperty("user.name")
                + " has no right to it: change its owner or its mode");
  }

  @Test
  void theReasonWhyAFileCannotBeReadIsSaid(@TempDir Path folder) {
    Secrets.WholeFile files = new Secrets.WholeFile();
    assertThatThrownBy(() -> files.get("", Set.of(folder + "/none")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("/none, which cannot be read in process ")
        .hasMessageContaining(": there is no such file; put it on every machine");
    assertThatThrownBy(() -> files.get("", Set.of(folder.toString())))
        .hasMessageContaining(": it is a folder; put it on every machine");
  }
}

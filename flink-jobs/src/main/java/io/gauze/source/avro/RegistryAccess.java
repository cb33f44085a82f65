package io.gauze.source.avro;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * The access to a schema registry. It holds where the password is, not the password, which is read
 * where records are read.
 *
 * @param url the registry's address, http or https
 * @param user the user for basic authentication; empty for none
 * @param passwordFile a file whose first line is the password; empty for none
 * @param passwordEnv an environment variable that holds the password; empty for none
 * @param tls the certificates, by the keys of {@link RegistryTls}; empty for Java's own
 */
public record RegistryAccess(
    String url, String user, String passwordFile, String passwordEnv, Map<String, String> tls)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Creates an access with a copy of the certificates. */
  public RegistryAccess {
    tls = Map.copyOf(tls);
  }

  /** Creates an access that trusts what Java trusts. */
  public RegistryAccess(String url, String user, String passwordFile, String passwordEnv) {
    this(url, user, passwordFile, passwordEnv, Map.of());
  }

  /** Returns a client; called where records are read. */
  HttpClient client(Duration patience) {
    HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(patience);
    return tls.isEmpty() ? client.build() : client.sslContext(RegistryTls.context(tls)).build();
  }

  /** Returns an access without authentication. */
  public static RegistryAccess open(String url) {
    return new RegistryAccess(url, "", "", "");
  }

  /**
   * Returns the header of basic authentication (RFC 7617), if there is a user.
   *
   * @throws UncheckedIOException if the password cannot be read
   */
  Optional<String> authorization() {
    if (user.isEmpty()) {
      return Optional.empty();
    }
    byte[] credentials = (user + ":" + password()).getBytes(UTF_8);
    return Optional.of("Basic " + Base64.getEncoder().encodeToString(credentials));
  }

  private String password() {
    if (!passwordFile.isEmpty()) {
      try {
        return Files.readString(Path.of(passwordFile)).lines().findFirst().orElse("");
      } catch (IOException e) {
        throw new UncheckedIOException(
            "the password of the schema registry cannot be read from "
                + passwordFile
                + "; put the file on every machine that runs the job",
            e);
      }
    }
    String password = passwordEnv.isEmpty() ? null : System.getenv(passwordEnv);
    if (password == null) {
      throw new UncheckedIOException(
          new IOException(
              "the environment variable "
                  + passwordEnv
                  + " with the password of the schema registry is not set; set it on every machine"
                  + " that runs the job"));
    }
    return password;
  }
}

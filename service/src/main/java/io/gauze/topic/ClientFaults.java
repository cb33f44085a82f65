package io.gauze.topic;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.security.cert.CertificateException;

/** Explains failures of Kafka's clients whose own messages do not say what to do. */
final class ClientFaults {
  /** The property of the Java process without which Kafka's clients ask no token endpoint. */
  private static final String ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

  private ClientFaults() {}

  /**
   * Returns the reason in full sentences.
   *
   * @param failure a client's exception
   * @param reason its message
   */
  static String explained(Throwable failure, String reason) {
    if (failure instanceof NoSuchFileException) {
      return "there is no file " + reason + " (a trust store, key store or token) in this process";
    }
    if (failure instanceof AccessDeniedException) {
      return "this process may not read file " + reason;
    }
    if (reason.contains(ALLOWED_URLS)) {
      return reason
          + (reason.endsWith(".") ? " " : ". ")
          + "Give it to each Java process: GAUZE_JAVA_OPTS=-D"
          + ALLOWED_URLS
          + "=URL here, env.java.opts.all in Flink's config on a cluster";
    }
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof CertificateException) {
        return reason
            + ": the broker's certificate is not trusted ("
            + each.getMessage()
            + "); ssl.truststore.location must name a store with its issuer";
      }
    }
    return reason;
  }
}

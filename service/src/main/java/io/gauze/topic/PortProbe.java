package io.gauze.topic;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Looks at a port where no broker answers a client: whether anything takes connections there, and
 * whether it speaks TLS. A client alone cannot tell a wrong protocol from a broker that is away.
 */
final class PortProbe {
  private static final int PATIENCE_MILLIS = 2000;
  private static final String PLAIN = "PLAINTEXT";

  private PortProbe() {}

  /**
   * Returns a clause that says what is wrong with the protocol; empty if nothing takes connections,
   * so that there is nothing to say of it.
   *
   * @param addresses host:port, separated by commas; the first that takes a connection is looked at
   * @param protocol {@code security.protocol}, if it is given
   */
  static Optional<String> clause(String addresses, Optional<String> protocol) {
    String ours = protocol.orElse(PLAIN).toUpperCase(Locale.ROOT);
    for (String address : addresses.split(",", -1)) {
      int colon = address.lastIndexOf(':');
      InetSocketAddress place =
          new InetSocketAddress(
              address.substring(0, colon).strip(),
              Integer.parseInt(address.substring(colon + 1).strip()));
      if (takesConnections(place)) {
        return Optional.of(clause(address.strip(), ours, speaksTls(place)));
      }
    }
    return Optional.empty();
  }

  private static String clause(String address, String ours, boolean tls) {
    boolean weSpeakTls = ours.endsWith("SSL");
    String there = "something takes connections at " + address;
    if (weSpeakTls && !tls) {
      return there + " and does not speak TLS, but security.protocol is " + ours;
    }
    if (!weSpeakTls && tls) {
      return there + " and speaks TLS, but security.protocol is " + ours + ", not SSL or SASL_SSL";
    }
    return there
        + " and gives no answer that a client with security.protocol "
        + ours
        + " understands; that may be the wrong one";
  }

  private static boolean takesConnections(InetSocketAddress place) {
    try (Socket socket = new Socket()) {
      socket.connect(place, PATIENCE_MILLIS);
      return true;
    } catch (IOException e) {
      return false; // what was asked
    }
  }

  /** Whether a handshake gets as far as a certificate, whoever signed it. */
  private static boolean speaksTls(InetSocketAddress place) {
    try (Socket plain = new Socket()) {
      plain.connect(place, PATIENCE_MILLIS);
      plain.setSoTimeout(PATIENCE_MILLIS);
      try (SSLSocket socket =
          (SSLSocket)
              SSLContext.getDefault()
                  .getSocketFactory()
                  .createSocket(plain, place.getHostString(), place.getPort(), false)) {
        socket.startHandshake();
        return true;
      }
    } catch (IOException e) {
      return isOfCertificate(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no TLS", e);
    }
  }

  private static boolean isOfCertificate(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof CertificateException) {
        return true;
      }
    }
    return false;
  }
}

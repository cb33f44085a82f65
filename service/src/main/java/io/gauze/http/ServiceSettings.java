package io.gauze.http;

import io.gauze.http.protocol.ClientLimits;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The settings of the service.
 *
 * @param listen the address
 * @param token what clients must send; empty: nothing
 * @param tls the certificate and its key; empty: plain HTTP
 * @param refresh the time between two looks for new releases
 * @param clients how slow clients may be
 * @param version of the program: answers of another one have other entity tags
 */
public record ServiceSettings(
    Listen listen,
    Optional<String> token,
    Optional<SSLContext> tls,
    Duration refresh,
    ClientLimits clients,
    String version) {
  /** Never shows the token. */
  @Override
  public String toString() {
    return "service at " + listen + (tls.isPresent() ? " with TLS" : "");
  }

  /**
   * An address to listen at.
   *
   * @param host a name or a number; only those of this machine can be reached from it alone
   * @param port in [0, 65535]; 0: a free one
   */
  public record Listen(String host, int port) {
    /** The address of a service for which none is given. */
    public static final Listen USUAL = new Listen("127.0.0.1", 8642);

    /**
     * Parses an address.
     *
     * @param what its name in error messages
     * @throws IllegalArgumentException if the text is not HOST:PORT
     */
    public static Listen parse(String what, String text) {
      int colon = text.lastIndexOf(':');
      String host = colon < 0 ? "" : text.substring(0, colon);
      String port = text.substring(colon + 1);
      boolean bracketed = host.startsWith("[") && host.endsWith("]");
      boolean good =
          !host.isEmpty()
              && (bracketed || !host.contains(":"))
              && port.matches("[0-9]{1,5}")
              && Integer.parseInt(port) <= 65_535;
      if (!good) {
        throw new IllegalArgumentException(
            what
                + " must be HOST:PORT with a port in [0, 65535], such as 127.0.0.1:8642. Provided"
                + " value: "
                + text);
      }
      return new Listen(
          bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port));
    }

    @Override
    public String toString() {
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }
}

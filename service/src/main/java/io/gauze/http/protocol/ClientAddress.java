package io.gauze.http.protocol;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.eclipse.jetty.server.Request;

/** Who a client is, as far as shares of the service go. */
public final class ClientAddress {
  /**
   * The bytes of an IPv6 address that name a network, all of whose addresses one client may have.
   */
  private static final int NETWORK_BYTES = 8;

  private ClientAddress() {}

  /** Returns the address of a request's client; of IPv6 that of its network. */
  public static String of(Request request) {
    SocketAddress remote = request.getConnectionMetaData().getRemoteSocketAddress();
    if (remote instanceof InetSocketAddress internet
        && internet.getAddress() instanceof Inet6Address address) {
      byte[] network = Arrays.copyOf(address.getAddress(), NETWORK_BYTES);
      return HexFormat.of().formatHex(network);
    }
    return Request.getRemoteAddr(request);
  }
}

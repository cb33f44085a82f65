package io.gauze.http.protocol;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What a certificate tells those who start a service with it. */
public final class ServerCertificate {
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private final X509Certificate certificate;

  public ServerCertificate(X509Certificate certificate) {
    this.certificate = certificate;
  }

  /** The names and addresses of hosts for which it is, in its order. */
  public List<String> hosts() {
    List<String> hosts = new ArrayList<>();
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      for (List<?> name : names == null ? List.<List<?>>of() : names) {
        if (name.get(0).equals(DNS_NAME) || name.get(0).equals(IP_ADDRESS)) {
          hosts.add(name.get(1).toString());
        }
      }
    } catch (CertificateParsingException e) {
      return List.of(); // as clients see it
    }
    return List.copyOf(hosts);
  }

  /** Whether nobody else has signed it, so that clients must be told to trust it. */
  public boolean isSelfSigned() {
    return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
  }

  /** Why clients refuse it at this time, and what to do; empty if nothing speaks against it. */
  public Optional<String> complaint(Instant now) {
    Instant begin = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    if (now.isAfter(end)) {
      return Optional.of(
          "ended at " + end + ", so clients refuse it; get a new one, and start the service again");
    }
    if (now.isBefore(begin)) {
      return Optional.of(
          "begins at " + begin + ", and clients refuse it until then; check this machine's clock");
    }
    return hosts().isEmpty()
        ? Optional.of(
            "names no host, so browsers and Java refuse it; get one with a subject alternative name,"
                + " such as DNS:gauze.example.org")
        : Optional.empty();
  }
}

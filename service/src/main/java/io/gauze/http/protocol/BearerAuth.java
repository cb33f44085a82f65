package io.gauze.http.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;

/** Checks the bearer token of requests, if the service has one (RFC 6750). */
public final class BearerAuth {
  private static final String SCHEME = "Bearer ";
  private static final String MISSING =
      "this service asks for a token; send the header Authorization: Bearer TOKEN";
  private static final String WRONG =
      "the header Authorization does not hold the token of this service; send Authorization: Bearer"
          + " TOKEN, with the token that the service was started with";

  private final Optional<byte[]> token;

  public BearerAuth(Optional<String> token) {
    this.token = token.map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Checks the header Authorization, in a time that does not depend on how much of it is right.
   *
   * @throws Problem if the token is missing or another one
   */
  public void check(Optional<String> authorization) throws Problem {
    if (token.isEmpty()) {
      return;
    }
    boolean right =
        authorization
            .filter(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
            .map(header -> header.substring(SCHEME.length()).strip())
            .map(given -> given.getBytes(StandardCharsets.UTF_8))
            .filter(given -> MessageDigest.isEqual(given, token.get()))
            .isPresent();
    if (!right) {
      throw new Problem(
          401,
          "unauthorized",
          authorization.isEmpty() ? MISSING : WRONG,
          Map.of("WWW-Authenticate", "Bearer"));
    }
  }
}

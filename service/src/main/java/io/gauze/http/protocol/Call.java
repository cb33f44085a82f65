package io.gauze.http.protocol;

import java.util.List;
import java.util.Optional;

/**
 * A request, free of the server's types.
 *
 * @param client the address of who asks
 * @param method GET or POST
 * @param pattern of the resource
 * @param path the decoded parts of the path that stand for the names in the resource's pattern
 * @param query its parameters, all of them known to the resource
 * @param accept the header Accept; empty: anything
 * @param ifNoneMatch the header If-None-Match
 * @param body of a POST; empty for other methods
 */
public record Call(
    String client,
    String method,
    String pattern,
    List<String> path,
    Query query,
    String accept,
    Optional<String> ifNoneMatch,
    Body body) {
  /** The body of a request. */
  public interface Body {
    /**
     * Reads it.
     *
     * @throws Problem if it is too large
     */
    byte[] read() throws Problem;
  }

  /** Returns a text that is equal only for requests that are answered alike. Not of a POST. */
  public String words() {
    return String.join("\n", pattern, path.toString(), query.raw(), accept, ifNoneMatch.orElse(""));
  }

  /** A format of an answer: its name in the parameter format, and its media type. */
  public record Format(String name, String type) {}

  /**
   * Returns the format that the client wants: that of the query, or the first one that the header
   * Accept names with the greatest weight.
   *
   * @param formats the first is that of a client without wishes
   */
  public Format format(List<Format> formats) throws Problem {
    Optional<String> asked = query.text("format");
    List<String> names = formats.stream().map(Format::name).toList();
    if (asked.isPresent()) {
      return formats.stream()
          .filter(format -> format.name().equals(asked.get()))
          .findFirst()
          .orElseThrow(
              () ->
                  Problem.bad(
                      "format must be one of "
                          + String.join(", ", names)
                          + ". Provided value: "
                          + Query.shown(asked.get())));
    }
    return Accept.best(accept, formats)
        .orElseThrow(
            () ->
                new Problem(
                    406,
                    "not-acceptable",
                    "this resource is there as "
                        + String.join(", ", formats.stream().map(Format::type).toList())
                        + "; the header Accept names none of them. Provided value: "
                        + Query.shown(accept)));
  }

  /** Returns whether the client has the version with this entity tag. */
  public boolean has(String tag) {
    return ifNoneMatch
        .map(
            tags ->
                List.of(tags.split(",", -1)).stream()
                    .map(each -> each.strip().replaceFirst("^W/", ""))
                    .anyMatch(each -> Gzip.plain(each).equals(tag) || each.equals("*")))
        .orElse(false);
  }
}

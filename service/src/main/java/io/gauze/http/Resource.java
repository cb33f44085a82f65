package io.gauze.http;

import java.io.IOException;
import java.util.List;

/**
 * A resource of the service.
 *
 * @param pattern its path, with names in braces for single parts of it
 * @param methods GET, POST or both; HEAD is answered wherever GET is
 * @param parameters those that the query may have
 * @param answer what is answered
 */
record Resource(String pattern, List<String> methods, List<String> parameters, Answerer answer) {
  static final List<String> GET = List.of("GET");

  /** Answers requests. */
  interface Answerer {
    /**
     * Returns the answer.
     *
     * @throws Problem if there is none, and the client has to know why
     * @throws IOException if the releases cannot be read
     */
    Reply answer(Call call) throws Problem, IOException;
  }

  /** Whether the client's token is asked for. */
  boolean isOpen() {
    return pattern.equals("/healthz") || pattern.equals("/readyz") || isPage();
  }

  /** Whether it is of the console, for people in a browser, and no part of the API. */
  boolean isPage() {
    return pattern.equals(ConsoleResources.PAGE) || pattern.equals(ConsoleResources.FILE);
  }
}

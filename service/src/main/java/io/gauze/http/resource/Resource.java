package io.gauze.http.resource;

import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.FitExecutor;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Reply;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A resource of the service.
 *
 * @param pattern its path, with names in braces for single parts of it
 * @param methods GET, POST or both; HEAD is answered wherever GET is
 * @param parameters those that the query may have
 * @param answer what is answered
 */
public record Resource(
    String pattern, List<String> methods, List<String> parameters, Answerer answer) {
  static final List<String> GET = List.of("GET");

  /** Answers requests, on the server's own threads: it neither waits nor reads nor fits there. */
  public interface Answerer {
    /**
     * Returns the answer to come. It fails with a {@link Problem} or a {@link
     * io.gauze.answer.RequestException} if there is none. Who no longer waits for it cancels it.
     *
     * @throws Problem if there is none, and the client has to know why
     */
    CompletableFuture<Reply> answer(Call call) throws Problem;
  }

  /** Makes an answer from what is in memory. */
  interface Maker {
    /**
     * Returns the answer.
     *
     * @throws Problem if there is none, and the client has to know why
     */
    Reply make(Call call) throws Problem;
  }

  /** Makes an answer from files or topics. */
  interface Reader {
    /**
     * Returns the answer.
     *
     * @throws Problem if there is none, and the client has to know why
     * @throws IOException if they cannot be read
     */
    Reply read(Call call) throws Problem, IOException;
  }

  /** Returns what answers at once. */
  static Answerer now(Maker maker) {
    return call -> CompletableFuture.completedFuture(maker.make(call));
  }

  /** Returns what reads on the threads of an executor; equal requests are read for once. */
  static Answerer later(FitExecutor executor, Reader reader) {
    return call -> executor.answer(call.client(), call.words(), check -> reader.read(call));
  }

  /** Whether the client's token is asked for. */
  public boolean isOpen() {
    return pattern.equals("/healthz") || pattern.equals("/readyz") || isPage();
  }

  /** Whether it is of the console, for people in a browser, and no part of the API. */
  boolean isPage() {
    return pattern.equals(ConsoleResources.PAGE) || pattern.equals(ConsoleResources.FILE);
  }
}

package io.gauze.http.protocol;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Problem documents for what the server itself refuses, such as requests that are no HTTP. */
public final class ProblemErrors extends ErrorHandler {
  private static Reply reply(int status) {
    return switch (status) {
      case 404 -> new Problem(404, "not-found", "there is no such resource").reply();
      case 408 -> new Problem(408, "timeout", "the request did not come to its end").reply();
      case 413 -> new Problem(413, "too-large", "the body is too large").reply();
      case 414, 431 ->
          new Problem(
                  status, "too-large", "the path, the query and the headers are too large together")
              .reply();
      case 500 -> Problem.internal().reply();
      case 503 -> new Problem(503, "busy", "the service is about to end").reply();
      default ->
          new Problem(status, "bad-request", "this is no request that HTTP allows; see RFC 9112")
              .reply();
    };
  }

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int status,
      String message,
      Throwable cause,
      Callback callback) {
    Replies.write(response, reply(status), callback);
  }
}

package io.gauze.http.protocol;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.ErrorCode;
import io.gauze.answer.RequestException;
import io.gauze.message.Message;
import io.gauze.report.ServiceMessage;
import java.util.Map;

/** An error that a client gets, as a problem document (RFC 9457). Its message says what to do. */
public final class Problem extends Exception {
  private static final long serialVersionUID = 1L;
  private static final String TYPE = "application/problem+json";

  private static final Map<ErrorCode, Integer> STATUS =
      Map.of(
          ErrorCode.BAD_REQUEST, 400,
          ErrorCode.BAD_COLUMN, 400,
          ErrorCode.UNKNOWN_RELEASE, 404,
          ErrorCode.CONTESTED_RELEASE, 409,
          ErrorCode.REFUSED, 422,
          ErrorCode.BUSY, 503,
          ErrorCode.DAMAGED_RELEASE, 500,
          ErrorCode.INTERNAL, 500);

  private final int status;
  private final String code;
  private final transient Map<String, String> headers;

  public Problem(int status, String code, String message, Map<String, String> headers) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  public Problem(int status, String code, String message) {
    this(status, code, message, Map.of());
  }

  /** Returns the problem of a wrong path, parameter or header. */
  public static Problem bad(String message) {
    return of(new RequestException(ErrorCode.BAD_REQUEST, message));
  }

  /** Returns the problem with the solver's code of an error. */
  public static Problem of(RequestException e) {
    Map<String, String> headers =
        e.code() == ErrorCode.BUSY ? Map.of("Retry-After", "1") : Map.<String, String>of();
    return new Problem(STATUS.get(e.code()), e.code().text(), e.getMessage(), headers);
  }

  /** Returns the problem of a fault of the service, whose log says more. */
  public static Problem internal() {
    return of(
        new RequestException(
            ErrorCode.INTERNAL,
            "the service failed on this request, which is a fault of the service; its log says"
                + " more"));
  }

  int status() {
    return status;
  }

  public Reply reply() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("type", "urn:gauze:problem:" + code);
    body.put("title", code.replace('-', ' '));
    body.put("status", status);
    body.put("code", code);
    body.put("detail", getMessage());
    Message said = ServiceMessage.of(code).of();
    body.putArray("messages")
        .addObject()
        .put("code", said.code())
        .put("message", said.message())
        .put("action", said.action());
    Reply reply = Reply.of(status, TYPE, Json.bytes(body)).with("Cache-Control", "no-store");
    headers.forEach(reply::with);
    return reply;
  }
}

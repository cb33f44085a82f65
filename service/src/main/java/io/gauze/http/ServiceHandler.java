package io.gauze.http;

import io.gauze.row.NearestName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the resource of a request and writes its answer. Every error is a problem document. */
final class ServiceHandler extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceHandler.class);

  private final List<Route> routes;
  private final Gate gate;
  private final ServiceMetrics metrics;
  private final SlowClients slow;

  ServiceHandler(List<Resource> resources, Gate gate, ServiceMetrics metrics, SlowClients slow) {
    this.routes = resources.stream().map(Route::of).toList();
    this.gate = gate;
    this.metrics = metrics;
    this.slow = slow;
  }

  /** A resource and the parts of its pattern. */
  private record Route(Resource resource, List<String> pattern) {
    static Route of(Resource resource) {
      return new Route(resource, List.of(resource.pattern().split("/", -1)));
    }
  }

  /** A resource and the parts of the path that stand for its names. */
  private record Found(Resource resource, List<String> path) {}

  /** What a request asks for, or why it is not answered. */
  private record Asked(Optional<Found> found, Optional<Problem> problem) {
    String label() {
      return found.map(each -> each.resource().pattern()).orElse("none");
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    long begun = System.nanoTime();
    Asked asked = asked(request);
    Consumer<Call.Body> answer =
        body -> {
          Reply reply = answer(asked, request, body);
          metrics.answered(asked.label(), reply.status(), (System.nanoTime() - begun) * 1e-9);
          slow.reply(request, response, encoded(reply, request), callback);
        };
    if (asked.problem().isEmpty() && request.getMethod().equals("POST")) {
      slow.body(request, answer);
    } else {
      answer.accept(() -> new byte[0]);
    }
    return true;
  }

  private Asked asked(Request request) {
    Optional<Found> found = Optional.empty();
    try {
      String path = Optional.ofNullable(request.getHttpURI().getPath()).orElse("");
      found = find(path);
      gate(found, request);
      checkMethod(found.orElseThrow(() -> unknown(path)).resource(), request.getMethod());
      return new Asked(found, Optional.empty());
    } catch (Problem e) {
      return new Asked(found, Optional.of(e));
    }
  }

  private static Reply answer(Asked asked, Request request, Call.Body body) {
    try {
      if (asked.problem().isPresent()) {
        throw asked.problem().get();
      }
      return answer(asked.found().orElseThrow(), request, body);
    } catch (Problem e) {
      return e.reply();
    } catch (IOException e) {
      LOG.warn("The releases cannot be read: {}", e.getMessage());
      return new Problem(
              503,
              "busy",
              "the releases cannot be read now; ask again later",
              Map.of("Retry-After", "5"))
          .reply();
    } catch (RuntimeException e) {
      LOG.error("A request failed", e);
      return Problem.internal().reply();
    }
  }

  private static Reply encoded(Reply reply, Request request) {
    return Gzip.encoded(
        reply,
        Optional.ofNullable(request.getHeaders().get(HttpHeader.ACCEPT_ENCODING)).orElse(""),
        Optional.ofNullable(request.getHeaders().get(HttpHeader.IF_NONE_MATCH)).orElse(""));
  }

  private void gate(Optional<Found> found, Request request) throws Problem {
    if (found.filter(each -> each.resource().isOpen()).isEmpty()) {
      gate.check(Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION)));
    }
  }

  private Optional<Found> find(String path) throws Problem {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      parts.add(Query.decode(part, false));
    }
    for (Route route : routes) {
      Optional<List<String>> named = match(route.pattern(), parts);
      if (named.isPresent()) {
        return Optional.of(new Found(route.resource(), named.get()));
      }
    }
    return Optional.empty();
  }

  private static Optional<List<String>> match(List<String> pattern, List<String> parts) {
    if (pattern.size() != parts.size()) {
      return Optional.empty();
    }
    List<String> named = new ArrayList<>();
    for (int k = 0; k < parts.size(); k++) {
      if (pattern.get(k).startsWith("{")) {
        named.add(parts.get(k));
      } else if (!pattern.get(k).equals(parts.get(k))) {
        return Optional.empty();
      }
    }
    return Optional.of(named);
  }

  private Problem unknown(String path) {
    List<String> known = routes.stream().map(route -> route.resource().pattern()).toList();
    String shown = Query.shown(path);
    return new Problem(
        404,
        "not-found",
        "there is no resource "
            + shown
            + "; the nearest is "
            + NearestName.of(shown, known)
            + ", and /v1 lists all");
  }

  private static void checkMethod(Resource resource, String method) throws Problem {
    if (!resource.methods().contains(asGet(method))) {
      String allowed = String.join(", ", resource.methods());
      throw new Problem(
          405,
          "method-not-allowed",
          "this resource answers " + allowed + ". Provided value: " + Query.shown(method),
          Map.of("Allow", resource.methods().contains("GET") ? allowed + ", HEAD" : allowed));
    }
  }

  private static String asGet(String method) {
    return method.equals("HEAD") ? "GET" : method;
  }

  private static Reply answer(Found found, Request request, Call.Body body)
      throws Problem, IOException {
    Resource resource = found.resource();
    Query query = Query.parse(Optional.ofNullable(request.getHttpURI().getQuery()).orElse(""));
    query.check(resource.parameters());
    return resource
        .answer()
        .answer(
            new Call(
                asGet(request.getMethod()),
                found.path(),
                query,
                Optional.ofNullable(request.getHeaders().get(HttpHeader.ACCEPT)).orElse(""),
                Optional.ofNullable(request.getHeaders().get(HttpHeader.IF_NONE_MATCH)),
                body));
  }
}

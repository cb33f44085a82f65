package io.gauze.http;

import io.gauze.answer.RequestException;
import io.gauze.http.protocol.BearerAuth;
import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.ClientAddress;
import io.gauze.http.protocol.Departure;
import io.gauze.http.protocol.Fault;
import io.gauze.http.protocol.FitExecutor;
import io.gauze.http.protocol.Gzip;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Query;
import io.gauze.http.protocol.Reply;
import io.gauze.http.protocol.ServiceMetrics;
import io.gauze.http.protocol.SlowClients;
import io.gauze.http.resource.Resource;
import io.gauze.message.NearestName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the resource of a request and writes its answer. Every error is a problem document. */
final class ServiceHandler extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceHandler.class);

  /** The status of a request whose client has left, in the metrics alone. */
  private static final int LEFT = 499;

  private final List<Route> routes;
  private final BearerAuth auth;
  private final ServiceMetrics metrics;
  private final SlowClients slow;

  ServiceHandler(
      List<Resource> resources, BearerAuth auth, ServiceMetrics metrics, SlowClients slow) {
    this.routes = resources.stream().map(Route::of).toList();
    this.auth = auth;
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
    Exchange exchange = new Exchange(request, response, callback, asked.label(), begun);
    Consumer<Call.Body> answer = body -> exchange.await(answer(asked, request, body));
    if (asked.problem().isEmpty() && request.getMethod().equals("POST")) {
      slow.body(request, answer);
    } else {
      answer.accept(() -> new byte[0]);
    }
    return true;
  }

  /** A request whose answer is to come. It holds no thread. */
  private final class Exchange {
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final String label;
    private final long begun;

    Exchange(Request request, Response response, Callback callback, String label, long begun) {
      this.request = request;
      this.response = response;
      this.callback = callback;
      this.label = label;
      this.begun = begun;
    }

    void await(CompletableFuture<Reply> answer) {
      Optional<Departure> departure = Optional.empty();
      if (!answer.isDone()) {
        request.addIdleTimeoutListener(timeout -> false); // it is the service that takes its time
        departure = Optional.of(Departure.watch(request, () -> answer.cancel(false)));
      }
      Optional<Departure> watch = departure;
      CompletableFuture<Reply> unusedEnd =
          answer.whenComplete((reply, failure) -> end(reply, failure, watch));
    }

    private void end(Reply reply, Throwable failure, Optional<Departure> watch) {
      boolean moreCame = watch.filter(Departure::end).isPresent();
      try {
        if (failure instanceof CancellationException) {
          metrics.answered(label, LEFT, seconds());
          callback.failed(new EofException("the client has left"));
          return;
        }
        Reply made = replyOf(reply, failure);
        metrics.answered(label, made.status(), seconds());
        Reply last = moreCame ? made.as(made.body()).with("Connection", "close") : made;
        slow.reply(request, response, encoded(last, request), callback);
      } catch (RuntimeException | Error e) { // else the client would wait for ever
        LOG.error("An answer could not be written", Fault.of(e));
        callback.failed(e);
      }
    }

    private double seconds() {
      return (System.nanoTime() - begun) * 1e-9;
    }
  }

  private Asked asked(Request request) {
    Optional<Found> found = Optional.empty();
    try {
      String path = Optional.ofNullable(request.getHttpURI().getPath()).orElse("");
      found = find(path);
      authorize(found, request);
      checkMethod(found.orElseThrow(() -> unknown(path)).resource(), request.getMethod());
      return new Asked(found, Optional.empty());
    } catch (Problem e) {
      return new Asked(found, Optional.of(e));
    }
  }

  private static CompletableFuture<Reply> answer(Asked asked, Request request, Call.Body body) {
    try {
      if (asked.problem().isPresent()) {
        throw asked.problem().get();
      }
      return answer(asked.found().orElseThrow(), request, body);
    } catch (Problem | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Returns the answer, or the problem that stands for a failure. */
  static Reply replyOf(Reply reply, Throwable failure) {
    if (failure == null) {
      return reply;
    }
    if (failure instanceof Problem known) {
      return known.reply();
    }
    if (failure instanceof RequestException wrong) {
      return Problem.of(wrong).reply();
    }
    if (failure instanceof TimeoutException) {
      return busy(
          "the fit takes longer than "
              + FitExecutor.LONGEST_SECONDS
              + " s; ask for fewer"
              + " columns or epochs",
          1);
    }
    if (failure instanceof IOException) {
      LOG.warn("The releases cannot be read: {}", failure.getMessage());
      return busy("the releases cannot be read now; ask again later", 5);
    }
    LOG.error("A request failed", Fault.of(failure));
    return Problem.internal().reply();
  }

  private static Reply busy(String message, int seconds) {
    return new Problem(503, "busy", message, Map.of("Retry-After", Integer.toString(seconds)))
        .reply();
  }

  private static Reply encoded(Reply reply, Request request) {
    return Gzip.encoded(
        reply,
        Optional.ofNullable(request.getHeaders().get(HttpHeader.ACCEPT_ENCODING)).orElse(""),
        Optional.ofNullable(request.getHeaders().get(HttpHeader.IF_NONE_MATCH)).orElse(""));
  }

  private void authorize(Optional<Found> found, Request request) throws Problem {
    if (found.filter(each -> each.resource().isOpen()).isEmpty()) {
      auth.check(Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION)));
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

  private static CompletableFuture<Reply> answer(Found found, Request request, Call.Body body)
      throws Problem {
    Resource resource = found.resource();
    Query query = Query.parse(Optional.ofNullable(request.getHttpURI().getQuery()).orElse(""));
    query.check(resource.parameters());
    return resource
        .answer()
        .answer(
            new Call(
                ClientAddress.of(request),
                asGet(request.getMethod()),
                resource.pattern(),
                found.path(),
                query,
                Optional.ofNullable(request.getHeaders().get(HttpHeader.ACCEPT)).orElse(""),
                Optional.ofNullable(request.getHeaders().get(HttpHeader.IF_NONE_MATCH)),
                body));
  }
}

package io.gauze.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.FitExecutor;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Query;
import io.gauze.http.protocol.ReleaseSignal;
import io.gauze.http.protocol.Reply;
import io.gauze.http.protocol.ServiceMetrics;
import io.gauze.http.resource.Resource;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.http.resource.ServiceResources;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The resources of the service on the JDK's HTTP server, to compare with. It knows no path with
 * names in it, no token and no compression. It lies in this package since resources do.
 */
public final class JdkService implements AutoCloseable {
  private static final int THREADS = 32;

  private final HttpServer server;
  private final FitExecutor desk;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  private JdkService(HttpServer server, FitExecutor desk) {
    this.server = server;
    this.desk = desk;
  }

  /** Starts the server at a free port of this machine; the library stays that of the caller. */
  public static JdkService start(ReleaseLibrary library) throws IOException {
    ServiceMetrics metrics = new ServiceMetrics();
    FitExecutor desk = new FitExecutor("jdk-fit", FitExecutor.Limits.fits(), metrics);
    ServiceResources.Parts parts =
        new ServiceResources.Parts(
            library,
            desk,
            desk,
            new ReleaseSignal(1, 1),
            metrics,
            "jdk",
            ServiceExtras.NONE,
            () -> true);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    JdkService service = new JdkService(server, desk);
    server.setExecutor(service.threads);
    for (Resource resource : ServiceResources.all(parts)) {
      if (!resource.pattern().contains("{")) {
        server.createContext(resource.pattern(), exchange -> answer(exchange, resource, metrics));
      }
    }
    server.start();
    return service;
  }

  private static void answer(HttpExchange exchange, Resource resource, ServiceMetrics metrics)
      throws IOException {
    long begun = System.nanoTime();
    Reply reply;
    try {
      Query query =
          Query.parse(Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""));
      query.check(resource.parameters());
      Optional<String> tag =
          Optional.ofNullable(exchange.getRequestHeaders().getFirst("If-None-Match"));
      reply =
          resource
              .answer()
              .answer(
                  new Call(
                      exchange.getRemoteAddress().getHostString(),
                      "GET",
                      resource.pattern(),
                      List.of(),
                      query,
                      "",
                      tag,
                      () -> new byte[0]))
              .join();
    } catch (Problem e) {
      reply = e.reply();
    } catch (CompletionException e) {
      reply = ServiceHandler.replyOf(Reply.notModified(), e.getCause());
    }
    metrics.answered(resource.pattern(), reply.status(), (System.nanoTime() - begun) * 1e-9);
    reply.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
    exchange.sendResponseHeaders(reply.status(), reply.body().length);
    exchange.getResponseBody().write(reply.body());
    exchange.close();
  }

  /** The port. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    desk.close();
  }
}

package io.gauze.http.resource;

import io.gauze.answer.ReleaseLibrary;
import io.gauze.http.protocol.FitExecutor;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.ReleaseSignal;
import io.gauze.http.protocol.Reply;
import io.gauze.http.protocol.ServiceMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** All resources of the service. */
public final class ServiceResources {
  private ServiceResources() {}

  /**
   * What resources need.
   *
   * @param executor of fits
   * @param reads the executor of what is read
   * @param extras what is told beside releases
   * @param upToDate whether the last look for new releases succeeded
   */
  public record Parts(
      ReleaseLibrary library,
      FitExecutor executor,
      FitExecutor reads,
      ReleaseSignal signal,
      ServiceMetrics metrics,
      String version,
      ServiceExtras extras,
      BooleanSupplier upToDate) {}

  public static List<Resource> all(Parts parts) {
    List<Resource> all = new ArrayList<>();
    all.add(get("/healthz", call -> plain("ok\n")));
    all.add(get("/readyz", call -> ready(parts)));
    all.add(get("/metrics", call -> parts.metrics().reply()));
    all.add(get("/v1", call -> overview(parts, all)));
    byte[] document = document();
    all.add(
        get(
            "/v1/openapi.json",
            call -> Reply.of(200, Reply.JSON, document).with("Cache-Control", "no-cache")));
    all.addAll(new ReleaseResources(parts.library(), parts.reads()).all());
    Questions questions = new Questions(parts);
    all.addAll(new FitResources(questions).all());
    all.add(new PredictResource(questions).resource());
    all.add(new PathResource(questions).resource());
    all.add(new SeriesResource(parts.library(), questions).resource());
    all.add(new AdviceResource(parts.library(), questions, parts.extras().stream()).resource());
    all.add(new LedgerResource(parts.extras().ledger(), parts.reads()).resource());
    all.add(get(EventHandler.PATH, call -> events()));
    all.addAll(new ConsoleResources().all());
    return all;
  }

  private static Resource get(String pattern, Resource.Maker maker) {
    return new Resource(pattern, Resource.GET, List.of(), Resource.now(maker));
  }

  /** Answers HEAD: {@link EventHandler} answers GET. */
  private static Reply events() {
    return Reply.text("text/event-stream", "").with("Cache-Control", "no-store");
  }

  private static Reply plain(String text) {
    return Reply.text(Reply.TEXT, text).with("Cache-Control", "no-store");
  }

  private static Reply ready(Parts parts) throws Problem {
    if (!parts.upToDate().getAsBoolean()) {
      throw new Problem(
          503,
          "busy",
          "new releases cannot be read, and the known ones are served; the log says why",
          Map.of("Retry-After", "5"));
    }
    return plain("ok\n");
  }

  private static Reply overview(Parts parts, List<Resource> all) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("version", parts.version());
    ReleaseLibrary.State state = parts.library().state();
    body.put(
        "streams",
        state.entries().stream().map(entry -> entry.id().stream()).distinct().sorted().toList());
    body.put("releases", state.entries().size());
    body.put("damaged", state.damages().size());
    body.put("ledger", parts.extras().ledger().isPresent());
    body.put("advice", parts.extras().stream().isPresent());
    body.put("links", all.stream().filter(each -> !each.isPage()).map(Resource::pattern).toList());
    return Reply.json(body).with("Cache-Control", "no-cache");
  }

  private static byte[] document() {
    try (InputStream in = ServiceResources.class.getResourceAsStream("openapi.json")) {
      return Objects.requireNonNull(in, "openapi.json").readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

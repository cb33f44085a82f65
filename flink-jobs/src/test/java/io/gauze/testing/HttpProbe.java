package io.gauze.testing;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** Asks services of tests over HTTP. */
public final class HttpProbe {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  private HttpProbe() {}

  /** Returns the answer to a GET, which must come within ten seconds. */
  public static HttpResponse<String> get(String address) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(10)).build();
    return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join();
  }

  /** Asks until there is an answer with status 200 in which {@code wanted} is found. */
  public static <T> T await(String address, Function<String, Optional<T>> wanted) {
    AtomicReference<T> found = new AtomicReference<>();
    ProcessCluster.await(
        address,
        () -> {
          HttpResponse<String> answer = get(address);
          Optional<T> there =
              answer.statusCode() == 200 ? wanted.apply(answer.body()) : Optional.empty();
          there.ifPresent(found::set);
          return there.isPresent();
        });
    return found.get();
  }
}

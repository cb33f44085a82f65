package io.gauze.http;

import io.gauze.answer.ReleaseFolder;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.SmallReleases;
import io.gauze.http.protocol.ClientLimits;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** A service over a folder of small releases: hours 1 to 4, of which hour 4 is contested. */
public final class RunningService implements AutoCloseable {
  static final String TOKEN = "sesame";

  private final Path folder;
  private final ServiceSettings settings;
  private final ServiceExtras extras;
  private final ServiceServer server;
  private final URI address;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  private RunningService(Path folder, ServiceSettings settings, ServiceExtras extras)
      throws IOException {
    this.folder = folder;
    this.settings = settings;
    this.extras = extras;
    ReleaseLibrary library =
        new ReleaseLibrary(Optional.empty(), new ReleaseFolder(folder), Clock.systemUTC());
    this.server = ServiceServer.start(settings, library, extras);
    this.address = server.address();
  }

  public static RunningService start(Path folder, Optional<String> token) throws IOException {
    return start(folder, token, ServiceExtras.NONE);
  }

  public static RunningService start(Path folder, Optional<String> token, ServiceExtras extras)
      throws IOException {
    for (int hour = 1; hour <= 4; hour++) {
      ReleaseFile.write(SmallReleases.hour(hour), folder.resolve(hour + ".avro"));
    }
    Release other = SmallReleases.release(SmallReleases.STREAM, SmallReleases.epoch(4), 99);
    ReleaseFile.write(other, folder.resolve("other.avro"));
    return over(folder, token, extras);
  }

  /** Starts a service over the releases that are in a folder. */
  public static RunningService over(Path folder, Optional<String> token, ServiceExtras extras)
      throws IOException {
    return over(folder, token, extras, ClientLimits.USUAL);
  }

  /** Starts a service with limits of its own over the releases that are in a folder. */
  public static RunningService over(
      Path folder, Optional<String> token, ServiceExtras extras, ClientLimits clients)
      throws IOException {
    ServiceSettings.Listen anyPort = new ServiceSettings.Listen("127.0.0.1", 0);
    return new RunningService(folder, settings(anyPort, token, clients), extras);
  }

  private static ServiceSettings settings(
      ServiceSettings.Listen listen, Optional<String> token, ClientLimits clients) {
    return new ServiceSettings(
        listen, token, Optional.empty(), Duration.ofMillis(20), clients, "test");
  }

  /** Starts this service again, after it was closed, at the same address. */
  RunningService again() throws IOException {
    ServiceSettings.Listen same =
        new ServiceSettings.Listen(settings.listen().host(), address.getPort());
    return new RunningService(folder, settings(same, settings.token(), settings.clients()), extras);
  }

  Path folder() {
    return folder;
  }

  /** The address of its console. */
  String page() {
    return address + "/";
  }

  public int port() {
    return address.getPort();
  }

  /** Returns a request of the service; its answer must come within ten seconds. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path)).timeout(Duration.ofSeconds(10));
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  public HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path);
    return send((headers.length == 0 ? request : request.headers(headers)).build());
  }

  public HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return send(request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build());
  }

  HttpClient client() {
    return client;
  }

  @Override
  public void close() {
    server.close();
  }
}

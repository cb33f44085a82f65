package io.gauze.benchmarks;

import io.gauze.answer.ReleaseFolder;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.http.JdkService;
import io.gauze.http.ServiceServer;
import io.gauze.http.ServiceSettings;
import io.gauze.http.protocol.ClientLimits;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The service under load, and the JDK's server beside it, in a process of their own. Prints both
 * ports; then answers lines: {@code heap}, the bytes in use after a collection, and {@code
 * release}, after which there is one release more, at most {@link #FURTHER}.
 */
public final class ServeTarget {
  /** How many releases there may be more. */
  static final int FURTHER = 3;

  private ServeTarget() {}

  /**
   * Runs until its input ends.
   *
   * @param args an empty folder
   */
  public static void main(String[] args) throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true"); // else 44 ms a request
    Path folder = Path.of(args[0]);
    int next = 0;
    for (Release release : LoadReleases.all()) {
      ReleaseFile.write(release, folder.resolve(next++ + ".avro"));
    }
    Deque<Release> further = new ArrayDeque<>();
    for (int k = 0; k < FURTHER; k++) {
      further.add(LoadReleases.further(next + k));
    }
    ReleaseLibrary library =
        new ReleaseLibrary(Optional.empty(), new ReleaseFolder(folder), Clock.systemUTC());
    ServiceSettings settings =
        new ServiceSettings(
            new ServiceSettings.Listen("127.0.0.1", 0),
            Optional.empty(),
            Optional.empty(),
            Duration.ofMillis(200), // as gauze serve looks at a topic
            ClientLimits.USUAL,
            "benchmark");
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (ServiceServer service = ServiceServer.start(settings, library);
        JdkService plain = JdkService.start(library)) {
      out.println(service.address().getPort());
      out.println(plain.port());
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals("heap")) {
          out.println(heap());
        } else {
          ReleaseFile.write(further.remove(), folder.resolve(next + ".avro"));
          out.println(next++);
        }
      }
    }
  }

  private static long heap() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}

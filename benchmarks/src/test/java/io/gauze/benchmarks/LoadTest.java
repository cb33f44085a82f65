package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** The load of HTTP requests against a server that gives one answer, and programs beside it. */
final class LoadTest {
  /** Answers each request on each connection with these bytes, until it is closed. */
  private static final class OneAnswer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    OneAnswer(String answer) throws IOException {
      Thread thread = new Thread(() -> accept(answer.getBytes(StandardCharsets.UTF_8)));
      thread.setDaemon(true);
      thread.start();
    }

    private void accept(byte[] answer) {
      try {
        while (true) {
          Socket one = socket.accept();
          Thread thread = new Thread(() -> serve(one, answer));
          thread.setDaemon(true);
          thread.start();
        }
      } catch (IOException e) {
        // closed
      }
    }

    private void serve(Socket one, byte[] answer) {
      try (one;
          BufferedReader in =
              new BufferedReader(
                  new InputStreamReader(one.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          if (line.isEmpty()) {
            one.getOutputStream().write(answer);
          } else if (line.startsWith("GET ")) {
            requests.add(line);
          }
        }
      } catch (IOException e) {
        // the client is gone
      }
    }

    int port() {
      return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void eachConnectionAsksForPathsInTurn() throws Exception {
    String body = "x".repeat(3_000);
    try (OneAnswer server =
        new OneAnswer("HTTP/1.1 200 OK\r\nContent-Length: 3000\r\nA: b\r\n\r\n" + body)) {
      HttpLoad.Result result =
          new HttpLoad(server.port(), n -> "/" + n, 2, 50).run(Duration.ofSeconds(2));
      assertThat(server.requests).hasSizeBetween(1, 100).contains("GET /0 HTTP/1.1");
      assertThat(server.requests).doesNotHaveDuplicates();
      assertThat(result.rate()).isPositive();
      assertThat(result.p99()).isGreaterThanOrEqualTo(result.median());
    }
  }

  @Test
  void anAnswerThatIsNot200BreaksOff() throws Exception {
    try (OneAnswer server = new OneAnswer("HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno")) {
      HttpLoad load = new HttpLoad(server.port(), n -> "/", 1, 0);
      assertThatIOException()
          .isThrownBy(() -> load.run(Duration.ofSeconds(5)))
          .withMessageStartingWith("the load broke off: HTTP/1.1 404 No");
    }
  }

  /** Prints its argument, then each line that it is given, the other way round. */
  static final class Mirror {
    public static void main(String[] args) throws IOException {
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      out.println(args[0]);
      out.println(new StringBuilder(in.readLine()).reverse());
    }
  }

  @Test
  void aProgramIsAskedAndEnds() throws Exception {
    try (ChildProcess child = ChildProcess.start(Mirror.class, List.of("here"))) {
      assertThat(child.line()).isEqualTo("here");
      assertThat(child.ask("abc")).isEqualTo("cba");
      assertThatIOException()
          .isThrownBy(child::line)
          .withMessageStartingWith("the program ended: ");
    }
  }
}

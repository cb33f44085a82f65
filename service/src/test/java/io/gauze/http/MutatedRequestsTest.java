package io.gauze.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.answer.SmallReleases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a client sends, it gets an answer, a problem document or a closed connection. */
final class MutatedRequestsTest {
  private static final int REQUESTS = Boolean.getBoolean("gauze.thorough") ? 10_000 : 2_000;
  private static final String END = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  private static final String BODY =
      "{\"response\":\"y\",\"features\":[\"a\"],\"deadline\":\"PT0S\",\"loss\":\"lasso\",\"lambda\":1}";

  private static final String ROWS =
      "{\"response\":\"y\",\"deadline\":\"PT0S\",\"rows\":[{\"a\":0.1,\"b\":-0.5},{\"a\":\"x\"}]}";

  private static final List<String> SEEDS =
      List.of(
          "GET /v1/releases?stream=small&limit=2&after=" + SmallReleases.id(1) + END + "\r\n",
          "GET /v1/releases/" + SmallReleases.id(1) + "?format=npz" + END + "\r\n",
          "GET /v1/fit?release="
              + SmallReleases.id(1)
              + "&response=y&features=a,b&level=.9"
              + END
              + "Accept: text/csv;q=0.5, application/json\r\nIf-None-Match: \"a\"\r\n\r\n",
          "GET /v1/path?response=y&release=" + SmallReleases.id(1) + "&points=3" + END + "\r\n",
          "GET /v1/series?response=y&sketch=moments&window=2" + END + "\r\n",
          "GET /v1/advise?rows=2000&loss=lad&epsilon=2&release="
              + SmallReleases.id(1)
              + END
              + "\r\n",
          "GET /v1/predict?response=y&row=%7B%22a%22:0.5,%22b%22:3%7D&interval=prediction&release="
              + SmallReleases.id(1)
              + END
              + "\r\n",
          "POST /v1/predict?level=0.5"
              + END
              + "Content-Length: "
              + ROWS.length()
              + "\r\n\r\n"
              + ROWS,
          "GET /v1/ledger" + END + "\r\n",
          "GET /metrics" + END + "Authorization: Bearer x\r\n\r\n",
          "POST /v1/fit?level=0.5" + END + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY,
          "POST /v1/fit"
              + END
              + "Transfer-Encoding: chunked\r\n\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n");

  @TempDir private Path folder;

  @Test
  void areAnsweredOrClosed() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    int problems = 0;
    try (RunningService service = RunningService.start(folder, Optional.empty())) {
      for (int k = 0; k < REQUESTS; k++) {
        byte[] request = mutated(SEEDS.get(k % SEEDS.size()).getBytes(ISO_8859_1), random);
        String answer = exchange(service.port(), request);
        check(new String(request, ISO_8859_1), answer);
        problems += answer.contains("urn:gauze:problem:") ? 1 : 0;
      }
      assertThat(problems).isGreaterThan(REQUESTS / 4); // else the mutations would be none
      assertThat(service.get("/healthz").statusCode()).isEqualTo(200);
      assertThat(
              service
                  .get("/v1/fit?response=y&features=a&release=" + SmallReleases.id(1))
                  .statusCode())
          .isEqualTo(200);
    }
  }

  private static void check(String request, String answer) {
    if (answer.isEmpty()) {
      return;
    }
    assertThat(answer).as(request).startsWith("HTTP/1.1 ");
    int status = Integer.parseInt(answer.substring(9, 12));
    String lower = answer.toLowerCase(Locale.ROOT);
    if (status >= 400) {
      assertThat(lower).as(request).contains("content-type: application/problem+json");
      assertThat(status).as(request + answer).isNotEqualTo(500);
    }
    assertThat(lower).as(request).doesNotContain("exception", "jetty", "io.gauze", "\tat ");
  }

  private static byte[] mutated(byte[] seed, SplittableRandom random) {
    byte[] bytes = seed.clone();
    int changes = 1 + random.nextInt(4);
    for (int k = 0; k < changes && bytes.length > 0; k++) {
      int at = random.nextInt(bytes.length);
      int length = Math.min(random.nextInt(1, 9), bytes.length - at);
      bytes =
          switch (random.nextInt(6)) {
            case 0 -> joined(bytes, at, new byte[0], at + length); // cut
            case 1 -> joined(bytes, at, new byte[] {(byte) random.nextInt(256)}, at + 1);
            case 2 -> joined(bytes, at, random(random, length), at);
            case 3 -> joined(bytes, at, "%00".getBytes(ISO_8859_1), at + 1);
            case 4 -> joined(bytes, at, random(random, random.nextInt(4) == 0 ? 20_000 : 50), at);
            default -> joined(bytes, at, new byte[0], bytes.length); // break off
          };
    }
    return bytes;
  }

  private static byte[] random(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    boolean text = random.nextBoolean();
    for (int k = 0; k < length; k++) {
      bytes[k] = (byte) (text ? random.nextInt(33, 127) : random.nextInt(256));
    }
    return bytes;
  }

  private static byte[] joined(byte[] bytes, int head, byte[] middle, int tail) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, head);
    out.writeBytes(middle);
    out.write(bytes, tail, bytes.length - tail);
    return out.toByteArray();
  }

  /** Sends bytes and ends the output; returns what comes until the service closes. */
  private static String exchange(int port, byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000); // a hang fails the test
      try {
        socket.getOutputStream().write(request);
        socket.shutdownOutput();
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      } catch (SocketException e) { // closed before all was sent or read
        return "";
      }
    }
  }
}

package io.gauze.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** A schema registry over HTTP on the loopback interface, which answers as it is told. */
public final class RegistryServer implements Closeable {
  private final ServerSocket socket;
  private final String scheme;
  private final Map<String, String> bodies = new HashMap<>();
  private final Deque<Integer> statuses = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private final List<String> credentials = new ArrayList<>();
  private int stalls;

  /** Answers at a free port, until it is closed. */
  public RegistryServer() throws IOException {
    this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), "http");
  }

  /** Answers at a socket, until it is closed. */
  public RegistryServer(ServerSocket given, String scheme) {
    socket = given;
    this.scheme = scheme;
    Thread thread = new Thread(this::serve, "registry");
    thread.setDaemon(true);
    thread.start();
  }

  /** Its address. */
  public String url() {
    return scheme + "://" + socket.getInetAddress().getHostAddress() + ":" + socket.getLocalPort();
  }

  /** The answer to a question for the schema of this id. */
  public synchronized void put(int id, String body) {
    bodies.put("/schemas/ids/" + id, body);
  }

  /** Statuses of the next answers, before the true ones. */
  public synchronized void next(List<Integer> answers) {
    statuses.addAll(answers);
  }

  /** This many of the next answers stop in their middle, until the client closes the connection. */
  public synchronized void stall(int answers) {
    stalls = answers;
  }

  /** The paths that were asked for. */
  public synchronized List<String> asked() {
    return List.copyOf(asked);
  }

  /** The Authorization header of each question, or "none". */
  public synchronized List<String> credentials() {
    return List.copyOf(credentials);
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (Socket client = socket.accept()) {
        answer(client);
      } catch (SSLException e) {
        // the client does not trust this server, or the other way round
      } catch (IOException e) {
        if (!socket.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void answer(Socket client) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
    String request = in.readLine();
    if (request == null) {
      return; // the client has given up
    }
    String path = request.split(" ", -1)[1];
    String authorization = "none";
    for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
      if (line.startsWith("Authorization: ")) {
        authorization = line.substring("Authorization: ".length());
      }
    }
    byte[] response = response(path, authorization).getBytes(UTF_8);
    boolean stalls = takeStall();
    client.getOutputStream().write(response, 0, response.length - (stalls ? 1 : 0));
    client.getOutputStream().flush();
    if (stalls) {
      awaitEnd(in);
    }
  }

  private static void awaitEnd(BufferedReader in) {
    try {
      while (in.read() >= 0) {
        // nothing more is to come
      }
    } catch (IOException e) {
      // closed the hard way
    }
  }

  private synchronized boolean takeStall() {
    stalls--;
    return stalls >= 0;
  }

  private synchronized String response(String path, String authorization) {
    asked.add(path);
    credentials.add(authorization);
    Optional<String> found = Optional.ofNullable(bodies.get(path));
    int status = statuses.isEmpty() ? (found.isPresent() ? 200 : 404) : statuses.poll();
    String body = status == 200 ? found.orElseThrow() : "{\"error_code\":40403}";
    return "HTTP/1.1 "
        + status
        + " said\r\nConnection: close\r\nContent-Length: "
        + body.getBytes(UTF_8).length
        + "\r\n\r\n"
        + body;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

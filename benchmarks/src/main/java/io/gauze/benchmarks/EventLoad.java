package io.gauze.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Many clients that listen to server-sent events at once, on one thread. */
final class EventLoad implements AutoCloseable {
  private static final long PATIENCE_NANOS = 30_000_000_000L;
  private static final String BEAT = ": the service is there";
  private static final String EVENT = "event: release\ndata: ";

  private final Selector selector = Selector.open();
  private final List<SocketChannel> clients = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);

  private EventLoad() throws IOException {}

  /** Connects clients, and returns when each has got its first bytes. */
  static EventLoad connect(int port, int count) throws IOException {
    EventLoad load = new EventLoad();
    byte[] request =
        "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
    for (int k = 0; k < count; k++) {
      SocketChannel client =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      load.clients.add(client);
      client.write(ByteBuffer.wrap(request));
      client.configureBlocking(false);
      client.register(load.selector, SelectionKey.OP_READ, new ByteArrayOutputStream());
    }
    load.await(BEAT, System.nanoTime());
    return load;
  }

  /**
   * Waits until each client has an event.
   *
   * @param since {@link System#nanoTime} when its release came to be
   * @return the seconds until the median and the last client had it
   */
  double[] awaitEvent(long since) throws IOException {
    double[] seconds = await(EVENT, since);
    Arrays.sort(seconds);
    return new double[] {seconds[seconds.length / 2], seconds[seconds.length - 1]};
  }

  private double[] await(String word, long since) throws IOException {
    double[] seconds = new double[clients.size()];
    int seen = 0;
    while (seen < seconds.length) {
      selector.select(1000);
      for (SelectionKey key : selector.selectedKeys()) {
        ByteArrayOutputStream text = (ByteArrayOutputStream) key.attachment();
        read((SocketChannel) key.channel(), text);
        if (text.toString(StandardCharsets.UTF_8).contains(word)) {
          text.reset();
          seconds[seen++] = (System.nanoTime() - since) * 1e-9;
        }
      }
      selector.selectedKeys().clear();
      if (System.nanoTime() - since > PATIENCE_NANOS) {
        throw new IOException("only " + seen + " of " + seconds.length + " clients got: " + word);
      }
    }
    return seconds;
  }

  /** Appends what has come to what the client has already. */
  private void read(SocketChannel client, ByteArrayOutputStream text) throws IOException {
    buffer.clear();
    if (client.read(buffer) < 0) {
      throw new IOException("the server closed a stream of events");
    }
    text.write(buffer.array(), 0, buffer.position());
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel client : clients) {
      client.close();
    }
    selector.close();
  }
}

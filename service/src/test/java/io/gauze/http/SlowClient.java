package io.gauze.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A client that sends and reads a few bytes when it is told to. */
public final class SlowClient implements AutoCloseable {
  private static final int FEW = 16;

  private final SocketChannel channel;
  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
  private boolean closed;

  /** Connects to this machine, and sends the beginning of a request. */
  public SlowClient(int port, String begin) throws IOException {
    channel = SocketChannel.open();
    channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.write(ByteBuffer.wrap(begin.getBytes(ISO_8859_1)));
    channel.configureBlocking(false);
  }

  /** Sends a byte, and reads what has come. */
  public void trickle() {
    try {
      channel.write(ByteBuffer.wrap(new byte[] {' '}));
      read(4096);
    } catch (IOException e) { // the service has closed the connection before all was sent
      closed = true;
    }
  }

  /** Reads a few bytes of what has come. */
  public void read() {
    try {
      read(FEW);
    } catch (IOException e) {
      closed = true;
    }
  }

  private void read(int most) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(most);
    int count = channel.read(buffer);
    answer.write(buffer.array(), 0, Math.max(0, count));
    closed = count < 0;
  }

  /** Whether the service has closed the connection, and all of the answer is read. */
  public boolean isClosed() {
    return closed;
  }

  public String answer() {
    return answer.toString(ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

package io.gauze.http.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Notices that a client leaves before it has its answer. The server reads nothing from a connection
 * while a request of it is answered, so somebody has to look whether it has come to its end.
 */
public final class Departure {
  private static final long PAUSE_MILLIS = 200;

  private final EndPoint end;
  private final Scheduler clock;
  private final Runnable gone;
  private final ByteBuffer buffer = BufferUtil.allocate(1);
  private boolean over;
  private boolean moreCame;

  private Departure(EndPoint end, Scheduler clock, Runnable gone) {
    this.end = end;
    this.clock = clock;
    this.gone = gone;
  }

  /**
   * Watches the client of a request whose body is read, or that has none.
   *
   * @param gone is called at most once, if the client closes its connection before {@link #end}
   */
  public static Departure watch(Request request, Runnable gone) {
    Departure departure =
        new Departure(
            request.getConnectionMetaData().getConnection().getEndPoint(),
            request.getComponents().getScheduler(),
            gone);
    if (isRead(request)) {
      departure.lookLater();
    }
    return departure;
  }

  private static boolean isRead(Request request) {
    boolean body =
        request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
    return !body || request.getMethod().equals("POST");
  }

  private void lookLater() {
    Scheduler.Task unusedTask = clock.schedule(this::look, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    boolean left;
    synchronized (this) {
      if (over) {
        return;
      }
      left = hasLeft();
      over = left || moreCame;
    }
    if (left) {
      end.close();
      gone.run();
    } else if (!moreCame) {
      lookLater();
    }
  }

  private boolean hasLeft() {
    try {
      int read = end.fill(buffer);
      moreCame = read > 0;
      return read < 0;
    } catch (IOException e) { // the connection was reset
      return true;
    }
  }

  /**
   * Ends the watch, before the answer is written. Returns whether the client has sent more, which
   * is lost: its connection must be closed after the answer, as HTTP allows at any time.
   */
  public synchronized boolean end() {
    over = true;
    return moreCame;
  }
}

package io.gauze.http;

import io.gauze.answer.ErrorCode;
import io.gauze.answer.ReleaseLibrary.Entry;
import io.gauze.answer.ReleaseTopic;
import io.gauze.answer.RequestException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tells clients of each new release, as server-sent events. The id of an event has the last offset
 * of every partition up to it, so that a client which names it misses nothing. Thread-safe.
 */
final class EventHub implements AutoCloseable {
  private static final byte[] BEAT = ": the service is there\n\n".getBytes(StandardCharsets.UTF_8);

  private final int most;
  private final List<Told> told = new ArrayList<>();
  private final TreeMap<Integer, Long> offsets = new TreeMap<>();
  private final Set<Client> clients = new LinkedHashSet<>();

  /** An event, whose bytes all clients share. */
  private static final class Told {
    private final ReleaseTopic.Place place;
    private final byte[] event;

    Told(ReleaseTopic.Place place, byte[] event) {
      this.place = place;
      this.event = event;
    }
  }

  /** A client. Its methods return at once, whether or not the client reads. */
  interface Client {
    /** Sends bytes, after all those before. */
    void send(byte[] bytes);

    /** Ends the stream of events after what was sent. */
    void end();
  }

  /**
   * Creates a hub.
   *
   * @param most how many clients there may be
   */
  EventHub(int most, List<Entry> known) {
    this.most = most;
    publish(known);
  }

  /** Tells all clients of new releases. */
  synchronized void publish(List<Entry> entries) {
    for (Entry entry : entries) {
      offsets.put(entry.place().partition(), entry.place().offset());
      byte[] event = event(entry, offsets);
      told.add(new Told(entry.place(), event));
      List.copyOf(clients).forEach(client -> client.send(event)); // one that is gone is removed
    }
  }

  /** Tells all clients that the service is there. */
  synchronized void beat() {
    List.copyOf(clients).forEach(client -> client.send(BEAT));
  }

  /**
   * Adds a client.
   *
   * @param after the id of the last event that it knows; empty: it wants only what comes from now
   *     on
   * @throws Problem if the id is none, or there are too many clients
   */
  synchronized void add(Client client, Optional<String> after) throws Problem {
    if (clients.size() >= most) {
      throw Problem.of(
          new RequestException(
              ErrorCode.BUSY, "as many clients listen to events as may: at most " + most));
    }
    Map<Integer, Long> known = after.isPresent() ? parse(after.get()) : offsets;
    client.send(BEAT);
    for (Told each : after.isPresent() ? told : List.<Told>of()) {
      if (each.place.offset() > known.getOrDefault(each.place.partition(), -1L)) {
        client.send(each.event);
      }
    }
    clients.add(client);
  }

  private static Map<Integer, Long> parse(String id) throws Problem {
    if (!id.matches("\\d{1,6}-\\d{1,18}(\\.\\d{1,6}-\\d{1,18}){0,999}")) {
      throw Problem.bad(
          "Last-Event-ID must be the id of an event, such as 0-17.1-4. Provided value: "
              + Query.shown(id));
    }
    Map<Integer, Long> offsets = new TreeMap<>();
    for (String part : id.split("\\.", -1)) {
      int hyphen = part.indexOf('-');
      offsets.put(
          Integer.parseInt(part.substring(0, hyphen)), Long.parseLong(part.substring(hyphen + 1)));
    }
    return offsets;
  }

  private static byte[] event(Entry entry, Map<Integer, Long> offsets) {
    String id =
        offsets.entrySet().stream()
            .map(each -> each.getKey() + "-" + each.getValue())
            .collect(Collectors.joining("."));
    String data =
        new String(Json.bytes(ReleaseResources.summary(entry)), StandardCharsets.UTF_8).strip();
    return ("id: " + id + "\nevent: release\ndata: " + data + "\n\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Forgets a client that is gone. */
  synchronized void remove(Client client) {
    clients.remove(client);
  }

  /** The number of clients. */
  synchronized int size() {
    return clients.size();
  }

  @Override
  public void close() {
    List<Client> all;
    synchronized (this) {
      all = List.copyOf(clients);
      clients.clear();
    }
    all.forEach(Client::end);
  }
}

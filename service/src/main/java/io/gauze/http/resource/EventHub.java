package io.gauze.http.resource;

import io.gauze.answer.ErrorCode;
import io.gauze.answer.ReleaseLibrary.Entry;
import io.gauze.answer.RequestException;
import io.gauze.http.protocol.Json;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Query;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tells clients of each new release, as server-sent events. The id of an event has the last offset
 * of every partition up to it, so that a client which names it misses nothing. Thread-safe.
 */
public final class EventHub implements AutoCloseable {
  private static final byte[] BEAT = ": the service is there\n\n".getBytes(StandardCharsets.UTF_8);

  private final Limits limits;
  private final List<Block> told = new ArrayList<>();
  private final TreeMap<Integer, Long> offsets = new TreeMap<>();
  private final Map<Client, String> clients = new LinkedHashMap<>(); // to their addresses
  private boolean closed;

  /**
   * How many clients there may be.
   *
   * @param share how many of one address
   */
  public record Limits(int most, int share) {
    public static final Limits USUAL = new Limits(2000, 1000);
  }

  /**
   * Releases that were told one after the other. Their events are made again for a client that
   * missed them, since those of a million releases do not fit into memory.
   */
  private static final class Block {
    private static final int MOST = 1024;

    private final Map<Integer, Long> before; // the last offsets in front of the first release
    private final List<Entry> entries = new ArrayList<>();

    Block(Map<Integer, Long> before) {
      this.before = Map.copyOf(before);
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
   * @param known releases of which clients know
   */
  public EventHub(Limits limits, List<Entry> known) {
    this.limits = limits;
    publish(known);
  }

  /** Tells all clients of new releases. */
  public synchronized void publish(List<Entry> entries) {
    for (Entry entry : entries) {
      if (told.isEmpty() || told.get(told.size() - 1).entries.size() == Block.MOST) {
        told.add(new Block(offsets));
      }
      told.get(told.size() - 1).entries.add(entry);
      offsets.put(entry.place().partition(), entry.place().offset());
      if (!clients.isEmpty()) {
        sendAll(event(entry, offsets));
      }
    }
  }

  /** Tells all clients that the service is there. */
  public synchronized void beat() {
    sendAll(BEAT);
  }

  private void sendAll(byte[] bytes) {
    List.copyOf(clients.keySet()).forEach(client -> client.send(bytes)); // one may be removed
  }

  /**
   * Adds a client, or ends it if the service ends. It is a member before anything is sent to it, so
   * that it can be removed from then on, also by what the sending finds out.
   *
   * @param address whose share it counts to
   * @param after the id of the last event that it knows; empty: it wants only what comes from now
   *     on
   * @throws Problem if the id is none, or there are too many clients
   */
  synchronized void add(Client client, String address, Optional<String> after) throws Problem {
    Map<Integer, Long> known = after.isPresent() ? parse(after.get()) : offsets;
    checkRoom(address);
    if (closed) {
      client.end();
      return;
    }
    clients.put(client, address);
    client.send(BEAT);
    if (after.isPresent()) {
      told.forEach(block -> sendMissed(client, block, known));
    }
  }

  private void sendMissed(Client client, Block block, Map<Integer, Long> known) {
    boolean stays = clients.containsKey(client); // else it hardly reads
    if (!stays || block.entries.stream().noneMatch(entry -> isMissed(entry, known))) {
      return;
    }
    TreeMap<Integer, Long> at = new TreeMap<>(block.before);
    for (Entry entry : block.entries) {
      at.put(entry.place().partition(), entry.place().offset());
      if (isMissed(entry, known) && clients.containsKey(client)) {
        client.send(event(entry, at));
      }
    }
  }

  private static boolean isMissed(Entry entry, Map<Integer, Long> known) {
    return entry.place().offset() > known.getOrDefault(entry.place().partition(), -1L);
  }

  private void checkRoom(String address) throws Problem {
    if (clients.size() >= limits.most()) {
      throw busy("as many clients listen to events as may: at most " + limits.most());
    }
    if (Collections.frequency(clients.values(), address) >= limits.share()) {
      throw busy(
          "as many clients of your address listen to events as may: at most " + limits.share());
    }
  }

  private static Problem busy(String message) {
    return Problem.of(new RequestException(ErrorCode.BUSY, message));
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
  public synchronized int size() {
    return clients.size();
  }

  @Override
  public void close() {
    List<Client> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(clients.keySet());
      clients.clear();
    }
    all.forEach(Client::end);
  }
}
